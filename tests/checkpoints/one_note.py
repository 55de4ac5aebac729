"""One note that tests change, and where its changes are kept."""

from __future__ import annotations

import hashlib
from pathlib import Path

from holdfast.checkpoints.change import Authorship, Change, Edit
from holdfast.checkpoints.note_change import change_note
from holdfast.clock import FakeClock
from holdfast.guard.origin import Origin
from holdfast.guard.paths import NotePath, writable_path
from holdfast.notes.file_workspace import FileWorkspace

NOTE = writable_path("memory/note.md")
CLOCK = FakeClock()


def put(
    workspace: FileWorkspace, data: bytes | None, path: NotePath = NOTE, *, reason: str = "", **more: str
) -> Change:
    """Give a note these bytes; without any it goes."""
    edit: Edit = lambda _: data  # noqa: E731
    return change_note(workspace, path, edit, Authorship(Origin.USER, "test", CLOCK, reason), **more)


def journal(home: Path, agent: str = "main") -> Path:
    """The journal of an agent's changes."""
    return home / "state" / "checkpoints" / agent / "journal.jsonl"


def objects(home: Path) -> list[Path]:
    """The files that hold what notes were before."""
    return sorted((home / "state" / "checkpoints" / "main" / "objects").glob("*/*"))


def sha(data: bytes) -> str:
    """The name of such a file."""
    return hashlib.sha256(data).hexdigest()
