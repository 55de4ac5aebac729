"""Forgetting checkpoints: the old ones by rule, or all those of one note."""

from __future__ import annotations

import json
import time
from binascii import unhexlify
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing
from io import BytesIO

from holdfast.checkpoints.checkpoint_store import CheckpointStore
from holdfast.checkpoints.journal import Journal, Kind, Record, encode_record, next_id, parse_record
from holdfast.checkpoints.note_change import locked_store
from holdfast.clock import SystemClock
from holdfast.errors import BadArgument, TooLarge, UnsafeFile
from holdfast.guard.paths import NotePath
from holdfast.named_tuple import NamedTuple
from holdfast.notes.workspace import Workspace
from holdfast.pattern import compile_late

__all__ = ["Pruned", "erase", "erase_in", "prune", "purge"]

_DIGEST = compile_late(rb"[0-9a-f]{64}")

_MAX_UNEXPLAINED_OBJECTS = 16
_HASH_BYTES = 32


class Pruned(NamedTuple):
    """The counts of a pruning: changes from the journal, objects and their bytes from the disk."""

    changes: int
    objects: int
    bytes: int


def prune(workspace: Workspace, *, keep_days: int, keep_count: int) -> Pruned:
    """Drop changes that are old both by count and by days.

    The newest `keep_count` changes of each note stay, and so does every change with fewer than `keep_days` other
    dates in the journal after it. Days are counted by the dates that occur, not by subtraction: a clock that jumps
    ten years ahead adds one date and expires nothing.
    """
    if keep_days < 0:
        raise BadArgument("keep_days", "it is negative")
    if keep_count < 0:
        raise BadArgument("keep_count", "it is negative")
    with locked_store(workspace) as store:
        found = _find_droppable(store.journal, keep_days, keep_count)
        if found.ids:
            store.journal.rewrite(_lines_without(store.journal, found))
        return _remove_unreferenced(store, found.changes, found.held)


def purge(workspace: Workspace, *, path: str) -> Pruned:
    """Remove every checkpoint of one note, and leave one line that says so."""
    workspace.gate.require(NotePath(path))
    with locked_store(workspace) as store:
        entries = _entries(store)
        records = [entry.record for entry in entries if entry.record is not None]
        of_note = {record.id for record in records if record.kind is Kind.change and record.path == path}
        if of_note:
            last = records[-1]
            quoted = json.dumps(path).encode("ascii")
            lines = [
                entry.line
                for entry in entries
                # A line that can't be read may still tell of this note.
                if (entry.record.id not in of_note if entry.record is not None else quoted not in entry.line)
            ]
            purged = Record(Kind.purged, last.seq + 1, next_id(last.id), path=path, at=SystemClock().now())
            store.journal.rewrite([*lines, encode_record(purged)])
        return _remove_unreferenced(store, len(of_note))


def erase(workspace: Workspace, holds: Callable[[bytes], bool], *, paths: Collection[str] = ()) -> Pruned:
    """Remove every checkpoint whose bytes hold what must not be kept, and all checkpoints of some notes."""
    with locked_store(workspace) as store:
        return erase_in(store, holds, paths)


def erase_in(store: CheckpointStore, holds: Callable[[bytes], bool], paths: Collection[str] = ()) -> Pruned:
    """Do the same in an open store whose journal is settled."""
    entries = _entries(store)
    records = [entry.record for entry in entries if entry.record is not None]
    held = {digest for digest in store.objects.sizes() if _object_holds(store, digest, holds)}
    gone = [
        record
        for record in records
        if record.path in paths or (record.kind is Kind.change and not held.isdisjoint((record.before, record.after)))
    ]
    for record in gone:
        store.workspace.gate.require(NotePath(record.path))
    drop = {record.id for record in gone}
    lines = [
        entry.line
        for entry in entries
        if (
            entry.record.id not in drop
            if entry.record is not None
            else held.isdisjoint(digest.decode() for digest in _DIGEST.findall(entry.line))
        )
    ]
    if len(lines) < len(entries):
        if records and records[-1].id in drop:
            # The next change goes on counting from here.
            lines.append(encode_record(Record(Kind.pruned, records[-1].seq, records[-1].id)))
        store.journal.rewrite(lines)
    held |= {digest for record in gone for digest in (record.before, record.after) if digest is not None}
    return _remove_unreferenced(store, sum(record.kind is Kind.change for record in gone), held)


