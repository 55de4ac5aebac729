"""The engine that keeps the state of sessions: the workspace's own where it has one, else a file of SQLite."""

from __future__ import annotations

from holdfast.notes.workspace import Workspace
from holdfast.transcripts.state import StateKeeper, StateStore

__all__ = ["open_state"]


def open_state(workspace: Workspace) -> StateStore:
    """Return the state of all sessions of a home, in whichever engine."""
    if isinstance(workspace, StateKeeper):
        return workspace.state_store()
    from holdfast.transcripts.sqlite_state import SqliteState

    return SqliteState(workspace.local)
