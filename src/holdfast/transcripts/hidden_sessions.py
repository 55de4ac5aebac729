"""The sessions that are kept out of search and exports, in a small log beside the transcripts.

state/sessions.sqlite may be damaged and begun anew; then the transcripts are still there, and what their owner wanted
out of sight would come back. The log knows a session by a hash of its key: it must not tell what was forgotten.
"""

from __future__ import annotations

import hashlib
import json
import threading
from enum import StrEnum

from holdfast.notes.log import Log
from holdfast.notes.workspace import Workspace
from holdfast.transcripts.session_key import directory_of

__all__ = ["NAME", "HiddenSessions", "Mark", "digest_of"]

NAME = "hidden.log"
"""Beside the transcripts of an agent; these end otherwise."""


class Mark(StrEnum):
    """Says what was last said of a session."""

    SHOWN = "shown"
    EXCLUDED = "excluded"
    FORGOTTEN = "forgotten"


class HiddenSessions:
    """The marks of every agent of a home; the last one of a session counts."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._seen: dict[str, tuple[tuple[int, int, int], dict[str, Mark]]] = {}
        self._lock = threading.Lock()

    def mark(self, agent: str, session: str) -> Mark:
        """Return what holds for a session; one that nothing was said of is shown."""
        return self.marks(agent).get(digest_of(session), Mark.SHOWN)

    def set(self, agent: str, session: str, mark: Mark) -> None:
        """Say what holds from now on; durable when this returns."""
        if self.mark(agent, session) is not mark:
            line = json.dumps({"session": digest_of(session), "is": mark.value}, separators=(",", ":"))
            self._log(agent).append(line.encode())

    def marks(self, agent: str) -> dict[str, Mark]:
        """Return what holds for every session of an agent that something was said of, by the hash of its key."""
        log = self._log(agent)
        status = log.status()
        if status is None:
            return {}
        version = (status.inode, status.size, status.mtime_ns)
        with self._lock:
            seen = self._seen.get(agent)
        if seen is None or seen[0] != version:
            seen = version, dict(filter(None, (_parse(line.data) for line in log.lines())))
            with self._lock:
                self._seen[agent] = seen
        return seen[1]

    def _log(self, agent: str) -> Log:
        return self._workspace.log(directory_of(agent), NAME)


def digest_of(session: str) -> str:
    """A session's key as it may be kept after the session is forgotten."""
    return hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()


def _parse(line: bytes | None) -> tuple[str, Mark] | None:
    """One line; None for half a line that a killed process left, or what another program wrote."""
    try:
        record = json.loads(line or b"")
        return str(record["session"]), Mark(record["is"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
