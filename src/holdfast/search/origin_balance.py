"""Candidates in their order → an order in which what came from elsewhere never fills a page alone.

An attacker who gets ten texts in, by an import or through a tool, must not own the page (MemoryGraft did: ten records
took half of all that was retrieved). In every five hits, the fourth from elsewhere gives way to one of the owner's that
is about as good. Scores still fall from hit to hit, so that a cut by score keeps the same hits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from holdfast.guard.origin import Origin, weakest_origin, weakest_origin_between
from holdfast.index.store_contract import StoredChunk
from holdfast.search.note_groups import NoteGroup, lower_to_previous

__all__ = ["OWN", "balance_origins", "whose", "whose_lines"]

_PAGE: Final = 5  # hits
_FROM_ELSEWHERE: Final = 3  # hits of a page that may be others' words
_AS_GOOD: Final = 0.5  # of the best score: a hit of the owner's with less does not go before it
_AN_ANSWER: Final = 0.35  # what scores less is no answer, and gives way to anything that the owner has
OWN: Final = frozenset((Origin.USER, Origin.OUTSIDE))
"""Whose words are the owner's, as far as anybody can tell."""


def whose(chunks: Sequence[StoredChunk]) -> Origin | None:
    """Return whose words some chunks are that are shown as one; None where nobody can tell."""
    if len(chunks) == 1:
        return _origin_of(chunks[0])
    return weakest_origin({_origin_of(chunk) for chunk in chunks})


def whose_lines(chunks: Sequence[StoredChunk], start: int, end: int) -> Origin | None:
    """Return the same for the lines from `start` to `end` of the note, where that is known line by line."""
    if all(chunk.by_line is None for chunk in chunks):
        return whose(chunks)
    there = [chunk for chunk in chunks if chunk.start_line <= end and chunk.end_line >= start]
    return weakest_origin(
        {
            _origin_of(chunk)
            if chunk.by_line is None
            else weakest_origin_between(chunk.by_line, start - chunk.start_line, end - chunk.start_line)
            for chunk in there
        }
    )


def balance_origins(found: Sequence[NoteGroup], first: Collection[int]) -> list[NoteGroup]:
    """Reorder hits so that those from elsewhere take no more than their share.

    The rows that are `first` and those behind are each put in order by themselves, so that what comes first does not
    depend on how many are wanted.
    """
    own = {hit.candidate.fused.row for hit in found if whose(hit.chunks) in OWN}
    if len(found) - len(own) <= _FROM_ELSEWHERE or not own:
        return list(found)
    parts = [[hit for hit in found if (hit.candidate.fused.row in first) is ahead] for ahead in (True, False)]
    order = [hit for part in parts for hit in _turns(part, own)]
    return [
        NoteGroup(candidate, hit.chunks)
        for candidate, hit in zip(lower_to_previous([hit.candidate for hit in order]), order, strict=True)
    ]


def _turns(coming: list[NoteGroup], own: Collection[int]) -> Iterator[NoteGroup]:
    page: list[bool] = []
    while coming:
        take = 0
        best = coming[0].candidate
        if best.fused.row not in own and page.count(False) >= _FROM_ELSEWHERE:
            own_place = next((at for at, hit in enumerate(coming) if hit.candidate.fused.row in own), 0)
            good = best.score < _AN_ANSWER or coming[own_place].candidate.score >= _AS_GOOD * best.score
            take = 0
            if good:
                take = own_place
        is_own = coming[take].candidate.fused.row in own
        if len(page) < _PAGE:
            page = [*page, is_own]
        else:
            page = [is_own]
        yield coming.pop(take)


def _origin_of(chunk: StoredChunk) -> Origin | None:
    """Return whose words a chunk is; a fact says so itself, also where the index was made before it stored that."""
    if chunk.fact is None:
        return chunk.origin
    return chunk.fact.origin
