"""The contract of a workspace: the notes of one agent, whether they lie in files or in a database.

Everything above this room takes a `Workspace`. `FileWorkspace` is the one whose truth is files below a home.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from holdfast.guard.paths import NotePath
from holdfast.guard.write_gate import WriteGate
from holdfast.notes.layout import Spot
from holdfast.notes.log import Log
from holdfast.notes.note import Note, NoteFile, NotePart, Walk

if TYPE_CHECKING:
    from holdfast.notes.byte_scan import BytePattern
    from holdfast.notes.file_workspace import FileWorkspace
    from holdfast.progress import Progress

__all__ = ["Workspace"]


class Workspace(Protocol):
    """The notes of one agent, and the files beside them."""

    home: str
    """The directory on this machine: of the truth, or of what is derived from it."""
    state: str
    agent: str
    extras: tuple[str, ...]
    gate: WriteGate
    """Which notes whoever holds this may change; the room checkpoints asks it before every change."""
    reads_media: bool
    """Whether a walk looks for images too."""

    @property
    def local(self) -> FileWorkspace:
        """The home on this machine, for what is derived: the index, and what is written beside it."""
        ...

    def with_gate(self, gate: WriteGate) -> Workspace:
        """Return the same open workspace for somebody who may change only what this gate allows."""
        ...

    def beside(self, extras: Sequence[str]) -> Workspace:
        """Return the same open workspace with other extra paths, to read below them."""
        ...

    def reopen(self) -> Workspace:
        """Open the same workspace once more, for who closes it by themselves."""
        ...

    def close(self) -> None:
        """Let go of what is open; safe to call twice."""
        ...

    # Reading

    def spot(self, path: NotePath) -> Spot:
        """Return where a note lies."""
        ...

    def read(self, path: NotePath | str) -> Note:
        """Read a note whole."""
        ...

    def read_part(self, path: NotePath, most: int, *, end: bool = False) -> NotePart:
        """Return the first bytes of a note, or with `end` the last; NoteNotFound when there is none."""
        ...

    def exists(self, path: NotePath | str) -> bool:
        """Say whether anything stands at a note's path."""
        ...

    def notes_in(self, folder: str, wanted: Callable[[str], object]) -> list[NoteFile]:
        """Return the notes of a folder whose paths are wanted, in no order."""
        ...

    def reader(self) -> AbstractContextManager[Callable[[NoteFile | NotePath], Note]]:
        """Return a function that reads many notes, from a walk or by their paths."""
        ...

    def walk(self) -> Walk:
        """Find every note, and say of each file that was left out why."""
        ...

    def read_medium(self, found: NoteFile, most: int) -> Note:
        """Read an image that a walk found, whole, if it has no more than so many bytes."""
        ...

    def now_ns(self) -> int:
        """Return the time by the clock that notes and logs have their times from."""
        ...

    def moment(self) -> int:
        """Return a number that is smaller than the `ctime_ns` of every note that changes from now on."""
        ...

    def change_count(self) -> int | None:
        """Return a number that is another after every change of a note; None where only a walk can tell."""
        ...

    def scan(self, patterns: Sequence[BytePattern]) -> list[str]:
        """Return the paths of all that still holds one of these patterns, of whichever agent."""
        ...

    # Writing: notes only through the room checkpoints

    def lock(self, timeout: float = 30.0) -> AbstractContextManager[None]:
        """Be the only writer of this agent's notes, in any process or thread; Busy after `timeout` seconds."""
        ...

    def named_lock(self, name: str, what: str, timeout: float) -> AbstractContextManager[None]:
        """Hold a lock of this home by its name; Busy, which tells `what`, after `timeout` seconds."""
        ...

    def job_lock(self, job: str) -> AbstractContextManager[None]:
        """Be the only one that does a job for this agent; Busy at once if not."""
        ...

    def home_lock(self) -> AbstractContextManager[None]:
        """Be the only writer of USER.md and holdfast.toml, which all agents share."""
        ...

    def sweep_beside(self, path: str) -> None:
        """Remove what a dead writer left beside a note; the caller holds the lock."""
        ...

    def refuse_unsafe(self, path: NotePath) -> None:
        """Raise if a note can't be written at this path because of what is there."""
        ...

    def replace(self, path: NotePath, data: bytes, *, expected_hash: str | None = None) -> None:
        """Put new bytes in place of a note, at once and durably, if it still has the expected hash."""
        ...

    def replacement(
        self, notes: Sequence[tuple[NotePath, bytes | None, str]], progress: Progress | None = None
    ) -> AbstractContextManager[Callable[[], None]]:
        """Prepare new bytes of many notes; the function that this yields puts them in place together."""
        ...

    def remove(self, path: NotePath, *, expected_hash: str | None = None) -> None:
        """Remove a note durably, if it still has the expected hash."""
        ...

    def read_file(self, name: str, most: int = ...) -> bytes | None:
        """Return the bytes of a file of the home that is not a note; None when there is none."""
        ...

    def replace_file(self, name: str, data: bytes | None, *, expected_hash: str | None = None) -> None:
        """Replace such a file at once and durably; None removes it."""
        ...

    def log(self, parts: tuple[str, ...], name: str) -> Log:
        """Return the log of a name in a directory below the home; both are made with the first line."""
        ...

    def make_memory_folder(self) -> None:
        """Make memory/ of this agent where there is none."""
        ...

    def state_folder(self, *names: str) -> str:
        """Make a folder in state/ on this machine, readable only by the owner, and give its path."""
        ...
