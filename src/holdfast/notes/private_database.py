"""Databases of the home: created here, for their owner alone, and put aside here.

None of our code opens a database by hand, nor its -wal, -shm or -journal: POSIX drops every lock that a process has
on a file as soon as that process closes any descriptor of it, whoever opened it. SQLite would then work without its
locks, and the next process would reset the log under it.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from contextlib import suppress

from holdfast.errors import UnsafeFile
from holdfast.notes.atomic_write import ensure_directory, sync_directory
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.notes.lock_file import hold_lock
from holdfast.notes.safe_open import close_quietly, kind_fault, retry, storage_errors
from holdfast.pattern import compile_late

__all__ = [
    "create_private",
    "ensure_private_file",
    "file_identity",
    "is_database",
    "is_writable",
    "make_private_folder",
    "open_private",
    "put_aside",
    "remove_database",
]

_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_STATE = "state"
# `memory.store.path` must end in one of the two; `.usage` and `.signals` are the counts beside an index.
_DATABASE = compile_late(r"\.(sqlite|db)(\.usage|\.signals)?(-wal|-shm|-journal)?\Z")
# Between the creation of a file and its close no other thread may have SQLite open it and take a lock.
_CREATION = threading.Lock()


def is_database(name: str) -> bool:
    """Say whether a file has the name of one of our databases, or of its log."""
    return _DATABASE.search(name) is not None


def create_private(path: str) -> None:
    """Create an empty file with mode 0600, unless something stands at its path.

    That is not even opened.

    SQLite itself would let everybody read a new database; its log and its other files take over the mode of this one.
    """
    if not os.path.lexists(path):
        with _CREATION, suppress(FileExistsError):
            os.close(os.open(path, _NEW, 0o600))


def open_private(path: str, flags: int) -> int:
    """Open a file that is not a database, such as a lock.

    It is created with mode 0600 where it is missing.
    """
    return os.open(path, flags | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


def remove_database(path: str) -> None:
    """Remove a damaged database that can be made anew, and its log; nobody has it open for long."""
    for name in (path, f"{path}-journal"):
        with suppress(OSError):
            os.unlink(name)


def make_private_folder(path: str) -> None:
    """Make a folder and what is missing above it, for their owner alone.

    `os.makedirs` leaves those above to the umask.
    """
    missing: list[str] = []
    while not os.path.isdir(path):
        missing.append(path)
        path = os.path.dirname(path)
    for folder in reversed(missing):
        with suppress(FileExistsError):
            os.mkdir(folder, 0o700)


def is_writable(path: str) -> bool:
    """Say whether a database can be changed.

    The file must be writable, and its folder, in which SQLite keeps the log.
    """
    return os.access(path, os.W_OK) and os.access(os.path.dirname(path) or ".", os.W_OK)


def ensure_private_file(workspace: FileWorkspace, name: str) -> str:
    """Return the path of a plain file in state/, created with mode 0600 if missing.

    Fails where nobody may write.
    """
    disk, shown = workspace.disk, f"{_STATE}/{name}"
    folder = ensure_directory(disk, workspace.home_fd, (_STATE,), shown)
    try:
        with storage_errors(shown, "open"):
            try:
                status = retry(disk.lstat, name, dir_fd=folder)
            except FileNotFoundError:
                with _CREATION, suppress(FileExistsError):
                    close_quietly(disk, retry(disk.open, name, _NEW, 0o600, dir_fd=folder))
                status = retry(disk.lstat, name, dir_fd=folder)
            fault = kind_fault(status)
            if fault is not None:
                raise UnsafeFile(shown, fault)
            for place in (name, "."):  # the log is kept in the folder
                if not retry(disk.access, place, os.W_OK, dir_fd=folder):
                    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    finally:
        close_quietly(disk, folder)
    return f"{workspace.state}/{name}"


def file_identity(path: str) -> tuple[tuple[int, int] | None, ...]:
    """Return the device and inode of a database and of its log.

    Others are another database under the same name.

    Whoever finds another identity than that of the file it has open must open it anew: what it writes to a file that
    was moved or removed, nobody ever sees.
    """
    return tuple(_device_and_inode(name) for name in (path, f"{path}-wal"))


def _device_and_inode(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path, follow_symlinks=False)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def put_aside(
    workspace: FileWorkspace, name: str, is_damaged: Callable[[], bool], endings: tuple[str, ...] = ("",)
) -> str:
    """Rename a damaged file to `<name>.damaged`, with what belongs to it.

    Returns the new name, "" where that was not needed.

    Two processes may find the same damage: the second must not put aside what the first has just begun. What was put
    aside before stays: `<name>.damaged-2` and so on.
    """
    disk, shown = workspace.disk, f"{_STATE}/{name}"
    locks = ensure_directory(disk, workspace.home_fd, (_STATE, "locks"), shown)
    try:
        with hold_lock(disk, locks, f".{name}.lock", shown, 30.0):
            if not is_damaged():
                return ""
            folder = ensure_directory(disk, workspace.home_fd, (_STATE,), shown)
            try:
                with storage_errors(shown, "put aside"):
                    existing = set(retry(disk.names, folder))
                target, number = f"{name}.damaged", 1
                while target in existing:
                    number += 1
                    target = f"{name}.damaged-{number}"
                for ending in endings:
                    with storage_errors(shown, "put aside"), suppress(FileNotFoundError):
                        retry(disk.rename, name + ending, target + ending, src_dir_fd=folder, dst_dir_fd=folder)
                sync_directory(disk, folder, shown)
            finally:
                close_quietly(disk, folder)
    finally:
        close_quietly(disk, locks)
    return target
