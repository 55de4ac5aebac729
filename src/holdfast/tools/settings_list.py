"""Settings for a program: every key with its value and where that came from, and several changed together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdfast.errors import BadArgument, NotPermitted
from holdfast.notes.workspace import Workspace
from holdfast.settings.definitions import find_key
from holdfast.settings.edit import set_value, unset_value
from holdfast.settings.load import Loaded, settings_file
from holdfast.settings.reference import literal, rows

__all__ = ["change_settings", "settings_list"]

_FILE = "holdfast.toml"
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


def change_settings(workspace: Workspace, changes: Mapping[str, Any]) -> str:
    """Set keys of holdfast.toml, all or none; None takes one out. Comments stay. Returns the path of the file."""
    if not 1 <= len(changes) <= _MOST:
        raise BadArgument("changes", f"give between 1 and {_MOST} settings")
    file = settings_file(workspace.home)
    for key in changes:
        path = find_key(key).path
        if path in _BY_HAND or (path in _BY_OWNER and not workspace.gate.is_owner):
            raise NotPermitted(f"'{key}' is only changed by the owner, on the machine itself; ask them to do it.")
    with workspace.lock():
        text = (workspace.read_file(_FILE) or b"").decode("utf-8", "replace")
        for key, value in changes.items():
            if value is None:
                text = unset_value(text, key, file=file)
            else:
                text = set_value(text, key, _as_text(value), file=file)
        workspace.replace_file(_FILE, text.encode("utf-8"))
    return file


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
