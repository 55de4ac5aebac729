"""The breaker as searches and saves meet it: a provider that is down is left alone, then tried one call at a time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import provider_faults as faults
import pytest
from provider_faults import status
from provider_server import ProviderServer
from providers.scenes import chain, first, notes, opened, texts_sent, timed

from holdfast import Memory
from holdfast.remote.breaker import BreakerState

pytestmark = [pytest.mark.fault, pytest.mark.promise("P7")]


def _ready(home: Path, provider: ProviderServer, memory: Memory) -> None:
    notes(home, 3)
    assert memory.sync().pending == 0
    provider.requests.clear()


def test_after_three_failed_searches_no_request_is_sent_until_the_rest_is_over(
    home: Path, provider: ProviderServer
) -> None:
    with opened(home, provider) as memory:
        _ready(home, provider, memory)
        clock = timed(memory)
        provider.always(status(401))
        for number in range(10):
            found = memory.search(f"heron number{number}")
            assert (found.mode, bool(found.because)) == ("keyword", True)
            assert len(provider.requests) == min(number + 1, 3)
        assert "left alone for 60 s more, because HTTP 401" in found.because
        clock.seconds += 59
        assert "left alone for 1 s more" in memory.search("heron").because
        memory.save("A wryneck.", file="memory/late.md")
        assert "left alone" in memory.sync().because
        assert len(provider.requests) == 3


def test_after_the_rest_one_call_is_the_trial_and_its_failure_starts_the_rest_anew(
    home: Path, provider: ProviderServer
) -> None:
    with opened(home, provider) as memory:
        _ready(home, provider, memory)
        clock = timed(memory)
        provider.always(status(401))
        for trials in range(4):
            for _ in range(5):
                assert memory.search("heron").mode == "keyword"
            assert len(provider.requests) == 3 + trials
            clock.seconds += 60
        provider.reset()
        found = memory.search("heron")
        assert (found.mode, found.because, len(provider.requests)) == ("hybrid", "", 1)
        assert memory.search("heron").mode == "hybrid"
        assert len(provider.requests) == 2, "after a trial that went well every call goes through"
        assert memory.status().providers[0]["failure"] == ""


def test_of_many_calls_at_once_after_the_rest_exactly_one_goes_out(home: Path, provider: ProviderServer) -> None:
    with opened(home, provider) as memory:
        _ready(home, provider, memory)
        clock = timed(memory)
        link = first(memory)
        assert link.breaker is not None
        for _ in range(3):
            link.breaker.failed("the test says so")
        clock.seconds += 60
        provider.always(faults.HANG)
        said: list[str] = []

        def ask() -> None:
            from holdfast.embeddings.embedder import Purpose
            from holdfast.errors import ProviderFailed

            with pytest.raises(ProviderFailed) as caught:
                link.ask(["heron"], Purpose.QUERY, 0.3)
            said.append(str(caught.value))

        with ThreadPoolExecutor(8) as pool:
            for asked in [pool.submit(ask) for _ in range(8)]:
                asked.result()
        assert sum("left alone" in one for one in said) == 7
        assert len(provider.requests) <= 1
        assert link.breaker.state is BreakerState.OPEN


def test_a_large_sync_with_a_provider_that_is_down_asks_only_what_was_under_way(
    home: Path, provider: ProviderServer
) -> None:
    notes(home, 700)
    provider.always(status(401))
    with opened(home, provider, remote__concurrency=2, remote__batch__enabled=False) as memory:
        timed(memory)
        synced = memory.sync()
        assert (synced.embedded, synced.pending) == (0, 700)
        assert "HTTP 401" in synced.because
        assert len(provider.requests) <= 4


def test_each_provider_of_the_chain_has_a_breaker_of_its_own_and_the_embedded_model_none(
    home: Path, provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", provider.url)
    with opened(home, provider, fallback=["ollama", "local"]) as memory:
        breakers = [link.breaker for link in chain(memory)]
    assert breakers[0] is not None and breakers[1] is not None and breakers[2] is None
    assert breakers[0] is not breakers[1]


_BRIEF = {"remote__query_timeout_ms": 150}


def test_a_search_with_a_provider_that_hangs_answers_by_keywords(home: Path, provider: ProviderServer) -> None:
    with opened(home, provider) as memory:
        _ready(home, provider, memory)
    provider.always(faults.HANG)
    with opened(home, provider, **_BRIEF) as memory:
        timed(memory)
        for asked in range(1, 5):
            found = memory.search("heron number1")
            assert (found.mode, found.results[0].path) == ("keyword", "memory/heron1.md")
            assert "0.15 s" in found.because or "in time" in found.because or "left alone" in found.because
            assert len(provider.requests) <= min(asked, 3)


def test_a_save_with_a_provider_that_hangs_is_saved_and_found_at_once(home: Path, provider: ProviderServer) -> None:
    with opened(home, provider) as memory:
        _ready(home, provider, memory)
    provider.always(faults.HANG)
    with opened(home, provider, fallback="local", **_BRIEF) as memory:
        timed(memory)
        for number in range(4):
            memory.save(f"A wryneck called w{number}x.", file=f"memory/wryneck{number}.md")
            found = memory.search(f"w{number}x")
            assert (found.mode, found.provider) == ("hybrid", "local")
            assert found.results[0].path == f"memory/wryneck{number}.md"
        assert len(provider.requests) <= 3
        assert set(texts_sent(provider)) <= {f"A wryneck called w{number}x." for number in range(2)} | {"w0x"}


def test_a_first_search_whose_provider_hangs_before_its_dimensions_are_known_asks_once(
    home: Path, provider: ProviderServer
) -> None:
    notes(home, 3)
    provider.always(faults.HANG)
    with opened(home, provider, provider="custom", model="tiny", dimensions=None, **_BRIEF) as memory:
        found = memory.search("heron number1")
        assert (found.mode, found.results[0].path) == ("keyword", "memory/heron1.md")
        assert "custom" in found.because
        assert len(provider.requests) <= 1
