"""Headers of the owner's own: they reach the provider however they were given, and nobody else sees them."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import Ran, done, holdfast
from provider_faults import status
from provider_server import ProviderServer
from providers.scenes import asking, notes, opened

_SECRET = "z3bra-crossing-" + "of-ours"
_LINES = ["X-Project: apollo", f"X-Gateway-Token: {_SECRET}"]
_TABLE = {"X-Project": "apollo", "X-Gateway-Token": _SECRET}


def _arrived(provider: ProviderServer) -> bool:
    sent = [(seen.headers.get("x-project"), seen.headers.get("x-gateway-token")) for seen in provider.requests]
    return bool(sent) and set(sent) == {("apollo", _SECRET)}


def _settings_file(home: Path, provider: ProviderServer, headers: str) -> None:
    home.mkdir(parents=True, exist_ok=True)
    plain = "".join(
        f"{name.removeprefix('memory.')} = {value!r}\n"
        for name, value in asking(provider).items()
        if name != "memory.fallback"
    )
    (home / "holdfast.toml").write_text(f'[memory]\nfallback = ["none"]\n{plain}\n{headers}', encoding="utf-8")


@pytest.mark.parametrize("given", [_LINES, tuple(_LINES), _TABLE], ids=["list", "tuple", "table"])
def test_headers_given_to_memory_open_reach_the_provider(given: object, home: Path, provider: ProviderServer) -> None:
    notes(home, 2)
    with opened(home, provider, remote__headers=given) as memory:
        assert memory.sync().pending == 0
        assert memory.search("heron").mode == "hybrid"
    assert _arrived(provider)


@pytest.mark.parametrize(
    "written",
    [
        f'[memory.remote.headers]\nX-Project = "apollo"\nX-Gateway-Token = "{_SECRET}"\n',
        f'[memory.remote]\nheaders = {{ X-Project = "apollo", "X-Gateway-Token" = "{_SECRET}" }}\n',
        f"[memory.remote]\nheaders = {_LINES!r}\n",
    ],
    ids=["table", "inline table", "list"],
)
def test_headers_in_the_settings_file_reach_the_provider_and_no_output(
    written: str, home: Path, provider: ProviderServer
) -> None:
    notes(home, 2)
    _settings_file(home, provider, written)
    shown = [done("index"), done("search", "heron"), *_everything()]
    assert _arrived(provider)
    assert [ran for ran in shown if _SECRET in ran.out + ran.err] == []


def test_headers_of_the_environment_and_of_config_set_reach_the_provider_and_no_output(
    home: Path, provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes(home, 2)
    _settings_file(home, provider, "")
    monkeypatch.setenv("HOLDFAST_MEMORY_REMOTE_HEADERS", "\n".join(_LINES))
    shown = [done("index"), *_everything()]
    assert _arrived(provider)
    monkeypatch.delenv("HOLDFAST_MEMORY_REMOTE_HEADERS")
    provider.reset()
    shown += [done("config", "set", "memory.remote.headers", "\n".join(_LINES)), done("search", "heron")]
    shown += _everything()
    assert _arrived(provider)
    assert [ran for ran in shown if _SECRET in ran.out + ran.err] == []


def test_a_header_that_the_provider_echoes_in_its_error_is_hidden(home: Path, provider: ProviderServer) -> None:
    notes(home, 2)
    provider.always(status(400, f"unknown gateway token {_SECRET} of X-Gateway-Token"))
    with opened(home, provider, remote__headers=_TABLE) as memory:
        told = memory.sync().because + memory.search("heron").because + str(memory.status().to_json())
        assert "unknown gateway token [hidden]" in told
        assert _SECRET not in told


def test_an_authorization_header_of_the_owners_own_wins_over_the_key(home: Path, provider: ProviderServer) -> None:
    notes(home, 1)
    own = {"Authorization": f"Bearer {provider.key}"}
    with opened(home, provider, api_key="sk-" + "not-this-one", remote__headers=own) as memory:
        assert memory.sync().pending == 0
    assert {seen.headers["authorization"] for seen in provider.requests} == {f"Bearer {provider.key}"}


@pytest.mark.parametrize("broken", [["no colon"], ["X A: b"], {"X-A": "ü"}, ["X-A: \n"], {"": "b"}, 5])
def test_what_is_no_header_is_refused_without_being_shown(broken: object, home: Path, provider: ProviderServer) -> None:
    from holdfast.errors import BadSetting

    given = [*broken, _LINES[1]] if isinstance(broken, list) else broken
    with pytest.raises(BadSetting) as caught:
        opened(home, provider, remote__headers=given)
    assert "memory.remote.headers" in str(caught.value)
    assert _SECRET not in str(caught.value)


def _everything() -> list[Ran]:
    commands = [
        ("status",),
        ("status", "--deep", "--json"),
        ("config", "show"),
        ("config", "show", "--json"),
        ("config", "get", "memory.remote.headers"),
        ("doctor",),
        ("spaces", "list", "--json"),
    ]
    return [holdfast(*command) for command in commands]
