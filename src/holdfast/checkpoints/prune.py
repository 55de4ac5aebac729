"""Forgetting checkpoints: the old ones by rule, or all those of one note."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass

from holdfast.checkpoints.change import settle
from holdfast.checkpoints.journal import Kind, Record, next_id
from holdfast.checkpoints.place import Place, for_writing
from holdfast.clock import SystemClock
from holdfast.errors import BadArgument
from holdfast.notes.workspace import Workspace

__all__ = ["Pruned", "prune", "purge"]


@dataclass(frozen=True, slots=True)
class Pruned:
    """How much went: changes from the journal, objects and their bytes from the disk."""

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
    with workspace.lock(), for_writing(workspace) as place:
        settle(place)
        records = _records(place)
        drop = _expired(records, keep_days, keep_count)
        gone = {record.id for record in records if record.kind is Kind.abandoned}
        kept = [record for record in records if record.id not in drop | gone]
        if records and len(kept) < len(records):
            if not kept or kept[-1].seq < records[-1].seq:
                # The next change goes on counting from here.
                kept = [record for record in kept if record.kind is not Kind.pruned]
                kept.append(Record(Kind.pruned, records[-1].seq, records[-1].id))
            place.journal.rewrite(kept)
        return _collect(place, len(drop))


def purge(workspace: Workspace, *, path: str) -> Pruned:
    """Remove every checkpoint of one note, and leave one line that says so."""
    with workspace.lock(), for_writing(workspace) as place:
        settle(place)
        records = _records(place)
        of_note = {record.id for record in records if record.kind is Kind.change and record.path == path}
        if of_note:
            last = records[-1]
            kept = [record for record in records if record.id not in of_note]
            kept.append(Record(Kind.purged, last.seq + 1, next_id(last.id), path=path, at=SystemClock().now()))
            place.journal.rewrite(kept)
        return _collect(place, len(of_note))


def _records(place: Place) -> list[Record]:
    records = list(place.journal.backwards())
    records.reverse()
    return records


def _expired(records: list[Record], keep_days: int, keep_count: int) -> set[str]:
    abandoned = {record.id for record in records if record.kind is Kind.abandoned}
    later: set[str] = set()
    newer: Counter[str] = Counter()
    expired: set[str] = set()
    for record in reversed(records):
        if record.kind is not Kind.change or record.id in abandoned:
            continue
        date = _date(record.at)
        if newer[record.path] >= keep_count and len(later) - (date in later) >= keep_days:
            expired.add(record.id)
        newer[record.path] += 1
        later.add(date)
    return expired


def _date(at: float) -> str:
    try:
        return time.strftime("%Y-%m-%d", time.gmtime(at))
    except (OverflowError, ValueError, OSError):
        return "unknown"


def _collect(place: Place, changes: int) -> Pruned:
    """Remove what no line refers to any more. The journal comes first: a crash here leaves only spare objects."""
    used = {digest for record in place.journal.backwards() for digest in (record.before, record.after) if digest}
    spare = {digest: size for digest, size in place.objects.sizes().items() if digest not in used}
    place.objects.remove(spare)
    return Pruned(changes, len(spare), sum(spare.values()))
