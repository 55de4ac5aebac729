"""Opening the home, and making it when it is not there."""

from __future__ import annotations

import errno
import os
import posixpath
from contextlib import suppress

from holdfast.errors import StorageFailed
from holdfast.notes.atomic_write import ensure, sync_directory
from holdfast.notes.disk import Disk
from holdfast.notes.safe_open import again, failing, shut

__all__ = ["open_home"]

# The owner may have made the home itself a link to another disk; nothing below it is followed.
_CLOSED = (errno.EROFS, errno.EACCES, errno.EPERM)
_FOLLOWED = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


def open_home(disk: Disk, home: str) -> int:
    """Open the home; make it and its state directories, readable only by the owner, when they are missing."""
    with failing(home, "open"):
        try:
            fd = again(disk.open, home, _FOLLOWED)
        except FileNotFoundError:
            _make(disk, home)
            fd = again(disk.open, home, _FOLLOWED)
    try:
        shut(disk, ensure(disk, fd, ("state", "locks"), f"{home}/state/locks"))
    except BaseException as error:
        cause = error.__cause__
        if isinstance(error, StorageFailed) and isinstance(cause, OSError) and cause.errno in _CLOSED:
            return fd  # notes that can't be written to can still be read
        shut(disk, fd)
        raise
    return fd


def _make(disk: Disk, place: str) -> None:
    above, name = posixpath.split(place)
    try:
        parent = again(disk.open, above, _FOLLOWED)
    except FileNotFoundError:
        _make(disk, above)
        parent = again(disk.open, above, _FOLLOWED)
    try:
        # Another process was quicker, or a dangling link stands there: opening it will tell.
        with suppress(FileExistsError):
            again(disk.mkdir, name, 0o700, dir_fd=parent)
        sync_directory(disk, parent, place)
    finally:
        shut(disk, parent)
