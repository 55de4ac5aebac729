"""Candidates → what is shown as one: the passages of a note are one hit, in the place of its best.

A page of ten hits is ten notes. A passage joins its note's hit if it would have been on the page by itself, and not
only because it stands beside the best; what is further behind would only make the hit longer. A fact is an answer of
its own, and so is a line that a newer one says otherwise than.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from holdfast.guard.paths import EXPORTS
from holdfast.index.store_contract import StoredChunk
from holdfast.markdown.note_kinds import kept_by_hand
from holdfast.search.candidate import Standing

__all__ = ["Arranged", "falling", "in_notes", "is_entry"]

_AS_GOOD = 0.5  # of what the best passage of a note scores, each without what its surroundings lend it


class Arranged(NamedTuple):
    """A candidate, and the passages that are shown as one with it, itself first, then by their scores."""

    standing: Standing
    chunks: tuple[StoredChunk, ...]


def in_notes(
    ranked: Sequence[Standing],
    chunks: Mapping[int, StoredChunk],
    limit: int,
    *,
    by_passage: bool,
    apart: Collection[int] = (),
) -> list[Arranged]:
    """One hit for each note, best first; `by_passage`, one for each passage; rows that stand `apart` join none."""
    places: dict[str, int] = {}
    hits: list[tuple[Standing, list[StoredChunk]]] = []
    for rank, one in enumerate(ranked):
        chunk = chunks[one.fused.row]
        alone = by_passage or chunk.fact is not None or one.fused.row in apart
        place = None if alone else places.get(chunk.path)
        if place is None:
            if not alone:
                places[chunk.path] = len(hits)
            hits.append((one, [chunk]))
        elif rank < limit and one.own_score >= _AS_GOOD * hits[place][0].own_score:
            hits[place][1].append(chunk)
    return [Arranged(one, tuple(together)) for one, together in hits]


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


def is_entry(chunk: StoredChunk) -> bool:
    """Whether it stands in a note of entries that have nothing to do with each other: prompt memory, a daily note."""
    return not chunk.path.startswith(EXPORTS) and kept_by_hand(chunk.path)
