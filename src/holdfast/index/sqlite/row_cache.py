"""The contents of the tables, kept in memory by a process that answers many searches between two changes.

Asking the tables takes some tenths of a millisecond a question. Reading them whole costs as much as a number of
questions, so it waits until that many were asked since the last change; a process that asks once never does it.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import accumulate, chain
from typing import Any, Generic, TypeVar

from holdfast.index.sqlite.connection import Connection
from holdfast.index.store_contract import Places, RankedRow

__all__ = ["Layout", "Pairs", "Resident", "RowCache"]

_PAID_BACK = 600  # rows that are read in the time that one question of the tables takes
_MOST_REMEMBERED = 50_000  # notes that hold some word: five megabytes
_FIRST_FEW = 3  # questions of a process that will soon end

Held = TypeVar("Held")


class Resident(Generic[Held]):
    """Something read from the tables, for as long as nothing changes there."""

    def __init__(self, connection: Connection, count: Callable[[], int], read: Callable[[], Held]) -> None:
        self._connection = connection
        self._count = count
        self._read = read
        self._version: tuple[int, int] | None = None
        self._asked = 0
        self._held: Held | None = None

    def get(self) -> Held | None:
        """Return what is held, or None while reading it would not pay; call it inside a read transaction."""
        version = self._connection.version()
        if version != self._version:
            self._version, self._asked, self._held = version, 0, None
        if self._held is None:
            self._asked += 1
            if self._asked > _FIRST_FEW and self._asked * _PAID_BACK >= self._count():
                self._held = self._read()
        return self._held


class RowCache(Generic[Held]):
    """Keeps what was read about single rows for as long as the tables don't change.

    Searches that follow each other share some rows. All are dropped when there are more than `most`, which take some
    six megabytes.
    """

    def __init__(
        self, connection: Connection, read: Callable[[Sequence[int]], Mapping[int, Held]], most: int = 5_000
    ) -> None:
        self._connection = connection
        self._read = read
        self._most = most
        self._version: tuple[int, int] | None = None
        self._held: dict[int, Held] = {}

    def of(self, rows: Iterable[int]) -> dict[int, Held]:
        """Return what there is of these rows; one that is gone is left out."""
        version, wanted, held = self._connection.version(), list(rows), self._held
        if version != self._version or len(held) > self._most:
            held = {}
            self._version, self._held = version, held
        new = [row for row in wanted if row not in held]
        if len(new) > self._most:
            return dict(self._read(wanted))
        if new:
            held.update(self._read(new))
        return {row: held[row] for row in wanted if row in held}


class Pairs:
    """Chunk rows and vector rows of one edition and one space, found in both directions."""

    def __init__(self, rows: Sequence[tuple[int, int]]) -> None:
        import numpy as np

        self._np: Any = np
        table = np.array(rows, dtype="<i8").reshape(len(rows), 2)
        chunks, vectors = table[table[:, 0].argsort(kind="stable")].T
        order = vectors.argsort(kind="stable")
        self._by_vector, self._chunks_by_vector = vectors[order], chunks[order]
        # By the chunks' own numbers, which are dealt out one after the other: 0 is no vector.
        self._vector_of = np.zeros(int(chunks.max(initial=0)) + 1, dtype="<i8")
        self._vector_of[chunks] = vectors

    def chunks_of(self, near: Sequence[tuple[int, float]]) -> list[RankedRow]:
        """Return the chunks that have these vectors, each with its vector's score, in the same order."""
        np = self._np
        wanted = np.fromiter((row for row, _ in near), dtype="<i8", count=len(near))
        first = self._by_vector.searchsorted(wanted).tolist()
        last = self._by_vector.searchsorted(wanted, side="right").tolist()
        found: list[RankedRow] = []
        for low, high, (_, score) in zip(first, last, near, strict=True):
            found.extend(RankedRow(chunk, score) for chunk in self._chunks_by_vector[low:high].tolist())
        return found

    def vectors_of(self, chunks: Collection[int]) -> tuple[list[int], Any]:
        """Return those of the chunks that have a vector, and the rows of their vectors in an array."""
        np = self._np
        wanted = np.fromiter(chunks, dtype="<i8", count=len(chunks))
        if len(wanted) and wanted.max() >= len(self._vector_of):
            wanted = wanted[wanted < len(self._vector_of)]
        vectors = self._vector_of[wanted]
        here = vectors > 0
        if not here.all():
            wanted, vectors = wanted[here], vectors[here]
        return wanted.tolist(), vectors


