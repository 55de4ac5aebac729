"""Opening files without being led astray.

A path that was checked and then opened by name can be swapped for a symlink in between. So directories are walked
one by one with O_NOFOLLOW, each open one leading to the next, and a file is judged after it was opened.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import ParamSpec, TypeVar

from holdfast.errors import StorageFailed, TooLarge, UnsafeFile
from holdfast.named_tuple import NamedTuple
from holdfast.notes.disk import Disk

__all__ = [
    "DIRECTORY",
    "Contents",
    "close_quietly",
    "directory",
    "kind_fault",
    "open_directory",
    "read_range",
    "read_whole",
    "retry",
    "storage_errors",
]

DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK: a FIFO put there at the last moment must not stop us for ever.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY

# Git's rule for racy files, wide enough for file systems that keep whole or even seconds (ext3, FAT).
_RACY_NS = 2_000_000_000
# A reader that meets a rename starts over; ten renames within ten reads is not an editor at work.
_TRIES = 10
_MAX_INTERRUPTS = 100

P = ParamSpec("P")
T = TypeVar("T")


class Contents(NamedTuple):
    """A file's bytes with its times, and whether a later edit is sure to show in those times."""

    data: bytes
    status: os.stat_result
    settled: bool


def retry(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Repeat a call until no signal interrupts it."""
    for _ in range(_MAX_INTERRUPTS):
        try:
            return call(*args, **kwargs)
        except InterruptedError:
            continue
    return call(*args, **kwargs)


class storage_errors:  # noqa: N801 - it is used like the functions of contextlib
    """Turn an OSError into StorageFailed.

    With `missing`, a missing file stays FileNotFoundError.
    """

    def __init__(self, shown: str, operation: str, *, missing: bool = False) -> None:
        self.shown, self.operation, self.missing = shown, operation, missing

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, OSError) and not (self.missing and isinstance(error, FileNotFoundError)):
            raise StorageFailed(self.shown, self.operation, error.strerror or str(error)) from error


def close_quietly(disk: Disk, fd: int) -> None:
    """Close a descriptor and ignore an error.

    It says nothing about bytes that were already synced, and the number is gone anyway.
    """
    try:
        disk.close(fd)
    except OSError:
        return


def kind_fault(status: os.stat_result) -> str | None:
    """Return the reason why this is not a plain file of ours, or None."""
    mode = status.st_mode
    if stat.S_ISREG(mode):
        # Another name for the same file may lie anywhere, also where we must neither read nor write.
        if status.st_nlink <= 1:
            return None
        return "it is a hard link"
    if stat.S_ISLNK(mode):
        return "it is a symbolic link"
    if stat.S_ISDIR(mode):
        return "it is a directory"
    if stat.S_ISFIFO(mode):
        return "it is a FIFO"
    if stat.S_ISSOCK(mode):
        return "it is a socket"
    return "it is a device"


def open_directory(disk: Disk, start: int, parts: Sequence[str], shown: str) -> int:
    """Open the directory `parts` below an open one; FileNotFoundError when there is none."""
    fd = start
    for part in parts:
        try:
            below = retry(disk.open, part, DIRECTORY, dir_fd=fd)
        except FileNotFoundError:
            raise
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENOTDIR):
                raise UnsafeFile(shown, f"{part!r} on the way is {_directory_fault(disk, part, fd)}") from error
            raise StorageFailed(shown, "open", error.strerror or str(error)) from error
        finally:
            if fd != start:
                close_quietly(disk, fd)
        fd = below
    return fd


@contextmanager
def directory(disk: Disk, start: int, parts: Sequence[str], shown: str) -> Iterator[int]:
    """Open the directory `parts` below an open one, for the block.

    FileNotFoundError when there is none.
    """
    fd = open_directory(disk, start, parts, shown)
    try:
        yield fd
    finally:
        if fd != start:
            close_quietly(disk, fd)


def read_whole(disk: Disk, fd: int, name: str, shown: str, limit: int, *, look_first: bool = True) -> Contents:
    """Read a plain file; FileNotFoundError when there is none.

    `look_first` keeps FIFOs and devices from being opened at all; a walk that has just looked can do without.
    """
    now = disk.now_ns()
    seen: Contents | None = None
    for _ in range(_TRIES):
        with storage_errors(shown, "read", missing=True):
            if look_first:
                _require_plain_file(retry(disk.lstat, name, dir_fd=fd), shown)
            seen, whole = _read_once(disk, fd, name, shown, limit)
        if whole:
            young = max(seen.status.st_mtime_ns, seen.status.st_ctime_ns) > now - _RACY_NS
            return Contents(seen.data, seen.status, settled=not young)
    raise StorageFailed(shown, "read", "it changes all the time")


def _read_once(disk: Disk, fd: int, name: str, shown: str, limit: int) -> tuple[Contents, bool]:
    try:
        file = retry(disk.open, name, _FILE, dir_fd=fd)
    except OSError as error:
        # ELOOP: a symlink; ENXIO: a socket, or a device without a driver.
        if error.errno in (errno.ELOOP, errno.ENXIO):
            raise UnsafeFile(shown, "it is not a plain file") from error
        raise
    try:
        opened = retry(disk.fstat, file)
        _require_plain_file(opened, shown)
        if opened.st_size > limit:
            raise TooLarge(f"file {shown!r}", opened.st_size, limit)
        data = _read_bytes(disk, file, opened.st_size)
    finally:
        close_quietly(disk, file)
    # A hard link that was removed between open and fstat would show one link again. At this moment, though, the
    # name leads to what we opened and is its only one. It also shows an edit in place while we read.
    try:
        there = retry(disk.lstat, name, dir_fd=fd)
    except FileNotFoundError:
        return Contents(data, opened, settled=False), False
    same = (
        there.st_ino == opened.st_ino
        and there.st_dev == opened.st_dev
        and there.st_nlink == 1
        and there.st_size == len(data)
        and there.st_mtime_ns == opened.st_mtime_ns
        and there.st_ctime_ns == opened.st_ctime_ns
    )
    return Contents(data, opened, settled=False), same


def _read_bytes(disk: Disk, file: int, size: int) -> bytes:
    data = retry(disk.read, file, size + 1)
    if len(data) >= size or not data:
        return data
    pieces = [data]
    missing = size - len(data)
    while missing > 0:
        piece = retry(disk.read, file, missing)
        if not piece:
            break
        pieces.append(piece)
        missing -= len(piece)
    return b"".join(pieces)


def read_range(disk: Disk, file: int, size: int, offset: int) -> bytes:
    """Return so many bytes of an open file from there on, or as many as it has."""
    pieces: list[bytes] = []
    while size > 0:
        piece = retry(disk.pread, file, size, offset)
        if not piece:
            break
        pieces.append(piece)
        offset += len(piece)
        size -= len(piece)
    return b"".join(pieces)


def _require_plain_file(status: os.stat_result, shown: str) -> None:
    fault = kind_fault(status)
    if fault is not None:
        raise UnsafeFile(shown, fault)


def _directory_fault(disk: Disk, part: str, fd: int) -> str:
    try:
        mode = disk.lstat(part, dir_fd=fd).st_mode
    except OSError:
        return "not a directory"
    if stat.S_ISLNK(mode):
        return "a symbolic link"
    return "not a directory"
