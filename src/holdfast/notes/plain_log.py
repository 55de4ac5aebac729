"""A log for people below the home: a line is one write, without a lock and without waiting for the disk.

It says what went wrong where nobody looks, such as in a hook that has no time left. Losing a line of it does no harm,
so this imports nothing that takes time to load, and never fails.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress

__all__ = ["append_line", "read_lines"]

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


def append_line(home: str, folder: str, name: str, line: str, most: int) -> None:
    """Add a line to a log in a folder of an existing home.

    The log never grows beyond `most` bytes.
    """
    with suppress(OSError):
        folder_fd = _open_folder(home, folder, make=True)
        try:
            file = os.open(name, os.O_RDWR | os.O_APPEND | os.O_CREAT | _FILE, 0o600, dir_fd=folder_fd)
            try:
                status = os.fstat(file)
                if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1:
                    return
                data = line.encode("utf-8", "replace") + b"\n"
                if status.st_size + len(data) > most:
                    kept = os.pread(file, most // 2, status.st_size - most // 2).partition(b"\n")[2]
                    os.ftruncate(file, 0)
                    data = kept + data
                os.write(file, data)
            finally:
                os.close(file)
        finally:
            os.close(folder_fd)


def read_lines(home: str, folder: str, name: str, most: int) -> list[str]:
    """Return the last lines of a log, oldest first, from at most `most` bytes.

    There are none where there is no log.
    """
    try:
        folder_fd = _open_folder(home, folder, make=False)
        try:
            file = os.open(name, os.O_RDONLY | _FILE, dir_fd=folder_fd)
        finally:
            os.close(folder_fd)
        with open(file, "rb") as stream:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                return []
            stream.seek(max(0, os.fstat(file).st_size - most))
            return stream.read(most).decode("utf-8", "replace").splitlines()
    except OSError:
        return []


def _open_folder(home: str, folder: str, *, make: bool) -> int:
    top = os.open(home, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if make:
            with suppress(FileExistsError):
                os.mkdir(folder, 0o700, dir_fd=top)
        return os.open(folder, _FOLDER, dir_fd=top)
    finally:
        os.close(top)
