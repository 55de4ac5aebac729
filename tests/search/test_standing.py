"""The order of candidates: by score, and where boosts led beyond 1, by what was cut off there."""

from __future__ import annotations

from holdfast.index.store_contract import StoredChunk
from holdfast.search.candidate import Candidate, sort_candidates
from holdfast.search.fusion import Fused

CHUNKS = {row: StoredChunk(row, f"c{row}", "", f"memory/{row}.md", "memory", 1, 1, (), "text") for row in range(1, 6)}


def standing(row: int, score: float, **later: float) -> Candidate:
    return Candidate(score, Fused(row, score, None, None), later)


def rows(*given: Candidate) -> list[int]:
    return [one.fused.row for one in sort_candidates(given, CHUNKS)]


def test_the_better_of_two_that_were_cut_at_1_stays_the_better() -> None:
    assert rows(standing(1, 1.0, limit=-0.05), standing(2, 1.0, limit=-0.25), standing(3, 1.0)) == [2, 1, 3]


def test_what_is_named_comes_before_its_equals_and_equals_go_by_their_path() -> None:
    assert rows(standing(2, 0.5), standing(1, 0.5), standing(4, 1.0, limit=-0.5), standing(3, 1.0, named=1.0)) == [
        *(3, 4),
        *(1, 2),
    ]
