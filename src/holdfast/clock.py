"""Time as a value that is passed in, so that a test can make it jump."""

from __future__ import annotations

import time
from typing import Protocol

__all__ = ["Clock", "FakeClock", "SystemClock"]


class Clock(Protocol):
    """The clock that the rooms ask about time."""

    def now(self) -> float:
        """Seconds since 1970 in UTC; may jump either way."""
        ...

    def monotonic(self) -> float:
        """Seconds that only ever grow; for waiting and for intervals."""
        ...


class SystemClock:
    """The machine's clocks."""

    def now(self) -> float:
        """Seconds since 1970 in UTC."""
        return time.time()

    def monotonic(self) -> float:
        """Seconds that only ever grow."""
        return time.monotonic()


class FakeClock:
    """A clock that stands still until a test moves it."""

    def __init__(self, now: float = 1_700_000_000.0) -> None:
        self.wall = now
        self.steady = 0.0

    def now(self) -> float:
        """The wall time last set."""
        return self.wall

    def monotonic(self) -> float:
        """The steady time last set."""
        return self.steady

    def advance(self, seconds: float) -> None:
        """Move both clocks forward."""
        self.wall += seconds
        self.steady += seconds

    def jump(self, seconds: float) -> None:
        """Move only the wall clock, as a time server or a person would."""
        self.wall += seconds
