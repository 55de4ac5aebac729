"""Change one setting in holdfast.toml, with everything else in the file left as it is."""

from __future__ import annotations

from holdfast.notes.workspace import Workspace
from holdfast.settings.edit import set_value, unset_value
from holdfast.settings.load import settings_file

__all__ = ["change_setting", "write_sample"]

_FILE = "holdfast.toml"


def change_setting(workspace: Workspace, key: str, value: str | None) -> str:
    """Set a key, or take it out where the value is None; returns the path of the file."""
    file = settings_file(workspace.home)
    with workspace.lock():
        text = (workspace.read_file(_FILE) or b"").decode("utf-8", "replace")
        new = unset_value(text, key, file=file) if value is None else set_value(text, key, value, file=file)
        workspace.replace_file(_FILE, new.encode("utf-8"))
    return file


def write_sample(workspace: Workspace) -> bool:
    """Write a settings file in which every line is a comment, unless there is a file already."""
    from holdfast.settings.reference import sample_file

    with workspace.lock():
        if workspace.read_file(_FILE) is not None:
            return False
        workspace.replace_file(_FILE, sample_file().encode("utf-8"))
    return True
