"""An embedder that fails, lies or changes: search goes on, and vectors of two spaces never meet (P7, P8)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from counts import counted
from faults.rebuilding import index_rows, of_a_rebuild, seen, vector_scores

from holdfast import Memory
from holdfast.embeddings.embedder import Embedded, Purpose, SpaceKey
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.errors import ProviderFailed

pytestmark = pytest.mark.fault

_TEXTS = [f"The {bird} nests in {tree}" for bird in ("heron", "stork", "crane") for tree in ("alder", "birch", "cedar")]
Spoil = Callable[[Embedded], Embedded]


class SpoiltEmbedder(FakeEmbedder):
    """Answers, and then something happens to the answer."""

    def __init__(self, spoil: Spoil | None = None, model: str = "fake-64", dimensions: int = 64) -> None:
        super().__init__(model, dimensions)
        self.spoil = spoil

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Embedded:
        """One vector for each text, or what is left of it."""
        answer = super().embed(texts, purpose)
        return answer if self.spoil is None or not texts else self.spoil(answer)


def _row(value: float) -> Spoil:
    return lambda answer: Embedded(answer.space, [[value, *(row or [0.0])[1:]] for row in answer.vectors])


_LIES: dict[str, Spoil] = {
    "another model": lambda answer: Embedded(answer.space._replace(model="other"), answer.vectors),
    "another endpoint": lambda answer: Embedded(answer.space._replace(endpoint="http://x"), answer.vectors),
    "other dimensions": lambda answer: Embedded(answer.space._replace(dimensions=8), answer.vectors),
    "short rows": lambda answer: Embedded(answer.space, [(row or [])[:-1] for row in answer.vectors]),
    "long rows": lambda answer: Embedded(answer.space, [[*(row or []), 1.0] for row in answer.vectors]),
    "too few": lambda answer: Embedded(answer.space, answer.vectors[:-1]),
    "too many": lambda answer: Embedded(answer.space, [*answer.vectors, answer.vectors[0]]),
    "not a number": _row(math.nan),
    "infinity": _row(math.inf),
    "zeros": lambda answer: Embedded(answer.space, [[0.0] * 64 for _ in answer.vectors]),
    "nested": lambda answer: Embedded(answer.space, [[[1.0] * 64] for _ in answer.vectors]),  # type: ignore[list-item]
}


def _filled(memory: Memory) -> None:
    for number, text in enumerate(_TEXTS):
        memory.save(text, file=f"memory/n{number}.md")


@pytest.mark.promise("P7")
def test_a_search_with_the_embedder_down_answers_by_keywords_and_says_why(home: Path) -> None:
    embedder = FakeEmbedder()
    with Memory.open(home, embedder=embedder) as memory:
        _filled(memory)
        up = memory.search("heron in the alder")
        assert (up.mode, up.because, up.provider) == ("hybrid", "", "fake")
        embedder.down = True
        for number in range(counted(5, 50)):
            down = memory.search("heron in the alder")
            assert down.mode == "keyword"
            assert "switched off" in down.because and down.partial and not up.partial
            assert (down.provider, down.model) == (None, None)
            assert down.results[0].path == up.results[0].path
            assert all(hit.vector_score is None for hit in down.results)
            memory.save(f"- a wryneck number{number}x", file="memory/late.md")
            assert seen(memory, f"number{number}x") == {"memory/late.md"}
        done = memory.sync()
        assert done.pending > 0 and "switched off" in done.because
        embedder.down = False
        assert memory.sync().pending == 0
        assert memory.search("heron").mode == "hybrid"


@pytest.mark.promise("P7")
def test_an_embedder_that_goes_down_in_the_middle_keeps_what_it_gave_and_asks_for_the_rest_later(home: Path) -> None:
    calls = 0

    def stop(answer: Embedded) -> Embedded:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise ProviderFailed("fake", "the line was cut")
        return answer

    home.mkdir()
    (home / "MEMORY.md").write_text("".join(f"- the osprey of day{n}\n" for n in range(300)), encoding="utf-8")
    embedder = SpoiltEmbedder(stop)
    quiet = {"memory.sync.on_search": False, "memory.sync.on_session_start": False}
    with Memory.open(home, embedder=embedder, settings=quiet) as memory:
        first = memory.sync()
        assert (first.embedded, first.pending) == (128, 172)
        assert "the line was cut" in first.because
        assert seen(memory, "day299") == {"MEMORY.md"}
        embedder.texts = 0
        assert (memory.sync().pending, embedder.texts) == (0, 172)


@pytest.mark.promise("P8")
@pytest.mark.parametrize("lie", _LIES)
def test_an_answer_that_is_not_what_was_asked_for_is_refused_whole(home: Path, lie: str) -> None:
    embedder = SpoiltEmbedder(_LIES[lie])
    with Memory.open(home, embedder=embedder) as memory:
        _filled(memory)
        done = memory.sync()
        assert done.embedded == 0 and done.because
        assert memory.ctx.database.connection.one("SELECT count(*) FROM vectors") == 0
        found = memory.search("heron alder")
        assert found.mode == "keyword" and found.because and found.results
        embedder.spoil = None
        assert memory.sync().pending == 0
        embedder.spoil = _LIES[lie]
        asked = memory.search("heron alder")
        assert asked.mode == "keyword" and asked.because and asked.results[0].path == found.results[0].path


@pytest.mark.promise("P8")
def test_two_spaces_in_one_index_are_never_compared(home: Path, tmp_path: Path) -> None:
    embedders = [FakeEmbedder("one", 64), FakeEmbedder("two", 64), FakeEmbedder("one", 32), FakeEmbedder("two", 200)]
    alone: list[list[tuple[str, float]]] = []
    for number, embedder in enumerate(embedders):
        with Memory.open(tmp_path / f"alone{number}", embedder=embedder) as memory:
            _filled(memory)
            alone.append(vector_scores(memory, embedder, "a heron in an alder"))
    for turn in range(counted(2, 10)):
        for embedder, wanted in zip(embedders, alone, strict=True):
            with Memory.open(home, embedder=embedder) as memory:
                _filled(memory) if turn == 0 and embedder is embedders[0] else None
                memory.sync()
                assert vector_scores(memory, embedder, "a heron in an alder") == wanted
                answer = memory.search("a heron in an alder")
                assert (answer.mode, answer.model) == ("hybrid", embedder.space.model)
                rows = memory.ctx.database.connection.all(
                    "SELECT s.dimensions, length(v.vector) FROM vectors v JOIN spaces s ON s.id = v.space"
                )
                assert all(size == dimensions for dimensions, size in rows)
    with Memory.open(home) as memory:
        assert len(memory.ctx.database.spaces()) == len({embedder.space for embedder in embedders})
        assert index_rows(memory) == of_a_rebuild(memory, tmp_path / "rebuild")


@pytest.mark.promise("P8")
def test_a_new_space_answers_by_keywords_until_it_has_vectors_of_its_own(home: Path) -> None:
    with Memory.open(home, embedder=FakeEmbedder("old", 64)) as memory:
        _filled(memory)
    settings = {"memory.sync.on_search": False, "memory.sync.on_session_start": False}
    new = FakeEmbedder("new", 64)
    with Memory.open(home, settings=settings, embedder=new) as memory:
        answer = memory.search("heron")
        assert (answer.mode, answer.model) == ("keyword", None)
        assert answer.because, "it must say that the vectors are still to come"
        assert [SpaceKey("fake", "old", "", 64), new.space] == memory.ctx.database.spaces()
        memory.sync()
        assert memory.search("heron").model == "new"
