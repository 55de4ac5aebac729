"""The watchers of this process: which of them listen now, and how much each has heard."""

from __future__ import annotations

import threading
from contextlib import suppress
from itertools import count

__all__ = ["Watcher", "last_event"]

_LOCK = threading.Lock()
_EVENTS = count(1)  # of all watchers: one that takes the place of another has no count of the other's
_LISTENERS: dict[tuple[str, str], list[Watcher]] = {}


class Watcher:
    """A watcher of an agent's notes.

    It counts only while it listens to all of their directories.
    """

    def __init__(self, home: str, agent: str) -> None:
        self._notes = (home, agent)
        self.events = 0
        """The number of the last event that it heard."""

    def listen(self) -> None:
        """Start counting."""
        with _LOCK:
            listeners = _LISTENERS.setdefault(self._notes, [])
            if self not in listeners:
                self.hear()  # what changed before that woke nobody
                listeners.append(self)

    def hear(self) -> None:
        """Record that something happened to the notes."""
        self.events = next(_EVENTS)

    def pause(self) -> None:
        """Stop counting: the directories may be others by now."""
        with _LOCK, suppress(KeyError, ValueError):
            listeners = _LISTENERS[self._notes]
            listeners.remove(self)
            if not listeners:
                del _LISTENERS[self._notes]


def last_event(home: str, agent: str) -> int | None:
    """Return the last event that the watcher of these notes heard.

    None where no watcher listens in this process.
    """
    with _LOCK:
        listeners = _LISTENERS.get((home, agent))
        return listeners[0].events if listeners else None
