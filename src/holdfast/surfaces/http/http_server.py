"""The server itself: a socket, the application behind its guard, what runs beside it, and an orderly end."""

from __future__ import annotations

import asyncio
import errno
import logging
import math
import os
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import Any, Final, cast

import uvicorn

from holdfast.errors import BadArgument
from holdfast.memory import home_of
from holdfast.surfaces.heaps import limit_heaps
from holdfast.surfaces.http.app import Api
from holdfast.surfaces.http.background import Background
from holdfast.surfaces.http.browsers import Browsers
from holdfast.surfaces.http.client_connection import ClientConnection, ConnectionTable
from holdfast.surfaces.http.connection_limits import (
    ACCEPT_BURST,
    ConnectionLimits,
    max_connections,
    raise_descriptor_limit,
)
from holdfast.surfaces.http.credentials import Entry
from holdfast.surfaces.http.host_names import Addresses, is_loopback, url_of
from holdfast.surfaces.http.request_guard import App, Receive, RequestGuard, Scope, Send
from holdfast.surfaces.http.server_file import RunningServer, announce_server, running_server
from holdfast.surfaces.http.server_state import ServerState
from holdfast.surfaces.mcp.tool_profile import Profile
from holdfast.surfaces.memory_pool import MemoryPool
from holdfast.value import Value

__all__ = ["ServerOptions", "bound", "leave_threads", "log_failure", "made_app", "run_app", "serve"]

_GRACE: Final = 10  # seconds for requests that are under way
_LISTEN_QUEUE: Final = 256  # connections that wait to be accepted
_MOST_HEAD_BYTES: Final = 32 * 1024  # of a request's line and headers, as nginx allows
_TICKS: Final = 5  # of a tenth of a second each between two looks for connections that are out of time
_LOG: Final = logging.getLogger("holdfast.http")


class ServerOptions(Value):
    """The way to serve."""

    home: str | None = None
    agent: str = "main"
    host: str = "127.0.0.1"
    port: int = 7437
    allow_remote: bool = False
    names: tuple[str, ...] = ()
    """Further names under which clients may call, as a proxy or a tunnel has them."""
    profile: Profile = Profile.CORE
    watch: bool = True
    structured: bool = False
    """Whether tools of /mcp give structured content beside their text."""
    limits: ConnectionLimits | None = None
    """How long and how many connections may be held; None takes the number from the limit of open files."""


def bound(serving: ServerOptions) -> socket.socket:
    """The socket to serve on; BadArgument where it can't be had, or is open to others without their owner's word."""
    if not is_loopback(serving.host) and not serving.allow_remote:
        why = (
            f"{serving.host!r} can be reached from other machines. Whoever has the token could read and change every "
            "note from there, and the line is not encrypted. Say --allow-remote if that is meant; a tunnel (ssh -L) "
            "to 127.0.0.1 is safer"
        )
        raise BadArgument("--host", why)
    if not 0 <= serving.port <= 65535:
        raise BadArgument("--port", f"{serving.port} is not between 0 and 65535")
    if ":" in serving.host:
        family = socket.AF_INET6
    else:
        family = socket.AF_INET
    # With the protocol named: asyncio switches Nagle's algorithm off only then, and with it each answer takes 40 ms.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family is socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind((serving.host.strip("[]"), serving.port))
        made.listen(_LISTEN_QUEUE)
    except OSError as error:
        made.close()
        raise BadArgument("--port", _why_not(serving, error)) from error
    return made


