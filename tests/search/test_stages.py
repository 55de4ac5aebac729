"""Each stage takes candidates and gives candidates, and the parts of a score add up to it whichever of them ran."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.index.store_contract import StoredChunk
from holdfast.search.candidate import Candidate, sort_candidates
from holdfast.search.fusion import Fused
from holdfast.search.hit import CONTRIBUTIONS
from holdfast.search.inquiry import Candidates, Inquiry
from holdfast.search.note_weights import Weighing
from holdfast.search.query import question_of
from holdfast.search.scope import Scope
from holdfast.search.stages import gates_of, stages_of
from holdfast.settings.memory_settings import MemorySettings
from holdfast.settings.search_settings import BoostSettings, MmrSettings, SearchSettings, TemporalDecaySettings

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
TEXTS = ["We moved the launch to 3 March.", "Ida called the plumber.", "The harbour was cold.", "The launch is late."]
SCORES = st.lists(st.floats(0.0, 1.0), min_size=0, max_size=30)


class Reader:
    """Reads each text, and likes some."""

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        return [(len(text) + len(question)) % 7 / 7 for text in texts]


class Nobody:
    """Does not answer."""

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        raise OSError("gone")


def met(question: str, texts: Sequence[tuple[str, str]]) -> list[float]:
    return [len(set(question.split()) & set(text.split())) / 10 for _, text in texts]


def candidates(scores: list[float]) -> Candidates:
    chunks: dict[int, StoredChunk] = {}
    standing: list[Candidate] = []
    for row, score in enumerate(scores):
        path = f"memory/{row % 5}.md" if row % 3 else f"memory/2026-11-{row % 14 + 1:02}.md"
        chunks[row] = StoredChunk(row, f"{row}", f"{row}", path, "memory", row + 1, row + 1, (), TEXTS[row % 4])
        fused = Fused(row, score, None, score, text=score * 0.6, neighbours=score * 0.3, note=score * 0.1)
        standing.append(Candidate(score, fused, {}))
    return Candidates(sort_candidates(standing, chunks), chunks)


def inquiry(**more: object) -> Inquiry:
    query = "when was the launch in March?"
    return Inquiry(query, question_of(query), memory=MemorySettings(), settings=SearchSettings()).replace(**more)


WEIGHING = Weighing(NOW, TemporalDecaySettings(enabled=True), BoostSettings())
ASKED = {
    "nothing": inquiry(),
    "a closer look": inquiry(look_closer=met),
    "weights": inquiry(weighing=WEIGHING),
    "a reader": inquiry(reranker=Reader()),
    "a reader that fails": inquiry(reranker=Nobody()),
    "diversity": inquiry(mmr=MmrSettings(enabled=True, relevance=0.3)),
    "a scope": inquiry(scope=Scope(paths=("memory/1.md", "memory/2.md"))),
    "a least score": inquiry(min_score=0.4),
    "everything": inquiry(
        look_closer=met, weighing=WEIGHING, reranker=Reader(), mmr=MmrSettings(enabled=True), min_score=0.2
    ),
}


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED.keys())
@pytest.mark.parametrize("by_id", [False, True])
@given(SCORES)
def test_after_each_stage_no_candidate_is_new_and_the_parts_add_up(
    asked: Inquiry, by_id: bool, scores: list[float]
) -> None:
    found = candidates(scores)
    for stage in stages_of(asked, None, None, None, by_id=by_id):
        before, found = found, stage(found)
        rows = [one.fused.row for one in found.ranked]
        assert len(set(rows)) == len(rows)
        assert set(rows) <= {one.fused.row for one in before.ranked}
        assert found.chunks == before.chunks
        assert list(found.said[: len(before.said)]) == list(before.said)
        for one in found.ranked:
            lent = {"neighbours": one.fused.neighbours, "note": one.fused.note}
            parts = {"text": one.fused.text, **lent, **one.later}
            assert one.score == pytest.approx(sum(parts.get(name, 0.0) for name in CONTRIBUTIONS))
            assert -1e-9 <= one.score <= 1.0 + 1e-9


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED.keys())
@given(SCORES)
def test_a_gate_only_leaves_out(asked: Inquiry, scores: list[float]) -> None:
    found = candidates(scores)
    for gate in gates_of(asked):
        before, found = found, gate(found)
        kept = [one for one in before.ranked if one in found.ranked]
        assert kept == list(found.ranked)


def test_a_reader_that_fails_changes_no_order_and_is_named() -> None:
    found = before = candidates([0.9, 0.5, 0.7])
    for stage in stages_of(inquiry(reranker=Nobody()), None, None, None, by_id=False):
        found = stage(found)
    assert found.ranked == before.ranked and found.partial and found.said


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    home: Path = tmp_path_factory.mktemp("home")
    (home / "memory/sessions").mkdir(parents=True)
    for number in range(12):
        talk = [f"- **{name}** (12:0{turn}): {TEXTS[(number + turn) % 4]}" for turn, name in enumerate("ab" * 3)]
        (home / f"memory/sessions/2026-11-{number + 1:02}-x.md").write_text("\n".join(talk), encoding="utf-8")
        (home / f"memory/{number}.md").write_text(f"# Part {number}\n\n{TEXTS[number % 4]}\n", encoding="utf-8")
    with Memory.open(home, settings={"memory.search.mmr.enabled": True}) as opened:
        opened.sync()
        yield opened


@pytest.mark.parametrize("by_passage", [False, True])
@pytest.mark.parametrize("query", ["when is the launch?", "Part 3", "who called the plumber in November?", "zxqv"])
def test_the_parts_of_every_hit_add_up_to_its_score(memory: Memory, query: str, by_passage: bool) -> None:
    hits = memory.search(query, max_results=100, by_passage=by_passage).results
    assert hits
    for hit in hits:
        assert hit.score == pytest.approx(sum(hit.explain.get(name, 0.0) for name in CONTRIBUTIONS))
        assert hit.explain["score"] == hit.score
