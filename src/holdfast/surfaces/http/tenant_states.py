"""The tenants that a server has open, each with a state of its own: nothing that one asks or is told meets another.

As many stay open as the budget says, those that were asked for last; one with a request under way is not closed.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

from holdfast.postgres.access_tokens import Access, Role
from holdfast.surfaces.http.credentials import Entry
from holdfast.surfaces.http.server_state import ServerState

if TYPE_CHECKING:
    from holdfast.surfaces.http.request_guard import App
    from holdfast.surfaces.memory_pool import MemoryPool
    from holdfast.surfaces.tenant_pool import TenantPool

__all__ = ["TenantState", "TenantStates"]


class TenantState:
    """The parts of a server that one tenant has."""

    def __init__(self, access: Access, memories: TenantPool, server: ServerState) -> None:
        self.tenant, self.kind, self.memories, self.server = access.tenant, access.kind, memories, server
        self.lent = 0
        self._mcp: dict[bool, App] = {}
        self._ending = asyncio.Event()
        self._running: list[asyncio.Task[None]] = []

    async def mcp(
        self, role: Role, made: Callable[[MemoryPool, bool], tuple[Any, AbstractAsyncContextManager[None]]]
    ) -> App:
        """Return the tenant's MCP application, without tools that change anything for a reader."""
        read_only = role is Role.READER
        if read_only not in self._mcp:
            app, lifespan = made(self.server.memories, read_only)
            self._mcp[read_only] = app
            began = asyncio.Event()
            self._running.append(asyncio.ensure_future(self._run(lifespan, began)))
            await began.wait()
        return self._mcp[read_only]

    async def _run(self, lifespan: AbstractAsyncContextManager[None], began: asyncio.Event) -> None:
        """Hold it open from one task: what it opens must be closed by the task that opened it."""
        async with lifespan:
            began.set()
            await self._ending.wait()

    async def close(self) -> None:
        """End what runs for the tenant, and close its memories."""
        self._ending.set()
        await asyncio.gather(*self._running, return_exceptions=True)
        await asyncio.to_thread(self.server.stop)


class TenantStates:
    """Opens tenants, keeps them and closes them; used on the server's loop only."""

    def __init__(self, memories_of: Callable[[str], TenantPool], url: str, most: int) -> None:
        self._memories_of, self._url, self._most = memories_of, url, most
        self._open: dict[str, TenantState] = {}
        self._closing: dict[str, asyncio.Task[None]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    @asynccontextmanager
    async def lend(self, access: Access) -> AsyncIterator[TenantState]:
        """Give the tenant's state for one request."""
        self._loop = asyncio.get_running_loop()
        tenant = access.tenant
        while tenant in self._closing:
            await asyncio.shield(self._closing[tenant])
        held = self._open.pop(tenant, None)
        if held is None:
            # A key of its own that nobody has: cookies made for one tenant are worth nothing to another.
            memories = self._memories_of(tenant)
            held = TenantState(access, memories, ServerState(memories, Entry(secrets.token_urlsafe(32)), self._url))
        self._open[tenant] = held  # behind the others: it was asked for last
        held.kind = access.kind
        held.lent += 1
        try:
            yield held
        finally:
            held.lent -= 1
            self._close_spare()

    def open_now(self) -> list[TenantState]:
        """Return those that are open."""
        return list(self._open.values())

    async def close(self) -> None:
        """Close all."""
        held, self._open = self._open, {}
        await asyncio.gather(
            *(server.close() for server in held.values()), *self._closing.values(), return_exceptions=True
        )

    def stop_streams(self) -> None:
        """End the lines of events, so that a server can end."""
        for held in self._open.values():
            held.server.stopping.set()
            held.server.bus.close()

    def retire(self, tenant: str) -> None:
        """Close a tenant if no request is under way for it; from any thread, done in a moment."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._close_idle, tenant)

    def _close_idle(self, tenant: str) -> None:
        held = self._open.get(tenant)
        if held is not None and not held.lent:
            self._begin_to_close(tenant)

    def _close_spare(self) -> None:
        spare = [name for name, held in self._open.items() if not held.lent]
        for name in spare[: max(0, len(self._open) - self._most)]:
            self._begin_to_close(name)

    def _begin_to_close(self, name: str) -> None:
        task = asyncio.ensure_future(self._open.pop(name).close())
        self._closing[name] = task
        task.add_done_callback(lambda _: self._closing.pop(name, None))
