"""Read the first or the last bytes of a note that may be too large to be read whole.

What goes into a prompt is cut anyway: a note that has grown beyond every limit is still worth its first lines.
"""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from holdfast.errors import NoteNotFound, UnsafeFile
from holdfast.guard.paths import NotePath
from holdfast.notes.note import NotePart
from holdfast.notes.safe_open import close_quietly, directory, kind_fault, read_range, retry, storage_errors

if TYPE_CHECKING:
    from holdfast.notes.file_workspace import FileWorkspace

__all__ = ["read_part"]

_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_MAX_TRIES = 3


def read_part(workspace: FileWorkspace, path: NotePath, most: int, *, end: bool = False) -> NotePart:
    """Return the first bytes of a note, or with `end` the last; NoteNotFound when there is none."""
    spot = workspace.spot(path)
    disk = workspace.disk
    try:
        with (
            directory(disk, workspace.home_fd, spot.parts, spot.path) as fd,
            storage_errors(spot.path, "read", missing=True),
        ):
            fault = kind_fault(retry(disk.lstat, spot.name, dir_fd=fd))  # a FIFO or a device is not even opened
            if fault is not None:
                raise UnsafeFile(spot.path, fault)
            file = _open_file(workspace, fd, spot.name, spot.path)
            try:
                return _read_stable(workspace, file, spot.path, most, end=end)
            finally:
                close_quietly(disk, file)
    except FileNotFoundError:
        raise NoteNotFound(path.text) from None


def _open_file(workspace: FileWorkspace, fd: int, name: str, shown: str) -> int:
    try:
        return retry(workspace.disk.open, name, _FLAGS, dir_fd=fd)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO):
            raise UnsafeFile(shown, "it is not a plain file") from error
        raise


def _read_stable(workspace: FileWorkspace, file: int, shown: str, most: int, *, end: bool) -> NotePart:
    """Read again where somebody edits the file in place meanwhile.

    Our own changes put another file there, and are whole.
    """
    disk = workspace.disk
    part = NotePart(shown, b"", 0)
    for _ in range(_MAX_TRIES):
        before = retry(disk.fstat, file)
        fault = kind_fault(before)
        if fault is not None:
            raise UnsafeFile(shown, fault)
        size = min(most, before.st_size)
        start = before.st_size - size if end else 0
        part = NotePart(shown, read_range(disk, file, size, start), before.st_size)
        after = retry(disk.fstat, file)
        if (after.st_mtime_ns, after.st_size) == (before.st_mtime_ns, before.st_size):
            break
    return part
