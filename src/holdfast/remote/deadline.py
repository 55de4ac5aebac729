"""The time that a call may take in all, retries and waiting included, on a clock that never jumps."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["Deadline"]


class Deadline:
    """A moment on a monotonic clock; everything that is done for one call shares it. `math.inf` seconds never end."""

    def __init__(self, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self._now = now
        self._end = now() + seconds

    def fresh(self, seconds: float) -> Deadline:
        """Another one on the same clock, from now on."""
        return Deadline(seconds, self._now)

    def remaining(self) -> float:
        """Seconds left; never below zero."""
        return max(0.0, self._end - self._now())

    @property
    def passed(self) -> bool:
        """Say whether the time is up."""
        return self.remaining() <= 0.0

    def __repr__(self) -> str:
        return f"Deadline({self.seconds:g} s, {self.remaining():.3f} s left)"
