"""The contract of a journal, and its records: one line of JSON for each change, in the order of sequence numbers.

Times are for people to read: nothing is ordered by them, so a clock that jumps changes no order.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Generator, Iterable
from enum import StrEnum
from typing import Protocol

from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = ["Journal", "JournalEnd", "Kind", "Record", "encode_record", "first_id", "next_id", "parse_record"]

_ID = compile_late(r"c[0-9a-f]{12}", re.ASCII)
_HASH = compile_late(r"[0-9a-f]{64}", re.ASCII)
_ID_COUNT = 1 << 48
# 2**48 divided by the golden ratio, made odd: adding it again and again meets every id once before any comes back,
# and spreads the first digits, so that short prefixes stay unique. No look at the whole journal is needed.
_ID_STEP = 0x9E3779B97F4B


class Kind(StrEnum):
    """The kinds of lines in the journal."""

    change = "change"
    done = "done"
    abandoned = "abandoned"
    purged = "purged"
    pruned = "pruned"


class Record(NamedTuple):
    """One line of the journal. `done` and `abandoned` carry the id and number of their change.

    Changes that are one to the user share a `group`, the id of the first; each says which of how many `steps` it is.
    """

    kind: Kind
    seq: int
    id: str
    path: str = ""
    before: str | None = None
    after: str | None = None
    origin: str = ""
    tool: str = ""
    reason: str = ""
    at: float = 0.0
    undoes: str | None = None
    group: str = ""
    step: int = 0
    steps: int = 0
    request: str = ""
    """The digest of the request that made it, where its caller gave the change its id."""
    author: str = ""
    """The origin of the words that it brought, where that is not the origin of who made it."""


class JournalEnd(NamedTuple):
    """The last line of the journal, and the last change near its end."""

    record: Record | None
    change: Record | None


def first_id() -> str:
    """Return a random id that starts a journal."""
    return f"c{int.from_bytes(os.urandom(6)):012x}"


def next_id(last: str) -> str:
    """Return the id after this one."""
    return f"c{(int(last[1:], 16) + _ID_STEP) % _ID_COUNT:012x}"


def encode_record(record: Record) -> bytes:
    """Return a record as a line of JSON.

    Empty fields are left out, and characters beyond ASCII are escaped.
    """
    fields = {
        name: value
        for name, value in record._asdict().items()
        if value not in ("", None, 0.0) or name in ("kind", "seq", "id")
    }
    return json.dumps(fields, separators=(",", ":")).encode("ascii") + b"\n"


def parse_record(line: bytes) -> Record | None:
    """Return the record in a line, or None if it is not one."""
    try:
        fields = json.loads(line)
        record = Record(Kind(fields.pop("kind")), **fields)
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        return None
    return record if _is_valid(record) else None


def _is_valid(record: Record) -> bool:
    texts = (record.path, record.origin, record.tool, record.reason, record.group, record.request, record.author)
    return (
        type(record.seq) is int
        and record.seq > 0
        and isinstance(record.id, str)
        and _ID.fullmatch(record.id) is not None
        and all(isinstance(text, str) for text in texts)
        and type(record.at) in (int, float)
        and all(
            digest is None or (isinstance(digest, str) and _HASH.fullmatch(digest) is not None)
            for digest in (record.before, record.after)
        )
        and (record.undoes is None or isinstance(record.undoes, str))
        and type(record.step) is int
        and type(record.steps) is int
        and 0 <= record.step <= record.steps
    )


class Journal(Protocol):
    """The changes of one agent's notes. A writer holds the workspace's lock."""

    def read_end(self, size: int | None = None) -> tuple[bytes, bool]:
        """Return the last `size` bytes, or all, and whether they are all."""
        ...

    def lines_backwards(self) -> Generator[bytes, None, None]:
        """Yield the lines from the last to the first."""
        ...

    def records_backwards(self) -> Generator[Record, None, None]:
        """Yield the records from the last to the first."""
        ...

    def latest(self) -> JournalEnd:
        """Return the end of the journal, without reading the rest."""
        ...

    def new_id(self, last: Record | None) -> str:
        """Return the id of the next change: the one that the caller gave, where it is free."""
        ...

    def find(self, id: str) -> list[Record]:  # noqa: A002 - its name here
        """Return the change of this id, with those of its group, in their order; none where it did not happen."""
        ...

    def open_changes(self) -> list[Record]:
        """Return the changes at the end that no line says the outcome of, in their order."""
        ...

    def append(self, *records: Record, durable: bool) -> None:
        """Add a line for each record; on failure the journal is as it was."""
        ...

    def repair(self) -> None:
        """Mend what a writer that died left half done."""
        ...

    def rewrite(self, lines: Iterable[bytes]) -> None:
        """Replace the whole journal, at once and durably."""
        ...
