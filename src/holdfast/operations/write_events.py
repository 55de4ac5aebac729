"""Find what was written since the last look, by whom and from where: for a server that tells others of it.

The journal knows every change that went through a tool, in any process. A note that changed and is not what the
journal says was edited outside.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from contextlib import closing
from typing import ClassVar

from holdfast.checkpoints.change import Change
from holdfast.checkpoints.change_history import changes, history
from holdfast.checkpoints.checkpoint_store import open_for_reading
from holdfast.errors import HoldfastError, NoteNotFound
from holdfast.guard.origin import Origin
from holdfast.notes.workspace import Workspace
from holdfast.value import Shown

__all__ = ["WriteFeed", "Written"]

_MOST = 200  # changes of one look: more than that is an import, and its last ones tell enough


class Written(Shown):
    """One note that was written: by which change, or outside where `checkpoint` is empty."""

    path: str
    origin: str
    exists: bool
    checkpoint: str = ""
    tool: str = ""

    renamed: ClassVar = {"checkpoint": "checkpointId"}
    or_null = ("checkpoint", "tool")


class WriteFeed:
    """Follows the journal of one agent; each change is told once, whoever looks."""

    def __init__(self, workspace: Workspace) -> None:
        newest = history(workspace, limit=1)
        self._seen = newest[0].seq if newest else 0
        self._hashes: dict[str, str] = {}
        self._lock = threading.Lock()

    def look(self, workspace: Workspace, changed: Iterable[str] = ()) -> list[Written]:
        """Return what was written since the last look, oldest first; `changed` are notes that a watcher saw change."""
        with self._lock:
            new = self._new(workspace)
            for change in new:
                self._hashes[change.path] = change.after or ""
            writes = [
                Written(change.path, change.origin, change.after is not None, change.id, change.tool) for change in new
            ]
            for path in sorted(set(changed)):
                file_hash = _hash_of(workspace, path)
                if file_hash is not None and file_hash != self._last_hash(workspace, path):
                    self._hashes[path] = file_hash
                    writes.append(Written(path, Origin.OUTSIDE.value, bool(file_hash)))
            return writes

    def _new(self, workspace: Workspace) -> list[Change]:
        new: list[Change] = []
        with open_for_reading(workspace) as store:
            if store is None:
                return []
            with closing(changes(store)) as newest_first:
                for change in newest_first:
                    if change.seq <= self._seen or len(new) == _MOST:
                        break
                    new.append(change)
        if new:
            self._seen = new[0].seq
        return new[::-1]

    def _last_hash(self, workspace: Workspace, path: str) -> str | None:
        """The hash that the last change left, "" where it removed the note; None where there was no change."""
        if path not in self._hashes:
            last = history(workspace, path=path, limit=1)
            if not last:
                return None
            self._hashes[path] = last[0].after or ""
        return self._hashes[path]


def _hash_of(workspace: Workspace, path: str) -> str | None:
    """The hash of a note as it is now, "" where there is none; None where that can't be told."""
    try:
        return workspace.read(path).hash
    except NoteNotFound:
        return ""
    except HoldfastError:
        return None
