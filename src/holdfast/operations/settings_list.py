"""Settings for a program: every key with its value and where that came from, and several changed together."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import unified_diff
from typing import Any, Final

from holdfast.errors import BadArgument, NotPermitted
from holdfast.named_tuple import NamedTuple
from holdfast.notes.workspace import Workspace
from holdfast.operations.setting_change import EditedText, edit_text
from holdfast.settings.document import read_tables
from holdfast.settings.keys import KEYS, find_key
from holdfast.settings.loader import FILE_NAME, Loaded
from holdfast.settings.settings_reference import Row, literal, rows
from holdfast.value import value_below

__all__ = ["BY_HAND", "ChangedSettings", "change_settings", "settings_list"]

_MOST = 100
# They name a library that is loaded into the process, and a program that is run: who may change them may run any code.
# That is for the owner's own hands on the machine, and not for everybody who has a token.
BY_HAND: Final = ("memory.store.vector.extension_path", "memory.qmd.command")
# They are the owner's gates: a program that could open one would stand before none.
_BY_OWNER = (
    *("memory.agent_write_mode", "memory.prompt_approval", "memory.approved_origins", "memory.secrets"),
    *("memory.scope.rules", "memory.user_profile_write_mode"),
    *("memory.qmd.scope.rules", "memory.qmd.paths"),
    *("memory.checkpoints.keep_days", "sandbox.workspace_mount", "sandbox.home_persistence"),
)


def settings_list(loaded: Loaded) -> list[dict[str, Any]]:
    """Every key, its value, its default and where the value came from; a secret is only "set" or "not set"."""
    return [_describe_row(row) for row in rows(loaded)]


def _describe_row(row: Row) -> dict[str, Any]:
    shown = {"key": row.key, "value": row.value, "default": row.default, "source": row.source}
    variable = find_key(row.key).environment
    if row.source == variable:
        return shown | {"variable": variable}
    return shown


class ChangedSettings(NamedTuple):
    """The file, what has changed in it as a unified diff without secrets; its texts and the values before have some."""

    file: str
    diff: str
    before: Mapping[str, Any]
    edited: EditedText


def change_settings(
    workspace: Workspace,
    changes: Mapping[str, Any],
    *,
    of_agent: bool = False,
    dry_run: bool = False,
    undoes: EditedText | None = None,
) -> ChangedSettings:
    """Set keys of holdfast.toml, all or none; None takes one out. Comments stay. A dry run writes nothing.

    With `of_agent` it is the file of the workspace's agent, with the same gates: they are the owner's there too.
    """
    if not 1 <= len(changes) <= _MOST:
        raise BadArgument("changes", f"give between 1 and {_MOST} settings")
    for key in changes:
        path = find_key(key).path
        if path in BY_HAND or (path in _BY_OWNER and not workspace.gate.is_owner):
            raise NotPermitted(f"'{key}' is only changed by the owner, on the machine itself; ask them to do it.")
    edits = {key: None if value is None else _as_text(value) for key, value in changes.items()}
    edited = edit_text(workspace, edits, of_agent=of_agent, dry_run=dry_run, undoes=undoes)
    tables = read_tables(edited.before.removeprefix("\ufeff"), FILE_NAME)
    before = {key: value_below(tables, find_key(key).path) for key in changes}
    return ChangedSettings(edited.file, _diff(edited), before, edited)


def _diff(edited: EditedText) -> str:
    """The unified diff of the two texts, in which no value of a secret setting stands, new or old."""
    secrets = _secrets_in(edited.before) | _secrets_in(edited.after)
    lines = unified_diff(
        edited.before.splitlines(), edited.after.splitlines(), edited.name, edited.name, lineterm="", n=2
    )
    diff = "\n".join(lines)
    for secret in sorted(secrets, key=len, reverse=True):
        diff = diff.replace(secret, "[hidden]")
    return diff


def _secrets_in(text: str) -> frozenset[str]:
    """The texts that secret settings have in a file, as they may be written there."""
    tables = read_tables(text.removeprefix("\ufeff"), FILE_NAME)
    secrets: list[str] = []
    for path in (key.path for key in KEYS if key.secret):
        value = value_below(tables, path)
        if isinstance(value, dict):
            held = list(value.values())
        else:
            held = [value]
        secrets += [str(piece) for piece in held if piece]
    return frozenset(form for piece in secrets for form in (piece, literal(piece)[1:-1]))


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
