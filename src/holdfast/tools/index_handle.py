"""The open index of one agent: opened when it is first needed, and anew when another file stands at its path."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from holdfast.clock import Clock
from holdfast.index.freshness import Freshness

if TYPE_CHECKING:
    from holdfast.index.sqlite.database import Database

__all__ = ["IndexHandle"]


class IndexHandle:
    """Opens the index of a memory for all its threads; many commands do without it."""

    def __init__(self, path: str, clock: Clock, extension_path: str | None) -> None:
        self._path, self._clock, self._extension_path = path, clock, extension_path
        self._lock = threading.Lock()
        self._open: tuple[Database, Freshness] | None = None

    def current(self) -> Database:
        """The index at its path now.

        Where the file was removed or set aside, whoever is at work with the old one fails: what it knows of that (the
        numbers of editions and spaces) must not get into the new one.
        """
        return self._current()[0]

    def freshness(self) -> Freshness:
        """When to look at the notes again: at once, where the index is a new one."""
        return self._current()[1]

    def _current(self) -> tuple[Database, Freshness]:
        with self._lock:
            if self._open is None or not self._open[0].is_current():
                from holdfast.index.sqlite.database import Database

                self._let_go()  # first: two logs of one database, old and new, can't be in use in one process
                database = Database(self._path, extension_path=self._extension_path)
                self._open = database, Freshness(self._clock, database)
            return self._open

    def close(self) -> None:
        """Close the index; a second call does nothing."""
        with self._lock:
            self._let_go()

    def _let_go(self) -> None:
        if self._open is not None:
            self._open[0].close()
            self._open = None
