"""Keep what settings were before a page changed them, secrets as well: they are put back without being told.

In memory alone, and for the last few changes: a secret that was replaced is on no disk.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping
from typing import Any, Final

from holdfast.surfaces.http.refusal import Refusal

__all__ = ["EarlierSettings"]

_MOST: Final = 32


class EarlierSettings:
    """The values before the last changes, by an id that only whoever made the change was told."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[str | None, Mapping[str, Any]]] = {}

    def keep(self, agent: str | None, before: Mapping[str, Any]) -> str:
        """Keep the values of a file before a change, that of the agent or the home's; gives the id of the change."""
        made = secrets.token_hex(8)
        with self._lock:
            self._kept[made] = (agent, before)
            while len(self._kept) > _MOST:
                del self._kept[next(iter(self._kept))]
        return made

    def take(self, change: str, agent: str | None) -> Mapping[str, Any]:
        """Give the values before a change of this agent's file, once."""
        with self._lock:
            of, before = self._kept.get(change, (None, None))
            if before is None or of != agent:
                raise Refusal(404, "NotFound", "What these settings were before is no longer known.")
            del self._kept[change]
        return before
