"""A log of lines in a file below the home.

A writer that dies may leave half a line. The next writer ends it, and readers, who see only lines that are ended,
find that it is no line of theirs. Adding costs the same however long the log is.
"""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

from holdfast.errors import BadArgument, Busy, HoldfastError, TooLarge, UnsafeFile
from holdfast.notes.atomic_write import ensure_directory, name_behind, sync_directory, write_all, write_file
from holdfast.notes.log import MAX_LINE_BYTES, LogLine, LogStatus
from holdfast.notes.safe_open import close_quietly, directory, kind_fault, read_whole, retry, storage_errors

if TYPE_CHECKING:
    from holdfast.notes.file_workspace import FileWorkspace

__all__ = ["FileLog"]

_MAX_REWRITTEN_BYTES = 1024 * 1024 * 1024  # bytes; only to take something out of it is a log held whole
_BLOCK = 256 * 1024
_PLAIN = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
_WAIT = 30.0  # seconds; adding a line takes some milliseconds
_LOOK_AGAIN = 0.002


class FileLog:
    """A log in a directory below the home; both are made with the first line."""

    def __init__(self, workspace: FileWorkspace, parts: tuple[str, ...], name: str) -> None:
        self.workspace, self.parts, self.name = workspace, parts, name
        self.shown = "/".join((*parts, name))
        self._disk = workspace.disk

    def append(self, line: bytes, *, first: bytes = b"") -> LogLine:
        """Add a line; it is on disk when this returns.

        `first` goes before it where the log is empty.
        """
        if b"\n" in line or b"\n" in first:
            raise BadArgument("line", "it has a line break")
        if len(line) > MAX_LINE_BYTES:
            raise TooLarge(f"line of {self.shown}", len(line), MAX_LINE_BYTES)
        folder = ensure_directory(self._disk, self.workspace.home_fd, self.parts, self.shown)
        try:
            with (
                self.hold_open(folder, os.O_RDWR | os.O_APPEND | os.O_CREAT) as file,
                storage_errors(self.shown, "append to"),
            ):
                return self._write_line(folder, file, line, first)
        finally:
            close_quietly(self._disk, folder)

    def _write_line(self, folder: int, file: int, line: bytes, first: bytes) -> LogLine:
        disk = self._disk
        size = retry(disk.fstat, file).st_size
        if size == 0:
            # Before the first line: a later writer would not know that the name is not durable yet.
            sync_directory(disk, folder, self.shown)
            before = first + b"\n" if first else b""
        else:
            if retry(disk.pread, file, 1, size - 1) == b"\n":
                before = b""
            else:
                before = b"\n"
        try:
            write_all(disk, file, before + line + b"\n")
            retry(disk.fsync, file)
        except BaseException:
            # What the caller was told has failed must not turn up later. If this fails too, half a line stays.
            with suppress(OSError):
                retry(disk.ftruncate, file, size)
            raise
        start = size + len(before)
        return LogLine(line, start, start + len(line) + 1)

    def lines(self, start: int = 0) -> Iterator[LogLine]:
        """Yield the lines from the offset `start`, at which a line must begin.

        A last line without an end is left out.
        """
        try:
            with self._folder() as folder:
                file = self._open(folder, os.O_RDONLY)
        except FileNotFoundError:
            return
        try:
            yield from self._read_lines(file, start)
        finally:
            close_quietly(self._disk, file)

    def _read_lines(self, file: int, start: int) -> Iterator[LogLine]:
        pieces: list[bytes] = []
        length = 0  # of what is held, or of a line too long to hold
        at = position = start
        while True:
            with storage_errors(self.shown, "read"):
                block = retry(self._disk.pread, file, _BLOCK, position)
            if not block:
                return
            position += len(block)
            *complete, rest = block.split(b"\n")
            for piece in complete:
                length += len(piece)
                data = None
                if length <= MAX_LINE_BYTES:
                    data = b"".join((*pieces, piece))
                yield LogLine(data, at, at + length + 1)
                at += length + 1
                length = 0
                pieces.clear()
            length += len(rest)
            if length <= MAX_LINE_BYTES:
                pieces.append(rest)
            else:
                pieces.clear()

    def status(self) -> LogStatus | None:
        """Return the size and the identity of the log's file, or None when there is none."""
        try:
            with self._folder() as folder, storage_errors(self.shown, "look at", missing=True):
                status = retry(self._disk.lstat, self.name, dir_fd=folder)
        except FileNotFoundError:
            return None
        fault = kind_fault(status)
        if fault is not None:
            raise UnsafeFile(self.shown, fault)
        return LogStatus(status.st_size, status.st_mtime_ns, status.st_ino, status.st_dev)

    def sibling(self, name: str) -> FileLog:
        """Return another log of the same directory."""
        return FileLog(self.workspace, self.parts, name)

    def sibling_names(self) -> list[str]:
        """Return the names of all files in the log's directory, less the temps of dead writers, which go."""
        try:
            with self._folder() as folder:
                with storage_errors(self.shown, "list the directory of"):
                    names = retry(self._disk.names, folder)
                return sorted(name for name in names if not self._swept(folder, name))
        except FileNotFoundError:
            return []

    def _swept(self, folder: int, temp: str) -> bool:
        """Remove a temp unless the writer of its log still lives; what can't be removed stays for the next time."""
        name = name_behind(temp)
        if name is None:
            return False
        with suppress(OSError, HoldfastError):
            # The temp was seen before: if nobody holds the log by now, the writer of this one is gone.
            if not self.sibling(name).is_held(folder):
                retry(self._disk.unlink, temp, dir_fd=folder)
                return True
        return False

    def is_held(self, folder: int) -> bool:
        """Say whether a writer holds the log at this moment; nobody holds one that is not there."""
        try:
            file = self._open(folder, os.O_RDWR)
        except FileNotFoundError:
            return False
        try:
            with storage_errors(self.shown, "lock"):
                is_taken = self._try_lock(file)
                if is_taken:
                    self._disk.flock(file, fcntl.LOCK_UN)  # a forked child may still have the file open
        finally:
            close_quietly(self._disk, file)
        return not is_taken

    @contextmanager
    def exclusive(self) -> Iterator[LockedFile | None]:
        """Keep every writer out, to move or remove the log; None when there is no log."""
        with ExitStack() as stack:
            try:
                folder = stack.enter_context(self._folder())
                stack.enter_context(self.hold_open(folder, os.O_RDWR))
            except FileNotFoundError:
                yield None
                return
            yield LockedFile(self, folder)

    def _folder(self) -> AbstractContextManager[int]:
        return directory(self._disk, self.workspace.home_fd, self.parts, self.shown)

    @contextmanager
    def hold_open(self, folder: int, flags: int) -> Iterator[int]:
        """Open the log while every other writer waits.

        FileNotFoundError where it is missing and the flags don't create it.
        """
        disk, start = self._disk, time.monotonic()
        while True:
            file = self._open(folder, flags)
            is_taken = False
            try:
                with storage_errors(self.shown, "lock"):
                    is_taken = self._try_lock(file) and self._is_current(folder, file)
                if is_taken:
                    yield file
                    return
            finally:
                if is_taken:
                    # Before closing: a forked child may still have the file open, and would keep the lock.
                    with suppress(OSError):
                        disk.flock(file, fcntl.LOCK_UN)
                close_quietly(disk, file)
            waited = time.monotonic() - start
            if waited >= _WAIT:
                raise Busy(self.shown, waited)
            # Of different lengths, so that two who met once do not keep meeting.
            time.sleep(_LOOK_AGAIN * int.from_bytes(os.urandom(1), "little") / 256)

    def _try_lock(self, file: int) -> bool:
        try:
            retry(self._disk.flock, file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _is_current(self, folder: int, file: int) -> bool:
        """Say whether the name still leads to the file we locked.

        The log may have been moved while we waited.
        """
        ours = retry(self._disk.fstat, file)
        try:
            theirs = retry(self._disk.lstat, self.name, dir_fd=folder)
        except FileNotFoundError:
            return False
        return (ours.st_dev, ours.st_ino) == (theirs.st_dev, theirs.st_ino)

    def _open(self, folder: int, flags: int) -> int:
        with storage_errors(self.shown, "open", missing=True):
            try:
                file = retry(self._disk.open, self.name, flags | _PLAIN, 0o600, dir_fd=folder)
            except OSError as error:
                if error.errno in (errno.ELOOP, errno.ENXIO, errno.EISDIR):
                    raise UnsafeFile(self.shown, "it is not a plain file") from error
                raise
            try:
                fault = kind_fault(retry(self._disk.fstat, file))
            except BaseException:
                close_quietly(self._disk, file)
                raise
        if fault is not None:
            close_quietly(self._disk, file)
            raise UnsafeFile(self.shown, fault)
        return file


class LockedFile:
    """A log that nobody can add to while this is held."""

    def __init__(self, log: FileLog, folder: int) -> None:
        self._log, self._folder, self._disk = log, folder, log.workspace.disk

    def rename(self, name: str) -> None:
        """Give the log another name in its directory, which must be free.

        Whoever begins a log of that name at the same moment waits, and adds to this one.
        """
        log = self._log
        other = log.sibling(name)
        if (status := other.status()) is not None and status.size:
            raise UnsafeFile(other.shown, "it is already there")
        with other.hold_open(self._folder, os.O_RDWR | os.O_CREAT) as file:
            if retry(self._disk.fstat, file).st_size:
                raise UnsafeFile(other.shown, "it is already there")
            with storage_errors(log.shown, "rename"):
                retry(self._disk.rename, log.name, name, src_dir_fd=self._folder, dst_dir_fd=self._folder)
        sync_directory(self._disk, self._folder, log.shown)

    def read(self) -> bytes:
        """Return all bytes, also of a last line without an end."""
        log = self._log
        return read_whole(self._disk, self._folder, log.name, log.shown, _MAX_REWRITTEN_BYTES).data

    def rewrite(self, data: bytes) -> None:
        """Replace the bytes at once and durably.

        Whoever waits to add a line adds it to the new ones.
        """
        write_file(self._disk, self._folder, self._log.name, data, self._log.shown)

    def remove(self) -> None:
        """Remove the log for good."""
        log = self._log
        with storage_errors(log.shown, "remove"):
            retry(self._disk.unlink, log.name, dir_fd=self._folder)
        sync_directory(self._disk, self._folder, log.shown)
