"""`auto` sends nothing anywhere by itself; what could be used is shown with the command that turns it on."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import done
from provider_server import ProviderServer
from providers.scenes import chain, first, notes, opened, texts_sent

from holdfast import Memory
from holdfast.embeddings.static.static_embedder import CURRENT
from holdfast.errors import ProviderFailed


@pytest.fixture
def keys(provider: ProviderServer, monkeypatch: pytest.MonkeyPatch) -> ProviderServer:
    """Keys for everybody lie in the environment, and Ollama answers; whoever is asked is seen by the server."""
    monkeypatch.setenv("OPENAI_API_KEY", provider.key)
    monkeypatch.setenv("GEMINI_API_KEY", provider.key)
    monkeypatch.setenv("OLLAMA_HOST", provider.url)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, provider.url)
    return provider


def test_keys_in_the_environment_send_nothing(home: Path, keys: ProviderServer) -> None:
    notes(home, 3)
    with Memory.open(home) as memory:
        memory.sync()
        memory.save("A wryneck.")
        found = memory.search("number1")
        assert (found.mode, found.provider) == ("hybrid", "local")
        assert memory.status(deep=True).sends_to is None
        assert [link.name for link in chain(memory)] == ["local"]
    assert [seen for seen in keys.requests if seen.path != "/api/version"] == []
    assert all(not seen.body for seen in keys.requests)


def test_status_and_init_show_what_could_be_used_with_the_command(home: Path, keys: ProviderServer) -> None:
    expected = [
        ("openai", "OPENAI_API_KEY is set", "holdfast config set memory.provider openai"),
        ("gemini", "GEMINI_API_KEY is set", "holdfast config set memory.provider gemini"),
        ("ollama", "it answers on this machine", "holdfast config set memory.provider ollama"),
    ]
    for command in ("init", "status"):
        shown = done(command, "--json").json
        assert [(one["provider"], one["why"], one["command"]) for one in shown["possible"]] == expected
        told = done(command).out
        for provider, why, how in expected:
            assert how in told and why in told and provider in told
        assert keys.key not in told
    assert "nothing: no text leaves this machine" in done("status").out


def test_the_command_that_is_shown_turns_it_on(home: Path, keys: ProviderServer) -> None:
    notes(home, 2)
    done("init")
    done("config", "set", "memory.provider", "ollama")
    assert done("index", "--json").json["embedded"] == 2
    shown = done("status", "--json").json
    assert (shown["provider"], shown["model"], shown["mode"]) == ("ollama", "nomic-embed-text", "hybrid")
    assert shown["provider_because"] == "memory.provider is ollama"
    assert [one["provider"] for one in shown["possible"]] == ["openai", "gemini"]


def test_what_is_not_there_is_not_shown(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert done("status", "--json").json["possible"] == []
    monkeypatch.setenv("GOOGLE_API_KEY", "  ")
    assert done("status", "--json").json["possible"] == []
    monkeypatch.setenv("GOOGLE_API_KEY", "a-key-of-google")
    (only,) = done("status", "--json").json["possible"]
    assert (only["provider"], only["why"]) == ("gemini", "GOOGLE_API_KEY is set")


def test_with_auto_remote_the_order_is_local_file_openai_gemini_ollama_and_then_the_embedded_model(
    home: Path, tmp_path: Path, keys: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF and nothing more")
    given: dict[str, object] = {"memory.provider": "auto-remote"}

    def chosen(**more: object) -> tuple[str, str, bool]:
        with Memory.open(home, settings={**given, **more}) as memory:
            shown = memory.status()
            return str(shown.provider), shown.provider_because, first(memory).embedded

    path = {"memory.local.model_path": str(file)}
    assert chosen(**path) == ("local", "memory.local.model_path names it", False)
    missing = {"memory.local.model_path": str(tmp_path / "none.gguf")}
    assert chosen(**missing) == ("openai", "memory.provider is auto-remote, and OPENAI_API_KEY is set", False)
    monkeypatch.delenv("OPENAI_API_KEY")
    assert chosen() == ("gemini", "memory.provider is auto-remote, and GEMINI_API_KEY is set", False)
    monkeypatch.delenv("GEMINI_API_KEY")
    assert chosen() == ("ollama", "memory.provider is auto-remote, and Ollama answers", False)
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    assert chosen() == ("local", "it comes with Holdfast, and nothing else is configured", True)
    assert [seen for seen in keys.requests if seen.path != "/api/version"] == []


def test_a_local_file_that_is_no_model_falls_back_and_is_reported(home: Path, tmp_path: Path) -> None:
    notes(home, 2)
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF and nothing more")
    with Memory.open(home, settings={"memory.local.model_path": str(file)}) as memory:
        synced = memory.sync()
        assert "local" in synced.because
        found = memory.search("number1")
        assert (found.mode, found.model) == ("hybrid", CURRENT.name)
        assert "answers meanwhile" in found.because
        assert memory.status().providers[0]["failure"]
        with pytest.raises(ProviderFailed):
            first(memory).embedder()


def test_auto_remote_with_ollama_embeds_through_it(
    home: Path, provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes(home, 2)
    monkeypatch.setenv("OLLAMA_HOST", provider.url)
    with Memory.open(home, settings={"memory.provider": "auto-remote"}) as memory:
        memory.sync()
        assert memory.search("number1").provider == "ollama"
    assert "search_query: number1" in [text for seen in provider.asked("/api/embed") for text in seen.json["input"]]


def test_a_deep_status_sends_one_word_and_a_plain_one_nothing(home: Path, provider: ProviderServer) -> None:
    with opened(home, provider) as memory:
        memory.status()
        assert provider.requests == []
        shown = memory.status(deep=True)
        assert shown.providers[0]["answers"] is True
        assert set(texts_sent(provider)) == {"ping"}
        assert len(provider.requests) == 1, "once is enough to know"


def test_a_chosen_provider_without_a_key_says_so_before_anything_is_sent(home: Path) -> None:
    notes(home, 2)
    for provider, variable in (("openai", "OPENAI_API_KEY"), ("gemini", "GEMINI_API_KEY")):
        with Memory.open(home, settings={"memory.provider": provider, "memory.fallback": "none"}) as memory:
            assert f"there is no key; set {variable} or memory.api_key" in memory.sync().because
            found = memory.search("number1")
            assert (found.mode, found.results[0].path) == ("keyword", "memory/heron1.md")
            assert "there is no key" in found.because
            assert "there is no key" in memory.status().because
        with Memory.open(home, settings={"memory.provider": provider}) as memory:
            assert "there is no key" in memory.status().providers[0]["failure"], "also before anything was tried"


def test_custom_without_an_address_says_so(home: Path) -> None:
    notes(home, 1)
    with Memory.open(home, settings={"memory.provider": "custom"}) as memory:
        assert "memory.base_url is not set" in memory.sync().because
        assert "memory.base_url is not set" in memory.search("heron").because
        assert "memory.base_url is not set" in memory.status().providers[0]["failure"]
