"""A file of the home that is for its owner alone, and was left open to others."""

from __future__ import annotations

import os
import stat

__all__ = ["restrict_to_owner"]


def restrict_to_owner(home: int, name: str) -> int:
    """Take a file below the open home from everybody but its owner.

    Returns the mode it had, 0 where nothing was to be done.

    A copy of a home, or a backup put back, may have opened it. OSError where it can't be changed.
    """
    try:
        fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=home)
    except FileNotFoundError:
        return 0
    try:
        mode = stat.S_IMODE(os.fstat(fd).st_mode)
        if not mode & 0o077:
            return 0
        os.fchmod(fd, mode & 0o700)
        return mode
    finally:
        os.close(fd)
