"""A file that leaves the home: written whole or not at all, for its owner only, and over nothing that is there."""

from __future__ import annotations

import os

from holdfast.errors import BadArgument
from holdfast.notes.atomic_write import write_file
from holdfast.notes.disk import Disk
from holdfast.notes.safe_open import DIRECTORY, close_quietly, retry, storage_errors

__all__ = ["write_export"]


def write_export(path: str, data: bytes, *, replace: bool = False, disk: Disk | None = None) -> str:
    """Write a file where the user wants it, and return its absolute path.

    An old file is replaced only with `replace`.
    """
    disk = disk or Disk()
    full_path = os.path.abspath(os.path.expanduser(path))
    folder, name = os.path.split(full_path)
    with storage_errors(path, "write"):
        fd = retry(disk.open, folder, DIRECTORY & ~os.O_NOFOLLOW)
    try:
        if not replace:
            with storage_errors(path, "look at"):
                try:
                    retry(disk.lstat, name, dir_fd=fd)
                except FileNotFoundError:
                    pass
                else:
                    reason = f"{path!r} is there already; name another file, or let it be replaced (--force)"
                    raise BadArgument("file", reason)
        write_file(disk, fd, name, data, path)
    finally:
        close_quietly(disk, fd)
    return full_path
