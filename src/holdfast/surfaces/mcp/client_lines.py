"""Bytes of stdin → lines of bounded length, until the client closes it.

The client has gone when its input ends, or when nobody reads our output any more.
"""

from __future__ import annotations

import os
import select
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final

from holdfast.named_tuple import NamedTuple
from holdfast.surfaces.mcp.pipes import Pipes

__all__ = ["LONGEST", "ClientLines", "Line", "Lines"]

LONGEST: Final = 4 * 1024 * 1024
"""Bytes of one message, as over HTTP; what a tool takes is far below."""
_BLOCK: Final = 64 * 1024
_GONE: Final = select.POLLERR | select.POLLHUP | select.POLLNVAL


class Line(NamedTuple):
    """A line, and whether it was cut short."""

    data: bytes
    cut: bool = False


class Lines:
    """Cuts what comes in into lines; of one that is too long only the beginning is kept, to answer it."""

    def __init__(self, longest: int = LONGEST) -> None:
        self._longest = longest
        self._kept = bytearray()  # not a list of pieces, which may have a byte each
        self._held = 0

    def feed(self, data: bytes) -> Iterator[Line]:
        """The lines that are complete now."""
        *whole, rest = data.split(b"\n")
        for piece in whole:
            self._keep(piece)
            yield self._taken()
        self._keep(rest)

    def rest(self) -> Line:
        """Return what came after the last line end."""
        return self._taken()

    def _keep(self, piece: bytes) -> None:
        room = self._longest - self._held
        self._held += len(piece)
        if piece and room > 0:
            self._kept += piece[:room]

    def _taken(self) -> Line:
        line = Line(bytes(self._kept), self._held > self._longest)
        self._kept, self._held = bytearray(), 0
        return line


class ClientLines:
    """The lines of the client, one at a time; whoever reads them may hand the rest to another thread."""

    def __init__(self, pipes: Pipes) -> None:
        self._input, self._output = pipes.come, pipes.go
        self._lines = Lines()
        self._ready: deque[Line] = deque()
        self._poll = select.poll()
        self.gone = pipes.come < 0 or pipes.go < 0
        """Whether the client can't be answered any more."""
        self.ended = self.gone
        """Whether there is nothing more to read."""
        if not self.gone:
            self._poll.register(pipes.come, select.POLLIN)
            self._poll.register(pipes.go, 0)  # the system tells of the end of the other side without being asked

    def read(self, seconds: float | None = None) -> Line | None:
        """Return the next line; None at the end, or where none came within so many seconds."""
        while not self._ready:
            if self.ended or not self._read_block(seconds):
                return None
        return self._ready.popleft()

    def put_back(self, lines: Iterable[Line]) -> None:
        """Have these lines read again, before the others."""
        self._ready.extendleft(reversed(list(lines)))

    def _read_block(self, seconds: float | None) -> bool:
        """Wait for input and cut it into lines; False where none came in time."""
        events = dict(self._poll.poll(None if seconds is None else 1000 * seconds))
        if not events:
            return False
        if events.get(self._output, 0) & _GONE:
            self.gone = self.ended = True
            return True
        try:
            data = os.read(self._input, _BLOCK)
        except OSError:
            data = b""
        if data:
            self._ready.extend(self._lines.feed(data))
        else:
            self._ready.append(self._lines.rest())
            self.ended = True
        return True
