"""Holdfast as a system under comparison: its command as a process, and `Memory.search` in a warm worker."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from measure import Asker, CommandError, Cost, Worker, run

__all__ = ["Holdfast", "missing"]


def _command() -> str:
    """The console script beside the Python that runs the bench."""
    return str(Path(sys.executable).with_name("holdfast"))


def missing() -> str | None:
    """Why Holdfast can't be measured here, or None when it can."""
    try:
        run([sys.executable, "-c", "from holdfast import Memory"])
        run([_command(), "search", "--help"])
    except CommandError as reason:
        return str(reason)
    return None


class Holdfast:
    """The product, on a home whose notes lie in its `memory/` directory."""

    name = "holdfast"

    def __init__(self, home: Path) -> None:
        self._home = home

    def index(self, *, fresh: bool) -> Cost:
        """`holdfast index` in a new process; fresh means a home that was never indexed."""
        if fresh:
            shutil.rmtree(self._home / "state", ignore_errors=True)
        return run([_command(), "index", "--home", str(self._home)])

    def cold(self, query: str) -> Cost:
        """`holdfast search --json` in a new process."""
        return run([_command(), "search", query, "--json", "--home", str(self._home)])

    def size(self) -> int:
        """Bytes of the index: what lies in `state/`, less checkpoints and locks, which are not derived from notes."""
        state = self._home / "state"
        files = (path for path in state.rglob("*") if path.is_file())
        kept = (path for path in files if path.relative_to(state).parts[0] not in ("checkpoints", "locks"))
        return sum(path.stat().st_size for path in kept)

    def warm(self) -> Asker:
        """A worker with the memory open."""
        return Worker("holdfast", str(self._home))
