"""Telling clients that notes have changed: an event for each, in the way of the version that a client speaks.

Nobody is listened for until a client has looked at the notes or asked to be told: a server that only answers
questions walks no directories.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourcesListChanged, ResourceUpdated
from mcp_types import (
    EmptyResult,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
    UnsubscribeRequestParams,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from holdfast.errors import BadArgument, HoldfastError
from holdfast.guard.paths import readable_path
from holdfast.surfaces.mcp.client_access import Access
from holdfast.surfaces.mcp.note_uri import link_of, path_of

if TYPE_CHECKING:
    from holdfast.context.context import Context

__all__ = ["Subscriptions"]

_Context: TypeAlias = ServerRequestContext[Any, Any]
_Burst: TypeAlias = tuple[set[str], bool]
"""The paths of notes that changed, and whether there are other notes now than before."""
_LOG = logging.getLogger(__name__)
_MOST_CLIENTS: Final = 256
_MOST_LINKS: Final = 1024  # that one client is told of
_WAITING: Final = 64  # bursts of changes that nobody has told yet; more are folded into "look again"
_LAST_JOIN: Final = 2.0  # seconds; the watcher looks for its end five times a second


class _Client:
    """A client of the handshake versions: how to reach it, and the notes that it asked to be told of."""

    def __init__(self, session: ServerSession) -> None:
        self.session = session
        self.links: set[str] = set()


class Subscriptions:
    """The listeners of one server, and the thread that watches the notes for them."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._clients: OrderedDict[str, _Client] = OrderedDict()
        self._bus = InMemorySubscriptionBus()
        self._listen = ListenHandler(self._bus, max_subscriptions=_MOST_CLIENTS, max_buffered_events=_MOST_LINKS)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._begun = anyio.Event()
        self._fault: HoldfastError | None = None
        self._heard: MemoryObjectSendStream[_Burst] | None = None

    def note_interest(self, ctx: _Context) -> None:
        """A client has looked at the notes: from now on it is told when there are others."""
        if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:  # later ones have to ask, with `listen`
            self._client(ctx)
            self._begin()

    async def subscribe(self, ctx: _Context, params: SubscribeRequestParams) -> EmptyResult:
        """Tell this client when one note changes."""
        link = _note_address(str(params.uri))
        await self._refuse_unseen([link])
        links = self._client(ctx).links
        if len(links) >= _MOST_LINKS and link not in links:
            raise BadArgument("uri", f"this client is told of {_MOST_LINKS:,} notes already; unsubscribe from some")
        links.add(link)
        await self._watched()
        return EmptyResult()

    async def unsubscribe(self, ctx: _Context, params: UnsubscribeRequestParams) -> EmptyResult:
        """No longer tell it."""
        self._client(ctx).links.discard(str(params.uri))
        return EmptyResult()

    async def listen(self, ctx: _Context, params: SubscriptionsListenRequestParams) -> SubscriptionsListenResult:
        """The same since 2026-07-28: one request that stays open, and is answered with events."""
        wanted = params.notifications
        await self._refuse_unseen([_note_address(str(link)) for link in wanted.resource_subscriptions or ()])
        if wanted.resources_list_changed or wanted.resource_subscriptions:
            await self._watched()
        return await self._listen(ctx, params)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While this is open clients are told; at its end the thread is, and the open requests are answered."""
        self._heard, bursts = anyio.create_memory_object_stream[_Burst](_WAITING)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._tell_all, bursts)
            try:
                yield
            finally:
                self._stop.set()
                self._listen.close()
                if self._thread is not None:
                    with anyio.CancelScope(shield=True):
                        await anyio.to_thread.run_sync(self._thread.join, _LAST_JOIN)
                self._heard.close()
                tasks.cancel_scope.cancel()

    async def _refuse_unseen(self, links: Sequence[str]) -> None:
        """Raise NotPermitted where the session may not even know that one of these notes changes."""
        if self._access.session is None:
            return

        def look(ctx: Context) -> None:
            from holdfast.context.session_visibility import require_readable

            for link in links:
                require_readable(ctx, path_of(link))

        await self._access.in_context(look)

    def _client(self, ctx: _Context) -> _Client:
        """Return who asks: over HTTP the session that its header names, else the only one there is."""
        headers = getattr(ctx.request, "headers", None)
        if headers is not None:
            key = headers.get("mcp-session-id", "")
        else:
            key = ""
        client = self._clients.setdefault(key, _Client(ctx.session))
        self._clients.move_to_end(key)
        while len(self._clients) > _MOST_CLIENTS:  # those that went away are not taken out otherwise
            self._clients.popitem(last=False)
        return client

    async def _watched(self) -> None:
        """Begin, and wait until whatever changes from now on is noticed: only then is a client told that it is."""
        self._begin()
        if self._thread is not None:
            await self._begun.wait()
            if self._fault is not None:
                raise self._fault

    def _failed(self, error: HoldfastError) -> None:
        """Runs in the loop: whoever waits is told why, and whoever asks next tries again."""
        self._fault, self._thread = error, None
        self._begun.set()

    def _begin(self) -> None:
        if self._thread is None and self._heard is not None and not self._stop.is_set():
            self._begun, self._fault = anyio.Event(), None
            loop, heard = asyncio.get_running_loop(), self._heard
            self._thread = threading.Thread(target=self._watch, args=(loop, heard), name="notes", daemon=True)
            self._thread.start()

    def _watch(self, loop: asyncio.AbstractEventLoop, heard: MemoryObjectSendStream[_Burst]) -> None:
        """Runs in a thread of its own, with a memory of its own, until the server ends."""
        from holdfast.notes.watcher import watch

        try:
            with self._access.memories.memory() as memory:
                workspace, settings = memory.ctx.workspace, memory.ctx.settings.sync
                known = {found.path for found in workspace.walk().found}
                bursts = watch(workspace, debounce_ms=settings.watch_debounce_ms, stop=self._stop)
                with _closed_loop_allowed(loop):
                    loop.call_soon_threadsafe(self._begun.set)
                for changed in bursts:
                    now = {path for path in changed if workspace.exists(path)}
                    others = now != changed & known
                    known = (known - changed) | now
                    with _closed_loop_allowed(loop):
                        loop.call_soon_threadsafe(_put, heard, (changed, others))
        except HoldfastError as error:
            _LOG.error("notes are not watched: %s", error)
            with _closed_loop_allowed(loop):
                loop.call_soon_threadsafe(self._failed, error)

    async def _tell_all(self, bursts: MemoryObjectReceiveStream[_Burst]) -> None:
        async with bursts:
            async for changed, others in bursts:
                links = {link_of(path) for path in changed}
                if others:
                    await self._bus.publish(ResourcesListChanged())
                for link in sorted(links):
                    await self._bus.publish(ResourceUpdated(uri=link))
                for client in list(self._clients.values()):
                    await _tell(client, links, others=others)


def _note_address(link: str) -> str:
    """The address, if a note could be there; BadPath otherwise, because nobody would ever be told of it."""
    path = path_of(link)
    if not path.startswith("/"):  # one that lies elsewhere may be anywhere
        readable_path(path)
    return link


async def _tell(client: _Client, links: set[str], *, others: bool) -> None:
    try:
        if others:
            await client.session.send_resource_list_changed()
        for link in sorted(links & client.links):
            await client.session.send_resource_updated(link)
    except Exception:  # noqa: BLE001 - one client that has gone must not keep the others from being told
        _LOG.debug("a client could not be told of changes", exc_info=True)


def _put(heard: MemoryObjectSendStream[_Burst], burst: _Burst) -> None:
    try:
        heard.send_nowait(burst)
    except (anyio.WouldBlock, anyio.ClosedResourceError, anyio.BrokenResourceError):
        _LOG.debug("changes of notes were not told")


@contextmanager
def _closed_loop_allowed(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Let a loop that was closed meanwhile be no failure: there is nobody left to tell."""
    try:
        yield
    except RuntimeError:
        if not loop.is_closed():
            raise
