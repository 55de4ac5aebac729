"""checkpoints_list: what was changed, newest first."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from itertools import islice
from typing import Annotated, Any

from holdfast.checkpoints.change import Change
from holdfast.checkpoints.change_history import changes, diff, history
from holdfast.checkpoints.checkpoint_store import open_for_reading
from holdfast.context.context import Context
from holdfast.context.save_target import recorded_path
from holdfast.context.session_visibility import caller_sight, can_read
from holdfast.errors import BadArgument
from holdfast.value import Value

__all__ = ["Checkpoints", "checkpoints_list", "describe_change", "diff_change", "list_changes", "moment"]

_MOST = 1000


class Checkpoints(Value):
    """Changes, newest first; each can be undone by its id."""

    changes: tuple[Change, ...]

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return {"count": len(self.changes), "checkpoints": [describe_change(change) for change in self.changes]}


def moment(at: float) -> datetime | None:
    """The time of a change; None where a clock gone wild has left no date."""
    try:
        return datetime.fromtimestamp(at, UTC)
    except (OverflowError, ValueError, OSError):
        return None


def describe_change(change: Change) -> dict[str, Any]:
    """One change in the shape that every surface shows; `group` is the same for those that one undo takes back.

    `origin` is who made it, `author` whose words it brought where those are another's.
    """
    shown = {
        "id": change.id,
        "seq": change.seq,
        "createdAt": when.isoformat(timespec="seconds") if (when := moment(change.at)) else None,
        "path": change.path,
        "origin": change.origin,
        "tool": change.tool,
        "reason": change.reason,
        "existed": change.before is not None,
        "exists": change.after is not None,
    }
    sparse = {"author": change.author, "group": change.group}
    return shown | {name: text for name, text in sparse.items() if text}


def checkpoints_list(
    ctx: Context,
    limit: Annotated[int, "How many at the most (1 to 1000)."] = 20,
    path: Annotated[str | None, "Only changes of this note."] = None,
) -> Checkpoints:
    """List changes to memory, newest first, with who made them and how. Undo one with checkpoint_restore."""
    if not 1 <= limit <= _MOST:
        raise BadArgument("limit", f"{limit} is not between 1 and {_MOST}")
    wanted = recorded_path(ctx.workspace, path)
    sight = caller_sight(ctx)
    if sight is None or sight.prompt_memory:
        return Checkpoints(tuple(history(ctx.workspace, path=wanted, limit=limit)))
    return Checkpoints(_readable_changes(ctx, wanted, limit))


def list_changes(
    ctx: Context,
    path: Annotated[str | None, "Only changes of this note."] = None,
    *,
    limit: Annotated[int, "How many."] = 20,
) -> list[Change]:
    """Return what was changed, newest first."""
    return list(checkpoints_list(ctx, limit, path).changes)


def diff_change(
    ctx: Context,
    checkpoint: Annotated[str, "The checkpoint's id, or its beginning."],
    *,
    against_now: Annotated[bool, "How the note differs now from what it was before that change."] = False,
) -> str:
    """Show what a change did, or how the note differs now from what it was before that change."""
    return diff(ctx.workspace, checkpoint, against_now=against_now)


def _readable_changes(ctx: Context, path: str | None, limit: int) -> tuple[Change, ...]:
    """The same for a session that may not see all: the name of a note can tell what was talked about, too."""
    with open_for_reading(ctx.workspace) as store:
        if store is None:
            return ()
        with closing(changes(store)) as newest_first:
            fitting = (change for change in newest_first if path in (None, change.path) and can_read(ctx, change.path))
            return tuple(islice(fitting, limit))