class Layout:
    """Every chunk of an edition with its note, its size and its kind, note by note, in their order.

    A search by words alone does without numpy.
    """

    def __init__(self, rows: Sequence[tuple[int, int, int, int]]) -> None:
        # Row, note and size of one chunk after the other: those of a note are taken out at once.
        self._table = array("q", chain.from_iterable([row[:3] for row in rows]))
        # By the rows' own numbers, which are dealt out one after the other: 0 is no note, and of no kind.
        most = max(self._table[0::3], default=0) + 1
        self._note_of, self._kind_of = array("q", bytes(8 * most)), bytearray(most)
        self._size_of = array("i", bytes(4 * most))
        for row, note, size, kind in rows:
            self._note_of[row], self._size_of[row], self._kind_of[row] = note, size, kind
        self._kinds = 0
        for kind in set(self._kind_of):
            self._kinds |= kind
        # Where each note begins; one without chunks begins where the next one does.
        times = Counter(self._table[1::3])
        self._begins = array("q", (0, *accumulate(map(times.__getitem__, range(max(times, default=0) + 1)))))
        self.holders: dict[str, Mapping[int, int]] = {}
        """By what FTS5 was asked for: the notes that hold it, each with how many of its chunks do."""
        self._remembered = 0

    def places(self, rows: Iterable[int], most: int) -> Places:
        """Return every chunk of the notes that these rows are in, in their order, but not more than so many."""
        found, table, left = array("q"), self._table, most
        for low, high in self._spans(sorted({self._note(row) for row in rows} - {0})):
            end = min(high, low + left)
            found += table[3 * low : 3 * end]
            left -= end - low
        every, in_notes, sizes = found[0::3].tolist(), found[1::3].tolist(), found[2::3].tolist()
        return Places(every, in_notes, sizes)  # as lists, whose numbers need not be made anew

    def openings(self, notes: Iterable[int]) -> list[int]:
        """Return the first chunk of each of these notes."""
        return [self._table[3 * low] for low, high in self._spans(notes) if low < high]

    def lengths(self, notes: Iterable[int]) -> list[int]:
        """Return how many chunks each of these notes has."""
        return [high - low for low, high in self._spans(notes)]

    def notes_of(self, rows: Iterable[int]) -> dict[int, int]:
        """Return the notes that these chunks stand in."""
        note_of, most = self._note_of, len(self._note_of)
        return {row: note for row in rows if 0 <= row < most and (note := note_of[row])}

    def sizes_of(self, rows: Iterable[int]) -> dict[int, int]:
        """Return how many bytes each of these chunks has."""
        note_of, size_of, most = self._note_of, self._size_of, len(self._note_of)
        return {row: size_of[row] for row in rows if 0 <= row < most and note_of[row]}

    def times_by_note(self, rows: Iterable[int]) -> Mapping[int, int]:
        """Return the notes of these chunks, each with how often it is one's."""
        return Counter(map(self._note_of.__getitem__, rows))

    def remember(self, match: str, times: Mapping[int, int]) -> None:
        """Remember the notes that hold what FTS5 was asked for: questions that follow each other share words."""
        self._remembered += len(times)
        if self._remembered > _MOST_REMEMBERED:
            self._remembered = len(times)
            self.holders.clear()
        self.holders[match] = times

    def of_kind(self, rows: Iterable[int], kind: int) -> frozenset[int]:
        """Return those of the chunks that are of this kind, a bit of what was given."""
        most, kind_of = len(self._kind_of), self._kind_of
        if not kind & self._kinds:  # as in a home without talks with an assistant
            return frozenset()
        return frozenset(row for row in rows if row < most and kind_of[row] & kind)

    def _note(self, row: int) -> int:
        if 0 <= row < len(self._note_of):
            return self._note_of[row]
        return 0

    def _spans(self, notes: Iterable[int]) -> list[tuple[int, int]]:
        begins, most = self._begins, len(self._begins) - 1
        return [(begins[note], begins[note + 1]) if 0 <= note < most else (0, 0) for note in notes]
