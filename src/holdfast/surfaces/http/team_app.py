"""A request of a tenant that passed the guard → the application, with that tenant's state."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from holdfast.errors import Busy, DatabaseAway, DatabaseUnfit, HoldfastError
from holdfast.postgres.migration import check_schema
from holdfast.surfaces.http.app import SERVER, Api
from holdfast.surfaces.http.refusal import Refusal
from holdfast.surfaces.http.responses import Raw, as_json
from holdfast.surfaces.http.role_access import require_route
from holdfast.surfaces.http.statuses import retry_headers, status_of
from holdfast.surfaces.http.team_guard import ACCESS, METRICS
from holdfast.surfaces.web.static_files import is_app_path

if TYPE_CHECKING:
    from holdfast.postgres.access_tokens import Access
    from holdfast.postgres.postgres_pool import PostgresPool
    from holdfast.surfaces.http.request_guard import Receive, Scope, Send
    from holdfast.surfaces.http.team_figures import TeamFigures
    from holdfast.surfaces.http.tenant_states import TenantStates

__all__ = ["TeamApp"]

_MCP: Final = "/mcp"
_NO_PAGE: Final = "This server serves tenants by tokens; there is no page here."
_ROUTE: Final = "holdfast.route"
_LOOK_SECONDS: Final = 1.0


class TeamApp:
    """The ASGI application of all tenants. `made_mcp` makes one for MCP from a pool, and whether it only reads."""

    def __init__(
        self,
        api: Api,
        tenants: TenantStates,
        pool: PostgresPool,
        figures: TeamFigures,
        *,
        made_mcp: Callable[..., Any],
        cache_bytes: Callable[[], int],
    ) -> None:
        self._api, self._tenants, self._pool, self._figures = api, tenants, pool, figures
        self._made_mcp, self._cache_bytes = made_mcp, cache_bytes
        self._lock, self._looked = threading.Lock(), 0.0
        self._trouble: HoldfastError | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        path = scope["path"]
        if path in ("/health", "/ready", METRICS):
            scope[_ROUTE] = f"GET {path}"
            await self._answer(path, scope, send)
            return
        access: Access | None = scope.get(ACCESS)
        raw_path = scope["raw_path"].decode("latin-1")
        is_mcp = raw_path == _MCP or raw_path.startswith(f"{_MCP}/")
        if access is None or isinstance(access, Refusal):
            raise Refusal(404, "NotFound", _NO_PAGE)
        try:
            if not is_mcp:
                found = self._api.table.match(scope["method"], raw_path).endpoint
                name = found.name if found is not None else f"{scope['method']} {path}"
                require_route(access.role, name, reads=found is not None and found.route.reads)
        except HoldfastError as error:
            raise Refusal(status_of(error), type(error).__name__, error.shown, retry_headers(error)) from error
        if is_app_path(path):
            raise Refusal(404, "NotFound", _NO_PAGE)
        async with self._tenants.lend(access) as lent:
            if is_mcp:
                scope[_ROUTE] = f"{scope['method']} {_MCP}"
                lent.server.stir()
                mcp = await lent.mcp(access.role, self._made_mcp)
                await mcp(scope, receive, send)
            else:
                scope[SERVER] = lent.server
                await self._api(scope, receive, send)

    async def _answer(self, path: str, scope: Scope, send: Send) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            raise Refusal(405, "Refused", "This can only be read.", (("Allow", "GET, HEAD"),))
        if path == "/health":
            await _send(Raw(as_json({"status": "ok"}), "application/json"), send)
            return
        problem = await asyncio.to_thread(self._problem)
        if path == METRICS:
            kinds = [held.kind for held in self._tenants.open_now()]
            text = self._figures.text(kinds, self._cache_bytes(), self._pool.counts(), problem is None)
            await _send(Raw(text.encode(), "text/plain; version=0.0.4"), send)
        elif problem is not None:
            shown = {"ready": False, "because": type(problem).__name__}  # strangers may ask: no names of hosts
            await _send(Raw(as_json(shown), "application/json", 503, (("Retry-After", "2"),)), send)
        else:
            await _send(Raw(as_json({"ready": True}), "application/json"), send)

    def _problem(self) -> HoldfastError | None:
        """Return why the database can't be used; a second's answer serves all who ask."""
        with self._lock:
            if time.monotonic() - self._looked > _LOOK_SECONDS:
                try:
                    check_schema(self._pool, is_running=True)
                    self._trouble = None
                except (DatabaseAway, DatabaseUnfit, Busy) as error:
                    self._trouble = error
                self._looked = time.monotonic()
            return self._trouble


async def _send(raw: Raw, send: Send) -> None:
    headers = [(name.lower().encode(), value.encode()) for name, value in raw.headers]
    headers += [(b"content-type", raw.media.encode()), (b"content-length", str(len(raw.data)).encode())]
    await send({"type": "http.response.start", "status": raw.status, "headers": headers})
    await send({"type": "http.response.body", "body": raw.data})
