"""A note → who brought each of its lines, as the checkpoints tell.

A note has many writers, so whoever changed it last says nothing about a line. Whoever made the last change before which
the line did not stand there, and after which it did, brought it; putting a note back brings nothing new, and what came
in between two changes of ours was brought from outside. Where the checkpoints that would tell are gone, nobody knows.
What was told before of a line need not be looked up again while it stands there.
"""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import Final, NamedTuple

from holdfast.checkpoints.change import Change
from holdfast.checkpoints.change_history import stored_bytes
from holdfast.checkpoints.checkpoint_store import Place, for_reading
from holdfast.checkpoints.journal import Kind, Record, parse
from holdfast.errors import HoldfastError
from holdfast.guard.origin import Origin
from holdfast.notes.note import Note
from holdfast.notes.workspace import Workspace

__all__ = ["PUT_BACK", "Bringing", "Brought", "Earlier", "lines_of", "stripped"]

PUT_BACK: Final = frozenset(("checkpoint_restore", "undo"))
"""The tools that put a note back to what it was; the words are whose they were before."""

# One note may have so many changes with so many bytes looked at; what lies behind them is not known.
_MOST, _MOST_BYTES = 2_000, 128_000_000
_END: Final = 64 * 1024  # bytes of the journal that are looked at first
_AT_HAND: Final = 4  # versions of a note whose lines are kept while it is looked at
_MOST_READS: Final = 8  # where the clock was put back, every note looks as if it had just changed
_TICK_NS: Final = 20_000_000  # the times of files may lag so far behind the clock
_FEW: Final = 4  # notes that are looked for one by one; for more, the journal is taken apart
_LINE: Final = re.compile(
    rb'^\{"kind":"(change|abandoned|purged)","seq":([0-9]{1,18}),"id":"(c[0-9a-f]{12})"(?:,"path":("(?:[^"\\]|\\.)*"))?',
    re.MULTILINE,
)


class Earlier(NamedTuple):
    """What was told before: up to which line of the journal, and who had brought the lines that there were then."""

    seq: int
    lines: Mapping[bytes, Origin | None]


class Brought(NamedTuple):
    """The number of the last line of the journal about a note, and who brought each of the wanted lines.

    `changes` are those that brought them, of the lines that a change brought and that were not told before.
    """

    seq: int
    lines: Mapping[bytes, Origin | None]
    changes: Mapping[bytes, Change] = MappingProxyType({})


def lines_of(data: bytes) -> list[str]:
    """The lines of a note as editors count them, without blanks around them."""
    return [line.decode("utf-8", "replace").strip() for line in data.removeprefix(b"\xef\xbb\xbf").splitlines()]


def stripped(data: bytes) -> frozenset[bytes]:
    """The different lines of a note, without blanks around them."""
    return frozenset(map(bytes.strip, data.removeprefix(b"\xef\xbb\xbf").splitlines()))


