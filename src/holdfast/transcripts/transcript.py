"""The transcript of a session: what was said, one line each, in the order in which it was said.

Order is the order of the lines. Times and ids are for people and citations: a clock that jumps changes nothing.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

from holdfast.clock import Clock, SystemClock
from holdfast.named_tuple import NamedTuple
from holdfast.notes.log import Log
from holdfast.notes.workspace import Workspace
from holdfast.transcripts.session_key import Kind, archive_name, archive_number, directory_of, file_name
from holdfast.transcripts.transcript_entry import Compaction, Entry, Opening, Record, encode, parse

__all__ = ["Ids", "Read", "Transcript", "last_message_time", "read_log"]

_PER_MS = 1 << 32
_END_BYTES = 16 * 1024  # where the last message mostly is; a longer one is looked for further up


class Read(NamedTuple):
    """One line of a transcript: where it starts, where the next one does, and what it says if it can be read."""

    start: int
    end: int
    record: Record | None


class Ids:
    """Ids that grow with time, and differ between processes by 32 bits of chance; nothing is read to make one."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._last, self._lock = clock, 0, threading.Lock()

    def next(self) -> str:
        """Another id, larger than the last one also where the clock went back."""
        with self._lock:
            now = max(0, int(self._clock.now() * 1000)) * _PER_MS + int.from_bytes(os.urandom(4))
            self._last = max(now, self._last + 1) % (1 << 80)
            return f"m{self._last:020x}"


class _ReadState:
    """Says what was read so far, so that the next look reads only what is new."""

    def __init__(self) -> None:
        self.file: tuple[int, int] | None = None  # device and inode
        self.offset = self.count = self.cycle = self.unread = 0
        self.compaction: Compaction | None = None
        self.compacted_at = 0  # the offset after the last compaction's line
        self.tail: list[Entry] = []

    def take(self, read: Read) -> None:
        """Go on by one line."""
        self.offset = read.end
        match read.record:
            case Entry():
                self.count += 1
                self.tail.append(read.record)
            case Compaction():
                self.cycle += 1
                kept = next((at for at, entry in enumerate(self.tail) if entry.id == read.record.kept_from), None)
                if kept is None:
                    self.tail = []
                else:
                    self.tail = self.tail[kept:]
                self.compaction, self.compacted_at = read.record, read.end
            case None:
                self.unread += 1


