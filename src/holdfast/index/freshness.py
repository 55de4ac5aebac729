"""When a search should look at the notes on disk before it answers.

Looking costs a walk over all notes. With few notes it is so cheap that every search looks, and an edit made outside
is found by the very next one. With many, the next look waits until a multiple of what the last one cost has passed,
in whichever process that was: looking then never takes more than a fiftieth of the time, and what a search finds is
not older than five seconds. Where a look takes so long that this would be a fifth of the time (from some fifty thousand
notes on), it is older: five times what a look takes.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from holdfast.clock import Clock

__all__ = ["Freshness", "Ledger", "Look"]

_CHEAP_MS = 25.0  # some three thousand notes
_SHARE = 50
_LONGEST = 5.0  # seconds
_LEAST_SHARE = 5


class Look(NamedTuple):
    """When somebody last looked (seconds since 1970), and what it cost."""

    at: float
    cost_ms: float


class Ledger(Protocol):
    """Where looks are written down for other processes."""

    def last_look(self) -> Look | None:
        """The last look of any process."""
        ...

    def record_look(self, look: Look) -> None:
        """Write one down."""
        ...


class Freshness:
    """Remembers the last look."""

    def __init__(self, clock: Clock, ledger: Ledger) -> None:
        self._clock = clock
        self._ledger = ledger
        self._last = ledger.last_look()

    def due(self) -> bool:
        """Whether it is time to look; a clock that went backwards is a reason to."""
        if self._last is None or self._last.cost_ms < _CHEAP_MS:
            return True
        cost = self._last.cost_ms / 1000
        pause = max(min(_LONGEST, cost * _SHARE), cost * _LEAST_SHARE)
        return not 0.0 <= self._clock.now() - self._last.at < pause

    def looked(self, cost_ms: float) -> None:
        """A look has just been taken; one that changed much counts as no more than the longest pause."""
        self._last = Look(self._clock.now(), cost_ms)
        if cost_ms >= _CHEAP_MS:
            self._ledger.record_look(self._last)
