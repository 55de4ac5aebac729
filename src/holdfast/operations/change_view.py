"""One change as its owner looks at it: what is known of it, its notes, and each of them before and after."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from holdfast.checkpoints.change import Change
from holdfast.checkpoints.change_history import after_bytes, before_bytes, find_change
from holdfast.checkpoints.checkpoint_store import open_for_reading
from holdfast.checkpoints.group import changes_as_one
from holdfast.checkpoints.revert import revert_change
from holdfast.context.context import Context
from holdfast.errors import HoldfastError, NoteNotFound
from holdfast.guard.paths import readable_path
from holdfast.operations.changes_page import MORE
from holdfast.operations.checkpoints_list import describe_change
from holdfast.value import Shown

__all__ = ["Side", "SideText", "change_text", "show_change"]

_Checkpoint = Annotated[str, "The checkpoint's id, or its beginning."]


class Side(StrEnum):
    """Of a change."""

    BEFORE = "before"
    AFTER = "after"


class SideText(Shown):
    """The whole note on one side of a change; `text` is None where there was none."""

    checkpoint: str
    side: Side
    path: str
    text: str | None
    hash: str | None


def change_text(
    ctx: Context, checkpoint: _Checkpoint, side: Annotated[Side, "before or after the change."] = Side.BEFORE
) -> SideText:
    """Return the whole note as it was before or after a change; null where there was none."""
    change = find_change(ctx.workspace, checkpoint)
    if side == Side.BEFORE:
        data, held = before_bytes(ctx.workspace, change), change.before
    else:
        data, held = after_bytes(ctx.workspace, change), change.after
    text = None if data is None else data.decode("utf-8", "replace")
    return SideText(change.id, Side(side), change.path, text, held)


def show_change(ctx: Context, checkpoint: _Checkpoint) -> dict[str, Any]:
    """Return one change with all that is known of it, and whether its notes are still what it made them.

    Where several notes were changed as one, `notes` has all of them, each with its own checkpoint.
    """
    change = find_change(ctx.workspace, checkpoint)
    with open_for_reading(ctx.workspace) as place:
        together = [change] if place is None else changes_as_one(place, change)[::-1]
    # Of a note that it changed twice, the last of these made it what it is.
    last = {member.path: member for member in together}
    changed_since = [member for member in last.values() if not _is_current(ctx, member)]
    undoable = all(len(last) == len(together) and _comes_out(ctx, member) for member in changed_since)
    more = {name: getattr(change, name) for name in MORE} | {"current": not changed_since, "undoable": undoable}
    return describe_change(change) | more | {"notes": [describe_change(member) for member in together]}


def _is_current(ctx: Context, change: Change) -> bool:
    """Say whether a note is still what a change made it."""
    try:
        return ctx.workspace.read(readable_path(change.path)).hash == change.after
    except NoteNotFound:
        return change.after is None
    except HoldfastError:
        return False  # whatever stands there, no change of ours made it


def _comes_out(ctx: Context, change: Change) -> bool:
    """Say whether a change comes out of its note as it is now, and leaves what was changed since."""
    try:
        now = ctx.workspace.read(change.path).data
        reversal = revert_change(now, before_bytes(ctx.workspace, change), after_bytes(ctx.workspace, change))
    except HoldfastError:
        return False
    return not reversal.kept and reversal.data != now