def _object_holds(store: CheckpointStore, digest: str, holds: Callable[[bytes], bool]) -> bool:
    try:
        data = store.objects.load(digest)
    except (TooLarge, UnsafeFile):
        return False
    return data is not None and holds(data)


class _Entry(NamedTuple):
    """A line of the journal, and what it says if it can be read.

    A damaged line, or one of a later version, is kept as it is: it may be the only trace of someone's note.
    """

    line: bytes
    record: Record | None


def _entries(store: CheckpointStore) -> list[_Entry]:
    entries = [_Entry(line + b"\n", parse_record(line)) for line in store.journal.lines_backwards() if line]
    entries.reverse()
    return entries


class _Droppable(NamedTuple):
    """A pruning drops so many changes, all lines with these ids, and what only these lines need of these hashes."""

    changes: int
    ids: set[str]
    held: set[str | None]
    newest: Record | None
    """The last record of the journal, whether it goes or not."""


def _find_droppable(journal: Journal, keep_days: int, keep_count: int) -> _Droppable:
    """Find what is old, what was abandoned, and the traces of earlier prunings.

    It is done after every two hundred changes, so the records are looked at one by one: those of a long journal, held
    all at once, made every process that saves grow with it.
    """
    ids: set[str] = set()
    held: set[str | None] = set()
    later: set[str] = set()
    newer: Counter[str] = Counter()
    newest: Record | None = None
    changes = 0
    with closing(journal.records_backwards()) as records:
        for record in records:
            if record.kind is Kind.abandoned or (record.kind is Kind.pruned and newest is not None):
                ids.add(record.id)
            elif record.kind is Kind.change and record.id not in ids:  # one that was abandoned is: that was said later
                date = _date(record.at)
                if newer[record.path] >= keep_count and len(later) - (date in later) >= keep_days:
                    ids.add(record.id)
                    changes += 1
                newer[record.path] += 1
                later.add(date)
            if record.id in ids:
                held |= {record.before, record.after}
            newest = newest or record
    return _Droppable(changes, ids, held, newest)


def _lines_without(journal: Journal, found: _Droppable) -> Iterator[bytes]:
    """Yield the lines that stay, in their order."""
    data, _ = journal.read_end()
    for line in BytesIO(data):
        bare = line.removesuffix(b"\n")
        record = parse_record(bare)
        if bare and (record is None or record.id not in found.ids):
            yield bare + b"\n"
    if found.newest is not None and found.newest.id in found.ids:
        # The next change goes on counting from here.
        yield encode_record(Record(Kind.pruned, found.newest.seq, found.newest.id))


def _date(at: float) -> str:
    try:
        return time.strftime("%Y-%m-%d", time.gmtime(at))
    except (OverflowError, ValueError, OSError):
        return "unknown"


def _remove_unreferenced(
    store: CheckpointStore, changes: int, explained: Collection[str | None] | None = None
) -> Pruned:
    """Remove what no line refers to any more. The journal comes first: a crash here leaves only spare objects.

    A writer that was killed leaves an object or two that no line explains. Where there are many, a journal was lost,
    and they may be all that is left of somebody's notes: then only those that the caller can explain go.
    """
    with closing(store.journal.lines_backwards()) as lines:
        used = _Hashes(digest for line in lines for digest in _DIGEST.findall(line))
    spare = {digest: size for digest, size in store.objects.stored() if digest not in used}
    if explained is not None and len(spare.keys() - set(explained)) > _MAX_UNEXPLAINED_OBJECTS:
        spare = {digest: size for digest, size in spare.items() if digest in explained}
    if spare:
        store.objects.remove(spare)
    return Pruned(changes, len(spare), sum(spare.values()))


class _Hashes:
    """Keeps the hashes that a journal names, 32 bytes each, by their first two digits.

    As a set of strings those of a long journal would take six times as much. Asked for in the order in which objects
    are stored, each part is made a set once.
    """

    def __init__(self, digests: Iterable[bytes]) -> None:
        self._parts: dict[str, bytearray] = {}
        for digest in digests:
            raw = unhexlify(digest)
            self._parts.setdefault(digest[:2].decode(), bytearray()).extend(raw)
        self._start, self._part = "", frozenset[str]()

    def __contains__(self, digest: str) -> bool:
        start = digest[:2]
        if start != self._start:
            raw = self._parts.get(start, b"")
            self._start = start
            self._part = frozenset(raw[at : at + _HASH_BYTES].hex() for at in range(0, len(raw), _HASH_BYTES))
        return digest in self._part
