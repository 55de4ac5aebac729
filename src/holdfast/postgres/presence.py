"""The knowledge whether the database answers: shared by all who ask something of it, and told once for each outage.

While it is away, nobody waits for it: one thread looks for it every second. A database that takes what is asked and
says nothing (a network that drops packets, a machine that stands still) is found out by whoever waits too long: it
asks over a line of its own whether anybody is answered.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

__all__ = ["AWAY", "SILENT", "Presence", "has_no_room"]

AWAY: Final = "the database is away, and this is what this server knew last"
"""What is said of an answer that is not the database's."""
SILENT: Final = "it takes what is asked, and does not answer"
_LOOK_SECONDS: Final = 1.0
_NO_ROOM: Final = ("too many", "connection slots")


class Presence:
    """Says whether the database answers; `tell` hears of it once when it goes, and once when it is back.

    `look` asks it something over a line of its own and says why there is no answer, "" where there is one. Who waits
    for an answer for longer than `patience` seconds has it called.
    """

    def __init__(self, tell: Callable[[str], None], look: Callable[[], str], patience: float) -> None:
        self._tell, self._look, self.patience = tell, look, patience
        self._lock, self._looking = threading.Lock(), threading.Lock()
        self._over = threading.Event()
        self._away_since: float | None = None
        self._is_sought = False
        self._looked, self._found = 0.0, ""
        self.silent_at = 0.0
        """When an answer was last waited for in vain: what was connected before may be dead."""
        self.refusals, self.why, self.remedy = 0, "", ""
        """How often no connection could be made, and why there is none."""

    @property
    def is_away(self) -> bool:
        """Say whether nobody should wait for it."""
        return self._away_since is not None

    def close(self) -> None:
        """Look for it no more."""
        self._over.set()

    def note_refusal(self, why: str, remedy: str) -> None:
        """A connection could not be made."""
        self.why, self.remedy = why, remedy
        self.refusals += 1

    def note_away(self) -> None:
        """Nothing can be asked of it; from now on it is looked for."""
        with self._lock:
            is_news, is_sought = self._away_since is None, self._is_sought
            self._away_since = self._away_since or time.monotonic()
            self._is_sought = True
        if not is_sought:
            threading.Thread(target=self._seek, name="holdfast-presence", daemon=True).start()
        if is_news:
            what_goes_on = "Searches and notes are answered from what is here; nothing is saved."
            self._tell(f"The database is away ({self.why}). {what_goes_on}")

    def note_back(self) -> None:
        """A statement was answered."""
        if self._away_since is None:
            return
        with self._lock:
            since, self._away_since = self._away_since, None
        if since is not None:
            self._tell(f"The database answers again, after {time.monotonic() - since:.0f} seconds.")

    def is_silent(self) -> bool:
        """Say whether it answers nobody, for who has waited too long; one look serves all who wait."""
        asked = time.monotonic()
        with self._looking:
            if self.is_away:
                return True
            if self._looked < asked:
                self._found, self._looked = self._look(), time.monotonic()
            if self._found and not has_no_room(self._found):
                self.silent_at = time.monotonic()
                self.why, self.remedy = self._found, ""
                self.note_away()
            return self.is_away

    def _seek(self) -> None:
        while not self._over.wait(_LOOK_SECONDS):
            with self._lock:
                if self._away_since is None:
                    self._is_sought = False
                    return
            if not self._look():
                self.note_back()


def has_no_room(why: str) -> bool:
    """Say whether a database answered that it has no room for one more connection: those that there are go on."""
    return any(word in why.lower() for word in _NO_ROOM)
