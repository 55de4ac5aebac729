"""Find out from the checkpoints who wrote each line of a note, as `git blame` does.

A note has many writers, so whoever changed it last says nothing about a line. A line was brought by the last change
before which it did not stand there and after which it did. Putting a note back brings nothing new, and what appeared
between two changes of ours came from outside. Where the checkpoints that would tell are gone, nobody knows. What is
known of a line stays true while it stands there, and is not looked up again.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import Final

from holdfast.checkpoints.change import Change
from holdfast.checkpoints.change_history import stored_bytes
from holdfast.checkpoints.checkpoint_store import CheckpointStore, open_for_reading
from holdfast.checkpoints.journal import Kind, Record, parse_record
from holdfast.errors import HoldfastError
from holdfast.guard.origin import Origin
from holdfast.named_tuple import NamedTuple
from holdfast.notes.note import Note
from holdfast.notes.workspace import Workspace
from holdfast.pattern import compile_late

__all__ = ["PUT_BACK", "BlameReader", "BlameResult", "KnownBlame", "distinct_lines", "lines_of"]

PUT_BACK: Final = frozenset(("checkpoint_restore", "undo"))
"""The tools that put a note back to what it was; the words are whose they were before."""

# Older changes than these are not looked at: who wrote the lines behind them is not known.
_MAX_CHANGES_PER_NOTE: Final = 2_000
_MAX_BYTES_PER_NOTE: Final = 128_000_000
_JOURNAL_END_BYTES: Final = 64 * 1024  # bytes of the journal that are looked at first
_MAX_CACHED_VERSIONS: Final = 4  # versions of a note whose lines are kept while it is looked at
_MAX_READS: Final = 8  # where the clock was put back, every note looks as if it had just changed
_FEW_NOTES: Final = 4  # notes that are looked for one by one; for more, the journal is taken apart
_JOURNAL_LINE: Final = compile_late(
    rb'^\{"kind":"(change|abandoned|purged)","seq":([0-9]{1,18}),"id":"(c[0-9a-f]{12})"(?:,"path":("(?:[^"\\]|\\.)*"))?',
    re.MULTILINE,
)


class KnownBlame(NamedTuple):
    """A result of before: up to which line of the journal, and who wrote the lines of then."""

    seq: int
    lines: Mapping[bytes, Origin | None]


class BlameResult(NamedTuple):
    """The number of the last line of the journal about a note, and who wrote each wanted line.

    `changes` are those that brought them, of the lines that a change brought and that were not told before.
    """

    seq: int
    lines: Mapping[bytes, Origin | None]
    changes: Mapping[bytes, Change] = MappingProxyType({})


def lines_of(data: bytes) -> list[str]:
    """Return the lines of a note as editors count them, stripped."""
    return [line.decode("utf-8", "replace").strip() for line in data.removeprefix(b"\xef\xbb\xbf").splitlines()]


def distinct_lines(data: bytes) -> frozenset[bytes]:
    """Return the distinct lines of a note, stripped."""
    return frozenset(map(bytes.strip, data.removeprefix(b"\xef\xbb\xbf").splitlines()))


class BlameReader:
    """Finds who last wrote each line of the notes of a workspace.

    The journal is read once, from its end and as far as needed.

    Most notes that it is asked about have just gained a line, and the end of the journal says whose.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._asked = 0
        self._journal, self._whole, self._readable = b"", False, False
        self._read_ns = self._times_read = 0

    def names_note(self, note: Note) -> bool:
        """Say whether the journal names a note at all.

        Where it does not, every word of the note is from outside.
        """
        self._asked += 1
        # Changed since: whoever did may have written to the journal first, and must not pass for an outside edit.
        if not self._times_read or (note.ctime_ns > self._read_ns and self._times_read < _MAX_READS):
            self._read(None if self._asked > _FEW_NOTES else _JOURNAL_END_BYTES)
        if any(True for _ in self._lines_about(note.path)):
            return True
        if not self._whole:
            self._read(None)
        # A journal that can't be read may name it.
        return not self._readable or any(True for _ in self._lines_about(note.path))

    def of(
        self, note: Note, wanted: Collection[bytes], earlier: Callable[[], KnownBlame | None] = lambda: None
    ) -> BlameResult:
        """Return who wrote each of these lines of a note; None where that is not known.

        `earlier` saves looking at old changes.
        """
        records = self._records(note)
        newest = next(records, None)
        if newest is not None and _wrote_whole_note(newest, note):
            change = Change.of(newest)
            return BlameResult(
                newest.seq, dict.fromkeys(wanted, Origin(change.words_of)), dict.fromkeys(wanted, change)
            )
        with open_for_reading(self._workspace) as store:
            if not self._readable:
                return BlameResult(0, dict.fromkeys(wanted))
            if store is None or newest is None:
                return BlameResult(0, dict.fromkeys(wanted, Origin.OUTSIDE))
            walk = _BlameWalk(store, note, wanted, earlier)
            with suppress(HoldfastError):  # damaged checkpoints tell nothing
                walk.walk_changes(newest, records)
                if walk.at_the_start and self._first_missing_number >= walk.oldest:
                    walk.blame_outside()
            return BlameResult(newest.seq, walk.origins, walk.changes)

    def _read(self, size: int | None) -> None:
        self._read_ns, self._times_read = self._workspace.moment(), self._times_read + 1
        for name in ("_by_path", "_abandoned", "_open", "_first_missing_number"):
            self.__dict__.pop(name, None)
        self._journal, self._whole, self._readable = b"", True, False
        with suppress(HoldfastError), open_for_reading(self._workspace) as store:
            if store is not None:
                self._journal, self._whole = store.journal.read_end(size)
            self._readable = True

    @cached_property
    def _by_path(self) -> Mapping[bytes, list[bytes]]:
        """Index the lines of the journal by the note they are about, newest first."""
        lines_by_path: dict[bytes, list[bytes]] = {}
        for line in reversed(self._journal.split(b"\n")):
            match = _JOURNAL_LINE.match(line)
            if match is not None and match[4] is not None:
                lines_by_path.setdefault(match[4], []).append(line)
        return lines_by_path

    @cached_property
    def _abandoned(self) -> frozenset[str]:
        if b'"abandoned"' not in self._journal:
            return frozenset()
        return frozenset(
            match[3].decode() for match in _JOURNAL_LINE.finditer(self._journal) if match[1] == b"abandoned"
        )

    @cached_property
    def _open(self) -> frozenset[str]:
        """Return the ids of the changes at the end of the journal.

        They may still be under way, or their writer died.
        """
        ids: set[str] = set()
        end = len(self._journal)
        while end > 0:  # from the last line on: nearly always that is not one of them
            start = self._journal.rfind(b"\n", 0, end - 1) + 1
            record = parse_record(self._journal[start:end])
            if record is not None and record.kind is not Kind.change:
                break
            if record is not None:
                ids.add(record.id)
            end = start
        return frozenset(ids)

    @cached_property
    def _first_missing_number(self) -> int:
        """Return the first change that the journal no longer has.

        The changes that are missing from there on may be of any note.
        """
        numbers = {
            int(match[2]) for match in _JOURNAL_LINE.finditer(self._journal) if match[1] in (b"change", b"abandoned")
        }
        return next(number for number in range(1, len(numbers) + 2) if number not in numbers)

    def _lines_about(self, path: str) -> Iterator[bytes]:
        quoted = json.dumps(path).encode("ascii")
        if self._asked > _FEW_NOTES:
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
        """Yield the records about a note, newest first: its changes, and that it was purged."""
        before: float = math.inf
        while True:
            whole = self._whole
            for line in self._lines_about(note.path):
                record = parse_record(line)
                if record is None or record.path != note.path or record.seq >= before:
                    continue
                if record.kind is Kind.purged or (record.kind is Kind.change and self._has_happened(record, note)):
                    before = record.seq
                    yield record
            if whole:
                return
            self._read(None)

    def _has_happened(self, record: Record, note: Note) -> bool:
        if record.id in self._abandoned:
            return False
        return record.id not in self._open or note.hash == record.after or note.hash != record.before


