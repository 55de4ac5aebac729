"""Candidates in their order → an order in which what came from elsewhere never fills a page alone.

Whoever gets ten texts in, by an import or through a tool, must not own the page (MemoryGraft did: ten records took half
of all that was retrieved). Of each five the fourth from elsewhere gives way to one of the owner's that is about as
good. Scores fall all the same, so that whoever cuts by them cuts the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from holdfast.guard.origin import Origin, weakest_origin, weakest_origin_between
from holdfast.index.store_contract import StoredChunk
from holdfast.search.note_groups import Arranged, falling

__all__ = ["OWN", "shared", "whose", "whose_lines"]

_PAGE, _FROM_ELSEWHERE, _AS_GOOD = 5, 3, 0.5
_AN_ANSWER: Final = 0.35  # what scores less is none, and gives way to whatever the owner has
OWN: Final = frozenset((Origin.USER, Origin.OUTSIDE))
"""Whose words are the owner's, as far as anybody can tell."""


def whose(chunks: Sequence[StoredChunk]) -> Origin | None:
    """Whose words some chunks are that are shown as one; None where nobody can tell."""
    if len(chunks) == 1:
        return _told(chunks[0])
    return weakest_origin({_told(chunk) for chunk in chunks})


def whose_lines(chunks: Sequence[StoredChunk], start: int, end: int) -> Origin | None:
    """The same for the lines from `start` to `end` of the note, where that is known line by line."""
    if all(chunk.by_line is None for chunk in chunks):
        return whose(chunks)
    there = [chunk for chunk in chunks if chunk.start_line <= end and chunk.end_line >= start]
    return weakest_origin(
        {
            _told(one)
            if one.by_line is None
            else weakest_origin_between(one.by_line, start - one.start_line, end - one.start_line)
            for one in there
        }
    )


def shared(found: Sequence[Arranged], first: Collection[int]) -> list[Arranged]:
    """The candidates, none with more than its share; the rows that are `first` and those behind each by themselves, so
    that what comes first does not depend on how many are wanted."""
    own = {one.standing.fused.row for one in found if whose(one.chunks) in OWN}
    if len(found) - len(own) <= _FROM_ELSEWHERE or not own:
        return list(found)
    parts = [[one for one in found if (one.standing.fused.row in first) is ahead] for ahead in (True, False)]
    order = [one for part in parts for one in _turns(part, own)]
    return [
        Arranged(standing, one.chunks)
        for standing, one in zip(falling([one.standing for one in order]), order, strict=True)
    ]


def _turns(coming: list[Arranged], own: Collection[int]) -> Iterator[Arranged]:
    page: list[bool] = []
    while coming:
        take = 0
        best = coming[0].standing
        if best.fused.row not in own and page.count(False) >= _FROM_ELSEWHERE:
            other = next((at for at, one in enumerate(coming) if one.standing.fused.row in own), 0)
            good = best.score < _AN_ANSWER or coming[other].standing.score >= _AS_GOOD * best.score
            take = other if good else 0
        is_own = coming[take].standing.fused.row in own
        page = [*page, is_own] if len(page) < _PAGE else [is_own]
        yield coming.pop(take)


def _told(chunk: StoredChunk) -> Origin | None:
    """A fact says so itself, also where the index was made before it stored that."""
    return chunk.origin if chunk.fact is None else chunk.fact.origin
