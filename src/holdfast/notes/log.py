"""A log of lines below the home: added to at its end, durably, by any number of processes.

A writer that dies may leave half a line. The next writer ends it, and readers, who see only lines that are ended,
find that it is no line of theirs. Adding costs the same however long the log is.
"""

from __future__ import annotations

import errno
import fcntl
import os
import random
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from typing import NamedTuple

from holdfast.errors import BadArgument, Busy, TooLarge, UnsafeFile
from holdfast.notes.atomic_write import ensure, put, sync_directory, write_all
from holdfast.notes.safe_open import again, directory, failing, kind_fault, read_whole, shut
from holdfast.notes.workspace import Workspace

__all__ = ["MAX_LINE_BYTES", "Line", "Log"]

MAX_LINE_BYTES = 8 * 1024 * 1024
"""A longer line is not written, and passed over by readers: no line fills memory."""

_MOST_REWRITTEN = 1024 * 1024 * 1024  # bytes; only to take something out of it is a log held whole
_BLOCK = 256 * 1024
_PLAIN = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
_WAIT = 30.0  # seconds; adding a line takes some milliseconds
_LOOK_AGAIN = 0.002


class Line(NamedTuple):
    """One line without its end, where it starts, and where the next one does; `data` is None if it was too long."""

    data: bytes | None
    start: int
    end: int


