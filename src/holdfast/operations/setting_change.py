"""Change settings in holdfast.toml, the home's or an agent's own, with everything else in the file left as it is."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from functools import partial

from holdfast.checkpoints.change import digest_of
from holdfast.errors import NoteChangedOutside, SettingsError, UnknownSetting
from holdfast.named_tuple import NamedTuple
from holdfast.notes.workspace import Workspace
from holdfast.settings.keys import CONSTANTS, find_key
from holdfast.settings.loader import FILE_NAME, FileText, load, settings_file
from holdfast.settings.toml_edit import set_value, unset_value

__all__ = [
    "EditedText",
    "change_setting",
    "edit_settings",
    "edit_text",
    "find_old_keys",
    "find_overrides",
    "write_sample",
]


_TRIES = 3


def change_setting(workspace: Workspace, key: str, value: str | None, *, of_agent: bool = False) -> str:
    """Set a key, or take it out where the value is None; returns the path of the file."""
    return edit_settings(workspace, {key: value}, of_agent=of_agent)


class EditedText(NamedTuple):
    """A settings file, its name below the home, its text before and after, and whether there was one before."""

    file: str
    name: str
    before: str
    after: str
    existed: bool = True


def edit_settings(workspace: Workspace, edits: Mapping[str, str | None], *, of_agent: bool = False) -> str:
    """Set keys of the home's file, or with `of_agent` of the agent's, all or none; returns the path of the file."""
    return edit_text(workspace, edits, of_agent=of_agent).file


def edit_text(
    workspace: Workspace,
    edits: Mapping[str, str | None],
    *,
    of_agent: bool = False,
    dry_run: bool = False,
    undoes: EditedText | None = None,
) -> EditedText:
    """The same, with the texts of the file; a dry run writes nothing.

    Where the edit that this `undoes` is the last one of the file, it is as before it to the byte.
    """
    file = settings_file(workspace.home, workspace.agent if of_agent else None)
    if of_agent:
        name = f"agents/{workspace.agent}/{FILE_NAME}"
    else:
        name = FILE_NAME
    edit = partial(_edit_once, workspace, edits, file, name, of_agent=of_agent, dry_run=dry_run, undoes=undoes)
    # The home's file is every agent's: one lock for all of them, and it is read while that is held.
    with workspace.lock() if of_agent else workspace.home_lock():
        for _ in range(_TRIES - 1):
            with suppress(NoteChangedOutside):  # an editor holds no lock of ours: what it wrote a moment ago stays
                return edit()
        return edit()


def _edit_once(
    workspace: Workspace,
    edits: Mapping[str, str | None],
    file: str,
    name: str,
    *,
    of_agent: bool,
    dry_run: bool,
    undoes: EditedText | None,
) -> EditedText:
    """Edit the file as it is now; NoteChangedOutside where it was written meanwhile."""
    over = None
    if of_agent:
        over = FileText(settings_file(workspace.home), _read(workspace, FILE_NAME))
    held = workspace.read_file(name)
    before = text = _decode(held)
    for key, value in edits.items():
        if value is None:
            text = unset_value(text, key, file=file, over=over)
        else:
            text = set_value(text, key, value, file=file, over=over)
    exists = True
    if undoes is not None and before == undoes.after:
        text, exists = undoes.before, undoes.existed
    if text != before and not dry_run:
        workspace.replace_file(name, text.encode("utf-8") if exists else None, expected_hash=digest_of(held) or "")
    return EditedText(file, name, before, text, held is not None)


def find_overrides(workspace: Workspace, key: str, *, of_agent: bool = False) -> dict[str, str | None]:
    """Return what overrides a key of the home's file, or with `of_agent` of the agent's, and for which agent.

    None for all.
    """
    try:
        path = find_key(key).path
    except UnknownSetting:  # a mistake that was taken out of the file
        return {}
    overrides: dict[str, str | None] = {}
    for agent in (workspace.agent,) if of_agent else dict.fromkeys((workspace.agent, *_agents(workspace.home))):
        try:
            source = load(workspace.home, agent).sources[path]
        except SettingsError:
            continue  # nothing holds until that is mended, and whoever opens this agent is told
        file, _, _ = source.partition(":")
        if file == f"agents/{agent}/{FILE_NAME}":
            overrides |= {} if of_agent else {source: agent}
        elif file not in (FILE_NAME, "default"):
            overrides[source] = None
    return overrides


def find_old_keys(workspace: Workspace, key: str) -> list[str]:
    """Return the keys of an earlier version that still have a say in this one, each with where it stands."""
    old = [path for path, constant in CONSTANTS.items() if constant.heir == key]
    if not old:
        return []
    try:
        hints = load(workspace.home, workspace.agent).hints
    except SettingsError:
        return []
    return [path for path in old if any(hint.startswith(f"'{path}' ") for hint in hints)]


def _agents(home: str) -> list[str]:
    """The agents of a home that have a settings file of their own."""
    try:
        names = sorted(os.listdir(os.path.join(home, "agents")))
    except OSError:
        return []
    return [name for name in names if os.path.exists(settings_file(home, name))]


def write_sample(workspace: Workspace) -> bool:
    """Write a settings file in which every line is a comment, unless there is a file already."""
    from holdfast.settings.settings_reference import sample_file

    with workspace.home_lock():
        if workspace.read_file(FILE_NAME) is not None:
            return False
        workspace.replace_file(FILE_NAME, sample_file().encode("utf-8"))
    return True


def _read(workspace: Workspace, name: str) -> str:
    return _decode(workspace.read_file(name))


def _decode(held: bytes | None) -> str:
    return (held or b"").decode("utf-8", "replace")
