"""A file that leaves the home: written whole or not at all, for its owner only, and over nothing that is there."""

from __future__ import annotations

import os

from holdfast.errors import BadArgument
from holdfast.notes.atomic_write import put
from holdfast.notes.disk import Disk
from holdfast.notes.safe_open import DIRECTORY, again, failing, shut

__all__ = ["hand_out"]


def hand_out(path: str, data: bytes, *, replace: bool = False, disk: Disk | None = None) -> str:
    """Write a file where the user wants it; gives its whole path. An old one is only replaced where that is said."""
    disk = disk or Disk()
    whole = os.path.abspath(os.path.expanduser(path))
    above, name = os.path.split(whole)
    with failing(path, "write"):
        fd = again(disk.open, above, DIRECTORY & ~os.O_NOFOLLOW)
    try:
        if not replace:
            with failing(path, "look at"):
                try:
                    again(disk.lstat, name, dir_fd=fd)
                except FileNotFoundError:
                    pass
                else:
                    why = f"{path!r} is there already; name another file, or let it be replaced (--force)"
                    raise BadArgument("file", why)
        put(disk, fd, name, data, path)
    finally:
        shut(disk, fd)
    return whole
