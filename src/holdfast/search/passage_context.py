"""Candidates → the same with what their surroundings lend them, and the neighbours of the best among them.

`neighbour_scores` works out what a neighbour and a note lend; this module looks up what stands around a candidate.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import itemgetter

from holdfast.index.sqlite.edition import Edition
from holdfast.index.sqlite.vectors import Vectors
from holdfast.index.store_contract import Near, NoteShare
from holdfast.named_tuple import NamedTuple
from holdfast.search.fusion import Fused, as_fused, nearnesses, vector_share
from holdfast.search.neighbour_scores import (
    LEANS,
    NOTE,
    WORDS,
    LineScores,
    Loan,
    neighbour_loans,
    neighbour_rows,
    shortness,
)

__all__ = ["VectorView", "add_context", "rows_in_blocks"]

_LOOKED_AROUND = 40  # candidates whose neighbours are looked at, and become candidates themselves
_AROUND = 2  # how far
_TELLING_NOTES = 12  # whose best lines are candidates, whatever else was found
_WHOLE = 1.0 / (1.0 + NOTE)
_OF_A_NOTE = 0.5  # of what BM25 could give to a note: one that has more holds the question
_WHOLE_SCORE = itemgetter(0)


class VectorView(NamedTuple):
    """The vector of a question beside those of the notes, and what its word counts for beside the words."""

    vectors: Vectors
    packed: bytes
    near: Near
    vector_weight: float
    text_weight: float

    def nearnesses(self, rows: Collection[int]) -> dict[int, float]:
        """Return how near each of these rows is, 0 to 1."""
        return nearnesses(self.vectors.cosines(self.packed, rows), self.near)

    def scores(self, near: Mapping[int, float]) -> dict[int, float]:
        """Return what rows score that are so near, and of whose words nothing is known."""
        in_blocks = rows_in_blocks(self.vectors, near)
        whole = vector_share(self.vector_weight, self.text_weight, in_block=False)
        of_block = vector_share(self.vector_weight, self.text_weight, in_block=True)
        return {row: (of_block if row in in_blocks else whole) * score for row, score in near.items()}


def rows_in_blocks(vectors: Vectors | None, rows: Iterable[int]) -> frozenset[int]:
    """Return those of the rows whose vector speaks for a whole block of passages."""
    if vectors is None or not vectors.space.by_block:
        return frozenset()
    return vectors.in_blocks(list(rows))


def add_context(
    edition: Edition,
    fused: Sequence[Fused],
    inside: Sequence[Fused],
    view: VectorView | None,
    notes: NoteShare | None,
    *,
    alone: bool,
    by_subject: bool,
) -> list[Fused]:
    """Return the candidates that are `inside` with their loans, and the neighbours of the best of them.

    All that is `fused` lends. Where a candidate stands `alone`, none becomes one for standing beside it. Entries of a
    list borrow from their neighbours only where not a line but a subject is looked for.
    """
    looked = [candidate.row for candidate in inside[:_LOOKED_AROUND]]
    if notes is not None and not alone:
        telling = _telling_notes(notes)
    else:
        telling = []
    if telling:
        looked += edition.passages.openings(telling)
    places = edition.passages.places(looked)
    spoken = edition.passages.spoken_by_assistant(places.rows)
    next_to, around = neighbour_rows(places, looked, 1, _AROUND, spoken)
    # All lines of a note that holds the question are looked at, wherever in it the words stand.
    for note in telling:
        around.update(places.rows_of(note))
    # Most of some hundred lines only lend: each is a number until the end, where those that become candidates are made
    # into them.
    scores = {candidate.row: candidate.score for candidate in fused}
    around -= scores.keys()
    nearby: Mapping[int, float] = {}
    if around and view is not None:
        nearby = view.nearnesses(around)
        scores |= view.scores(nearby)
    rows = {candidate.row for candidate in inside}
    if not alone:
        rows |= next_to
    in_notes = LineScores(scores, places)
    rows |= _best_of_notes(in_notes, telling)
    entries: Collection[int] = ()
    if not by_subject:
        entries = edition.passages.list_entries(rows)
    loans = neighbour_loans(in_notes, places, rows, entries, spoken)
    gifts = _note_gifts(edition, rows, notes, in_notes)
    return _add_loans(rows, {candidate.row: candidate for candidate in fused}, scores, nearby, loans, gifts)


def _telling_notes(notes: NoteShare) -> list[int]:
    """Return the notes that hold most of the question, best first."""
    return [note for _, note in sorted([(-score, note) for note, score in notes.scores.items()])[:_TELLING_NOTES]]


def _best_of_notes(scores: LineScores, notes: Iterable[int]) -> set[int]:
    """Return the best line of each of these notes, of equals the first that was stored."""
    return {best[0] for note in notes if (best := scores.best_of(note)) is not None}


def _note_gifts(
    edition: Edition, rows: Collection[int], notes: NoteShare | None, scores: LineScores
) -> dict[int, float]:
    """Return what each row gets for how much of the question its whole note holds.

    The best line of a note stands for all of it. A long one that is not the best has had its own say: it gets less.
    """
    if notes is None or not any(notes.scores.values()):
        return {}
    best = max(*notes.scores.values(), _OF_A_NOTE * notes.ideal)
    in_note = edition.passages.notes_of(rows)
    gift_of = {note: WORDS * notes.scores.get(note, 0.0) / best for note in set(in_note.values())}
    first = _best_of_notes(scores, gift_of)
    gifts = {row: gift_of[note] for row, note in in_note.items()}
    for row, size in edition.passages.sizes_of([row for row in gifts if gifts[row] and row not in first]).items():
        if size > LEANS:
            gifts[row] *= shortness(size, LEANS)
    return gifts


def _add_loans(
    rows: Iterable[int],
    fused: Mapping[int, Fused],
    scores: Mapping[int, float],
    nearby: Mapping[int, float],
    loans: Mapping[int, Loan],
    gifts: Mapping[int, float],
) -> list[Fused]:
    """Return the rows as candidates with their loans, best first; the best scores 1 at the most.

    They are scaled so that a note of a single chunk keeps the score that it had.
    """
    wholes: list[tuple[float, int, float, float]] = []
    for row in rows:
        candidate, score = fused.get(row), scores.get(row, 0.0)
        gift = gifts.get(row, 0.0)
        if gift and candidate is not None and candidate.text_score:
            gift -= WORDS * candidate.text_score
        neighbours, note = loans.get(row) or (0.0, NOTE * score)
        if gift > 0.0:
            note += gift
        wholes.append(((score + neighbours + note) * _WHOLE, row, neighbours, note))
    wholes.sort(key=_WHOLE_SCORE, reverse=True)
    scale = 1.0
    if wholes:
        scale = 1.0 / max(1.0, wholes[0][0])
    found: list[Fused] = []
    for whole, row, neighbours, note in wholes:
        candidate = fused.get(row)
        if candidate is not None:
            _, _, near, text_score, vector, text, _, _ = candidate
        else:
            near, text_score, vector, text = nearby.get(row), None, scores.get(row, 0.0), 0.0
        found.append(
            as_fused(
                (
                    row,
                    whole * scale,
                    near,
                    text_score,
                    vector * _WHOLE * scale,
                    text * _WHOLE * scale,
                    neighbours * _WHOLE * scale,
                    note * _WHOLE * scale,
                )
            )
        )
    return found
