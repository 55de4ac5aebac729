"""The undo of settings that a page changed: earlier values, secrets too, are put back without being shown.

In memory alone, and for the last few changes: a secret that was replaced is on no disk.
"""

from __future__ import annotations

import secrets
import threading
from typing import Final

from holdfast.operations.settings_list import ChangedSettings
from holdfast.surfaces.http.refusal import Refusal

__all__ = ["EarlierSettings"]

_MOST: Final = 32


class EarlierSettings:
    """The last changes, by an id that only whoever made the change was told."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[str | None, ChangedSettings]] = {}

    def keep(self, agent: str | None, made: ChangedSettings) -> str:
        """Keep what a change did to a file, that of the agent or the home's; gives the id of the change."""
        change = secrets.token_hex(8)
        with self._lock:
            self._kept[change] = (agent, made)
            while len(self._kept) > _MOST:
                del self._kept[next(iter(self._kept))]
        return change

    def take(self, change: str, agent: str | None) -> ChangedSettings:
        """Give what a change of this agent's file did, once."""
        with self._lock:
            of, made = self._kept.get(change, (None, None))
            if made is None or of != agent:
                raise Refusal(404, "NotFound", "What these settings were before is no longer known.")
            del self._kept[change]
        return made