class Log:
    """A log in a directory below the home, which are both made when the first line is added."""

    def __init__(self, workspace: Workspace, parts: tuple[str, ...], name: str) -> None:
        self.workspace, self.parts, self.name = workspace, parts, name
        self.shown = "/".join((*parts, name))
        self._disk = workspace.disk

    def append(self, line: bytes, *, first: bytes = b"") -> Line:
        """Add a line; it is on disk when this returns. `first` goes before it where the log is empty."""
        if b"\n" in line or b"\n" in first:
            raise BadArgument("line", "it has a line break")
        if len(line) > MAX_LINE_BYTES:
            raise TooLarge(f"line of {self.shown}", len(line), MAX_LINE_BYTES)
        folder = ensure(self._disk, self.workspace.home_fd, self.parts, self.shown)
        try:
            with self._locked(folder, os.O_RDWR | os.O_APPEND | os.O_CREAT) as file, failing(self.shown, "append to"):
                return self._add(folder, file, line, first)
        finally:
            shut(self._disk, folder)

    def _add(self, folder: int, file: int, line: bytes, first: bytes) -> Line:
        disk = self._disk
        size = again(disk.fstat, file).st_size
        if size == 0:
            # Before the first line: a later writer would not know that the name is not durable yet.
            sync_directory(disk, folder, self.shown)
            before = first + b"\n" if first else b""
        else:
            before = b"" if again(disk.pread, file, 1, size - 1) == b"\n" else b"\n"
        try:
            write_all(disk, file, before + line + b"\n")
            again(disk.fsync, file)
        except BaseException:
            # What the caller was told has failed must not turn up later. If this fails too, half a line stays.
            with suppress(OSError):
                again(disk.ftruncate, file, size)
            raise
        start = size + len(before)
        return Line(line, start, start + len(line) + 1)

    def lines(self, start: int = 0) -> Iterator[Line]:
        """The lines from an offset on at which one begins; a last line that is not ended is left out."""
        try:
            with self._folder() as folder:
                file = self._opened(folder, os.O_RDONLY)
        except FileNotFoundError:
            return
        try:
            yield from self._read(file, start)
        finally:
            shut(self._disk, file)

    def _read(self, file: int, start: int) -> Iterator[Line]:
        held: list[bytes] = []
        length = 0  # of what is held, or of a line too long to hold
        at = position = start
        while True:
            with failing(self.shown, "read"):
                block = again(self._disk.pread, file, _BLOCK, position)
            if not block:
                return
            position += len(block)
            *ended, rest = block.split(b"\n")
            for piece in ended:
                length += len(piece)
                data = b"".join((*held, piece)) if length <= MAX_LINE_BYTES else None
                yield Line(data, at, at + length + 1)
                at += length + 1
                length = 0
                held.clear()
            length += len(rest)
            if length <= MAX_LINE_BYTES:
                held.append(rest)
            else:
                held.clear()

    def status(self) -> os.stat_result | None:
        """What stands at the log's name, or None."""
        try:
            with self._folder() as folder, failing(self.shown, "look at", missing=True):
                found = again(self._disk.lstat, self.name, dir_fd=folder)
        except FileNotFoundError:
            return None
        fault = kind_fault(found)
        if fault is not None:
            raise UnsafeFile(self.shown, fault)
        return found

    def beside(self) -> list[str]:
        """The names of all files in the log's directory."""
        try:
            with self._folder() as folder, failing(self.shown, "list the directory of"):
                return sorted(again(self._disk.names, folder))
        except FileNotFoundError:
            return []

    @contextmanager
    def still(self) -> Iterator[_Still | None]:
        """Keep every writer out, to move or remove the log; None when there is no log."""
        with ExitStack() as held:
            try:
                folder = held.enter_context(self._folder())
                held.enter_context(self._locked(folder, os.O_RDWR))
            except FileNotFoundError:
                yield None
                return
            yield _Still(self, folder)

    def _folder(self) -> AbstractContextManager[int]:
        return directory(self._disk, self.workspace.home_fd, self.parts, self.shown)

    @contextmanager
    def _locked(self, folder: int, flags: int) -> Iterator[int]:
        """The open log, with every other writer waiting; FileNotFoundError where it is not to be made."""
        disk, start = self._disk, time.monotonic()
        while True:
            file = self._opened(folder, flags)
            taken = False
            try:
                with failing(self.shown, "lock"):
                    taken = self._taken(file) and self._is_ours(folder, file)
                if taken:
                    yield file
                    return
            finally:
                if taken:
                    # Before closing: a forked child may still have the file open, and would keep the lock.
                    with suppress(OSError):
                        disk.flock(file, fcntl.LOCK_UN)
                shut(disk, file)
            waited = time.monotonic() - start
            if waited >= _WAIT:
                raise Busy(self.shown, waited)
            # Of different lengths, so that two who met once do not keep meeting.
            time.sleep(_LOOK_AGAIN * random.random())  # noqa: S311 - nothing secret about it

    def _taken(self, file: int) -> bool:
        try:
            again(self._disk.flock, file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _is_ours(self, folder: int, file: int) -> bool:
        """Whether the name still leads to what we locked: the log may have been moved while we waited."""
        ours = again(self._disk.fstat, file)
        try:
            theirs = again(self._disk.lstat, self.name, dir_fd=folder)
        except FileNotFoundError:
            return False
        return (ours.st_dev, ours.st_ino) == (theirs.st_dev, theirs.st_ino)

    def _opened(self, folder: int, flags: int) -> int:
        with failing(self.shown, "open", missing=True):
            try:
                file = again(self._disk.open, self.name, flags | _PLAIN, 0o600, dir_fd=folder)
            except OSError as error:
                if error.errno in (errno.ELOOP, errno.ENXIO, errno.EISDIR):
                    raise UnsafeFile(self.shown, "it is not a plain file") from error
                raise
            try:
                fault = kind_fault(again(self._disk.fstat, file))
            except BaseException:
                shut(self._disk, file)
                raise
        if fault is not None:
            shut(self._disk, file)
            raise UnsafeFile(self.shown, fault)
        return file


class _Still:
    """A log that nobody can add to while this is held."""

    def __init__(self, log: Log, folder: int) -> None:
        self._log, self._folder, self._disk = log, folder, log.workspace.disk

    def rename(self, name: str) -> None:
        """Give it another name in its directory, which nothing may have yet."""
        log = self._log
        if name in log.beside():
            raise UnsafeFile("/".join((*log.parts, name)), "it is already there")
        with failing(log.shown, "rename"):
            again(self._disk.rename, log.name, name, src_dir_fd=self._folder, dst_dir_fd=self._folder)
        sync_directory(self._disk, self._folder, log.shown)

    def read(self) -> bytes:
        """All of it, a last line that is not ended included."""
        log = self._log
        return read_whole(self._disk, self._folder, log.name, log.shown, _MOST_REWRITTEN).data

    def rewrite(self, data: bytes) -> None:
        """Put other bytes in its place, at once and durably; whoever waits to add a line adds it to these."""
        put(self._disk, self._folder, self._log.name, data, self._log.shown)

    def remove(self) -> None:
        """Remove it for good."""
        log = self._log
        with failing(log.shown, "remove"):
            again(self._disk.unlink, log.name, dir_fd=self._folder)
        sync_directory(self._disk, self._folder, log.shown)
