"""A line is scored together with what stands around it: its neighbours and its whole note. Pure: scores in, scores out.

A turn of a conversation says little by itself ("Yes, in May!"); what makes it the answer stands beside it. A chunk of
four hundred tokens holds its own context, and its neighbours repeat a part of it; so the shorter two neighbours are,
the more they say of each other. A note that answers somewhere lends a little to all its lines. The weights were chosen
on chats, meetings, abstracts and manuals together, and are flat around these values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from holdfast.index.store import Place

__all__ = ["BESIDE", "FULL", "NEAR", "NOTE", "WORDS", "Lent", "beside", "lent"]

NEAR = 0.25  # what a neighbour lends of its own score
BESIDE = 0.1  # and one that is two away
NOTE = 0.25  # and the best line of the note
WORDS = 0.45  # what a note gives to its lines that holds the question's words, wherever in it they stand
FULL = (1.0 + NOTE) / (1.0 + NOTE + WORDS)
"""What a passage scores that holds all of the question and stands alone in its note."""
_NOTE = attrgetter("note")
_SHORT = 400  # bytes; neighbours up to here lend in full, longer ones by how much longer they are


class Lent(NamedTuple):
    """What a chunk's surroundings add to its score."""

    neighbours: float
    note: float


def beside(places: Sequence[Place], rows: Iterable[int], near: int, far: int) -> tuple[set[int], set[int]]:
    """The rows that stand at most `near` and at most `far` places from one of these, in the same note."""
    at = {place.row: number for number, place in enumerate(places)}
    found: tuple[set[int], set[int]] = set(), set()
    for row in rows:
        here = at.get(row)
        if here is None:
            continue
        note = places[here].note
        for there in range(max(0, here - far), min(here + far + 1, len(places))):
            other, its_note, _ = places[there]
            if its_note == note:
                found[1].add(other)
                if -near <= there - here <= near:
                    found[0].add(other)
    return found


def lent(scores: Mapping[int, float], places: Sequence[Place]) -> dict[int, Lent]:
    """For every chunk of these notes, what its surroundings add; chunks without a score of their own lend nothing."""
    found: dict[int, Lent] = {}
    for _, group in groupby(places, key=_NOTE):
        inside = list(group)
        own = [scores.get(place.row, 0.0) for place in inside]
        best = max(own)
        if len(inside) == 1:
            found[inside[0].row] = Lent(0.0, NOTE * best)
            continue
        short = [min(1.0, _SHORT / max(place.size, 1)) for place in inside]
        lending = [score * share for score, share in zip(own, short, strict=True)]
        padded = [0.0, 0.0, *lending, 0.0, 0.0]
        for number, place in enumerate(inside):
            around = NEAR * (padded[number + 1] + padded[number + 3]) + BESIDE * (padded[number] + padded[number + 4])
            found[place.row] = Lent(short[number] * around, NOTE * best)
    return found
