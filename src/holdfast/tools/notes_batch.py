"""Many notes written and removed as one change, with one sync of the index."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from holdfast.checkpoints.batch import apply_batch
from holdfast.checkpoints.change import settle
from holdfast.checkpoints.group import Step
from holdfast.checkpoints.place import for_writing
from holdfast.errors import BadArgument
from holdfast.guard.paths import NotePath
from holdfast.guard.text import admit
from holdfast.notes.note import Note
from holdfast.notes.workspace import Workspace
from holdfast.tools.notes import Written
from holdfast.tools.rooms import Rooms

__all__ = ["write_notes"]

NewBytes = Callable[[Rooms, str, bytes | None, str], bytes]
"""What a note becomes: its path, its bytes (None: there is no note) and the text for it → its new bytes."""


def write_notes(rooms: Rooms, texts: Mapping[NotePath, str | None], reason: str, new_bytes: NewBytes) -> list[Written]:
    """Write each text to its note, or remove the note where there is none; all of it, or nothing."""
    for path, text in texts.items():
        if path.is_prompt_memory:
            raise BadArgument("texts", f"{path.text} can't be one of many: its owner decides on it. Write it by itself")
        if text is not None:
            admit(text, "content")
    with rooms.workspace.lock(), for_writing(rooms.workspace) as place:
        settle(place)
        steps: list[Step] = []
        for path, text in texts.items():
            note = _note(rooms.workspace, path)
            old = None if note is None else note.data
            if text is None and old is None:
                continue
            data = None if text is None else new_bytes(rooms, path.text, old, text)
            steps.append(Step(path.text, data, "" if note is None else note.hash))
        made = apply_batch(place, steps, origin=rooms.origin, tool="notes_write", reason=reason, clock=rooms.clock)
    late = rooms.notes_changed(made) if made else ""
    sizes = [0 if step.data is None else len(step.data) for step in steps]
    return [
        Written(change.path, change.after or "", size, change.before is not None, change.id, late)
        for change, size in zip(made, sizes, strict=True)
    ]


def _note(workspace: Workspace, path: NotePath) -> Note | None:
    from holdfast.errors import NoteNotFound

    try:
        return workspace.read(path)
    except NoteNotFound:
        return None
