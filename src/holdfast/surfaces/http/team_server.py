"""A server of tenants: any number of them may run, each with its cache; the truth is in PostgreSQL."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final

from holdfast.postgres.access_tokens import Access
from holdfast.postgres.migration import check_schema
from holdfast.postgres.postgres_pool import PostgresPool
from holdfast.postgres.tenant_cache import TenantCache
from holdfast.surfaces.heaps import limit_heaps
from holdfast.surfaces.http.app import Api
from holdfast.surfaces.http.host_names import Addresses, url_of
from holdfast.surfaces.http.http_server import ServerOptions, leave_threads, log_failure, run_app
from holdfast.surfaces.http.request_guard import Scope
from holdfast.surfaces.http.team_app import TeamApp
from holdfast.surfaces.http.team_background import TeamBackground
from holdfast.surfaces.http.team_figures import TeamFigures
from holdfast.surfaces.http.team_guard import ACCESS, TeamGuard
from holdfast.surfaces.http.tenant_admission import Admission
from holdfast.surfaces.http.tenant_states import TenantStates
from holdfast.surfaces.memory_pool import MemoryPool
from holdfast.surfaces.tenant_pool import TenantPool
from holdfast.value import Value

__all__ = ["Team", "serve_team"]

_LOG: Final = logging.getLogger("holdfast.http")


class Team(Value):
    """The database to serve, and what of it this server may hold."""

    database: str
    cache: str
    """The directory of the tenants' indexes."""
    cache_bytes: int = 20 * 2**30
    tenants: int = 100
    """How many are kept open."""
    connections: int = 10
    operator: str | None = None
    """The token for the figures; nobody sees them without one."""
    hidden = ("database", "operator")


def serve_team(serving: ServerOptions, team: Team, ready: Callable[[str], None], listening: socket.socket) -> None:
    """Serve until a signal says to end; `ready` is told the address. The tables must be those of this Holdfast."""
    limit_heaps()  # before there are threads
    is_ready = threading.Event()

    def tell(line: str) -> None:
        if is_ready.is_set():  # else it does not start, and says why
            _LOG.warning(line)

    pool = PostgresPool.open(team.database, application="holdfast serve", most=team.connections, tell=tell)
    try:
        check_schema(pool)
        is_ready.set()
        cache = TenantCache(team.cache, team.cache_bytes)
        with cache.hold():
            _run(serving, team, pool, cache, ready, listening)
    finally:
        listening.close()
        pool.close()


def _run(
    serving: ServerOptions,
    team: Team,
    pool: PostgresPool,
    cache: TenantCache,
    ready: Callable[[str], None],
    listening: socket.socket,
) -> None:
    """Put the parts of the server together, and serve."""
    port = listening.getsockname()[1]
    url = url_of(serving.host, port)
    tenants = TenantStates(partial(_open_tenant, pool, cache), url, team.tenants)
    figures = TeamFigures()
    api = Api(None, url=url)
    app = TeamApp(api, tenants, pool, figures, made_mcp=_mcp_maker(serving), cache_bytes=lambda: cache.bytes)
    guard = TeamGuard(
        app,
        Admission(pool),
        Addresses(port, remote=serving.allow_remote, names=serving.names),
        operator=team.operator,
        takes=api.takes,
        allows=api.allows,
        on_done=partial(_count, figures),
        on_failure=log_failure,
    )
    holder = f"{socket.gethostname()}:{os.getpid()}:{port}"
    background = TeamBackground(pool, cache, tenants.open_now, holder=holder, log=_LOG.warning, retire=tenants.retire)
    alive = partial(_alive, background, tenants, partial(ready, url))
    try:
        run_app(guard, alive, serving, listening, tenants.stop_streams)
    finally:
        guard.close()
        leave_threads(waiting=api.close())


def _open_tenant(pool: PostgresPool, cache: TenantCache, tenant: str) -> TenantPool:
    cache.place_of(tenant)
    return TenantPool(pool, tenant, cache.root)


@asynccontextmanager
async def _alive(background: TeamBackground, tenants: TenantStates, ready: Callable[[], None]) -> AsyncIterator[None]:
    """Work in the background while requests are answered, and say when the first may come."""
    background.start()
    ready()
    try:
        yield
    finally:
        await asyncio.to_thread(background.stop, 5.0)
        await tenants.close()


def _count(figures: TeamFigures, scope: Scope, status: int, seconds: float) -> None:
    """Count a request that was answered, by the class of its tenant."""
    access = scope.get(ACCESS)
    kind = ""  # a refusal has a kind of its own
    if isinstance(access, Access):
        kind = access.kind
    figures.count(kind, scope.get("holdfast.route", "other other"), status, seconds)


def _mcp_maker(serving: ServerOptions) -> Callable[..., Any]:
    """Return what makes a tenant's MCP application, without sessions: the next call may meet another server."""
    from holdfast.surfaces.mcp.mcp_http import mcp_app

    hosts = ("127.0.0.1", "localhost", "[::1]", *((serving.host,) if serving.allow_remote else ()), *serving.names)

    def made(memories: MemoryPool, read_only: bool) -> Any:
        return mcp_app(
            memories, serving.profile, hosts=hosts, read_only=read_only, structured=serving.structured, stateless=True
        )

    return made
