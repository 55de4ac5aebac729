"""stdin and stdout, taken away from everybody else: what any library prints goes to stderr, not into the protocol.

This imports next to nothing, because it has to happen before anything else is imported.
"""

from __future__ import annotations

import io
import os
from contextlib import suppress
from typing import Final

from holdfast.named_tuple import NamedTuple

__all__ = ["Pipes", "claim_pipes", "write_all"]

_ABOVE: Final = 3  # the first number that is none of stdin, stdout and stderr


class Pipes(NamedTuple):
    """The private ends of stdin and stdout; -1 where the process was started without."""

    come: int
    go: int

    def out(self) -> io.FileIO | None:
        """The pipe that messages are written to, a line in one write."""
        if self.go >= 0:
            return io.FileIO(self.go, "wb", closefd=False)
        return None


def write_all(out: io.FileIO, data: bytes) -> None:
    """Write all of the data; a pipe may take a part of it."""
    view = memoryview(data)
    while view:
        view = view[out.write(view) or 0 :]


def claim_pipes() -> Pipes:
    """Take both: from now on descriptor 0 is empty, and descriptor 1 is stderr, for us and for child processes."""
    come, go = _private(0), _private(1)
    with suppress(OSError):
        _point(0, os.open(os.devnull, os.O_RDONLY))
    try:
        aside = os.dup(2)
    except OSError:  # started without stderr: then nobody wants to read it
        aside = os.open(os.devnull, os.O_WRONLY)
    _point(1, aside)
    return Pipes(come, go)


def _private(fd: int) -> int:
    import fcntl

    try:
        return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _ABOVE)
    except OSError:
        return -1


def _point(fd: int, target: int) -> None:
    if target != fd:
        os.dup2(target, fd)
        os.close(target)
