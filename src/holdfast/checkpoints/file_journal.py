"""The journal in a file: one line of JSON for each change, in the order of its sequence numbers.

A change's line is durable before the note changes; a `done` or `abandoned` line after it says how it went.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from contextlib import closing, suppress
from itertools import takewhile

from holdfast.checkpoints.change_id import take_given_id
from holdfast.checkpoints.journal import JournalEnd, Kind, Record, encode_record, first_id, next_id, parse_record
from holdfast.errors import UnsafeFile
from holdfast.notes.atomic_write import sync_directory, write_all, write_file
from holdfast.notes.disk import Disk
from holdfast.notes.safe_open import close_quietly, kind_fault, read_range, retry, storage_errors

__all__ = ["NAME", "FileJournal"]

NAME = "journal.jsonl"
_SHOWN = f"checkpoints/{NAME}"
_BLOCK_BYTES = 64 * 1024
_MAX_LINES_TO_CHANGE = 8  # behind the last change there is a line that it is done, and rarely a few others
_OPEN_FLAGS = os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


class FileJournal:
    """The journal in an open directory. A writer holds the workspace's lock."""

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
                if size is None:
                    wanted = total
                else:
                    wanted = min(size, total)
                return read_range(self.disk, file, wanted, total - wanted), wanted == total
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
                    first, *lines = (read_range(self.disk, file, size, position) + carry).split(b"\n")
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

    def new_id(self, last: Record | None) -> str:
        """Return the caller's id, where it is free; else what follows from the last one: nothing need be looked up."""
        given = take_given_id()
        if given is not None and not any(record.id == given for record in self.records_backwards()):
            return given
        if last is None:
            return first_id()
        return next_id(last.id)

    def find(self, id: str) -> list[Record]:  # noqa: A002 - the name in the journal
        """Return the change of this id, with those of its group, in their order; none where it did not happen."""
        newest_first: list[Record] = []
        abandoned: set[str] = set()
        with closing(self.records_backwards()) as records:
            for record in records:
                if record.kind is Kind.abandoned:
                    abandoned.add(record.id)
                elif record.kind is Kind.change and (record.id == id or (record.group == id and record.step)):
                    newest_first.append(record)
                if record.id == id and record.kind is Kind.change:
                    break
        found = [record for record in reversed(newest_first) if record.id not in abandoned]
        if found and found[0].id == id and len(found) == max(1, found[0].steps):
            return found
        return []

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
        """End the last line, or cut it off where it is incomplete: a writer that died may have left half of one.

        A power cut may also leave a hole of zeros where a line was not synced yet, and then what follows it in the same
        line was not synced either: nothing was done by it.
        """
        with closing(self.lines_backwards()) as lines:
            torn = next(lines, b"")
            spoilt = sum(len(line) + 1 for line in takewhile(_has_hole, lines))
        if not torn and not spoilt:
            return
        with storage_errors(_SHOWN, "repair"):
            file = self._open(os.O_WRONLY | os.O_APPEND)
            try:
                if not spoilt and parse_record(torn) is not None:
                    write_all(self.disk, file, b"\n")
                else:
                    size = retry(self.disk.fstat, file).st_size
                    retry(self.disk.ftruncate, file, size - len(torn) - spoilt)
                retry(self.disk.fsync, file)
            finally:
                close_quietly(self.disk, file)

    def rewrite(self, lines: Iterable[bytes]) -> None:
        """Replace the whole journal, at once and durably."""
        data = bytearray()
        for line in lines:  # `join` would make a list of all of them
            data += line
        write_file(self.disk, self.fd, NAME, bytes(data), _SHOWN)

    def _open(self, flags: int) -> int:
        if flags & os.O_WRONLY:
            create = flags | _OPEN_FLAGS
        else:
            create = flags | (_OPEN_FLAGS & ~os.O_CREAT)
        file = retry(self.disk.open, NAME, create, 0o600, dir_fd=self.fd)
        try:
            fault = kind_fault(retry(self.disk.fstat, file))
            if fault is not None:
                raise UnsafeFile(_SHOWN, fault)
        except BaseException:
            close_quietly(self.disk, file)
            raise
        return file


def _has_hole(line: bytes) -> bool:
    """Say whether some of a line never reached the disk; no record has such bytes."""
    return b"\0" in line