def _why_not(serving: ServerOptions, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        other = running_server(serving.home)
        ours = other is not None and other.url.endswith(f":{serving.port}")
        if ours and other is not None:
            by = f"the Holdfast server of this home (process {other.pid})"
        else:
            by = "a program"
        return f"{serving.port} is in use by {by}; stop it, or choose another port with --port"
    return f"the server can't listen at {serving.host} port {serving.port} ({error.strerror or error})"


def made_app(
    server: ServerState, addresses: Addresses, profile: Profile, hosts: Sequence[str], *, structured: bool = False
) -> tuple[RequestGuard, Api, Any]:
    """The application behind its guard, the application itself, and what has to be open while it runs."""
    from holdfast.surfaces.mcp.mcp_http import mcp_app

    mcp, lifespan = mcp_app(server.memories, profile, hosts=hosts, structured=structured)
    api = Api(server, mounted={"/mcp": _with_activity(mcp, server)})

    def done(scope: Scope, status: int, seconds: float) -> None:
        server.figures_of_requests.count(scope.get("holdfast.route", "other other"), status, seconds)

    guard = RequestGuard(
        api,
        server.entry,
        addresses,
        takes=api.takes,
        allows=api.allows,
        on_done=done,
        on_failure=log_failure,
        refused_page=api.files.refused,
    )
    return guard, api, lifespan


def _with_activity(app: Any, server: ServerState) -> App:
    async def stirred(scope: Scope, receive: Receive, send: Send) -> None:
        server.stir()
        await app(scope, receive, send)

    return stirred


def serve(
    serving: ServerOptions, token: str, ready: Callable[[str, str], None], sock: socket.socket | None = None
) -> None:
    """Serve until a signal says to end. `ready` is told the address, and a link that lets a browser in once."""
    limit_heaps()  # before there are threads
    listening = sock or bound(serving)
    port = listening.getsockname()[1]
    url = url_of(serving.host, port)
    home = home_of(serving.home)
    memories = MemoryPool(home, serving.agent)
    server = ServerState(memories, Entry(token, browsers=Browsers(home)), url)
    hosts = ("127.0.0.1", "localhost", "[::1]", *((serving.host,) if serving.allow_remote else ()), *serving.names)
    addresses = Addresses(port, remote=serving.allow_remote, names=serving.names)
    guard, api, mcp = made_app(server, addresses, serving.profile, hosts, structured=serving.structured)
    background = Background(server, watch=serving.watch, log=_LOG.warning)

    @asynccontextmanager
    async def alive() -> AsyncIterator[None]:
        async with mcp:
            await asyncio.to_thread(_open, server)
            background.start()
            with announce_server(home, RunningServer(url, os.getpid(), serving.agent, time.time())):
                ready(url, server.entry.link(url))
                yield
            await asyncio.to_thread(background.stop, 5.0)

    try:
        run_app(guard, alive, serving, listening, partial(_quieten, server))
    finally:
        server.stop()
        listening.close()
        leave_threads(waiting=api.close())


def run_app(
    guard: RequestGuard,
    alive: Callable[[], Any],
    serving: ServerOptions,
    listening: socket.socket,
    on_exit: Callable[[], None],
) -> None:
    """Run an application behind its guard until a signal says to end; `on_exit` is called by the first one."""
    descriptors = raise_descriptor_limit()
    limits = serving.limits or ConnectionLimits(connections=max_connections(descriptors))
    table = ConnectionTable(limits)
    config = uvicorn.Config(
        _with_lifespan(guard, alive),
        http=cast("Any", partial(ClientConnection, table=table)),
        backlog=ACCEPT_BURST,
        log_config=None,
        access_log=False,  # a line for each request would hold what was asked for
        server_header=False,
        lifespan="on",
        timeout_graceful_shutdown=_GRACE,
        timeout_keep_alive=math.ceil(limits.idle_seconds),
        h11_max_incomplete_event_size=_MOST_HEAD_BYTES,
        ws="none",
        proxy_headers=False,  # nobody behind us believes what a header says about the caller
    )
    logging.getLogger("uvicorn.error").addFilter(_is_told)
    _Server(config, on_exit, guard, table).run(sockets=[listening])


def leave_threads(*, waiting: bool) -> None:
    """End the process without a thread that still waits for a model that does not answer.

    All that matters is on disk by now.
    """
    if waiting:
        logging.shutdown()
        sys.stderr.flush()
        sys.stdout.flush()
        os._exit(0)


def _quieten(server: ServerState) -> None:
    server.stopping.set()
    server.bus.close()


def _open(server: ServerState) -> None:
    """The first memory, so that what is written from now on is told of; a home that can't be opened is told then."""
    from holdfast.errors import HoldfastError

    try:
        with server.memories.memory() as memory:
            server.follow(memory)
    except HoldfastError as error:
        _LOG.warning("the memory can't be opened yet: %s", error)


class _Server(uvicorn.Server):
    """Ends with status 0 when it is told to end, and tells those who listen first."""

    def __init__(
        self, config: uvicorn.Config, on_exit: Callable[[], None], guard: RequestGuard, table: ConnectionTable
    ) -> None:
        super().__init__(config)
        self._on_exit, self._guard, self._table = on_exit, guard, table

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """As the original, with a longer queue: uvicorn makes it as short as the number accepted at a time."""
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(_LISTEN_QUEUE)

    async def on_tick(self, counter: int) -> bool:
        """As the original, called ten times a second; some of the times we look for who is out of time."""
        if counter % _TICKS == 0:
            self._table.enforce(asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """As the original, without raising the signal again once everything has ended in order."""
        handled = [signal.SIGINT, signal.SIGTERM]
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup: it outlives its terminal
            handled.append(signal.SIGHUP)
        loop = asyncio.get_running_loop()

        # A signal comes at any moment, in the middle of one before it too, when a lock that the end takes may be held
        # by the code that it came upon. So the loop ends things, between two steps of its own.
        def pass_on(number: int, frame: Any) -> None:
            loop.call_soon_threadsafe(self.handle_exit, number, frame)

        before = {number: signal.signal(number, pass_on) for number in handled}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: Any) -> None:
        """The first signal ends it in order, a second one at once."""
        self._on_exit()
        if self.should_exit:
            self.force_exit = True
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """As the original, without waiting for those who have begun to say something and don't go on."""
        self._guard.end()
        self._table.end()
        await super().shutdown(sockets)


def _is_told(record: logging.LogRecord) -> bool:
    """Say whether a line of uvicorn's goes to the log: that somebody wants a websocket is no news, and we have none."""
    return not record.getMessage().startswith(("Unsupported upgrade request", "No supported WebSocket library"))


def _with_lifespan(app: App, alive: Callable[[], Any]) -> App:
    """The application with what has to be open around it."""

    async def both(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await app(scope, receive, send)
            return
        await receive()
        try:
            async with alive():
                await send({"type": "lifespan.startup.complete"})
                await receive()
        except asyncio.CancelledError:
            return  # a second signal: not even the end is waited for
        except Exception as error:  # noqa: BLE001 - the server must be told, whatever it is
            _LOG.exception("the server could not start or end in order")
            await send({"type": "lifespan.startup.failed", "message": f"{type(error).__name__}"})
            return
        await send({"type": "lifespan.shutdown.complete"})

    return both


def log_failure(request: str, error: BaseException) -> None:
    """Write down what nobody foresaw."""
    _LOG.error("request %s failed", request, exc_info=error)