def _wrote_whole_note(newest: Record, note: Note) -> bool:
    """Say whether the last change made the note where there was none.

    Then all of its lines are of the same origin.
    """
    return (
        newest.kind is Kind.change
        and newest.before is None
        and newest.after == note.hash
        and newest.tool not in PUT_BACK
        and Change.of(newest).words_of in list(Origin)
    )


class _BlameWalk:
    """A walk from a note as it is back through its changes.

    It ends when each wanted line has somebody who wrote it.
    """

    def __init__(
        self, store: CheckpointStore, note: Note, wanted: Collection[bytes], earlier: Callable[[], KnownBlame | None]
    ) -> None:
        self._place = store
        self._ask_earlier = earlier
        self._digest: str | None = note.hash
        self.origins: dict[bytes, Origin | None] = dict.fromkeys(wanted)
        self.changes: dict[bytes, Change] = {}
        # The lines still sought, and whether each stands there at the point of time that we have come back to.
        self._sought = dict.fromkeys(wanted, True)
        self._lines: dict[str, frozenset[bytes]] = {note.hash: distinct_lines(note.data)}
        self._bytes = 0
        self.oldest = 0
        self.at_the_start = False
        """True when no change is left, and the note was there before the oldest of them."""

    def walk_changes(self, newest: Record, older: Iterator[Record]) -> None:
        """Look at the changes, newest first."""
        if not self._sought:
            return
        earlier = self._ask_earlier()
        seen = 0
        for record in chain((newest,), older):
            if earlier is not None and record.seq <= earlier.seq:
                self._apply_known(earlier)
                earlier = None
            if (
                not self._sought
                or record.kind is Kind.purged
                or seen == _MAX_CHANGES_PER_NOTE
                or self._bytes > _MAX_BYTES_PER_NOTE
            ):
                return
            self._step_back(Change.of(record))
            self.oldest, seen = record.seq, seen + 1
            if not self._sought:
                return
        if earlier is not None:
            self._apply_known(earlier)
        self.at_the_start = bool(self._sought) and self._digest is not None

    def blame_outside(self) -> None:
        """Take the lines left for typed in: they stand there before all changes."""
        self.origins.update((line, Origin.OUTSIDE) for line, stands in self._sought.items() if stands)

    def _apply_known(self, earlier: KnownBlame) -> None:
        """Take over the earlier result for lines that stood there then and are not gone now."""
        for line in [line for line, stands in self._sought.items() if stands and line in earlier.lines]:
            self.origins[line] = earlier.lines[line]
            del self._sought[line]

    def _step_back(self, change: Change) -> None:
        sought, digest = self._sought, self._digest
        self._digest = change.before
        if change.after == digest and change.before == change.after:
            return
        after = self._lines_at(change, change.after)
        if change.after != digest:
            for line in [line for line, stands in sought.items() if stands and line not in after]:
                self.origins[line] = Origin.OUTSIDE
                del sought[line]
        before = self._lines_at(change, change.before)
        for line in list(sought):
            sought[line] = line in after
            if line in after and line not in before:
                if change.tool in PUT_BACK:
                    sought[line] = False
                else:
                    self.origins[line] = Origin(change.words_of) if change.words_of in list(Origin) else None
                    self.changes[line] = change
                    del sought[line]
            elif line in before:
                sought[line] = True

    def _lines_at(self, change: Change, digest: str | None) -> frozenset[bytes]:
        """Return the lines of a note before or after a change.

        The bytes after a change are those before the next one.
        """
        if digest is None:
            return frozenset()
        if digest not in self._lines:
            data = stored_bytes(self._place, change, digest) or b""
            self._bytes += len(data)
            while len(self._lines) >= _MAX_CACHED_VERSIONS:
                del self._lines[next(iter(self._lines))]
            self._lines[digest] = distinct_lines(data)
        return self._lines[digest]
