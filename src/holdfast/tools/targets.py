"""Which note a caller means: the default target, what `memory.agent_write_mode` allows, and the name in the journal."""

from __future__ import annotations

from holdfast.errors import WriteModeRefused
from holdfast.guard.paths import NotePath, readable, writable
from holdfast.notes.workspace import Workspace
from holdfast.settings.values import WriteMode

__all__ = ["default_target", "permitted", "recorded", "target"]


def default_target(mode: WriteMode) -> str:
    """The note that is written when none is named."""
    return "memory/notes.md" if mode is WriteMode.SEARCH_ONLY else "MEMORY.md"


def target(file: str | None, mode: WriteMode) -> NotePath:
    """The note to write: a valid path that the write mode allows."""
    return permitted(writable(default_target(mode) if file is None else file), mode)


def permitted(path: NotePath, mode: WriteMode) -> NotePath:
    """The same path, if the write mode allows to change that note."""
    prompt = path.is_prompt_memory
    if (
        mode is WriteMode.OFF
        or (mode is WriteMode.PROMPT_ONLY and not prompt)
        or (mode is WriteMode.SEARCH_ONLY and prompt)
    ):
        raise WriteModeRefused(mode.value, path.text)
    return path


def recorded(workspace: Workspace, path: str | None) -> str | None:
    """The name under which changes of a note are recorded: memory.md where that stands in for MEMORY.md."""
    return None if path is None else workspace.spot(readable(path)).path
