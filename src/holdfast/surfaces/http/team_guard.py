"""The request guard of a server of tenants: a bearer token says for whom a request is, and as what."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from holdfast.errors import HoldfastError
from holdfast.guard.origin import Origin
from holdfast.postgres.access_tokens import Access, Role
from holdfast.surfaces.http.credentials import Visitor
from holdfast.surfaces.http.host_names import Addresses
from holdfast.surfaces.http.request_guard import App, Headers, Receive, Refusal, RequestGuard, Scope, Send, stranger
from holdfast.surfaces.http.statuses import retry_headers, status_of
from holdfast.surfaces.http.tenant_admission import Admission

__all__ = ["ACCESS", "METRICS", "OPEN", "TeamGuard"]

ACCESS: Final = "holdfast.access"
"""Where the scope says for which tenant a request is."""
OPEN: Final = ("/health", "/ready")
METRICS: Final = "/metrics"
_THREADS: Final = 8  # that ask the database for tokens
_ORIGINS: Final = {Role.OWNER: Origin.API, Role.AGENT: Origin.AGENT, Role.READER: Origin.AGENT}
_UNKNOWN: Final = (
    "A token of a tenant is needed: send it as `Authorization: Bearer TOKEN`. Whoever runs this server makes one."
)
_OPERATORS: Final = "The figures are for whoever runs this server: send the token that HOLDFAST_TOKEN has there."


class TeamGuard(RequestGuard):
    """As the guard of a home, with tokens that the database knows; there are no cookies."""

    def __init__(
        self,
        app: App,
        admission: Admission,
        addresses: Addresses,
        *,
        operator: str | None,
        takes: Callable[[str, str], tuple[tuple[str, ...], int]],
        **named: Any,
    ) -> None:
        super().__init__(app, None, addresses, takes=takes, open_paths=OPEN, **named)
        self._admission, self._operator = admission, operator
        self._threads = ThreadPoolExecutor(_THREADS, "holdfast-admission")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Look who it is, then let the request in, or refuse it."""
        if scope["type"] == "http" and scope["path"] not in (*OPEN, METRICS):
            scope[ACCESS] = await self._admitted(Headers(scope))
        await super().__call__(scope, receive, send)

    def close(self) -> None:
        """Ask for no more tokens."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _admitted(self, headers: Headers) -> Access | Refusal:
        token = _bearer(headers)
        if token is None:
            return stranger(_UNKNOWN)
        access = self._admission.remembered(token)
        if access is not None:
            return access
        try:
            loop = asyncio.get_running_loop()
            access = await loop.run_in_executor(self._threads, self._admission.admit, token)
        except HoldfastError as error:
            return Refusal(status_of(error), type(error).__name__, error.shown, retry_headers(error))
        if access is None:
            return stranger(_UNKNOWN)
        return access

    def _visitor(self, scope: Scope, headers: Headers, method: str, path: str) -> Visitor:  # noqa: ARG002 - as there
        if path == METRICS:
            token = _bearer(headers) or ""
            if not self._operator or not hmac.compare_digest(token.encode(), self._operator.encode()):
                raise stranger(_OPERATORS)
            return Visitor()
        access = scope[ACCESS]
        if isinstance(access, Refusal):
            raise access
        secure = any(page.startswith("https://") for page in headers.all("origin"))
        return Visitor(_ORIGINS[access.role], secure=secure, role=access.role.value, tenant=access.tenant)


def _bearer(headers: Headers) -> str | None:
    """Return the token of a request; None unless there is just one."""
    given = headers.all("authorization")
    scheme, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
    if scheme.lower() != "bearer":
        return None
    return token.strip(" ")
