"""The list of an agent's notes, walked anew when somebody wrote, or a moment has passed.

Every change that Holdfast makes, in whichever process, adds to the journal before it is acknowledged. While the journal
is as it was, only an edit by hand can have changed the list, and that may be seen a moment later. With few notes a walk
costs so little that every list walks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from holdfast.checkpoints.checkpoint_store import journal_stamp
from holdfast.index.freshness import FEW_NOTES, MOMENT
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.context.context import Context

__all__ = ["NoteList", "NoteSeen", "iso_moment"]

_AFTER_ALL = "\U0010ffff"  # behind every character that a path may go on with


class NoteSeen(Value):
    """A note as a list shows it; `modified` is in seconds since 1970. Only a page knows its `hash`."""

    path: str
    bytes: int
    modified: float
    source: str = "memory"
    hash: str = ""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shown = {name: getattr(self, name) for name in self.fields}
        return {**shown, "modified": iso_moment(self.modified), "hash": self.hash or None}


class NoteList:
    """The notes of the workspace, those of extra paths left out, in the order of their paths."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._notes: list[NoteSeen] = []
        self._paths: list[str] = []
        self._stamp: Hashable = None
        self._walked = -MOMENT

    def below(self, prefix: str) -> list[NoteSeen]:
        """The notes whose path starts with the prefix."""
        stamp = journal_stamp(self._ctx.workspace)  # before the walk: what is written meanwhile must show
        age = self._ctx.clock.monotonic() - self._walked
        if len(self._paths) < FEW_NOTES or stamp != self._stamp or not 0.0 <= age < MOMENT:
            self._walk()
            self._stamp = stamp
        return self._notes[bisect_left(self._paths, prefix) : bisect_left(self._paths, prefix + _AFTER_ALL)]

    def _walk(self) -> None:
        began = self._ctx.clock.monotonic()
        notes = [note for note in self._ctx.workspace.walk().found if note.source == "memory"]
        self._notes = [NoteSeen(note.path, note.size, note.mtime_ns / 1e9) for note in notes]
        self._paths = [note.path for note in notes]
        self._walked = began


def iso_moment(seconds: float) -> str:
    """Return a time in seconds since 1970 in ISO form; "" for one that no calendar has."""
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
    except (OverflowError, ValueError, OSError):
        return ""
