"""The place of an agent's checkpoints, open for reading or for writing, in whichever engine."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol, runtime_checkable

from holdfast.checkpoints.file_journal import NAME, FileJournal
from holdfast.checkpoints.file_objects import FileObjects
from holdfast.checkpoints.journal import Journal
from holdfast.checkpoints.objects import Objects
from holdfast.named_tuple import NamedTuple
from holdfast.notes.atomic_write import ensure_directory, sweep_temps
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.notes.safe_open import close_quietly, open_directory
from holdfast.notes.workspace import Workspace

__all__ = ["CheckpointKeeper", "CheckpointStore", "journal_stamp", "open_for_reading", "open_for_writing"]

_SHOWN = "state/checkpoints"


class CheckpointStore(NamedTuple):
    """The checkpoints of an agent: the journal, the objects, and the workspace."""

    workspace: Workspace
    journal: Journal
    objects: Objects


@runtime_checkable
class CheckpointKeeper(Protocol):
    """A workspace that keeps checkpoints itself, as one in a database does; those of files lie in state/."""

    def open_checkpoints(self, name: str, *, make: bool) -> AbstractContextManager[CheckpointStore | None]:
        """Open the store of a name; None where there is none, unless it is to be made."""
        ...

    def journal_stamp(self) -> Hashable:
        """Return a value that differs after every change of a note by any process."""
        ...


@contextmanager
def open_for_writing(workspace: Workspace, name: str | None = None) -> Iterator[CheckpointStore]:
    """Open the store of the agent, or of a name, and make it when it is missing.

    The caller holds the workspace's lock.
    """
    if not isinstance(workspace, FileWorkspace):
        assert isinstance(workspace, CheckpointKeeper)
        with workspace.open_checkpoints(name or workspace.agent, make=True) as kept:
            assert kept is not None
            yield kept
        return
    disk = workspace.disk
    fd = ensure_directory(disk, workspace.home_fd, ("state", "checkpoints", name or workspace.agent), _SHOWN)
    try:
        if name is not None:
            sweep_temps(disk, fd, notes=False)  # what belongs to no agent is swept by nobody else
        yield CheckpointStore(workspace, FileJournal(disk, fd), FileObjects(disk, fd))
    finally:
        close_quietly(disk, fd)


@contextmanager
def open_for_reading(workspace: Workspace, name: str | None = None) -> Iterator[CheckpointStore | None]:
    """Open the store of the agent, or of a name; None when nothing was ever changed."""
    if not isinstance(workspace, FileWorkspace):
        assert isinstance(workspace, CheckpointKeeper)
        with workspace.open_checkpoints(name or workspace.agent, make=False) as kept:
            yield kept
        return
    disk = workspace.disk
    parts = ("state", "checkpoints", name or workspace.agent)
    try:
        fd = open_directory(disk, workspace.home_fd, parts, _SHOWN)
    except FileNotFoundError:
        yield None
        return
    try:
        yield CheckpointStore(workspace, FileJournal(disk, fd), FileObjects(disk, fd))
    finally:
        close_quietly(disk, fd)


def journal_stamp(workspace: Workspace) -> Hashable:
    """Return a value that differs after every change of a note by any process.

    It is None before the first change.
    """
    if not isinstance(workspace, FileWorkspace):
        assert isinstance(workspace, CheckpointKeeper)
        return workspace.journal_stamp()
    try:
        status = workspace.disk.lstat(f"{workspace.state}/checkpoints/{workspace.agent}/{NAME}")
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
