"""The time at which any process last compared the index with the notes, as a line in a file beside the index.

Not a row of the index: to write one would look as if the index had changed, and every process that has it open would
drop what it holds of it, every few seconds. A file that can't be read or written costs a look.
"""

from __future__ import annotations

import os
from contextlib import suppress

from holdfast.index.freshness import Look
from holdfast.notes.private_database import open_private

__all__ = ["read_look", "write_look"]

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_MOST_BYTES = 200


def read_look(index_path: str, index: int) -> Look | None:
    """Return the last look at this very index; None where none was recorded, or one at another file of its name."""
    try:
        fd = os.open(f"{index_path}.look", _READ)
        try:
            words = os.read(fd, _MOST_BYTES).decode("ascii", "replace").split()
        finally:
            os.close(fd)
        of, at, cost, end = words
        if (of, end) != (str(index), "end"):
            return None
        return Look(int(at) / 1e6, int(cost) / 1e3)
    except (OSError, ValueError):
        return None


def write_look(index_path: str, index: int, look: Look) -> None:
    """Tell other processes of a look, with one write; one that is torn says nothing."""
    with suppress(OSError):
        fd = open_private(f"{index_path}.look", os.O_WRONLY | os.O_NONBLOCK)
        try:
            line = f"{index} {int(look.at * 1e6)} {int(look.cost_ms * 1e3)} end\n".encode("ascii")
            os.ftruncate(fd, os.write(fd, line))
        finally:
            os.close(fd)
