"""The values that `memory.notes` returns: a page of notes, a whole note, and what a note has become."""

from __future__ import annotations

from typing import Any

from holdfast.context.note_list import NoteSeen, iso_moment
from holdfast.value import Value

__all__ = ["NoteText", "NotesPage", "Written"]


class NotesPage(Value):
    """Some of the notes, by path, with their hashes ("" where one can't be read); `total` counts all that fit."""

    notes: tuple[NoteSeen, ...]
    total: int
    offset: int

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shown = [note.to_json() for note in self.notes]
        return {"total": self.total, "offset": self.offset, "count": len(shown), "notes": shown}


class NoteText(Value):
    """A note, whole; its lines end in line feeds, whatever they end in on disk. `hash` is that of its bytes."""

    path: str
    text: str
    hash: str
    bytes: int
    modified: float

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return {name: getattr(self, name) for name in self.fields} | {"modified": iso_moment(self.modified)}


class Written(Value):
    """Says what a note has become, with the checkpoint that undoes it; `existed` says whether there was one before.

    Where it `waits`, the note that was meant is as it was: `path` is the one in which the new lines wait for the owner.
    """

    path: str
    hash: str
    bytes: int
    existed: bool
    checkpoint_id: str
    because: str = ""
    waits: bool = False
    checkpoint_ids: tuple[str, ...] = ()
    """All of them, where it took more than one."""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shown: dict[str, Any] = {
            "saved": not self.waits,
            "path": self.path,
            "hash": self.hash,
            "bytes": self.bytes,
            "existed": self.existed,
            "checkpointId": self.checkpoint_id,
            "waits": self.waits,
        }
        if self.because:
            return {**shown, "because": self.because}
        return shown