class Bringing:
    """Who brought the lines of the notes of one workspace; the journal is read once, from its end and as far as needed.

    Of most notes that are asked about, somebody has just written a line, and the end of the journal says who.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._asked = 0
        self._journal, self._whole, self._readable = b"", False, False
        self._read_ns = self._times_read = 0

    def tells_of(self, note: Note) -> bool:
        """Whether the journal names a note at all; of one that it does not name, every word is from outside."""
        self._asked += 1
        # Changed since: whoever did may have written to the journal first, and must not pass for an outside edit.
        if not self._times_read or (note.ctime_ns > self._read_ns and self._times_read < _MOST_READS):
            self._read(None if self._asked > _FEW else _END)
        if any(True for _ in self._lines_about(note.path)):
            return True
        if not self._whole:
            self._read(None)
        # A journal that can't be read may name it.
        return not self._readable or any(True for _ in self._lines_about(note.path))

    def of(
        self, note: Note, wanted: Collection[bytes], earlier: Callable[[], Earlier | None] = lambda: None
    ) -> Brought:
        """Who brought each of these lines of a note; None where that can't be told. `earlier` saves looking at old
        changes."""
        records = self._records(note)
        newest = next(records, None)
        if newest is not None and _made_all_of(newest, note):
            whole = Change.of(newest)
            return Brought(newest.seq, dict.fromkeys(wanted, Origin(newest.origin)), dict.fromkeys(wanted, whole))
        with for_reading(self._workspace) as place:
            if not self._readable:
                return Brought(0, dict.fromkeys(wanted))
            if place is None or newest is None:
                return Brought(0, dict.fromkeys(wanted, Origin.OUTSIDE))
            look = _LookBack(place, note, wanted, earlier)
            with suppress(HoldfastError):  # damaged checkpoints tell nothing
                look.through(newest, records)
                if look.at_the_start and self._first_missing >= look.oldest:
                    look.rest_from_outside()
            return Brought(newest.seq, look.found, look.changes)

    def _read(self, size: int | None) -> None:
        self._read_ns, self._times_read = time.time_ns() - _TICK_NS, self._times_read + 1
        for name in ("_by_path", "_abandoned", "_open", "_first_missing"):
            self.__dict__.pop(name, None)
        self._journal, self._whole, self._readable = b"", True, False
        with suppress(HoldfastError), for_reading(self._workspace) as place:
            if place is not None:
                self._journal, self._whole = place.journal.last(size)
            self._readable = True

    @cached_property
    def _by_path(self) -> Mapping[bytes, list[bytes]]:
        """The lines about each note, newest first."""
        found: dict[bytes, list[bytes]] = {}
        for line in reversed(self._journal.split(b"\n")):
            told = _LINE.match(line)
            if told is not None and told[4] is not None:
                found.setdefault(told[4], []).append(line)
        return found

    @cached_property
    def _abandoned(self) -> frozenset[str]:
        if b'"abandoned"' not in self._journal:
            return frozenset()
        return frozenset(told[3].decode() for told in _LINE.finditer(self._journal) if told[1] == b"abandoned")

    @cached_property
    def _open(self) -> frozenset[str]:
        """The ids of the changes at the end: they may still be under way, or their writer died."""
        found: set[str] = set()
        end = len(self._journal)
        while end > 0:  # from the last line on: nearly always that is none of them
            start = self._journal.rfind(b"\n", 0, end - 1) + 1
            record = parse(self._journal[start:end])
            if record is not None and record.kind is not Kind.change:
                break
            if record is not None:
                found.add(record.id)
            end = start
        return frozenset(found)

    @cached_property
    def _first_missing(self) -> int:
        """The first change that the journal has no longer: from there on, what is missing may be about any note."""
        numbers = {int(told[2]) for told in _LINE.finditer(self._journal) if told[1] in (b"change", b"abandoned")}
        return next(number for number in range(1, len(numbers) + 2) if number not in numbers)

    def _lines_about(self, path: str) -> Iterator[bytes]:
        quoted = json.dumps(path).encode("ascii")
        if self._asked > _FEW:
            if not self._whole:
                self._read(None)
            yield from self._by_path.get(quoted, ())
            return
        mark, journal = b'"path":' + quoted, self._journal
        at = journal.rfind(mark)
        while at >= 0:
            start, end = journal.rfind(b"\n", 0, at) + 1, journal.find(b"\n", at)
            yield journal[start : len(journal) if end < 0 else end]
            at = journal.rfind(mark, 0, start)

    def _records(self, note: Note) -> Iterator[Record]:
        """What the journal tells of a note, newest first: its changes, and that it was purged."""
        before: float = math.inf
        while True:
            whole = self._whole
            for line in self._lines_about(note.path):
                record = parse(line)
                if record is None or record.path != note.path or record.seq >= before:
                    continue
                if record.kind is Kind.purged or (record.kind is Kind.change and self._happened(record, note)):
                    before = record.seq
                    yield record
            if whole:
                return
            self._read(None)

    def _happened(self, record: Record, note: Note) -> bool:
        if record.id in self._abandoned:
            return False
        return record.id not in self._open or note.hash == record.after or note.hash != record.before


def _made_all_of(newest: Record, note: Note) -> bool:
    """Whether the last change made the note where there was none: then all of its lines are of the same origin."""
    return (
        newest.kind is Kind.change
        and newest.before is None
        and newest.after == note.hash
        and newest.tool not in PUT_BACK
        and newest.origin in list(Origin)
    )


class _LookBack:
    """From a note as it is back through its changes, until each of its lines has somebody who brought it."""

    def __init__(
        self, place: Place, note: Note, wanted: Collection[bytes], earlier: Callable[[], Earlier | None]
    ) -> None:
        self._place = place
        self._ask_earlier = earlier
        self._digest: str | None = note.hash
        self.found: dict[bytes, Origin | None] = dict.fromkeys(wanted)
        self.changes: dict[bytes, Change] = {}
        # The lines still sought, and whether each stands there at the point of time that we have come back to.
        self._sought = dict.fromkeys(wanted, True)
        self._lines: dict[str, frozenset[bytes]] = {note.hash: stripped(note.data)}
        self._bytes = 0
        self.oldest = 0
        self.at_the_start = False
        """Whether no change is left, and the note was there before the oldest of them."""

    def through(self, newest: Record, older: Iterator[Record]) -> None:
        """Look at the changes, newest first."""
        if not self._sought:
            return
        earlier = self._ask_earlier()
        looked = 0
        for record in chain((newest,), older):
            if earlier is not None and record.seq <= earlier.seq:
                self._as_before(earlier)
                earlier = None
            if not self._sought or record.kind is Kind.purged or looked == _MOST or self._bytes > _MOST_BYTES:
                return
            self._back_over(Change.of(record))
            self.oldest, looked = record.seq, looked + 1
            if not self._sought:
                return
        if earlier is not None:
            self._as_before(earlier)
        self.at_the_start = bool(self._sought) and self._digest is not None

    def rest_from_outside(self) -> None:
        """What stands there before all changes was typed in."""
        self.found.update((line, Origin.OUTSIDE) for line, stands in self._sought.items() if stands)

    def _as_before(self, earlier: Earlier) -> None:
        """From here on it was all told before, of the lines that stood there then and are not gone now."""
        for line in [one for one, stands in self._sought.items() if stands and one in earlier.lines]:
            self.found[line] = earlier.lines[line]
            del self._sought[line]

    def _back_over(self, change: Change) -> None:
        sought, digest = self._sought, self._digest
        self._digest = change.before
        if change.after == digest and change.before == change.after:
            return
        after = self._held(change, change.after)
        if change.after != digest:
            for line in [one for one, stands in sought.items() if stands and one not in after]:
                self.found[line] = Origin.OUTSIDE
                del sought[line]
        before = self._held(change, change.before)
        for line in list(sought):
            sought[line] = line in after
            if line in after and line not in before:
                if change.tool in PUT_BACK:
                    sought[line] = False
                else:
                    self.found[line] = Origin(change.origin) if change.origin in list(Origin) else None
                    self.changes[line] = change
                    del sought[line]
            elif line in before:
                sought[line] = True

    def _held(self, change: Change, digest: str | None) -> frozenset[bytes]:
        """The lines of a note before or after a change; of two changes in a row, one's after is the other's before."""
        if digest is None:
            return frozenset()
        if digest not in self._lines:
            data = stored_bytes(self._place, change, digest) or b""
            self._bytes += len(data)
            while len(self._lines) >= _AT_HAND:
                del self._lines[next(iter(self._lines))]
            self._lines[digest] = stripped(data)
        return self._lines[digest]
