"""Remove what was written for QMD when something is forgotten, also where QMD is no longer the back end."""

from __future__ import annotations

import os
from contextlib import ExitStack, suppress

from holdfast.errors import Busy
from holdfast.notes.workspace import Workspace
from holdfast.qmd.collection import SESSIONS
from holdfast.qmd.update_record import read_record

__all__ = ["remove_index"]

_PATIENCE = 30.0  # seconds


def remove_index(workspace: Workspace) -> None:
    """Remove QMD's index of this agent, and what was said as it was written down for it; both are made anew."""
    below = f"state/qmd/{workspace.agent}"
    if not os.path.isdir(f"{workspace.home}/{below}"):
        return
    with ExitStack() as stack:
        # An update that is under way has read what is forgotten now, and would write it down behind us. One that takes
        # longer than this is not waited for: the next one puts that right.
        with suppress(Busy):
            stack.enter_context(workspace.named_lock(f".qmd.{workspace.agent}.lock", "QMD's index", _PATIENCE))
        for name in read_record(workspace).sessions:
            workspace.replace_file(f"{below}/{SESSIONS}/{name}", None)
        for name in ("updated.json", "index.sqlite", "index.sqlite-wal", "index.sqlite-shm"):
            workspace.replace_file(f"{below}/{name}", None)
