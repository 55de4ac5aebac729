"""What was changed: the list, what a change did, and the ways back."""

from __future__ import annotations

from typing import Annotated, Any

from holdfast.checkpoints.prune import Pruned
from holdfast.errors import NoteNotFound
from holdfast.guard.paths import readable
from holdfast.memory import Memory
from holdfast.tools.checkpoint_restore import Restored, checkpoint_restore
from holdfast.tools.checkpoints_list import checkpoints_list
from holdfast.tools.undo_origin import TookBack

_MORE = ("at", "before", "after", "undoes", "group", "step", "steps")


def list_changes(
    memory: Memory,
    path: Annotated[str | None, "Only changes of this note."] = None,
    limit: Annotated[int, "How many, 1 to 1000."] = 20,
    full: Annotated[bool, "Also the hashes before and after, and what belongs together."] = False,
) -> dict[str, Any]:
    """What was changed, newest first."""
    found = checkpoints_list(memory.rooms, limit, path)
    shown = found.to_json()
    if full:
        pairs = zip(shown["checkpoints"], found.changes, strict=True)
        shown["checkpoints"] = [one | {name: getattr(change, name) for name in _MORE} for one, change in pairs]
    return shown


def diff(
    memory: Memory,
    id_: Annotated[str, "The checkpoint's id, or its beginning."],
    against_now: Annotated[bool, "How the note differs now from what it was before that change."] = False,
) -> dict[str, Any]:
    """What a change did, as a unified diff."""
    return {"checkpoint": id_, "diff": memory.diff(id_, against_now=against_now)}


def restore(memory: Memory, id_: Annotated[str, "The checkpoint's id, or its beginning."]) -> Restored:
    """Put a note back to what it was before a change."""
    return checkpoint_restore(memory.rooms, id_)


def undo(
    memory: Memory,
    path: Annotated[str | None, "The last change of this note; else of any."] = None,
    force: Annotated[bool, "Also when the note was changed outside since."] = False,
) -> Restored:
    """Take back the last change; a second call goes one further back."""
    return memory.undo(path, force=force)


def undo_origin(
    memory: Memory,
    origin: Annotated[str, "Whose changes: import, mcp_tool, agent, auto_capture …"],
    since: Annotated[str | None, "Only from this day on."] = None,
    until: Annotated[str | None, "Only up to this day."] = None,
    whole_notes: Annotated[bool, "Also notes that were made outside in that time."] = False,
    dry_run: Annotated[bool, "Only show what would go."] = False,
) -> TookBack:
    """Take back everything that came from one origin."""
    return memory.undo_origin(origin, since=since, until=until, whole_notes=whole_notes, dry_run=dry_run)


def prune(memory: Memory) -> dict[str, int]:
    """Drop checkpoints that are older and more than the settings keep."""
    return _counted(memory.prune())


def purge(memory: Memory, path: Annotated[str, "The note whose checkpoints go."]) -> dict[str, int]:
    """Drop every checkpoint of one note, for good."""
    if not memory.history(path, limit=1) and not memory.rooms.workspace.exists(readable(path)):
        raise NoteNotFound(path)
    return _counted(memory.purge(path))


def _counted(pruned: Pruned) -> dict[str, int]:
    return {"changes": pruned.changes, "objects": pruned.objects, "bytes": pruned.bytes}
