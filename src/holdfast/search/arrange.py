"""Candidates → what is shown as one: the passages of a note are one hit, in the place of its best.

A page of ten hits is ten notes. A passage joins its note's hit if it would have been on the page by itself; what stands
further behind would only make the hit longer. A fact is an answer of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from holdfast.index.store import StoredChunk
from holdfast.search.standing import Standing

__all__ = ["Arranged", "falling", "in_notes"]

_SHOWN = 4  # passages of one hit


class Arranged(NamedTuple):
    """A candidate, and the passages that are shown as one with it, itself included, in the order of the note."""

    standing: Standing
    chunks: tuple[StoredChunk, ...]


def in_notes(
    ranked: Sequence[Standing], chunks: Mapping[int, StoredChunk], limit: int, *, by_note: bool
) -> list[Arranged]:
    """One hit for each note, best first; without `by_note`, one for each passage."""
    places: dict[str, int] = {}
    hits: list[tuple[Standing, list[StoredChunk]]] = []
    for rank, one in enumerate(ranked):
        chunk = chunks[one.fused.row]
        place = places.get(chunk.path) if by_note and chunk.fact is None else None
        if place is None:
            if chunk.fact is None:
                places[chunk.path] = len(hits)
            hits.append((one, [chunk]))
        elif rank < limit and len(hits[place][1]) < _SHOWN:
            hits[place][1].append(chunk)
    return [Arranged(one, tuple(sorted(together, key=_place))) for one, together in hits]


def falling(ranked: Sequence[Standing]) -> list[Standing]:
    """No score above the one before it: what gave way, or was not weighed, follows what did not."""
    found: list[Standing] = []
    most = 1.0
    for one in ranked:
        if one.score > most:
            limit = one.later.get("limit", 0.0) - (one.score - most)
            found.append(Standing(most, one.fused, {**one.later, "limit": limit}))
        else:
            found.append(one)
            most = one.score
    return found


def _place(chunk: StoredChunk) -> tuple[int, int, str]:
    return chunk.start_line, chunk.end_line, chunk.chunk_id
