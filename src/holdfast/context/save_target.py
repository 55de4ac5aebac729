"""The note that a save goes to: the default, whether the caller may change it, and its name in the journal."""

from __future__ import annotations

from holdfast.checkpoints.change import note_to_change
from holdfast.context.context import Context
from holdfast.guard.paths import NotePath, readable_path, writable_path
from holdfast.notes.workspace import Workspace

__all__ = ["daily_note", "default_target", "may_write", "named_note", "recorded_path", "require_writable", "target"]

_DEFAULTS = ("MEMORY.md", "memory/notes.md")


def default_target(ctx: Context) -> str:
    """The note that is written when none is named: MEMORY.md, else one below memory/ where only that is allowed."""
    return next((file for file in _DEFAULTS if may_write(ctx, writable_path(file))), _DEFAULTS[0])


def daily_note(ctx: Context) -> str:
    """The path of today's note, by the day it is where the user is."""
    from holdfast.context.user_profile import user_now

    return f"memory/{user_now(ctx):%Y-%m-%d}.md"


def target(ctx: Context, file: str | None) -> NotePath:
    """The note to write: a valid path that the caller may change."""
    return require_writable(ctx, named_note(ctx, default_target(ctx) if file is None else file))


def named_note(ctx: Context, file: str) -> NotePath:
    """The path of a note that a caller names to write to it: by the strict rule, unless it is the owner who does."""
    if ctx.workspace.gate.is_owner:
        return note_to_change(ctx.workspace, file)
    return writable_path(file)


def require_writable(ctx: Context, path: NotePath) -> NotePath:
    """Raise WriteModeRefused unless the caller may change the note; gives the path.

    Every change asks the same gate again. This is for whoever would do work, or half of it, before that.
    """
    ctx.workspace.gate.require(path)
    return path


def may_write(ctx: Context, path: NotePath) -> bool:
    """Say whether the caller may change the note."""
    return ctx.workspace.gate.allows(path)


def recorded_path(workspace: Workspace, path: str | None) -> str | None:
    """The name under which changes of a note are recorded: memory.md where that stands in for MEMORY.md."""
    if path is None:
        return None
    return workspace.spot(readable_path(path)).path
