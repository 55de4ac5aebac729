"""Decide whether the database answers, for whoever keeps the log of a server: told once for each outage."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

__all__ = ["AWAY", "Presence"]

AWAY: Final = "the database is away, and this is what this server knew last"
"""What is said of an answer that is not the database's."""


class Presence:
    """Says whether the database answers; `tell` hears of it once when it goes, and once when it is back."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell, self._lock = tell, threading.Lock()
        self._away_since: float | None = None

    def note_away(self, why: str) -> None:
        """No connection could be made."""
        with self._lock:
            is_news = self._away_since is None
            self._away_since = self._away_since or time.monotonic()
        if is_news:
            self._tell(
                f"The database is away ({why}). Searches and notes are answered from what is here; nothing is saved."
            )

    def note_back(self) -> None:
        """A statement was answered."""
        if self._away_since is None:
            return
        with self._lock:
            since, self._away_since = self._away_since, None
        if since is not None:
            self._tell(f"The database answers again, after {time.monotonic() - since:.0f} seconds.")
