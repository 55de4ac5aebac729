"""One change as its owner looks at it: what is known of it, and the note before and after."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from holdfast.checkpoints.change import Change
from holdfast.checkpoints.change_history import after_bytes, before_bytes, find_change
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
    """Return one change with all that is known of it, and whether the note is still what it made."""
    change = find_change(ctx.workspace, checkpoint)
    try:
        now: str | None = ctx.workspace.read(readable_path(change.path)).hash
    except NoteNotFound:
        now = None
    except HoldfastError:
        now = ""  # whatever stands there, no change of ours made it
    current = now == change.after
    undoable = current or _comes_out(ctx, change)
    more = {name: getattr(change, name) for name in MORE} | {"current": current, "undoable": undoable}
    return describe_change(change) | more


def _comes_out(ctx: Context, change: Change) -> bool:
    """Say whether a change comes out of its note as it is now, and leaves what was changed since."""
    try:
        now = ctx.workspace.read(change.path).data
        reversal = revert_change(now, before_bytes(ctx.workspace, change), after_bytes(ctx.workspace, change))
    except HoldfastError:
        return False
    return not reversal.kept and reversal.data != now
