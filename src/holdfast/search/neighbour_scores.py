"""A line is scored together with what stands around it: its neighbours and its whole note. Pure: scores in, scores out.

A turn of a conversation alone says little ("Yes, in May!"); what makes it the answer stands beside it. A chunk of four
hundred tokens holds its own context, and its neighbours repeat a part of it, so two neighbours say more about each
other the shorter they are. Two entries of a list say nothing about each other: what was noted between lunch and the
dentist has to do with neither. An assistant's answers repeat all that was asked, and would lift the turns beside them,
so they lend and borrow nothing: the neighbours of what a person says are what they said before and after. A note that
answers somewhere lends a little to all its lines. The weights were chosen on chats, meetings, abstracts and manuals
together, and are flat around these values.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from typing import TypeAlias

from holdfast.index.store_contract import Places

__all__ = [
    "BESIDE",
    "LEANS",
    "NEAR",
    "NOTE",
    "WORDS",
    "LineScores",
    "Loan",
    "neighbour_loans",
    "neighbour_rows",
    "shortness",
]

NEAR = 0.25  # what a neighbour lends of its own score
BESIDE = 0.1  # and one that is two away
NOTE = 0.25  # and the best line of the note
WORDS = 0.45  # what a note gives to its lines that holds the question's words, wherever in it they stand
_STEPS = ((-1, NEAR), (1, NEAR), (-2, BESIDE), (2, BESIDE))
_SHORT = 400  # bytes; neighbours up to here lend in full, longer ones by how much longer they are
# Bytes up to which a passage leans on its note in full. Chosen of 400 to 1,200 between timeqa-train, whose paragraphs
# don't repeat whom they are about, and mtrag-un, whose long ones say all themselves.
LEANS = 600
_ANSWER = 12  # passages of an assistant's answer, at the most, between two turns of a person
_UNKNOWN = -math.inf


Loan: TypeAlias = tuple[float, float]
"""What a chunk's neighbours and its note add to its score."""


def neighbour_rows(
    places: Places, rows: Iterable[int], near: int, far: int, spoken: Collection[int] = ()
) -> tuple[set[int], set[int]]:
    """Return the rows that stand at most `near` and at most `far` places from one of these, in the same note.

    The far ones are also what a person said before and after an assistant, whose turns are `spoken`.
    """
    every, notes, at, spans = places.rows, places.notes, places.at, places.spans
    beside: set[int] = set()
    around: set[int] = set()
    for row in rows:
        here = at.get(row)
        if here is None:
            continue
        begin, end = spans[notes[here]]
        around.update(every[max(begin, here - far) : min(end, here + far + 1)])
        beside.update(every[max(begin, here - near) : min(end, here + near + 1)])
        if spoken and _talks_with_assistant(places, here, spoken):
            around.update(every[there] for there in _person_turns(places, here, spoken))
    return beside, around


class LineScores:
    """Tells what each chunk of some notes scores, and which is the best of its note."""

    def __init__(self, scores: Mapping[int, float], places: Places) -> None:
        get = scores.get
        self.known = [get(row, _UNKNOWN) for row in places.rows]
        """What the chunk at each place scores."""
        self._places = places
        self._best: dict[int, tuple[int, float]] = {}

    def best_of(self, note: int) -> tuple[int, float] | None:
        """Return the best chunk of a note, of equals the first that was stored, and its score; None without a score."""
        found = self._best.get(note)
        if found is None:
            begin, end = self._places.spans.get(note, (0, 0))
            scores, rows = self.known[begin:end], self._places.rows
            best = max(scores, default=_UNKNOWN)
            if best == _UNKNOWN:
                return None
            row = rows[begin + scores.index(best)]
            if scores.count(best) > 1:
                row = min(rows[at] for at in range(begin, end) if self.known[at] == best)
            found = self._best[note] = row, best
        return found


def neighbour_loans(
    scores: LineScores,
    places: Places,
    rows: Collection[int],
    entries: Collection[int] = (),
    spoken: Collection[int] = (),
) -> dict[int, Loan]:
    """Return what the surroundings of these chunks add, as far as they are known.

    Chunks without a score of their own lend nothing. Neither `entries` of a list nor an assistant's turns (`spoken`)
    borrow from their neighbours; a person's turns around an assistant's are each other's neighbours.
    """
    notes, sizes, at, spans, known = places.notes, places.sizes, places.at, places.spans, scores.known
    found: dict[int, Loan] = {}
    # Hundreds in every search: what most of them do is done without a call.
    for row in rows:
        here = at.get(row)
        if here is None:
            continue
        note, around = notes[here], 0.0
        if row in entries:
            pass
        elif spoken and _talks_with_assistant(places, here, spoken):
            for there in _person_turns(places, here, spoken):
                around += NEAR * max(0.0, known[there]) * shortness(sizes[there])
        else:
            begin, end = spans[note]
            for step, share in _STEPS:
                there = here + step
                # Most neighbours have no score: what they would lend is not worked out.
                if begin <= there < end and (score := known[there]) > 0.0:
                    size = sizes[there]
                    around += share * score if size <= _SHORT else share * score * (_SHORT / size)
        if around and sizes[here] > _SHORT:
            around *= _SHORT / sizes[here]
        best = scores.best_of(note)
        found[row] = around, NOTE * best[1] if best is not None and best[1] > 0.0 else 0.0
    return found


def _talks_with_assistant(places: Places, here: int, spoken: Collection[int]) -> bool:
    """Say whether a chunk is an assistant's turn, or stands beside one."""
    rows, notes = places.rows, places.notes
    beside = range(max(0, here - 1), min(here + 2, len(rows)))
    return any(rows[there] in spoken and notes[there] == notes[here] for there in beside)


def _person_turns(places: Places, here: int, spoken: Collection[int]) -> list[int]:
    """Return the places where a person spoke last before this turn and first after it; none for an assistant's."""
    rows, notes = places.rows, places.notes
    if rows[here] in spoken:
        return []
    found: list[int] = []
    for way in (range(here - 1, max(-1, here - _ANSWER - 2), -1), range(here + 1, min(len(rows), here + _ANSWER + 2))):
        turn = next((there for there in way if notes[there] != notes[here] or rows[there] not in spoken), None)
        if turn is not None and notes[turn] == notes[here]:
            found.append(turn)
    return found


def shortness(size: int, short: int = _SHORT) -> float:
    """Return how much a chunk leans on what stands around it: one of several sentences needs nothing."""
    if size <= short:
        return 1.0
    return short / size
