"""Changes that one client asks for without waiting for answers happen in the order in which it asked.

What only reads may overtake them. Clients do not wait for each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import anyio
from mcp.server.context import ServerRequestContext

__all__ = ["Order"]

_Context: TypeAlias = ServerRequestContext[Any, Any]


class Order:
    """A line for each connection, which is there only while somebody stands in it."""

    def __init__(self) -> None:
        self._locks: dict[str, anyio.Lock] = {}
        self._standing: Counter[str] = Counter()

    @asynccontextmanager
    async def turn(self, ctx: _Context) -> AsyncIterator[None]:
        """Wait for those of the same connection that came before; the locks of anyio are fair."""
        key = _connection(ctx)
        if key is None:
            yield
            return
        lock = self._locks.setdefault(key, anyio.Lock())
        self._standing[key] += 1
        try:
            async with lock:
                yield
        finally:
            self._standing[key] -= 1
            if not self._standing[key]:
                del self._standing[key], self._locks[key]


def _connection(ctx: _Context) -> str | None:
    """The session that a header names, or the only one there is; None for a request over HTTP that belongs to none."""
    headers = getattr(ctx.request, "headers", None)
    return "" if headers is None else headers.get("mcp-session-id")
