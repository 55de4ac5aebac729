"""Tell everybody who listens what happens, as server-sent events. Nobody who is slow keeps anybody else waiting."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import deque
from collections.abc import AsyncIterator
from typing import Any, Final

from holdfast.guard.argument_types import check_choice
from holdfast.named_tuple import NamedTuple
from holdfast.surfaces.http.request_guard import Refusal
from holdfast.surfaces.http.responses import as_json

__all__ = ["KINDS", "PLACE", "Bus", "ServerEvent"]

PLACE: Final = "X-Holdfast-Event"
"""The header with the last event before an answer to a page was begun, or from where a line tells."""

KINDS: Final = ("sync", "write", "capture", "dream", "job", "session", "settings", "inbox")
_REMEMBERED: Final = 256  # events for those who come back
_WAITING: Final = 256  # events for one listener who does not read
_MOST_LISTENERS: Final = 64
_MOST_OF_ONE: Final = 6  # lines of one browser: it has no more connections to one server
_HEARTBEAT: Final = 15.0  # seconds; proxies and browsers give up a silent line after a minute
_RETRY: Final = b"retry: 2000\n\n"
_PING: Final = b": still here\n\n"


class ServerEvent(NamedTuple):
    """One event, with a number that grows."""

    number: int
    kind: str
    agent: str
    at: float
    data: dict[str, Any]


class _Listener:
    """One line, with what waits for it; it belongs to the loop it was made in."""

    def __init__(self, browser: str) -> None:
        self.browser = browser
        self.loop = asyncio.get_running_loop()
        self.waiting: asyncio.Queue[ServerEvent | None] = asyncio.Queue(_WAITING)
        self.missed = False

    def offer(self, event: ServerEvent | None) -> None:
        """Runs in the loop. Who does not read misses something, and is told so."""
        if self.waiting.full():
            self.missed = True
            self.waiting.get_nowait()
        self.waiting.put_nowait(event)


class Bus:
    """Tells from any thread, listens in the server's loop."""

    def __init__(self) -> None:
        self._boot = os.urandom(4).hex()
        self._number = 0
        self._past: deque[ServerEvent] = deque(maxlen=_REMEMBERED)
        self._listeners: set[_Listener] = set()
        self._lock = threading.Lock()
        self._closed = False

    def tell(self, kind: str, agent: str, data: dict[str, Any]) -> None:
        """Something happened."""
        with self._lock:
            self._number += 1
            event = ServerEvent(self._number, kind, agent, time.time(), data)
            self._past.append(event)
            self._offer(event)

    def close(self) -> None:
        """Every line ends, and no other begins."""
        with self._lock:
            self._closed = True
            self._offer(None)

    @property
    def place(self) -> str:
        """Return the id of the last event: who listens from there hears all that comes."""
        return f"{self._boot}-{self._number}"

    @property
    def listeners(self) -> int:
        """Return how many listen now; the lines of one browser are one."""
        with self._lock:
            browsers = {listener.browser for listener in self._listeners if listener.browser}
            return len(browsers) + sum(not listener.browser for listener in self._listeners)

    def listen(self, kinds: frozenset[str] | None, last: str | None, browser: str = "") -> AsyncIterator[bytes]:
        """The events from now on as they are sent; with the id of the last one that was seen, those after it first.

        All lines of one browser count as one listener, and it has a few at the most.
        """
        for kind in kinds or ():
            check_choice("kinds", kind, KINDS)
        with self._lock:
            mine = [listener for listener in self._listeners if browser and listener.browser == browser]
        if len(mine) >= _MOST_OF_ONE or (not mine and self.listeners >= _MOST_LISTENERS):
            why = f"{len(mine) or _MOST_LISTENERS} listen already; try again when one of them has gone."
            raise Refusal(429, "Busy", why, (("Retry-After", "5"),))
        return self._lines(kinds, last, browser)

    async def _lines(self, kinds: frozenset[str] | None, last: str | None, browser: str) -> AsyncIterator[bytes]:
        listener = _Listener(browser)
        with self._lock:
            past, missed = self._since(last)
            closed = self._closed
            self._listeners.add(listener)
        try:
            yield _RETRY
            if missed:
                yield self._told_of_gap()
            for event in past:
                if kinds is None or event.kind in kinds:
                    yield self._told(event)
            while not closed:
                try:
                    found = await asyncio.wait_for(listener.waiting.get(), _HEARTBEAT)
                except TimeoutError:
                    yield _PING
                    continue
                if listener.missed:
                    listener.missed = False
                    yield self._told_of_gap()
                if found is None:
                    return
                if kinds is None or found.kind in kinds:
                    yield self._told(found)
        finally:
            with self._lock:
                self._listeners.discard(listener)

    def _since(self, last: str | None) -> tuple[list[ServerEvent], bool]:
        """Return what came after an event, and whether something in between is forgotten."""
        if not last:
            return [], False
        boot, _, number = last.partition("-")
        if boot != self._boot or not (number.isascii() and number.isdigit() and len(number) < 16):
            return list(self._past), True  # another run of the server, whose numbers are not ours
        seen = int(number)
        after = [event for event in self._past if event.number > seen]
        if self._past:
            oldest = self._past[0].number
        else:
            oldest = self._number + 1
        return after, seen < oldest - 1

    def _told(self, event: ServerEvent) -> bytes:
        data = as_json({"kind": event.kind, "agent": event.agent, "at": event.at, **event.data})
        return b"id: %s-%d\nevent: %s\ndata: %s\n\n" % (self._boot.encode(), event.number, event.kind.encode(), data)

    def _told_of_gap(self) -> bytes:
        return b'event: missed\ndata: {"kind":"missed"}\n\n'

    def _offer(self, event: ServerEvent | None) -> None:
        for listener in self._listeners:
            try:
                listener.loop.call_soon_threadsafe(listener.offer, event)
            except RuntimeError:
                continue  # its loop has ended; so has the line