class Transcript:
    """The transcript of one session; any number of them may be open on the same file."""

    def __init__(
        self,
        workspace: Workspace,
        key: str,
        *,
        kind: Kind = Kind.DIRECT,
        channel: str = "",
        clock: Clock | None = None,
    ) -> None:
        self.key, self.kind, self.channel = key, kind, channel
        self.clock = clock or SystemClock()
        self.log = workspace.log(directory_of(workspace.agent), file_name(key))
        self._ids = Ids(self.clock)
        self._seen = _ReadState()
        self._lock = threading.Lock()

    @property
    def path(self) -> str:
        """The file below the home, whether or not it is there yet."""
        return self.log.shown

    def next_id(self) -> str:
        """An id for the next entry."""
        return self._ids.next()

    def append(self, record: Entry | Compaction) -> None:
        """Add a line; it is on disk when this returns."""
        opening = Opening(self.key, self.kind, record.at, self.channel)
        self.log.append(encode(record), first=encode(opening))

    def replace(self, entry: Entry) -> bool:
        """Put an entry in the place of the one of its id, durably; say whether there was one."""
        with self.log.exclusive() as still:
            if still is None:
                lines = []
            else:
                lines = still.read().split(b"\n")
            for number, line in enumerate(lines):
                record = None
                if entry.id.encode() in line:
                    record = parse(line)
                if still is not None and isinstance(record, Entry) and record.id == entry.id:
                    lines[number] = encode(entry)
                    still.rewrite(b"\n".join(lines))
                    return True
        return False

    def lines(self, start: int = 0) -> Iterator[Read]:
        """Every line that is ended, from an offset on at which one begins."""
        yield from read_log(self.log, start)

    def entries(self) -> list[Entry]:
        """Everything that was said and can be read, oldest first."""
        return [read.record for read in self.lines() if isinstance(read.record, Entry)]

    def context(self) -> list[Entry]:
        """After the last compaction: its summary, tagged so, and the entries that it kept, and those since."""
        with self._lock:
            seen = self._look()
            if seen.compaction is not None and seen.compaction.summary:
                summary = [seen.compaction.entry]
            else:
                summary = []
            return [*summary, *seen.tail]

    @property
    def count(self) -> int:
        """Return how many messages can be read."""
        with self._lock:
            return self._look().count

    @property
    def unread(self) -> int:
        """Return how many lines can't be read: torn ones, and what another program wrote."""
        with self._lock:
            return self._look().unread

    @property
    def cycle(self) -> int:
        """Return how often the conversation was compacted."""
        with self._lock:
            return self._look().cycle

    @property
    def bytes(self) -> int:
        """The size of the file."""
        status = self.log.status()
        return status.size if status is not None else 0

    @property
    def bytes_since_compaction(self) -> int:
        """Return how much of that came after the last compaction."""
        with self._lock:
            return max(0, self.bytes - self._look().compacted_at)

    @property
    def opening(self) -> Opening | None:
        """The first line, which says whose transcript this is."""
        first = next(self.lines(), None)
        if first is not None and isinstance(first.record, Opening):
            return first.record
        return None

    # Its end

    def archive(self) -> str | None:
        """Put the file aside as `<file>.<n>.jsonl`; gives that name, or None when there was nothing to put aside."""
        with self.log.exclusive() as still:
            if still is None:
                return None
            name = archive_name(self.log.name, max([0, *self._archives()]) + 1)
            still.rename(name)
            return name

    def unarchive(self, name: str) -> None:
        """Make what was put aside under this name the file again; where there is one by now, nothing is changed."""
        with self.log.sibling(name).exclusive() as still:
            if still is not None:
                still.rename(self.log.name)

    def archives(self) -> list[Log]:
        """Return what was put aside, oldest first."""
        names = (archive_name(self.log.name, number) for number in sorted(self._archives()))
        return [self.log.sibling(name) for name in names]

    def remove(self) -> None:
        """Remove the file and what was put aside, for good."""
        for log in (*self.archives(), self.log):
            with log.exclusive() as still:
                if still is not None:
                    still.remove()

    # Inside

    def _archives(self) -> list[int]:
        numbers = (archive_number(self.log.name, name) for name in self.log.sibling_names())
        return [number for number in numbers if number is not None]

    def _look(self) -> _ReadState:
        """Return what there is by now, reading only what was added since the last look; whoever asks holds the lock."""
        status = self.log.status()
        file = None
        if status is not None:
            file = (status.device, status.inode)
        if file != self._seen.file or (status is not None and status.size < self._seen.offset):
            self._seen = _ReadState()
            self._seen.file = file
        if status is not None and status.size > self._seen.offset:
            for read in self.lines(self._seen.offset):
                self._seen.take(read)
        return self._seen


def read_log(log: Log, start: int = 0) -> Iterator[Read]:
    """The lines of any transcript, live or put aside, from an offset on."""
    for line in log.lines(start):
        yield Read(line.start, line.end, parse(line.data) if line.data is not None else None)


def last_message_time(log: Log) -> float | None:
    """Return when the last message of a transcript was said.

    None where none can be read. Reads little more than its end.
    """
    status = log.status()
    size, length = status.size if status is not None else 0, _END_BYTES
    while size:
        lines = [line.data for line in log.lines(max(0, size - length)) if line.data is not None]
        entries = (record for record in map(parse, reversed(lines)) if isinstance(record, Entry))
        if (entry := next(entries, None)) is not None:
            return entry.at
        if length >= size:
            break
        length *= 16
    return None
