"""The place of an agent's checkpoints, open for reading or for writing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from holdfast.checkpoints.journal import NAME, Journal
from holdfast.checkpoints.objects import Objects
from holdfast.notes.atomic_write import ensure_directory
from holdfast.notes.safe_open import close_quietly, open_directory
from holdfast.notes.workspace import Workspace

__all__ = ["CheckpointStore", "journal_stamp", "open_for_reading", "open_for_writing"]

_SHOWN = "state/checkpoints"


class CheckpointStore(NamedTuple):
    """The checkpoints of an agent: the journal, the objects, and the workspace."""

    workspace: Workspace
    journal: Journal
    objects: Objects


@contextmanager
def open_for_writing(workspace: Workspace) -> Iterator[CheckpointStore]:
    """Open the store, and make it when it is missing.

    The caller holds the workspace's lock.
    """
    disk = workspace.disk
    fd = ensure_directory(disk, workspace.home_fd, ("state", "checkpoints", workspace.agent), _SHOWN)
    try:
        yield CheckpointStore(workspace, Journal(disk, fd), Objects(disk, fd))
    finally:
        close_quietly(disk, fd)


@contextmanager
def open_for_reading(workspace: Workspace) -> Iterator[CheckpointStore | None]:
    """Open the store; None when nothing was ever changed."""
    disk = workspace.disk
    parts = ("state", "checkpoints", workspace.agent)
    try:
        fd = open_directory(disk, workspace.home_fd, parts, _SHOWN)
    except FileNotFoundError:
        yield None
        return
    try:
        yield CheckpointStore(workspace, Journal(disk, fd), Objects(disk, fd))
    finally:
        close_quietly(disk, fd)


def journal_stamp(workspace: Workspace) -> tuple[int, int, int] | None:
    """Return a value that differs after every change of a note by any process.

    It is None before the first change.
    """
    try:
        status = workspace.disk.lstat(f"{workspace.state}/checkpoints/{workspace.agent}/{NAME}")
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
