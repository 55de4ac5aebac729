"""The passages of a note are one hit, in the place of its best; entries and facts are hits of their own."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.index.store_contract import StoredChunk
from holdfast.search.candidate import Candidate
from holdfast.search.fusion import Fused
from holdfast.search.note_groups import NoteGroup, group_by_note, lower_to_previous

PATHS = ["memory/a.md", "memory/b.md", "memory/sessions/c.md", "MEMORY.md", "memory/2026-03-05.md"]
FOUND = st.lists(st.tuples(st.sampled_from(PATHS), st.floats(0.0, 1.0)), max_size=40)


def arranged(found: list[tuple[str, float]], limit: int, *, by_passage: bool = False) -> list[NoteGroup]:
    ranked: list[Candidate] = []
    chunks: dict[int, StoredChunk] = {}
    for row, (path, score) in enumerate(sorted(found, key=lambda one: -one[1])):
        ranked.append(Candidate(score, Fused(row, score, None, score, text=score), {}))
        chunks[row] = StoredChunk(row, f"{row}", "", path, "memory", row + 1, row + 1, (), "words")
    return group_by_note(ranked, chunks, limit, by_passage=by_passage)


def rows(hits: list[NoteGroup]) -> list[int]:
    return [one.candidate.fused.row for one in hits]


@given(FOUND, st.integers(1, 50), st.integers(1, 50))
def test_a_note_is_one_hit_and_how_many_are_wanted_changes_no_place(
    found: list[tuple[str, float]], limit: int, more: int
) -> None:
    hits = arranged(found, limit)
    paths = [one.chunks[0].path for one in hits]
    whole = [path for path in paths if path in PATHS[:3]]
    assert len(set(whole)) == len(whole)
    assert set(paths) == {path for path, _ in found}
    assert rows(hits) == rows(arranged(found, more))
    scores = [one.candidate.score for one in hits]
    assert scores == sorted(scores, reverse=True)
    for one in hits:
        assert one.chunks[0].row == one.candidate.fused.row
        assert {chunk.path for chunk in one.chunks} == {one.chunks[0].path}
        assert all(chunk.row < limit for chunk in one.chunks[1:]), "it would have been on the page by itself"


@given(FOUND, st.integers(1, 50))
def test_by_passage_every_passage_is_a_hit(found: list[tuple[str, float]], limit: int) -> None:
    hits = arranged(found, limit, by_passage=True)
    assert rows(hits) == list(range(len(found))) and all(len(one.chunks) == 1 for one in hits)


def test_a_passage_that_only_stands_beside_the_best_does_not_join_it() -> None:
    lent = Fused(2, 0.5, None, None, neighbours=0.3, note=0.2)
    ranked = [Candidate(0.9, Fused(1, 0.9, None, 0.9, text=0.9), {}), Candidate(0.5, lent, {})]
    chunks = {row: StoredChunk(row, f"{row}", "", PATHS[0], "memory", row, row, (), "words") for row in (1, 2)}
    (hit,) = group_by_note(ranked, chunks, 10, by_passage=False)
    assert [chunk.row for chunk in hit.chunks] == [1]


@given(st.lists(st.floats(0.0, 1.0), max_size=20))
def test_falling_scores_say_what_was_taken_from_them(scores: list[float]) -> None:
    given_ones = [Candidate(score, Fused(row, score, None, None), {}) for row, score in enumerate(scores)]
    found = lower_to_previous(given_ones)
    assert [one.fused.row for one in found] == list(range(len(scores)))
    assert all(one.score >= after.score for one, after in pairwise(found))
    for one, was in zip(found, scores, strict=True):
        assert abs(one.score - was - one.later.get("limit", 0.0)) < 1e-9


def test_the_entries_of_a_daily_note_and_of_memory_are_one_hit_as_the_turns_of_a_talk_are(home: Path) -> None:
    lines = "- The ferry leaves at 7\n- The ferry costs 12 euros\n- The ferry is white\n"
    for path in ("memory/2026-03-05.md", "MEMORY.md", "memory/sessions/2026-03-05-ferry.md"):
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(lines, encoding="utf-8")
    with Memory.open(home) as memory:
        found = memory.search("ferry", max_results=20).results
        each = memory.search("ferry", max_results=20, by_passage=True).results
    for hit in found:
        assert sorted(hit.ranges) == [(1, 1), (2, 2), (3, 3)]
        assert hit.ranges[0] == (hit.start_line, hit.end_line)
        assert sorted(hit.snippet.split("\n")) == sorted(lines.splitlines())
    assert sorted(hit.path for hit in found) == [
        "MEMORY.md",
        "memory/2026-03-05.md",
        "memory/sessions/2026-03-05-ferry.md",
    ]
    assert len(each) == 9


def test_no_line_is_shown_twice_where_passages_overlap(home: Path) -> None:
    # A manual is cut into chunks that repeat the end of the one before.
    text = "\n".join(f"Step {number}: turn the valve of boiler {number} by a quarter." for number in range(120))
    (home / "memory").mkdir(parents=True)
    (home / "memory/manual.md").write_text(f"# Boilers\n\n{text}\n", encoding="utf-8")
    with Memory.open(home, settings={"memory.chunking.tokens": 64, "memory.chunking.overlap": 24}) as memory:
        (hit,) = memory.search("turn the valve of the boiler").results
        assert len(hit.ranges) > 1
        shown = [line for line in hit.snippet.split("\n") if line.startswith("Step")]
        assert len(shown) == len(set(shown)) and len(hit.snippet) <= 700
