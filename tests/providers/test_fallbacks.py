"""Who answers while the chosen provider can't: the order, the empty list, and the way back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from commandline import done
from provider_faults import status
from provider_server import ProviderServer
from providers.scenes import chain, first, notes, opened, timed, wrong

from holdfast.embeddings.static.static_embedder import CURRENT


@pytest.fixture
def spare(monkeypatch: pytest.MonkeyPatch) -> Iterator[ProviderServer]:
    """A second server, where Ollama is."""
    with ProviderServer() as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        yield server


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (["none"], ["openai"]),
        ("none", ["openai"]),
        ([], ["openai"]),
        ("local", ["openai", "local"]),
        ("ollama", ["openai", "ollama"]),
        (["ollama", "local"], ["openai", "ollama", "local"]),
        (["local", "gemini", "ollama"], ["openai", "local", "gemini", "ollama"]),
        (["openai", "local"], ["openai", "local"]),
        (["local", "local"], ["openai", "local"]),
    ],
)
def test_the_list_is_the_order_and_nobody_stands_in_it_twice(
    given: object, names: list[str], home: Path, provider: ProviderServer
) -> None:
    with opened(home, provider, fallback=given) as memory:
        assert [link.name for link in chain(memory)] == names
        assert [one["provider"] for one in memory.status().providers] == names


def test_without_a_fallback_keywords_answer_alone(home: Path, provider: ProviderServer) -> None:
    notes(home, 3)
    provider.always(status(401))
    with opened(home, provider, fallback=[]) as memory:
        memory.sync()
        found = memory.search("number1")
        assert (found.mode, found.provider, found.results[0].path) == ("keyword", None, "memory/heron1.md")
        assert [one.provider for one in memory.spaces()] == ["openai"]


def test_a_spare_provider_is_asked_only_while_the_first_fails(
    home: Path, provider: ProviderServer, spare: ProviderServer
) -> None:
    notes(home, 5)
    patient = {"remote__query_timeout_ms": 60_000}  # a busy machine is no fault of a provider
    with opened(home, provider, fallback="ollama", **patient) as memory:
        clock = timed(memory)
        memory.sync()
        for _ in range(3):
            assert memory.search("number1").provider == "openai"
        assert spare.requests == [], "nothing is sent to it as long as nobody needs it"

        provider.always(status(401))
        (late,) = notes(home, 1, "stork")
        memory.sync()
        assert spare.texts_paid == 6
        assert {one.space.provider for one in wrong(memory)} <= {"ollama"}, "which was sent a prompt before each text"
        for _ in range(5):
            found = memory.search("stork number0")
            assert (found.mode, found.provider, found.model) == ("hybrid", "ollama", "nomic-embed-text")
            assert "HTTP 401" in found.because and "ollama / nomic-embed-text answers meanwhile" in found.because
            failing, helping = memory.status().providers
            assert "HTTP 401" in failing["failure"] and not helping["failure"]

        provider.reset()
        clock.seconds += 61
        sent = len(spare.asked("/api/embed"))
        again = memory.search("stork number0")
        assert (again.mode, again.provider, again.because) == ("hybrid", "openai", "")
        assert provider.paid[late] == 1
        assert memory.status().providers[0]["failure"] == ""
        memory.sync()
        assert len(spare.asked("/api/embed")) == sent, "and nothing afterwards"


def test_the_next_in_the_list_answers_when_the_one_before_fails_too(
    home: Path, provider: ProviderServer, spare: ProviderServer
) -> None:
    notes(home, 3)
    provider.always(status(401))
    spare.always(status(403))
    with opened(home, provider, fallback=["ollama", "local"]) as memory:
        memory.sync()
        found = memory.search("number2")
        assert (found.mode, found.provider) == ("hybrid", "local")
        assert "openai" in found.because and f"local / {CURRENT.name} answers meanwhile" in found.because
        spare.reset()
        timed(memory, 1)
        memory.sync()
        assert memory.search("number2").provider in ("ollama", "local")
        assert spare.texts_paid >= 3


def test_a_chosen_provider_that_fails_is_named_in_every_search_and_status_and_used_again_afterwards(
    home: Path, provider: ProviderServer
) -> None:
    notes(home, 4)
    with opened(home, provider, fallback="local") as memory:
        clock = timed(memory)
        memory.sync()
        provider.always(status(503, Retry_After="99999"))
        for _ in range(8):
            found = memory.search("number3")
            assert (found.mode, found.provider) == ("hybrid", "local")
            assert "openai" in found.because and "503" in found.because
            shown = memory.status()
            assert "503" in shown.providers[0]["failure"]
            assert f"local / {CURRENT.name} answers" in shown.because
        assert first(memory).breaker is not None
        provider.reset()
        clock.seconds += 61
        back = memory.search("number3")
        assert (back.provider, back.because, memory.status().because) == ("openai", "", "")


def test_a_spare_provider_gets_neither_the_key_nor_the_headers_of_the_first(
    home: Path, provider: ProviderServer, spare: ProviderServer
) -> None:
    notes(home, 2)
    provider.always(status(401))
    with opened(home, provider, fallback="ollama", remote__headers={"X-Project": "apollo"}) as memory:
        memory.sync()
        assert memory.search("number1").provider == "ollama"
    assert len(provider.requests) > 0 and len(spare.requests) > 0
    assert all(seen.headers["x-project"] == "apollo" for seen in provider.requests)
    assert not any("x-project" in seen.headers or "authorization" in seen.headers for seen in spare.requests)
    assert not any(provider.key.encode() in seen.body for seen in spare.requests)


def test_the_commands_say_who_answers_instead_and_why(
    home: Path, provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    from providers.scenes import asking

    notes(home, 2)
    provider.always(status(401))
    for name, value in asking(provider, fallback="local").items():
        monkeypatch.setenv("HOLDFAST_" + name.upper().replace(".", "_"), str(value))
    assert "HTTP 401" in done("index").err
    told = done("search", "number1").err
    assert "hybrid" in told and "openai" in told and f"local / {CURRENT.name} answers meanwhile" in told
    found = done("search", "number1", "--json").json
    assert (found["provider"], found["model"]) == ("local", CURRENT.name)
    shown = done("status", "--deep").out
    assert "openai fails: HTTP 401" in shown and "local answers" in shown
