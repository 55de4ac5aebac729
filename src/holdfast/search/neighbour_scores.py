"""A line is scored together with what stands around it: its neighbours and its whole note. Pure: scores in, scores out.

A turn of a conversation says little by itself ("Yes, in May!"); what makes it the answer stands beside it. A chunk of
four hundred tokens holds its own context, and its neighbours repeat a part of it; so the shorter two neighbours are,
the more they say of each other. Two entries of a list say nothing of each other: what was noted between lunch and the
dentist has to do with neither. An assistant's answers go over all that was asked, and would lift the turns beside them:
they lend and borrow nothing, and beside what a person says stands what they said before and after. A note that answers
somewhere lends a little to all its lines. The weights were chosen on chats, meetings, abstracts and manuals together,
and are flat around these values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TypeAlias

from holdfast.index.store_contract import Places

__all__ = ["BESIDE", "LEANS", "NEAR", "NOTE", "WORDS", "Loan", "neighbour_loans", "neighbour_rows", "shortness"]

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


Loan: TypeAlias = tuple[float, float]
"""What a chunk's neighbours and its note add to its score."""


def neighbour_rows(
    places: Places, rows: Iterable[int], near: int, far: int, spoken: Collection[int] = ()
) -> tuple[set[int], set[int]]:
    """Return the rows that stand at most `near` and at most `far` places from one of these, in the same note.

    The far ones are also what a person said before and after an assistant, whose turns are `spoken`.
    """
    every, notes, at = places.rows, places.notes, places.at
    found: tuple[set[int], set[int]] = set(), set()
    for row in rows:
        here = at.get(row)
        if here is None:
            continue
        note = notes[here]
        for there in range(max(0, here - far), min(here + far + 1, len(every))):
            if notes[there] == note:
                found[1].add(every[there])
                if -near <= there - here <= near:
                    found[0].add(every[there])
        if _talks_with_assistant(places, here, spoken):
            found[1].update(every[there] for there in _person_turns(places, here, spoken))
    return found


def neighbour_loans(
    scores: Mapping[int, float],
    places: Places,
    rows: Collection[int],
    entries: Collection[int] = (),
    spoken: Collection[int] = (),
) -> dict[int, Loan]:
    """Return what the surroundings of these chunks add, as far as they are known.

    Chunks without a score of their own lend nothing. From their neighbours borrow neither `entries` of a list nor an
    assistant's turns, which are `spoken`; beside an assistant a person's turns are each other's neighbours.
    """
    notes, sizes, at = places.notes, places.sizes, places.at
    known_scores = list(map(scores.get, places.rows))
    best: dict[int, float] = {}
    for note, score in zip(notes, known_scores, strict=True):
        if score and score > best.get(note, 0.0):
            best[note] = score
    found: dict[int, Loan] = {}
    for row in rows:
        here = at.get(row)
        if here is None:
            continue
        note, around = notes[here], 0.0
        if row in entries:
            pass
        elif _talks_with_assistant(places, here, spoken):
            for there in _person_turns(places, here, spoken):
                around += NEAR * (known_scores[there] or 0.0) * shortness(sizes[there])
        else:
            for step, share in _STEPS:
                there = here + step
                # Most neighbours have no score: what they would lend is not worked out.
                if 0 <= there < len(known_scores) and (score := known_scores[there]) and notes[there] == note:
                    around += share * score * shortness(sizes[there])
        if around:
            around *= shortness(sizes[here])
        found[row] = around, NOTE * best.get(note, 0.0)
    return found


def _talks_with_assistant(places: Places, here: int, spoken: Collection[int]) -> bool:
    """Say whether a chunk is an assistant's turn, or stands beside one."""
    if not spoken:
        return False
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
    """Return how much a chunk leans on what stands around it: one of several sentences stands by itself."""
    if size <= short:
        return 1.0
    return short / size
