"""One change as its owner looks at it: what is known of it, its notes, and each of them before and after."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from holdfast.checkpoints.change_history import after_bytes, before_bytes, find_change
from holdfast.checkpoints.checkpoint_store import open_for_reading
from holdfast.checkpoints.group import changes_as_one
from holdfast.context.context import Context
from holdfast.operations.changes_page import MORE
from holdfast.operations.checkpoints_list import describe_change
from holdfast.operations.undo_check import UndoCheck
from holdfast.value import Shown

__all__ = ["Side", "SideText", "change_text", "show_change"]

_Checkpoint = Annotated[str, "The checkpoint's id, or its beginning."]


class Side(StrEnum):
    """One side of a change: a note before it, or after it."""

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

    Where it can't be taken out of them, `because` says why. Where several notes were changed as one, `notes` has all of
    them, each with its own checkpoint.
    """
    change = find_change(ctx.workspace, checkpoint)
    together, is_current, because = [change], False, ""
    with open_for_reading(ctx.workspace) as store:
        if store is not None:
            together = changes_as_one(store, change)[::-1]
            back = UndoCheck(ctx, store)
            is_current, because = not back.changed_since(together), back.why_not(together)
    more = {name: getattr(change, name) for name in MORE}
    way = {"current": is_current, "undoable": not because, "because": because}
    return describe_change(change) | more | way | {"notes": [describe_change(member) for member in together]}
