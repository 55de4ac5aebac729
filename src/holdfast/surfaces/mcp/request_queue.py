"""The messages of one client that wait for their turn, and its requests that are being answered.

A client may send any number of requests before it reads an answer. Each one that is being answered holds a task and
later its answer, so only a few are at a time; the others wait here, and where too much waits nothing more is read.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import Final

import anyio
from mcp_types import JSONRPCMessage, JSONRPCNotification, JSONRPCRequest

__all__ = ["RequestQueue"]

MAX_REQUESTS: Final = 32  # being answered; an answer has 4 MB at the most, so 128 MB in all
MAX_LISTENERS: Final = 256 + 32  # requests without an end: as many as are accepted, and some that are refused
MAX_WAITING: Final = 1_024  # messages; there are clients that send a thousand before they read
MAX_WAITING_BYTES: Final = 8 * 1024 * 1024
_LISTEN: Final = "subscriptions/listen"
_CANCELLED: Final = "notifications/cancelled"


class RequestQueue:
    """Gives the messages in their order; a request comes out once there is a place for it."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[JSONRPCMessage, int]] = deque()
        self._waiting_bytes = 0
        self._requests: Counter[str | int] = Counter()  # a broken client may use an id twice
        self._listeners: Counter[str | int] = Counter()
        self._changed = anyio.Condition()

    async def put(self, message: JSONRPCMessage, size: int) -> None:
        """Add a message of so many bytes, as soon as there is room."""
        async with self._changed:
            cancelled = _cancelled_id(message)
            if cancelled is not None and self._withdraw(cancelled):
                self._changed.notify_all()
                return
            while cancelled is None and self._is_full(size):
                await self._changed.wait()
            if cancelled is None:
                self._waiting.append((message, size))
            else:
                self._waiting.appendleft((message, size))  # it would be too late behind the others
            self._waiting_bytes += size
            self._changed.notify_all()

    async def get(self) -> JSONRPCMessage:
        """Take the next message; a request is being answered from now on."""
        async with self._changed:
            while not self._waiting or not self._has_place(self._waiting[0][0]):
                await self._changed.wait()
            message, size = self._waiting.popleft()
            self._waiting_bytes -= size
            if isinstance(message, JSONRPCRequest):
                self._places_of(message)[message.id] += 1
            cancelled = _cancelled_id(message)
            if cancelled is not None:
                self._leave(cancelled)  # it is not answered any more
            self._changed.notify_all()
            return message

    async def finish(self, request_id: str | int) -> None:
        """Note that the answer to a request is written."""
        async with self._changed:
            self._leave(request_id)
            self._changed.notify_all()

    async def wait_until_quiet(self) -> None:
        """Wait until nothing waits and every request with an end is answered."""
        async with self._changed:
            while self._waiting or self._requests:
                await self._changed.wait()

    def _is_full(self, size: int) -> bool:
        if not self._waiting:
            return False
        return len(self._waiting) >= MAX_WAITING or self._waiting_bytes + size > MAX_WAITING_BYTES

    def _has_place(self, message: JSONRPCMessage) -> bool:
        if not isinstance(message, JSONRPCRequest):
            return True
        if message.method == _LISTEN:
            most = MAX_LISTENERS
        else:
            most = MAX_REQUESTS
        return self._places_of(message).total() < most

    def _places_of(self, message: JSONRPCRequest) -> Counter[str | int]:
        if message.method == _LISTEN:
            return self._listeners
        return self._requests

    def _leave(self, request_id: str | int) -> None:
        for places in (self._requests, self._listeners):
            if places[request_id] > 1:
                places[request_id] -= 1
            else:
                del places[request_id]

    def _withdraw(self, request_id: str | int) -> bool:
        """Take out a request that was cancelled before its turn; False where none waits."""
        for place, (message, size) in enumerate(self._waiting):
            if isinstance(message, JSONRPCRequest) and message.id == request_id:
                del self._waiting[place]
                self._waiting_bytes -= size
                return True
        return False


def _cancelled_id(message: JSONRPCMessage) -> str | int | None:
    if not isinstance(message, JSONRPCNotification) or message.method != _CANCELLED:
        return None
    named = (message.params or {}).get("requestId")
    if not isinstance(named, str | int):
        return None
    return named
