"""Looking over all checkpoints: is every byte that was promised there, and unchanged?"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from holdfast.checkpoints.checkpoint_store import Place, for_reading
from holdfast.checkpoints.journal import Kind, Record, parse
from holdfast.errors import TooLarge, UnsafeFile
from holdfast.notes.workspace import Workspace

__all__ = ["Problem", "verify"]


class Problem(NamedTuple):
    """One thing that is not as it should be.

    `kind` is "torn" (half a last line; the next change repairs it), "line" (a line that can't be read), "order"
    (a number out of order), "missing", "damaged", or "unreferenced" (spare bytes; `prune` removes them).
    """

    kind: str
    subject: str
    why: str


def verify(workspace: Workspace) -> list[Problem]:
    """Hash every object again and check every line of the journal."""
    with for_reading(workspace) as place:
        if place is None:
            return []
        # Under the lock no change stands between its objects and its line; the hashing needs no lock.
        with workspace.lock():
            stored = place.objects.sizes()
            lines = list(place.journal.lines_backwards())
        lines.reverse()
        records, problems = _read(lines)
        used = {digest: record.id for record in records for digest in (record.before, record.after) if digest}
        problems += [
            Problem("missing", id, f"its bytes {digest[:12]} are gone")
            for digest, id in used.items()  # noqa: A001
            if digest not in stored
        ]
        for digest in sorted(stored):
            why = _damage(place, digest)
            if why is not None:
                problems.append(Problem("damaged", used.get(digest, digest[:12]), why))
            elif digest not in used:
                problems.append(Problem("unreferenced", digest[:12], "no line of the journal needs these bytes"))
        return problems


def _read(lines: list[bytes]) -> tuple[list[Record], list[Problem]]:
    records: list[Record] = []
    problems: list[Problem] = []
    newest = 0
    for number, line in enumerate(lines, 1):
        record = parse(line) if line else None
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


def _damage(place: Place, digest: str) -> str | None:
    try:
        data = place.objects.load(digest)
    except (UnsafeFile, TooLarge) as error:
        return f"its bytes can't be read: {error}"
    # None: it was pruned since the list was made.
    if data is None or hashlib.sha256(data).hexdigest() == digest:
        return None
    return "its bytes are not those that were stored"
