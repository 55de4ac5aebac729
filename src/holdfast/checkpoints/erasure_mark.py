"""The number of the last change before something was forgotten everywhere, in state/forgotten/<agent>.

Earlier changes can still be undone by their ids; but a caller who asks for the last change does not mean one of those.
"""

from __future__ import annotations

from holdfast.checkpoints.change_history import history
from holdfast.notes.workspace import Workspace

__all__ = ["erased_up_to", "mark_erasure"]

_MOST = 100  # bytes


def mark_erasure(workspace: Workspace) -> None:
    """Note the number of the last change there is; call it before the changes of what is forgotten are removed."""
    with workspace.lock():  # of two who forget at once, the one who looked first may write last
        last = next(iter(history(workspace, limit=1)), None)
        if last is not None:
            workspace.replace_file(_name(workspace), str(last.seq).encode("ascii"))


def erased_up_to(workspace: Workspace) -> int:
    """The number of the last change when something was last forgotten everywhere; 0 where nothing was."""
    held = workspace.read_file(_name(workspace), _MOST) or b""
    return int(held) if held.isdigit() else 0


def _name(workspace: Workspace) -> str:
    return f"state/forgotten/{workspace.agent}"
