"""The notes of facts of one agent: read as they are now, and changed in one go under one lock."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Final, TypeAlias

from holdfast.context.context import Context
from holdfast.errors import BadText, HoldfastError, NoteChangedOutside, NoteNotFound, TooLarge, UnsafeFile
from holdfast.guard.paths import writable_path
from holdfast.guard.text_rules import MAX_NOTE_BYTES, decode
from holdfast.markdown.fact_row import Category, category_of, fact_notes, note_of

if TYPE_CHECKING:
    from holdfast.checkpoints.change import Change
    from holdfast.checkpoints.group import Step
    from holdfast.facts.fact import Fact
    from holdfast.facts.fact_notes import Notes

__all__ = [
    "PROMPT",
    "Steps",
    "fact_note_paths",
    "facts_now",
    "facts_told",
    "read_notes",
    "steps_of",
    "today",
    "write_notes",
]

_ATTEMPTS = 3

PROMPT: Final = "MEMORY.md"
"""Whoever decides about the notes of facts is shown this note as well: dreaming copies facts there."""

Steps: TypeAlias = Sequence[tuple[str, bytes | None]]
"""The notes to write, one after the other; of a note that comes more than once, the last word counts."""


def today(ctx: Context) -> date:
    """Return the day it is where the owner is."""
    return local_day(ctx.clock.now())


def local_day(moment: float) -> date:
    """Return the day on which something was said, where the owner is."""
    return datetime.fromtimestamp(moment, UTC).astimezone().date()


def fact_note_paths(ctx: Context) -> list[str]:
    """Return the notes of facts that there are, in the order in which they are read."""
    return fact_notes(note.path for note in ctx.workspace.notes_in("memory", category_of))


def read_notes(
    ctx: Context, paths: Collection[str] | None = None
) -> tuple[dict[str, bytes | None], dict[str, HoldfastError]]:
    """Return the bytes of these notes, or of all notes of facts, and why some can't be read.

    One that is damaged must not hide the others.
    """
    notes = _NotesNow(ctx, fact_note_paths(ctx) if paths is None else paths)
    return dict(notes), notes.damaged


class _NotesNow(Mapping[str, bytes | None]):
    """The notes at some paths as they are now, each read once, when it is asked for; any other can be asked for too."""

    def __init__(self, ctx: Context, paths: Collection[str]) -> None:
        self._ctx, self._paths = ctx, paths
        self._read: dict[str, bytes | None] = {}
        self.damaged: dict[str, HoldfastError] = {}

    def __getitem__(self, path: str) -> bytes | None:
        if path not in self._read:
            self._read[path] = self._now(path)
        return self._read[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def read_all(self) -> None:
        """Read them now, and the first note of each category, be it there or not."""
        for path in (*self._paths, *map(note_of, Category)):
            self[path]

    def _now(self, path: str) -> bytes | None:
        workspace = self._ctx.workspace
        try:
            data = workspace.read(workspace.spot(writable_path(path)).path).data
            decode(data)
        except NoteNotFound:
            return None
        except (BadText, TooLarge, UnsafeFile) as error:
            self.damaged[path] = error
            return None
        return data


def facts_now(ctx: Context) -> list[Fact]:
    """Return every fact there is, as its note tells it now."""
    return facts_told(ctx)[0]


def facts_told(ctx: Context) -> tuple[list[Fact], str]:
    """Return the same, and which notes could not be read: their facts are missing."""
    from holdfast.facts.fact_notes import all_facts  # here, as a recall that asks for no fact reads none

    notes, damaged = read_notes(ctx)
    return all_facts(notes), "; ".join(f"{path} is left out: {error}" for path, error in damaged.items())


def write_notes(
    ctx: Context, decide: Callable[[Notes], Steps], *, tool: str, reason: str, whole: bool = True
) -> tuple[list[Change], str]:
    """Let somebody decide about the notes as they are, and write what comes of it; no other process writes in between.

    Gives the changes, and what is to be said about them: all of them happen, or none, and one undo takes them back.
    Steps that change nothing are left out. A person's editor asks for no lock: where a note is no longer what was
    read, the decision is made again. Unless they are wanted `whole`, a note is only read when it is asked for.
    """
    from holdfast.checkpoints.group import apply_group
    from holdfast.checkpoints.note_change import locked_store

    with locked_store(ctx.workspace) as store:
        for attempt in range(_ATTEMPTS):
            try:
                made = apply_group(store, steps_of(ctx, decide, whole=whole), ctx.authorship(tool, reason))
                break
            except NoteChangedOutside:
                if attempt == _ATTEMPTS - 1:
                    raise
    return made, ctx.notes_changed(made)


def steps_of(ctx: Context, decide: Callable[[Notes], Steps], *, whole: bool = True) -> list[Step]:
    """Return what to do with each note, one step a note; all of it is checked before any of it happens."""
    from holdfast.checkpoints.group import Step

    notes = _NotesNow(ctx, (*fact_note_paths(ctx), PROMPT))
    last: dict[str, bytes | None] = {}
    if whole:
        notes.read_all()
    for path, data in decide(notes):
        # What comes later stays later: where a fact goes to is written before it leaves where it was.
        last.pop(path, None)
        last[path] = data
    for path, data in last.items():
        if notes[path] is None and path in notes.damaged:
            raise _error_with_path(notes.damaged[path], path)
        if data is not None and len(data) > MAX_NOTE_BYTES:
            raise TooLarge(f"note {path}", len(data), MAX_NOTE_BYTES)
    return [Step(path, data, _hash(notes[path])) for path, data in last.items() if data != notes[path]]


def _error_with_path(error: HoldfastError, path: str) -> HoldfastError:
    """Return the error with the note that it is about: whoever stores a fact named none."""
    if type(error) is BadText:
        return BadText(f"note {path}", error.why, error.line)
    return error


def _hash(data: bytes | None) -> str:
    if data is None:
        return ""
    from hashlib import sha256

    return sha256(data).hexdigest()
