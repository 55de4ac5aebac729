"""A small file of the home that is its owner's alone, read without opening the home: a hook has little time."""

from __future__ import annotations

import os
import stat

__all__ = ["read_private"]

_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY


def read_private(home: str, name: str, most: int) -> bytes | None:
    """Read a file below the home that is safe to trust; else None.

    None also means that there is no such file, or that it needs a closer look first.

    It is trusted as it is where it is a plain file of this user's, by one name, that nobody else may open.
    """
    try:
        file = os.open(os.path.join(home, name), _FLAGS)
    except OSError:
        return None
    try:
        status = os.fstat(file)
        is_plain = stat.S_ISREG(status.st_mode) and status.st_nlink == 1 and status.st_uid == os.geteuid()
        if not is_plain or status.st_mode & 0o077 or status.st_size > most:
            return None
        return os.read(file, most)
    except OSError:
        return None
    finally:
        os.close(file)
