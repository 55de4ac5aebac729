"""Databases of the home: created here, for their owner alone, and put aside here.

None of our code opens a database by hand, nor its -wal, -shm or -journal: POSIX drops every lock that a process has
on a file as soon as that process closes any descriptor of it, whoever opened it. SQLite would then work without its
locks, and the next process would reset the log under it.
"""

from __future__ import annotations

import errno
import os
import re
import threading
from collections.abc import Callable
from contextlib import suppress

from holdfast.errors import UnsafeFile
from holdfast.notes.atomic_write import ensure, sync_directory
from holdfast.notes.lock_file import held
from holdfast.notes.safe_open import again, failing, kind_fault, shut
from holdfast.notes.workspace import Workspace

__all__ = [
    "create_private",
    "file_identity",
    "is_database",
    "is_writable",
    "made_private",
    "make_private_folder",
    "open_private",
    "put_aside",
]

_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_STATE = "state"
# `memory.store.path` must end in one of the two; `.usage` and `.signals` are the counts beside an index.
_DATABASE = re.compile(r"\.(sqlite|db)(\.usage|\.signals)?(-wal|-shm|-journal)?\Z")
# Between the creation of a file and its close no other thread may have SQLite open it and take a lock.
_CREATION = threading.Lock()


def is_database(name: str) -> bool:
    """Whether a file is called as our databases are, or as what SQLite keeps beside one."""
    return _DATABASE.search(name) is not None


def create_private(path: str) -> None:
    """Create an empty file with mode 0600, unless something stands at its path: that is not even opened.

    SQLite itself would let everybody read a new database; its log and its other files take over the mode of this one.
    """
    if not os.path.lexists(path):
        with _CREATION, suppress(FileExistsError):
            os.close(os.open(path, _NEW, 0o600))


def open_private(path: str, flags: int) -> int:
    """Open a file that is no database, such as a lock, and create it with mode 0600 where it is missing."""
    return os.open(path, flags | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


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
    """Whether a database can be changed: the file itself, and its folder, in which SQLite keeps the log."""
    return os.access(path, os.W_OK) and os.access(os.path.dirname(path) or ".", os.W_OK)


def made_private(workspace: Workspace, name: str) -> str:
    """The path of a plain file in state/, made with mode 0600 where it is missing; fails where nobody may write."""
    disk, shown = workspace.disk, f"{_STATE}/{name}"
    folder = ensure(disk, workspace.home_fd, (_STATE,), shown)
    try:
        with failing(shown, "open"):
            try:
                status = again(disk.lstat, name, dir_fd=folder)
            except FileNotFoundError:
                with _CREATION, suppress(FileExistsError):
                    shut(disk, again(disk.open, name, _NEW, 0o600, dir_fd=folder))
                status = again(disk.lstat, name, dir_fd=folder)
            fault = kind_fault(status)
            if fault is not None:
                raise UnsafeFile(shown, fault)
            for place in (name, "."):  # the log is kept in the folder
                if not again(disk.access, place, os.W_OK, dir_fd=folder):
                    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    finally:
        shut(disk, folder)
    return f"{workspace.state}/{name}"


def file_identity(path: str) -> tuple[tuple[int, int] | None, ...]:
    """The device and inode of a database and of its log: other ones are another database under the same name.

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


def put_aside(workspace: Workspace, name: str, is_damaged: Callable[[], bool], endings: tuple[str, ...] = ("",)) -> str:
    """Rename a damaged file to `<name>.damaged`, with what belongs to it; the new name, "" where that was not needed.

    Two processes may find the same damage: the second must not put aside what the first has just begun. What was put
    aside before stays: `<name>.damaged-2` and so on.
    """
    disk, shown = workspace.disk, f"{_STATE}/{name}"
    locks = ensure(disk, workspace.home_fd, (_STATE, "locks"), shown)
    try:
        with held(disk, locks, f".{name}.lock", shown, 30.0):
            if not is_damaged():
                return ""
            folder = ensure(disk, workspace.home_fd, (_STATE,), shown)
            try:
                with failing(shown, "put aside"):
                    taken = set(again(disk.names, folder))
                target, number = f"{name}.damaged", 1
                while target in taken:
                    number += 1
                    target = f"{name}.damaged-{number}"
                for ending in endings:
                    with failing(shown, "put aside"), suppress(FileNotFoundError):
                        again(disk.rename, name + ending, target + ending, src_dir_fd=folder, dst_dir_fd=folder)
                sync_directory(disk, folder, shown)
            finally:
                shut(disk, folder)
    finally:
        shut(disk, locks)
    return target
