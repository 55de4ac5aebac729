"""How often a text was read after a search had found it; by its hash, so that the count outlives moves and rebuilds.

It is a file of its own: the index may be deleted without a thought, and counting must not make every search look as if
the index had changed. What can't be counted is not counted: a read must not fail for it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import closing, suppress
from typing import Any

import apsw

__all__ = ["Usage"]

_WAIT_MS = 200
_MOST = 100_000  # texts; those that were read longest ago go first


class Usage:
    """The counts of one agent."""

    def __init__(self, path: str) -> None:
        self._path = path

    def record(self, text_hash: str, now: float) -> None:
        """Count one read."""
        with suppress(apsw.Error, OSError):
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            with closing(apsw.Connection(self._path)) as raw:
                raw.set_busy_timeout(_WAIT_MS)
                raw.execute("CREATE TABLE IF NOT EXISTS uses(hash TEXT PRIMARY KEY, times INTEGER, last REAL)")
                raw.execute(
                    "INSERT INTO uses VALUES (?1, 1, ?2) ON CONFLICT(hash) DO UPDATE SET times = times + 1, "
                    "last = max(last, ?2)",
                    (text_hash, now),
                )
                raw.execute(
                    "DELETE FROM uses WHERE hash IN (SELECT hash FROM uses ORDER BY last DESC LIMIT -1 OFFSET ?)",
                    (_MOST,),
                )

    def of(self, hashes: Sequence[str]) -> dict[str, tuple[int, float]]:
        """For those of the texts that were read: how often, and when last."""
        if not os.path.exists(self._path):
            return {}
        with suppress(apsw.Error), closing(apsw.Connection(self._path, flags=apsw.SQLITE_OPEN_READONLY)) as raw:
            raw.set_busy_timeout(_WAIT_MS)
            rows: list[Any] = raw.execute(
                "SELECT hash, times, last FROM uses WHERE hash IN (SELECT value FROM json_each(?))",
                (json.dumps(list(hashes)),),
            ).fetchall()
            return {text_hash: (times, last) for text_hash, times, last in rows}
        return {}

    def forget(self, keep: Sequence[str]) -> None:
        """Drop every count but those of these texts, and what the neighbour knows of others: a hash is a trace, too."""
        from holdfast.index.sqlite.signals import Signals, signals_beside

        Signals(signals_beside(self._path.removesuffix(".usage"))).forget(keep)
        if not os.path.exists(self._path):
            return
        with suppress(apsw.Error), closing(apsw.Connection(self._path)) as raw:
            raw.set_busy_timeout(_WAIT_MS)
            raw.execute("PRAGMA secure_delete=ON")
            raw.execute(
                "DELETE FROM uses WHERE hash NOT IN (SELECT value FROM json_each(?))", (json.dumps(list(keep)),)
            )
