"""memory_delete: remove exact text from a note, or the whole note."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from holdfast.checkpoints.change import change
from holdfast.errors import BadArgument, NoteNotFound, TextNotFound
from holdfast.tools.rooms import Rooms
from holdfast.tools.targets import target

__all__ = ["Deleted", "memory_delete"]


@dataclass(frozen=True, slots=True)
class Deleted:
    """What was removed, and the checkpoint that brings it back."""

    path: str
    file_deleted: bool
    matches_removed: int
    checkpoint_id: str

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return {
            "deleted": True,
            "path": self.path,
            "file_deleted": self.file_deleted,
            "matches_removed": self.matches_removed,
            "checkpointId": self.checkpoint_id,
        }


def memory_delete(
    rooms: Rooms,
    file: Annotated[str, "MEMORY.md or memory/<name>.md."],
    text: Annotated[str | None, "The exact text to remove. Required unless delete_file is true."] = None,
    all_matches: Annotated[bool, "Remove every exact match instead of only the first."] = False,
    delete_if_empty: Annotated[bool, "Delete the file if only white space is left."] = True,
    delete_file: Annotated[bool, "Delete the whole file instead of removing text."] = False,
) -> Deleted:
    """Remove exact text from a note, or the whole note. checkpointId brings it back with checkpoint_restore."""
    path = target(file, rooms.settings.memory.agent_write_mode)
    if delete_file and text is not None:
        raise BadArgument("text", "it can't be given together with delete_file")
    if not delete_file and not text:
        raise BadArgument("text", "give the exact text to remove, or set delete_file")
    removed = 0

    def edit(old: bytes | None) -> bytes | None:
        nonlocal removed
        if old is None:
            raise NoteNotFound(path.text)
        if delete_file:
            return None
        assert text
        new, removed = _without(old, text, every=all_matches)
        if not removed:
            raise TextNotFound(path.text)
        return None if delete_if_empty and not new.strip() else new

    made = change(
        rooms.workspace,
        path,
        edit,
        origin=rooms.origin,
        tool="memory_delete",
        reason="delete file" if delete_file else "delete text",
        clock=rooms.clock,
    )
    rooms.note_changed(made.path)
    return Deleted(made.path, made.after is None, removed, made.id)


def _without(old: bytes, text: str, *, every: bool) -> tuple[bytes, int]:
    """The note without the text, which may have been read with other line ends than it is stored with."""
    unix = text.encode("utf-8", "surrogatepass").replace(b"\r\n", b"\n")
    for form in (text.encode("utf-8", "surrogatepass"), unix.replace(b"\n", b"\r\n"), unix):
        count = old.count(form)
        if count:
            return (old.replace(form, b""), count) if every else (old.replace(form, b"", 1), 1)
    return old, 0
