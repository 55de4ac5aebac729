"""Candidates → what is shown as one: the passages of a note are one hit, in the place of its best.

A page of ten hits is ten notes. A passage joins its note's hit if it would have been on the page alone, and not only
because it stands beside the best; passages further behind would only make the hit longer. A fact is an answer of its
own, and so is a line that a newer one contradicts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from holdfast.guard.paths import EXPORTS
from holdfast.index.store_contract import StoredChunk
from holdfast.markdown.note_kinds import kept_by_hand
from holdfast.named_tuple import NamedTuple
from holdfast.search.candidate import Candidate

__all__ = ["NoteGroup", "group_by_note", "is_entry", "lower_to_previous"]

_AS_GOOD = 0.5  # of what the best passage of a note scores, each without what its surroundings lend it


class NoteGroup(NamedTuple):
    """A candidate, and the passages that are shown as one with it, itself first, then by their scores."""

    candidate: Candidate
    chunks: tuple[StoredChunk, ...]


def group_by_note(
    ranked: Sequence[Candidate],
    chunks: Mapping[int, StoredChunk],
    limit: int,
    *,
    by_passage: bool,
    apart: Collection[int] = (),
) -> list[NoteGroup]:
    """Return a hit for each note, best first; `by_passage`, one for each passage; rows that stand `apart` join none."""
    places: dict[str, int] = {}
    hits: list[tuple[Candidate, list[StoredChunk]]] = []
    for rank, candidate in enumerate(ranked):
        chunk = chunks[candidate.fused.row]
        alone = by_passage or chunk.fact is not None or candidate.fused.row in apart
        place = None
        if not alone:
            place = places.get(chunk.path)
        if place is None:
            if not alone:
                places[chunk.path] = len(hits)
            hits.append((candidate, [chunk]))
        elif rank < limit and candidate.own_score >= _AS_GOOD * hits[place][0].own_score:
            hits[place][1].append(chunk)
    return [NoteGroup(candidate, tuple(together)) for candidate, together in hits]


def lower_to_previous(ranked: Sequence[Candidate]) -> list[Candidate]:
    """Lower each score to the one before it: what gave way, or was not weighed, follows what did not."""
    found: list[Candidate] = []
    most = 1.0
    for candidate in ranked:
        if candidate.score > most:
            limit = candidate.later.get("limit", 0.0) - (candidate.score - most)
            found.append(Candidate(most, candidate.fused, {**candidate.later, "limit": limit}))
        else:
            found.append(candidate)
            most = candidate.score
    return found


def is_entry(chunk: StoredChunk) -> bool:
    """Say whether a chunk stands in a note of entries that have nothing to do with each other.

    Such are prompt memory and daily notes.
    """
    return not chunk.path.startswith(EXPORTS) and kept_by_hand(chunk.path)
