"""An integrity check of all checkpoints: every stored byte is there and unchanged."""

from __future__ import annotations

import hashlib

from holdfast.checkpoints.checkpoint_store import CheckpointStore, open_for_reading
from holdfast.checkpoints.journal import Kind, Record, parse_record
from holdfast.errors import TooLarge, UnsafeFile
from holdfast.named_tuple import NamedTuple
from holdfast.notes.workspace import Workspace

__all__ = ["Problem", "verify"]


class Problem(NamedTuple):
    """One fault in the journal or the objects.

    `kind` is "torn" (half a last line; the next change repairs it), "line" (a line that can't be read), "order"
    (a number out of order), "missing", "damaged", or "unreferenced" (spare bytes; `prune` removes them).
    """

    kind: str
    subject: str
    why: str


def verify(workspace: Workspace) -> list[Problem]:
    """Hash every object again and check every line of the journal."""
    with open_for_reading(workspace) as store:
        if store is None:
            return []
        # Under the lock no change stands between its objects and its line; the hashing needs no lock.
        with workspace.lock():
            stored = store.objects.sizes()
            lines = list(store.journal.lines_backwards())
        lines.reverse()
        records, problems = _parse_lines(lines)
        used = {digest: record.id for record in records for digest in (record.before, record.after) if digest}
        problems += [
            Problem("missing", id, f"its bytes {digest[:12]} are gone")
            for digest, id in used.items()  # noqa: A001
            if digest not in stored
        ]
        for digest in sorted(stored):
            reason = _damage_reason(store, digest)
            if reason is not None:
                problems.append(Problem("damaged", used.get(digest, digest[:12]), reason))
            elif digest not in used:
                problems.append(Problem("unreferenced", digest[:12], "no line of the journal needs these bytes"))
        return problems


def _parse_lines(lines: list[bytes]) -> tuple[list[Record], list[Problem]]:
    records: list[Record] = []
    problems: list[Problem] = []
    newest = 0
    for number, line in enumerate(lines, 1):
        record = parse_record(line) if line else None
        if record is None:
            if line:
                kind = "torn" if number == len(lines) else "line"
                problems.append(Problem(kind, f"journal line {number}", "it can't be read"))
            continue
        if record.kind is Kind.change:
            if record.seq <= newest:
                problems.append(Problem("order", record.id, f"number {record.seq} comes after {newest}"))
            newest = max(newest, record.seq)
        records.append(record)
    return records, problems


def _damage_reason(store: CheckpointStore, digest: str) -> str | None:
    try:
        data = store.objects.load(digest)
    except (UnsafeFile, TooLarge) as error:
        return f"its bytes can't be read: {error}"
    # None: it was pruned since the list was made.
    if data is None or hashlib.sha256(data).hexdigest() == digest:
        return None
    return "its bytes are not those that were stored"
