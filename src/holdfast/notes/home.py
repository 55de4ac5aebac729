"""Opening the home, and making it when it is not there."""

from __future__ import annotations

import errno
import os
import posixpath
from contextlib import suppress

from holdfast.errors import StorageFailed
from holdfast.notes.atomic_write import ensure_directory, sync_directory
from holdfast.notes.disk import Disk
from holdfast.notes.safe_open import close_quietly, retry, storage_errors

__all__ = ["open_home"]

# The owner may have made the home itself a link to another disk; nothing below it is followed.
_NOT_WRITABLE_ERRORS = (errno.EROFS, errno.EACCES, errno.EPERM)
_DIRECTORY_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


def open_home(disk: Disk, home: str) -> int:
    """Open the home, and make it and its state directories when they are missing.

    Only the owner can read what is made.
    """
    with storage_errors(home, "open"):
        try:
            fd = retry(disk.open, home, _DIRECTORY_FLAGS)
        except FileNotFoundError:
            _make_directory(disk, home)
            fd = retry(disk.open, home, _DIRECTORY_FLAGS)
    try:
        close_quietly(disk, ensure_directory(disk, fd, ("state", "locks"), f"{home}/state/locks"))
    except BaseException as error:
        cause = error.__cause__
        if isinstance(error, StorageFailed) and isinstance(cause, OSError) and cause.errno in _NOT_WRITABLE_ERRORS:
            return fd  # notes that can't be written to can still be read
        close_quietly(disk, fd)
        raise
    return fd


def _make_directory(disk: Disk, place: str) -> None:
    above, name = posixpath.split(place)
    try:
        parent = retry(disk.open, above, _DIRECTORY_FLAGS)
    except FileNotFoundError:
        _make_directory(disk, above)
        parent = retry(disk.open, above, _DIRECTORY_FLAGS)
    try:
        # Another process was quicker, or a dangling link stands there: opening it will tell.
        with suppress(FileExistsError):
            retry(disk.mkdir, name, 0o700, dir_fd=parent)
        sync_directory(disk, parent, place)
    finally:
        close_quietly(disk, parent)
