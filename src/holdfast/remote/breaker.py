"""Decide whether a provider that failed is worth asking again yet."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from enum import StrEnum

__all__ = ["Breaker", "BreakerState"]


class BreakerState(StrEnum):
    """Closed lets every call through, open none, and a trial exactly one."""

    CLOSED = "closed"
    OPEN = "open"
    TRIAL = "trial"


class Breaker:
    """Opens after so many failures in a row, rests, then lets one trial call at a time through; threads may share it.

    Whoever was allowed must say `succeeded()` or `failed(why)`. A trial that says neither (its thread was killed)
    would keep the provider out for ever, so its claim ends after another rest.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic, failures: int = 3, rest: float = 60.0) -> None:
        self._now = now
        self._limit = failures
        self._rest = rest
        self._lock = threading.Lock()
        self._state = BreakerState.CLOSED
        self._failed = 0
        self._since = 0.0
        self._because = ""

    def allows(self) -> bool:
        """Say whether a call may go out now; True while open claims the one trial."""
        with self._lock:
            if self._state is BreakerState.CLOSED:
                return True
            if self._now() - self._since < self._rest:
                return False
            self._state, self._since = BreakerState.TRIAL, self._now()
            return True

    def succeeded(self) -> None:
        """The provider answered: everything is forgotten."""
        with self._lock:
            self._state, self._failed, self._because = BreakerState.CLOSED, 0, ""

    def failed(self, why: str) -> None:
        """The provider did not answer; the trial's failure starts the rest anew."""
        with self._lock:
            self._failed += 1
            self._because = why
            if self._state is BreakerState.OPEN:
                return  # a straggler that was sent before it opened: the rest is not made longer by it
            if self._state is BreakerState.TRIAL or self._failed >= self._limit:
                self._state, self._since = BreakerState.OPEN, self._now()

    @property
    def state(self) -> BreakerState:
        """Return the state for `status`; looking claims nothing."""
        with self._lock:
            return self._state

    @property
    def because(self) -> str:
        """Return the message of the last failure; empty when the last call succeeded."""
        with self._lock:
            return self._because

    def rest_seconds(self) -> float:
        """Seconds until the next call may go out; 0 when one may now."""
        with self._lock:
            if self._state is BreakerState.CLOSED:
                return 0.0
            return max(0.0, self._rest - (self._now() - self._since))

    def __repr__(self) -> str:
        return f"Breaker({self.state})"
