"""The contract of a log of lines: added to at its end, durably, by any number of processes; read by byte offsets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Protocol

from holdfast.named_tuple import NamedTuple

__all__ = ["MAX_LINE_BYTES", "LockedLog", "Log", "LogLine", "LogStatus"]

MAX_LINE_BYTES = 8 * 1024 * 1024
"""A longer line is not written, and passed over by readers: no line fills memory."""


class LogLine(NamedTuple):
    """One line without its end, where it starts, and where the next one does.

    `data` is None if it was too long.
    """

    data: bytes | None
    start: int
    end: int


class LogStatus(NamedTuple):
    """The size of a log, the time of its last change, and its identity: another one after it was begun anew."""

    size: int
    mtime_ns: int
    inode: int
    device: int = 0


class LockedLog(Protocol):
    """A log that nobody can add to while this is held."""

    def rename(self, name: str) -> None:
        """Give the log another name in its directory, which must be free."""
        ...

    def read(self) -> bytes:
        """Return all bytes, also of a last line without an end."""
        ...

    def rewrite(self, data: bytes) -> None:
        """Replace the bytes at once and durably."""
        ...

    def remove(self) -> None:
        """Remove the log for good."""
        ...


class Log(Protocol):
    """A log in a directory below the home; both are made with the first line."""

    parts: tuple[str, ...]
    name: str
    shown: str

    def append(self, line: bytes, *, first: bytes = b"") -> LogLine:
        """Add a line, durably; `first` goes before it where the log is empty."""
        ...

    def lines(self, start: int = 0) -> Iterator[LogLine]:
        """Yield the lines from the offset `start`; a last line without an end is left out."""
        ...

    def status(self) -> LogStatus | None:
        """Return the size and the identity of the log, or None when there is none."""
        ...

    def sibling(self, name: str) -> Log:
        """Return another log of the same directory."""
        ...

    def sibling_names(self) -> list[str]:
        """Return the names of all files in the log's directory."""
        ...

    def exclusive(self) -> AbstractContextManager[LockedLog | None]:
        """Keep every writer out, to move or remove the log; None when there is no log."""
        ...
