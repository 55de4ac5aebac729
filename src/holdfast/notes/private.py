"""Files in state/ that another library writes: made here, so that only the owner can read them, and put aside here."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import suppress

from holdfast.errors import UnsafeFile
from holdfast.notes.locking import held
from holdfast.notes.opening import again, failing, kind_fault, shut
from holdfast.notes.replacing import ensure, sync_directory
from holdfast.notes.workspace import Workspace

__all__ = ["made_private", "put_aside"]

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_STATE = "state"


def made_private(workspace: Workspace, name: str) -> str:
    """The path of a plain file in state/, made with mode 0600 where it is missing."""
    disk, shown = workspace.disk, f"{_STATE}/{name}"
    folder = ensure(disk, workspace.home_fd, (_STATE,), shown)
    try:
        with failing(shown, "open"):
            try:
                file = again(disk.open, name, _FLAGS, 0o600, dir_fd=folder)
            except OSError as error:
                if error.errno in (errno.ELOOP, errno.ENXIO, errno.EISDIR):
                    raise UnsafeFile(shown, "it is not a plain file") from error
                raise
            try:
                fault = kind_fault(again(disk.fstat, file))
            finally:
                shut(disk, file)
        if fault is not None:
            raise UnsafeFile(shown, fault)
    finally:
        shut(disk, folder)
    return f"{workspace.state}/{name}"


def put_aside(
    workspace: Workspace, name: str, is_damaged: Callable[[], bool], endings: tuple[str, ...] = ("",)
) -> bool:
    """Rename a damaged file to `<name>.damaged`, with what belongs to it; says whether that was still needed.

    Two processes may find the same damage: the second must not put aside what the first has just begun.
    """
    disk, shown = workspace.disk, f"{_STATE}/{name}"
    locks = ensure(disk, workspace.home_fd, (_STATE, "locks"), shown)
    try:
        with held(disk, locks, f".{name}.lock", shown, 30.0):
            if not is_damaged():
                return False
            folder = ensure(disk, workspace.home_fd, (_STATE,), shown)
            try:
                for ending in endings:
                    with failing(shown, "put aside"), suppress(FileNotFoundError):
                        target = f"{name}.damaged{ending}"
                        again(disk.rename, name + ending, target, src_dir_fd=folder, dst_dir_fd=folder)
                sync_directory(disk, folder, shown)
            finally:
                shut(disk, folder)
    finally:
        shut(disk, locks)
    return True
