"""Decide when a search should look at the notes on disk before it answers.

Looking costs a walk over all notes. What Holdfast writes, in whichever process, is in the index before the write is
acknowledged, or is owed to the next search (`sqlite/owed_file.py`): a look finds what was edited by hand. With few
notes it is so cheap that every search looks, and such an edit is found by the very next one; where that took long, the
machine was busy with something else. With some hundred, the next look waits a moment. With many, it waits until a
multiple of what the last one cost has passed, in whichever process that was: looking then never takes more than a
fiftieth of the time, and what a search finds is not older than five seconds. Where a look takes so long that this would
be a fifth of the time (from some fifty thousand notes on), it is older: five times what a look takes. Where a watcher
of this process listens, there is nothing to look for until it has heard something. Where a database counts the changes
of all servers, a search looks when that number is another, and else never; there it answers before a look only where
that takes a second, since what other servers saved is found by it alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from holdfast.clock import Clock
from holdfast.named_tuple import NamedTuple

__all__ = ["FEW_NOTES", "MOMENT", "Freshness", "Ledger", "Look"]

FEW_NOTES = 100  # a look at these takes about half a millisecond
MOMENT = 0.25  # seconds: shorter than it takes a person to go from an editor to a question
_CHEAP_MS = 25.0  # some three thousand notes
_DEAR_MS = 100.0  # some ten thousand notes; a fiftieth of the longest pause
_DEAR_COUNTED_MS = 1000.0  # where all changes are counted
_SHARE = 50
_LONGEST = 5.0  # seconds
_LEAST_SHARE = 5


class Look(NamedTuple):
    """Says when somebody last looked (seconds since 1970), and what it cost."""

    at: float
    cost_ms: float


class Ledger(Protocol):
    """Says where looks are written down for other processes."""

    def last_look(self) -> Look | None:
        """Return the last look of any process."""
        ...

    def record_look(self, look: Look) -> None:
        """Write one down."""
        ...


class Freshness:
    """Remembers the last look.

    `events` counts what a watcher of this process has heard of the notes; None where none listens. `changes` counts
    all changes of anybody's; None where nobody does.
    """

    def __init__(
        self,
        clock: Clock,
        ledger: Ledger,
        events: Callable[[], int | None] = lambda: None,
        changes: Callable[[], int | None] = lambda: None,
    ) -> None:
        self._clock = clock
        self._ledger = ledger
        self._last = ledger.last_look()
        self._notes: int | None = None
        self._events = events
        self._seen: int | None = None
        self._changes = changes
        self._counted: int | None = None

    def due(self) -> bool:
        """Say whether it is time to look; a clock that went backwards is a reason to."""
        changes = self._changes()
        if changes is not None:
            return self._last is None or changes != self._counted
        if not self._is_due(self._last):
            return False
        if self._last is None or self._last.cost_ms < _CHEAP_MS:
            return True
        self._last = self._ledger.last_look() or self._last  # another process, or another thread, may have looked
        return self._is_due(self._last)

    @property
    def is_dear(self) -> bool:
        """Say whether a look takes so long that a search had better answer first."""
        if self._last is None:
            return False
        if self._counted is not None:
            return self._last.cost_ms >= _DEAR_COUNTED_MS
        return self._last.cost_ms >= _DEAR_MS and not self._has_few

    def age(self) -> float:
        """Return seconds since the last look."""
        if self._last is None:
            return 0.0
        return max(0.0, self._clock.now() - self._last.at)

    def looked(
        self, cost_ms: float, notes: int | None = None, events: int | None = None, changes: int | None = None
    ) -> None:
        """Note the cost of a look that has just ended, its notes, and what was heard and counted before it."""
        self._counted = changes
        self._last, self._notes, self._seen = Look(self._clock.now(), cost_ms), notes, events
        if cost_ms >= _CHEAP_MS and not self._has_few:
            self._ledger.record_look(self._last)

    def doubt(self) -> None:
        """Make the next search look: the index could not take what was written."""
        self._last = None

    @property
    def _has_few(self) -> bool:
        """Say whether this process has found so few notes that a look at them is cheap, whatever the last one took."""
        return self._notes is not None and self._notes < FEW_NOTES

    def _is_due(self, last: Look | None) -> bool:
        return last is None or not 0.0 <= self._clock.now() - last.at < self._pause(last)

    def _pause(self, last: Look) -> float:
        """Return how many seconds a search waits after a look before it takes another."""
        cost = last.cost_ms / 1000
        if self._has_few:
            return 0.0
        if last.cost_ms >= _CHEAP_MS:
            pause = max(min(_LONGEST, cost * _SHARE), cost * _LEAST_SHARE)
        elif self._notes is not None:
            pause = MOMENT
        else:
            return 0.0
        heard_nothing = self._seen is not None and self._events() == self._seen
        # Not for ever: a network's file system may tell a watcher nothing.
        if not heard_nothing:
            return pause
        return max(pause, _LONGEST)
