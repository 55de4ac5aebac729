"""When a search should look at the notes on disk before it answers.

Looking costs a walk over all notes. A process that has just started looks once; one that searches all the time
looks again after a pause that is a multiple of what the last look cost, so that looking never takes more than a
twentieth of the time, however many notes there are.
"""

from __future__ import annotations

from holdfast.clock import Clock

__all__ = ["Freshness"]

_PAUSE = 1.5  # seconds; the same as the watcher's debounce
_SHARE = 20


class Freshness:
    """Remembers the last look; `stale()` makes the next search look again."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._next: float | None = None

    def due(self) -> bool:
        """Whether it is time to look."""
        return self._next is None or self._clock.monotonic() >= self._next

    def looked(self, cost_ms: float) -> None:
        """A look has just been taken, and this is what it cost."""
        self._next = self._clock.monotonic() + max(_PAUSE, cost_ms / 1000 * _SHARE)

    def stale(self) -> None:
        """Something is known to have changed."""
        self._next = None
