"""The routes of changes: the list, what a change did, and the ways back."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from holdfast.checkpoints.change_history import after_bytes, before_bytes, find_change
from holdfast.checkpoints.retention import Pruned
from holdfast.errors import NoteNotFound
from holdfast.guard.paths import readable_path
from holdfast.memory import Memory
from holdfast.operations.changes_page import MORE, ChangesPage, one_change
from holdfast.operations.checkpoint_restore import Restored
from holdfast.surfaces.http.confirmation import plan_hash
from holdfast.surfaces.http.credentials import Visitor
from holdfast.surfaces.http.server_state import House

_MOST_PURGED = 1000  # changes that are counted; more go all the same
CheckpointId = Annotated[str, "The checkpoint's id, or its beginning."]


class Side(StrEnum):
    """Of a change."""

    BEFORE = "before"
    AFTER = "after"


def changes_shown(
    page: ChangesPage,
    full: Annotated[bool, "Also the hashes before and after, and what belongs together."] = False,
) -> dict[str, Any]:
    """Return what was changed, newest first; `next_before` is where the next page begins."""
    shown = page.to_json()
    if full:
        pairs = zip(shown["checkpoints"], page.changes, strict=True)
        shown["checkpoints"] = [row | {name: getattr(change, name) for name in MORE} for row, change in pairs]
    return shown


def checkpoint(memory: Memory, id_: CheckpointId) -> dict[str, Any]:
    """One change, and whether the note is still what it made."""
    return one_change(memory.ctx, find_change(memory.ctx.workspace, id_))


def text(
    memory: Memory, id_: CheckpointId, side: Annotated[Side, "before or after the change."] = Side.BEFORE
) -> dict[str, Any]:
    """The whole note as it was before or after a change; null where there was none."""
    workspace = memory.ctx.workspace
    change = find_change(workspace, id_)
    data = (before_bytes if side == Side.BEFORE else after_bytes)(workspace, change)
    return {
        "checkpoint": change.id,
        "side": side,
        "path": change.path,
        "text": None if data is None else data.decode("utf-8", "replace"),
        "hash": change.before if side == Side.BEFORE else change.after,
    }


def diff_shown(diff: str, checkpoint: CheckpointId) -> dict[str, Any]:
    """Return what a change did, as a unified diff."""
    return {"checkpoint": checkpoint, "diff": diff}


def restored(made: Restored) -> dict[str, Any]:
    """Put a note back to what it was before a change."""
    return undone(made)


def undone(made: Restored) -> dict[str, Any]:
    """Take back the last change, or just those that are named; a second call goes one further back."""
    # With all that undoes this in turn.
    return made.to_json() | {"checkpointIds": list(made.checkpoint_ids)}


def purge(
    memory: Memory,
    house: House,
    visitor: Visitor,
    path: Annotated[str, "The note whose checkpoints go."],
    dry_run: Annotated[bool, "Only count what would go."] = False,
    plan: Annotated[str | None, "For a page: the `plan` of a dry run of the same."] = None,
    word: Annotated[str | None, "For a page: purge."] = None,
) -> dict[str, Any]:
    """Drop every checkpoint of one note, for good; a dry run counts them, and names that `plan`."""
    found = memory.history(path, limit=_MOST_PURGED)
    if not found and not memory.ctx.workspace.exists(readable_path(path)):
        raise NoteNotFound(path)
    named = plan_hash("purge", memory.agent, path, [change.id for change in found])
    if dry_run:
        house.plans.note(named)
        return {"changes": len(found), "objects": None, "bytes": None, "plan": named}
    if visitor.browser:
        house.plans.require(named, plan, word, "purge")
    return counted(memory.purge(path))


def counted(pruned: Pruned) -> dict[str, Any]:
    """Drop checkpoints that are older and more than the settings keep."""
    return {"changes": pruned.changes, "objects": pruned.objects, "bytes": pruned.bytes}
