"""Where an agent's checkpoints live, open for reading or for writing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from holdfast.checkpoints.journal import NAME, Journal
from holdfast.checkpoints.objects import Objects
from holdfast.notes.atomic_write import ensure_directory
from holdfast.notes.safe_open import close_quietly, open_directory
from holdfast.notes.workspace import Workspace

__all__ = ["Place", "for_reading", "for_writing", "journal_stamp"]

_SHOWN = "state/checkpoints"


class Place(NamedTuple):
    """An agent's journal and objects."""

    workspace: Workspace
    journal: Journal
    objects: Objects


@contextmanager
def for_writing(workspace: Workspace) -> Iterator[Place]:
    """The place, made when it is missing; the caller holds the workspace's lock."""
    disk = workspace.disk
    fd = ensure_directory(disk, workspace.home_fd, ("state", "checkpoints", workspace.agent), _SHOWN)
    try:
        yield Place(workspace, Journal(disk, fd), Objects(disk, fd))
    finally:
        close_quietly(disk, fd)


@contextmanager
def for_reading(workspace: Workspace) -> Iterator[Place | None]:
    """The place, or None when nothing was ever changed."""
    disk = workspace.disk
    parts = ("state", "checkpoints", workspace.agent)
    try:
        fd = open_directory(disk, workspace.home_fd, parts, _SHOWN)
    except FileNotFoundError:
        yield None
        return
    try:
        yield Place(workspace, Journal(disk, fd), Objects(disk, fd))
    finally:
        close_quietly(disk, fd)


def journal_stamp(workspace: Workspace) -> tuple[int, int, int] | None:
    """A value that is another one after every change of a note that any process has made; None before the first."""
    try:
        status = workspace.disk.lstat(f"{workspace.state}/checkpoints/{workspace.agent}/{NAME}")
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
