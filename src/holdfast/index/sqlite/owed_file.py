"""The notes that a program wrote and that the next search is to index: their paths, a line each, beside the index.

A store puts many items one by one, and to index each at once costs three times what writing it does; a search of any
process reads this file first, and indexes what is owed. Where the file is lost, a look at the notes finds them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress

from holdfast.named_tuple import NamedTuple
from holdfast.notes.private_database import open_private

__all__ = ["NOTHING", "Mark", "OwedNotes", "clear_owed", "mark_paid", "owe", "read_owed"]

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_FULL = 32 * 1024  # bytes; a file that is larger, and of which all is paid, is begun anew


class Mark(NamedTuple):
    """The place up to which a file was read: which file it is, and how many of its bytes."""

    inode: int
    size: int


class OwedNotes(NamedTuple):
    """The notes that are owed, and how far the file was read."""

    mark: Mark | None
    paths: tuple[str, ...]

    @property
    def full(self) -> bool:
        """True if the file is long enough to be begun anew."""
        return self.mark is not None and self.mark.size > _FULL


NOTHING = OwedNotes(None, ())


def owe(index_path: str, paths: Iterable[str]) -> None:
    """Add notes, with one write; OSError where that can't be. The caller holds the lock of the notes."""
    _append(index_path, "".join(f"{json.dumps(path)}\n" for path in paths))


def mark_paid(index_path: str, mark: Mark) -> None:
    """Tell other processes that all up to a mark is indexed."""
    with suppress(OSError):
        _append(index_path, f"{json.dumps(list(mark))}\n")


def read_owed(index_path: str, seen: Mark | None) -> OwedNotes:
    """Return what is owed; nothing where the file is as it was `seen`, or is not there."""
    try:
        stat = os.stat(f"{index_path}.owed", follow_symlinks=False)
        if Mark(stat.st_ino, stat.st_size) == seen:
            return OwedNotes(seen, ())
        fd = os.open(f"{index_path}.owed", _READ)
        try:
            inode, data = os.fstat(fd).st_ino, b""
            while block := os.read(fd, 1 << 20):
                data += block
        finally:
            os.close(fd)
    except OSError:
        return NOTHING
    data = data[: data.rfind(b"\n") + 1]  # what another is just writing is read next time
    return OwedNotes(Mark(inode, len(data)), tuple(_unpaid(data, inode)))


def clear_owed(index_path: str, mark: Mark) -> bool:
    """Begin the file anew where it is still as it was read, and say whether; the caller holds the lock of the notes."""
    try:
        stat = os.stat(f"{index_path}.owed", follow_symlinks=False)
        if Mark(stat.st_ino, stat.st_size) != mark:
            return False
        os.unlink(f"{index_path}.owed")
    except OSError:
        return False
    return True


def _append(index_path: str, lines: str) -> None:
    fd = open_private(f"{index_path}.owed", os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK)
    try:
        os.write(fd, lines.encode("ascii"))
    finally:
        os.close(fd)


def _unpaid(data: bytes, inode: int) -> list[str]:
    """Return the paths in lines behind the last mark up to which all is paid; a line that is no JSON says nothing."""
    found: list[tuple[int, str]] = []
    paid, place = 0, 0
    for line in data.splitlines(keepends=True):
        with suppress(ValueError):
            held = json.loads(line)
            if isinstance(held, str):
                found.append((place, held))
            elif isinstance(held, list) and len(held) == 2 and held[0] == inode and isinstance(held[1], int):
                paid = max(paid, held[1])
        place += len(line)
    return list(dict.fromkeys(path for at, path in found if at >= paid))
