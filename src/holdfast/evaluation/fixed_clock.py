"""A clock whose wall time stands still at the moment a question is asked."""

from __future__ import annotations

import time

__all__ = ["FixedClock"]


class FixedClock:
    """Tells the moment that it was set to; what measures how long something takes goes on."""

    def __init__(self, now: float) -> None:
        self._now = now

    def move_to(self, now: float) -> None:
        """Set it to another moment."""
        self._now = now

    def now(self) -> float:
        """Return the moment the question is asked."""
        return self._now

    def monotonic(self) -> float:
        """Return seconds that only ever grow."""
        return time.monotonic()
