"""The report of an undo of everything that came from one origin."""

from __future__ import annotations

from datetime import date
from typing import Any

from holdfast.guard.origin import Origin
from holdfast.value import Shown, Value

__all__ = ["BackOf", "TookBack"]


class BackOf(Shown):
    """Says what is taken back of one note: how many lines go and come back, and how many others have edited since."""

    path: str
    gone: int = 0
    back: int = 0
    kept: int = 0
    exists: bool = True
    because: str = ""
    """Why it is left as it is, if so."""

    sparse = ("because",)


class TookBack(Value):
    """Everything that was taken back of an origin, or would be; and what was left alone, with the reason."""

    origin: Origin
    since: date | None
    until: date | None
    dry_run: bool
    notes: tuple[BackOf, ...] = ()
    left: tuple[BackOf, ...] = ()
    checkpoint_ids: tuple[str, ...] = ()
    because: str = ""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shown: dict[str, Any] = {
            "origin": self.origin.value,
            "since": self.since.isoformat() if self.since is not None else None,
            "until": self.until.isoformat() if self.until is not None else None,
            "undone": bool(self.notes) and not self.dry_run,
            "notes": [note.to_json() for note in self.notes],
            "left": [note.to_json() for note in self.left],
            "checkpointIds": list(self.checkpoint_ids),
        }
        if self.because:
            return shown | {"because": self.because}
        return shown
