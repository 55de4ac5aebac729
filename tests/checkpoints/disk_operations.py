"""The operations that are tried on a disk that fails, without pytest: a process that is killed has them too."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

from holdfast.checkpoints.change import Authorship
from holdfast.checkpoints.change_history import history
from holdfast.checkpoints.note_change import change_note
from holdfast.checkpoints.retention import prune, purge
from holdfast.checkpoints.rollback import restore_together, undo
from holdfast.clock import FakeClock
from holdfast.guard.origin import Origin
from holdfast.guard.paths import NotePath, writable_path
from holdfast.notes.faulty_disk import Call, FaultyDisk
from holdfast.notes.file_workspace import FileWorkspace

__all__ = ["NEW", "NOTE", "OLD", "OPERATIONS", "Operation", "append", "be_killed", "put"]

NOTE = writable_path("memory/note.md")
NEW = writable_path("memory/new.md")
OLD = b"one\ntwo\n"
Operation = Callable[[FileWorkspace], object]


def put(workspace: FileWorkspace, data: bytes | None, path: NotePath = NOTE) -> object:
    return change_note(workspace, path, lambda _: data, Authorship(Origin.USER, "test", FakeClock()))


def append(workspace: FileWorkspace) -> object:
    return change_note(workspace, NOTE, lambda old: (old or b"") + b"+\n", Authorship(Origin.USER, "test", FakeClock()))


def put_back(workspace: FileWorkspace) -> object:
    second = next(each for each in history(workspace) if each.seq == 2)
    return restore_together(
        workspace, second.id, Authorship(Origin.USER, "checkpoint_restore", FakeClock()), alone=True
    )[0]


# Each operation with the bytes of the two notes when it is done.
OPERATIONS: dict[str, tuple[Operation, bytes | None, bytes | None]] = {
    "append": (append, OLD + b"+\n", None),
    "make": (lambda workspace: put(workspace, b"new", NEW), OLD, b"new"),
    "delete": (lambda workspace: put(workspace, None), None, None),
    "same": (lambda workspace: put(workspace, OLD), OLD, None),
    "restore": (put_back, b"one\n", None),
    "undo": (
        lambda workspace: undo(workspace, origin=Origin.USER, clock=FakeClock()),
        b"one\n",
        None,
    ),
    "prune": (lambda workspace: prune(workspace, keep_days=0, keep_count=1), OLD, None),
    "purge": (lambda workspace: purge(workspace, path="memory/note.md"), OLD, None),
}


def be_killed(home: str, name: str, number: str) -> None:
    """Do an operation as a process that kills itself before its Nth call, if it comes to that."""
    started, base = False, 0

    def before(now: int, _: Call) -> None:
        if started and now == base + int(number):
            os.kill(os.getpid(), signal.SIGKILL)

    disk = FaultyDisk(before=before)
    workspace = FileWorkspace.open(Path(home), disk=disk)
    started, base = True, len(disk.log)
    OPERATIONS[name][0](workspace)
