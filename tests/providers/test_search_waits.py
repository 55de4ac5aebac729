"""A search never waits longer than `memory.remote.query_timeout_ms` for vectors of texts that are new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import provider_faults as faults
import pytest
from provider_exchange import Ask, Reply
from provider_openai import embeddings
from provider_server import ProviderServer
from providers.scenes import asking, notes, texts_sent

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.embeddings.embedder import Embedded, Purpose
from holdfast.embeddings.fake_embedder import FakeEmbedder


class SlowEmbedder(FakeEmbedder):
    """Takes so many seconds of a clock for each text."""

    def __init__(self, clock: FakeClock, seconds: float) -> None:
        super().__init__()
        self._clock, self._seconds = clock, seconds

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Embedded:
        self._clock.advance(self._seconds * len(texts))
        return super().embed(texts, purpose)


@pytest.mark.parametrize(("seconds", "most"), [(60.0, 1), (1.0, 4), (0.1, 31), (0.0, 40)])
def test_a_slow_model_embeds_what_it_can_in_the_time_and_keywords_answer_for_the_rest(
    home: Path, seconds: float, most: int
) -> None:
    notes(home, 40)
    clock = FakeClock()
    embedder = SlowEmbedder(clock, seconds)
    with Memory.open(home, embedder=embedder, clock=clock, settings={"memory.remote.query_timeout_ms": 3000}) as memory:
        found = memory.search("number7")
        assert found.results[0].path == "memory/heron7.md"
        documents = embedder.texts - (found.mode == "hybrid")  # the question itself is one more
        assert 1 <= documents <= most
        if most < 40:
            assert f"cover {documents} of 40 texts so far" in found.because
        memory.sync()  # which nobody waits for
        assert memory.search("number7").mode == "hybrid"
        assert embedder.texts == 40 + 1 + (found.mode == "hybrid")


class Afar:
    """A server whose answers take time on a clock, and a memory on the same clock."""

    def __init__(self, home: Path, server: ProviderServer) -> None:
        self.clock, self.server = FakeClock(), server
        self.pause = 0.0
        server.add([("POST", r"/v1/embeddings", self._slowly)])
        keys = asking(server, provider="custom", model="tiny", dimensions=None, fallback="none")
        self.memory = Memory.open(home, settings=keys, clock=self.clock)

    def _slowly(self, ask: Ask) -> Reply:
        self.clock.advance(self.pause)
        return embeddings(ask)


@pytest.fixture
def afar_by_clock(home: Path) -> Iterator[Afar]:
    with ProviderServer() as server:
        made = Afar(home, server)
        with made.memory:
            yield made


def test_to_learn_the_length_of_vectors_and_to_embed_new_texts_share_one_limit(home: Path, afar_by_clock: Afar) -> None:
    notes(home, 5)
    afar_by_clock.pause = 3.1  # the limit is 3 seconds: after the one word there is no time for the notes
    found = afar_by_clock.memory.search("number3")
    assert found.results[0].path == "memory/heron3.md"
    assert texts_sent(afar_by_clock.server) == ["ping"]
    afar_by_clock.pause = 0.0
    assert afar_by_clock.memory.sync().pending == 0
    assert afar_by_clock.memory.search("number3").mode == "hybrid"


def test_a_provider_that_hangs_is_asked_once_by_a_search(home: Path, provider: ProviderServer) -> None:
    notes(home, 5)
    provider.always(faults.HANG)
    keys = asking(provider, fallback="none", remote__query_timeout_ms=100)
    with Memory.open(home, settings=keys) as memory:
        found = memory.search("number3")
        assert (found.mode, found.results[0].path) == ("keyword", "memory/heron3.md")
        assert len(provider.requests) <= 1
