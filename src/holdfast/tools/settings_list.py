"""Settings for a program: every key with its value and where that came from, and several changed together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdfast.errors import BadArgument, NotPermitted
from holdfast.notes.workspace import Workspace
from holdfast.settings.definitions import find_key
from holdfast.settings.load import Loaded
from holdfast.settings.reference import literal, rows
from holdfast.tools.setting import edit_settings

__all__ = ["change_settings", "settings_list"]

_MOST = 100
# It names a library that is loaded into the process: who may change it may run any code. That is for the owner's own
# hands on the machine, and not for everybody who has a token.
_BY_HAND = ("memory.store.vector.extension_path",)
# They are the owner's gates: a program that could open one would stand before none.
_BY_OWNER = (
    *("memory.agent_write_mode", "memory.prompt_approval", "memory.approved_origins", "memory.secrets"),
    *("memory.scope.default", "memory.scope.rules", "memory.user_profile_write_mode"),
    *("memory.checkpoints.keep_days", "memory.checkpoints.keep_count"),
)


def settings_list(loaded: Loaded) -> list[dict[str, Any]]:
    """Every key, its value, its default and where the value came from; a secret is only "set" or "not set"."""
    return [{"key": row.key, "value": row.value, "default": row.default, "source": row.source} for row in rows(loaded)]


def change_settings(workspace: Workspace, changes: Mapping[str, Any], *, of_agent: bool = False) -> str:
    """Set keys of holdfast.toml, all or none; None takes one out. Comments stay. Returns the path of the file.

    With `of_agent` it is the file of the workspace's agent, with the same gates: they are the owner's there too.
    """
    if not 1 <= len(changes) <= _MOST:
        raise BadArgument("changes", f"give between 1 and {_MOST} settings")
    for key in changes:
        path = find_key(key).path
        if path in _BY_HAND or (path in _BY_OWNER and not workspace.gate.is_owner):
            raise NotPermitted(f"'{key}' is only changed by the owner, on the machine itself; ask them to do it.")
    edits = {key: None if value is None else _as_text(value) for key, value in changes.items()}
    return edit_settings(workspace, edits, of_agent=of_agent)


def _as_text(value: Any) -> str:
    """The value as `config set` takes it on one line."""
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case list() if all(isinstance(item, str) for item in value):
            return literal(value)
        case dict() if all(isinstance(item, str) for item in value.values()):
            return "\n".join(f"{name}: {item}" for name, item in value.items())
    return literal(value)
