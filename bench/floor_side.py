"""The floor as a system under comparison: `floor.py` as a process, and its search in a warm worker."""

from __future__ import annotations

import sys
from pathlib import Path

from measure import Asker, Cost, Worker, run

__all__ = ["Floor"]


class Floor:
    """SQLite's full-text search with nothing around it."""

    name = "floor"

    def __init__(self, home: Path, state: Path) -> None:
        state.mkdir(parents=True, exist_ok=True)
        self._notes, self._database = home / "memory", state / "floor.sqlite"
        self._script = [sys.executable, str(Path(__file__).resolve().with_name("floor.py"))]

    def index(self, *, fresh: bool) -> Cost:
        """Index the notes in a new process."""
        if fresh:
            self._database.unlink(missing_ok=True)
        return run([*self._script, "index", str(self._notes), str(self._database)])

    def cold(self, query: str) -> Cost:
        """Search once in a new process."""
        return run([*self._script, "search", str(self._database), query])

    def size(self) -> int:
        """Bytes of the database."""
        return self._database.stat().st_size

    def warm(self) -> Asker:
        """A worker with the database open."""
        return Worker("floor", str(self._database))
