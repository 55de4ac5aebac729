"""The journal: one line of JSON for each change, in the order of its sequence numbers.

A change's line is durable before the note changes; a `done` or `abandoned` line after it says how it went.
Times are for people to read: nothing is ordered by them, so a clock that jumps changes no order.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Generator, Iterable
from contextlib import closing, suppress
from enum import StrEnum
from typing import NamedTuple

from holdfast.errors import UnsafeFile
from holdfast.notes.atomic_write import sync_directory, write_all, write_file
from holdfast.notes.disk import Disk
from holdfast.notes.safe_open import close_quietly, kind_fault, retry, storage_errors

__all__ = ["Journal", "JournalEnd", "Kind", "Record", "encode_record", "first_id", "next_id", "parse_record"]

NAME = "journal.jsonl"
_SHOWN = f"checkpoints/{NAME}"
_BLOCK_BYTES = 64 * 1024
_ID = re.compile(r"c[0-9a-f]{12}", re.ASCII)
_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)
_ID_COUNT = 1 << 48
# 2**48 divided by the golden ratio, made odd: adding it again and again meets every id once before any comes back,
# and spreads the first digits, so that short prefixes stay unique. No look at the whole journal is needed.
_ID_STEP = 0x9E3779B97F4B
_MAX_LINES_TO_CHANGE = 8  # behind the last change there is a line that it is done, and rarely a few others
_OPEN_FLAGS = os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


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
    texts = (record.path, record.origin, record.tool, record.reason, record.group)
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


class Journal:
    """The journal in an open directory. Whoever writes holds the workspace's lock."""

    def __init__(self, disk: Disk, fd: int) -> None:
        self.disk, self.fd = disk, fd

    def read_end(self, size: int | None = None) -> tuple[bytes, bool]:
        """Return the last `size` bytes, or all, and whether they are all.

        The first line of less than all may be torn.
        """
        with storage_errors(_SHOWN, "read"):
            try:
                file = self._open(os.O_RDONLY)
            except FileNotFoundError:
                return b"", True
            try:
                total = retry(self.disk.fstat, file).st_size
                wanted = total if size is None else min(size, total)
                return self._block(file, wanted, total - wanted), wanted == total
            finally:
                close_quietly(self.disk, file)

    def lines_backwards(self) -> Generator[bytes, None, None]:
        """Yield the lines from the last to the first, block by block.

        The very first may be torn or empty.
        """
        with storage_errors(_SHOWN, "read"):
            try:
                file = self._open(os.O_RDONLY)
            except FileNotFoundError:
                return
            try:
                position = retry(self.disk.fstat, file).st_size
                carry = b""
                while position > 0:
                    size = min(_BLOCK_BYTES, position)
                    position -= size
                    first, *lines = (self._block(file, size, position) + carry).split(b"\n")
                    carry = first
                    yield from reversed(lines)
                yield carry
            finally:
                close_quietly(self.disk, file)

    def records_backwards(self) -> Generator[Record, None, None]:
        """Yield the records from the last to the first.

        Lines that can't be read are left to `verify`.
        """
        with closing(self.lines_backwards()) as lines:
            for line in lines:
                record = parse_record(line) if line else None
                if record is not None:
                    yield record

    def latest(self) -> JournalEnd:
        """Return the end of the journal, without reading the rest."""
        newest: Record | None = None
        with closing(self.records_backwards()) as records:
            for seen, record in enumerate(records):
                newest = newest or record
                if record.kind is Kind.change:
                    return JournalEnd(newest, record)
                if seen >= _MAX_LINES_TO_CHANGE:
                    break
        return JournalEnd(newest, None)

    def open_changes(self) -> list[Record]:
        """Return the changes at the end that no line says the outcome of, in their order.

        They are several only where they are of one group.
        """
        newest_first: list[Record] = []
        with closing(self.records_backwards()) as records:
            for record in records:
                if record.kind is not Kind.change:
                    break
                if newest_first and not (record.group and record.group == newest_first[0].group):
                    break
                newest_first.append(record)
        newest_first.reverse()
        return newest_first

    def append(self, *records: Record, durable: bool) -> None:
        """Add a line for each record; on failure the journal is as it was."""
        with storage_errors(_SHOWN, "append to"):
            file = self._open(os.O_WRONLY | os.O_APPEND)
            try:
                size = retry(self.disk.fstat, file).st_size
                if size == 0:
                    # Before the first line: a later retry would not know that the name is not durable yet.
                    sync_directory(self.disk, self.fd, _SHOWN)
                try:
                    write_all(self.disk, file, b"".join(map(encode_record, records)))
                    if durable:
                        retry(self.disk.fsync, file)
                except BaseException:
                    with suppress(OSError):
                        retry(self.disk.ftruncate, file, size)
                    raise
            finally:
                close_quietly(self.disk, file)

    def repair(self) -> None:
        """End the last line: a writer that died may have left half of one."""
        with closing(self.lines_backwards()) as lines:
            torn = next(lines, b"")
        if not torn:
            return
        with storage_errors(_SHOWN, "repair"):
            file = self._open(os.O_WRONLY | os.O_APPEND)
            try:
                if parse_record(torn) is not None:
                    write_all(self.disk, file, b"\n")
                else:
                    size = retry(self.disk.fstat, file).st_size
                    retry(self.disk.ftruncate, file, size - len(torn))
                retry(self.disk.fsync, file)
            finally:
                close_quietly(self.disk, file)

    def rewrite(self, lines: Iterable[bytes]) -> None:
        """Replace the whole journal, at once and durably."""
        write_file(self.disk, self.fd, NAME, b"".join(lines), _SHOWN)

    def _open(self, flags: int) -> int:
        create = flags | _OPEN_FLAGS if flags & os.O_WRONLY else flags | (_OPEN_FLAGS & ~os.O_CREAT)
        file = retry(self.disk.open, NAME, create, 0o600, dir_fd=self.fd)
        try:
            fault = kind_fault(retry(self.disk.fstat, file))
            if fault is not None:
                raise UnsafeFile(_SHOWN, fault)
        except BaseException:
            close_quietly(self.disk, file)
            raise
        return file

    def _block(self, file: int, size: int, offset: int) -> bytes:
        pieces = []
        while size > 0:
            piece = retry(self.disk.pread, file, size, offset)
            if not piece:
                break
            pieces.append(piece)
            offset += len(piece)
            size -= len(piece)
        return b"".join(pieces)
