"""What the batch services of all providers have in common at the test server: jobs, what goes wrong, who is struck."""

from __future__ import annotations

import threading
import uuid
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any

import provider_faults as faults
from provider_exchange import Ask, Reply, Route
from provider_server import ProviderServer

__all__ = ["PARTIAL", "SPOILT", "BatchService", "Mishap", "arranged"]


class Mishap(StrEnum):
    """What a job meets; the numbers that are paid are those of the rows that were computed."""

    NONE = "none"
    CREATED_BUT_500 = "created, answered with 500"
    CREATED_BUT_CUT = "created, answered with half a body"
    FAILED = "failed before its first row"
    EXPIRED = "expired with half of its rows done"
    CANCELLED = "cancelled with half of its rows done"
    ERROR_ROW = "one row refused"
    MISSING = "one row left out"
    DUPLICATED = "one row twice, with two vectors"
    REPEATED = "one row twice, with the same vector"
    UNKNOWN = "a row that nobody asked for"
    NAN = "a vector with NaN"
    ZERO = "a vector of zeros"
    SHORT = "a vector with a number too few"
    WORDS = "a vector of words"
    CUT_LINE = "the last line cut off, for good"
    HTML = "a page instead of the results, for good"
    LOST = "the results are gone"
    ENDLESS = "it never ends"


SPOILT = {
    Mishap.NAN: faults.NAN,
    Mishap.ZERO: faults.ZERO,
    Mishap.SHORT: faults.WRONG_DIMENSIONS,
    Mishap.WORDS: faults.WRONG_SHAPE,
}
PARTIAL = (Mishap.EXPIRED, Mishap.CANCELLED)


class BatchService(ABC):
    """Jobs run when they are created, and are ready after so many looks; `server.paid` counts every text computed."""

    def __init__(self, server: ProviderServer) -> None:
        self.server = server
        self.polls = 2
        self.lag = 0  # how often a list is given before new jobs are on it
        self.files: dict[str, bytes] = {}
        self.jobs: dict[str, dict[str, Any]] = {}
        self.struck: Callable[[str, bool], None] | None = None
        self._mishaps: deque[Mishap] = deque()
        self._lock = threading.RLock()
        server.add([(method, path, self._guarded(route)) for method, path, route in self.routes()])

    @abstractmethod
    def routes(self) -> Sequence[tuple[str, str, Route]]:
        """What the service answers to."""

    def next(self, *mishaps: Mishap) -> None:
        """What the next jobs meet, one after the other."""
        self._mishaps.extend(mishaps)

    def mishap(self) -> Mishap:
        """What the job that is being created meets."""
        return self._mishaps.popleft() if self._mishaps else Mishap.NONE

    def newest_first(self) -> list[dict[str, Any]]:
        """The jobs that a list shows."""
        self.lag -= 1
        return [] if self.lag >= 0 else [job["shown"] for job in reversed(self.jobs.values())]

    def keep(self, prefix: str, content: bytes) -> str:
        """Store a file, and give its id."""
        name = f"{prefix}{uuid.uuid4().hex[:20]}"
        self.files[name] = content
        return name

    def _guarded(self, route: Route) -> Route:
        def guarded(ask: Ask) -> Reply:
            with self._lock:
                where = f"{ask.seen.method} {ask.seen.path}"
                if self.struck is not None:
                    self.struck(where, False)
                reply = route(ask)
                if self.struck is not None:
                    self.struck(where, True)
                return reply

        return guarded


def arranged(mishap: Mishap, lines: list[bytes], changed: Callable[[bytes], bytes], strange: bytes) -> bytes:
    """The result file as the mishap leaves it; `changed` gives a line another vector."""
    match mishap:
        case Mishap.MISSING:
            lines = lines[1:]
        case Mishap.DUPLICATED:
            lines = [*lines, changed(lines[0])]
        case Mishap.REPEATED:
            lines = [*lines, lines[0]]
        case Mishap.UNKNOWN:
            lines = [*lines, strange]
        case Mishap.CUT_LINE:
            lines = [*lines[:-1], lines[-1][: len(lines[-1]) // 2]]
        case Mishap.HTML:
            lines = [b"<!DOCTYPE html>", b"<p>Please log in.</p>"]
    return b"".join(line if line.endswith(b"\n") else line + b"\n" for line in reversed(lines))
