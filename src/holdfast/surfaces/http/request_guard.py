"""The request guard of the server: which requests come in at all. Every response passes here on its way out, too.

A page that somebody visits can send requests to this machine, under a name of its own that it points here (DNS
rebinding), or from a page of another server on the same machine. So: the Host must be ours, the page must be ours,
bodies are JSON, a token or a cookie says who it is, and no header ever lets another page read an answer.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any, Final, TypeAlias

from holdfast.surfaces.http.credentials import ENTER, Entry, Visitor
from holdfast.surfaces.http.host_names import Addresses, is_local_name, is_loopback
from holdfast.surfaces.http.refusal import (
    CLOSE,
    Refusal,
    complete_headers,
    new_request_id,
    refusal_body,
    refusal_headers,
)
from holdfast.surfaces.web.static_files import is_app_path

__all__ = ["KNOWN", "MOST_BYTES", "VISITOR", "Headers", "Refusal", "RequestGuard", "replay_body", "stranger"]

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BYTES: Final = 4 * 1024 * 1024
KNOWN: Final = "holdfast.known"
"""Stands in the scope of a request whose token, or cookie and page key, were right."""
VISITOR: Final = "holdfast.visitor"
"""Where the scope says who that is."""

_BODY_SECONDS: Final = 30.0  # and one more for each MiB; who needs longer holds a place for nothing
_LAST_SECONDS: Final = 1.0  # for a body that is on its way when the server is told to end
_STRANGER_BYTES: Final = 1024  # of a body that comes without a token; no open route takes any
_MOST_HEADERS: Final = 100  # as Apache; thousands of short ones take a tenth of a second to look through
_MOST_HEAD_BYTES: Final = 32 * 1024  # of the address and the headers; the parser stops only a piece or two later
_OPEN: Final = ("/health", ENTER)
_REFERENCE: Final = ("/docs", "/docs.js", "/docs.css", "/openapi.json")
"""What a person may open by cookie alone, since a browser sends no page key there: it holds nothing of the home."""
_PAGE_KEY: Final = "x-holdfast-page"
_METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"))
_SAFE: Final = frozenset(("GET", "HEAD"))


class RequestGuard:
    """ASGI middleware around everything. `takes` says what the route of a method and a path takes."""

    def __init__(
        self,
        app: App,
        entry: Entry | None,
        addresses: Addresses,
        *,
        takes: Callable[[str, str], tuple[tuple[str, ...], int]],
        allows: Callable[[str], tuple[str, ...]] = lambda _path: (),
        open_paths: tuple[str, ...] = _OPEN,
        body_seconds: float = _BODY_SECONDS,
        on_done: Callable[[Scope, int, float], None] = lambda _scope, _status, _seconds: None,
        on_failure: Callable[[str, BaseException], None] = lambda _id, _error: None,
        refused_page: Callable[[int, str], bytes] | None = None,
    ) -> None:
        self._app, self._entry, self._addresses, self._takes = app, entry, addresses, takes
        self._on_done, self._on_failure = on_done, on_failure
        self._allows, self._body_seconds, self._refused_page = allows, body_seconds, refused_page
        self._open = open_paths
        self._coming: set[asyncio.Timeout] = set()
        self._ending = False

    def end(self) -> None:
        """The server ends: whoever is still sending has a second left."""
        self._ending = True
        for waiting in self._coming:
            with suppress(RuntimeError):  # it has run out already
                waiting.reschedule(asyncio.get_running_loop().time() + _LAST_SECONDS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        began = time.perf_counter()
        is_person = Headers(scope).all("sec-fetch-dest") == ["document"]
        page = self._refused_page if is_person else None
        out = _Out(send, new_request_id(), head=scope["method"] == "HEAD", page=page)
        scope["holdfast.id"] = out.id
        inlet = _Inlet(receive)
        try:
            self._check(scope)
            body = await self._body(scope, inlet)
            await self._app(scope, replay_body(body, receive), out.send)
        except Refusal as refusal:
            await out.refuse(refusal, closing=inlet.is_open(Headers(scope)))
        except asyncio.CancelledError:
            if not self._ending:
                raise
            await out.refuse(_ending())  # it took longer than an ending server waits; that is no failure to log
        except Exception as error:  # noqa: BLE001 - the last resort: a traceback is for our log, not for the caller
            self._on_failure(out.id, error)
            why = f"Something went wrong inside Holdfast; its log has more under request {out.id}."
            await out.refuse(Refusal(500, "HoldfastError", why))
        finally:
            self._on_done(scope, out.status, time.perf_counter() - began)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope)
        method, path = scope["method"], scope["path"]
        _check_protocol(scope, headers)
        hosts = headers.all("host")
        if len(hosts) != 1 or not self._addresses.is_ours(hosts[0]):
            why = "This server does not answer under that name. Use the address that `holdfast serve` printed."
            raise Refusal(421, "NotPermitted", why)
        self._check_page(headers, hosts[0], method, path)
        if method not in _METHODS:
            there = ", ".join(self._allows(scope["raw_path"].decode("latin-1")) or sorted(_METHODS))
            why = f"There is no method {method[:20]} here; there are {there}."
            raise Refusal(405, "Refused", why, (("Allow", there),))
        if path in self._open or (method in _SAFE and is_app_path(path)):
            return
        visitor = self._visitor(scope, headers, method, path)
        client = scope.get("client")
        away = (client is not None and not is_loopback(client[0])) or not is_local_name(hosts[0])
        scope[KNOWN], scope[VISITOR] = True, visitor._replace(remote=away)

    def _check_page(self, headers: Headers, host: str, method: str, path: str) -> None:
        origins, sites = headers.all("origin"), headers.all("sec-fetch-site")
        foreign = any(not self._addresses.is_own_page(origin, host) for origin in origins)
        # `none` is what a person types or opens; no page can send it. `same-site` is another port of this machine.
        allowed = ("same-origin", "none") if method in _SAFE else ("same-origin",)
        if method in _SAFE and is_app_path(path) and _is_navigation(headers):
            # A person follows a link from elsewhere. What they get is an empty page, whose own calls are same-origin.
            allowed = (*allowed, "cross-site", "same-site")
        if foreign or len(origins) > 1 or any(site not in allowed for site in sites):
            raise Refusal(403, "NotPermitted", "Another page sent this request; only pages of this server may.")

    def _visitor(self, scope: Scope, headers: Headers, method: str, path: str) -> Visitor:
        """Return who asks, or a refusal that says why we don't know."""
        assert self._entry is not None
        tokens = headers.all("authorization")
        if tokens:
            if len(tokens) == 1 and self._entry.bears_token(tokens[0]):
                return Visitor(secure=any(page.startswith("https://") for page in headers.all("origin")))
            raise stranger(_UNKNOWN)
        visitor = self._entry.visitor_of(headers.all("cookie"))
        if visitor is None:
            raise stranger(_UNKNOWN)
        # A cookie is sent whoever asks the browser to: a change must come from a page of ours, which only it can say.
        if method not in _SAFE and not (headers.all("origin") or headers.all("sec-fetch-site")):
            raise stranger(_NO_PAGE)
        if not self._entry.bears_key(visitor.browser, headers.all(_PAGE_KEY)) and path not in _REFERENCE:
            is_person = "document" in headers.all("sec-fetch-dest")  # whose browser sends no key with an address
            if is_person and not self._allows(scope["raw_path"].decode("latin-1")):
                raise Refusal(404, "NotFound", "There is no page of the web app at this address.")
            raise stranger(_FOR_PROGRAMS if is_person else _NO_KEY)
        return visitor

    async def _body(self, scope: Scope, inlet: _Inlet) -> bytes:
        """The whole body, counted as it comes: what Content-Length says is only what somebody says."""
        headers = Headers(scope)
        media, most = self._takes(scope["method"], scope["raw_path"].decode("latin-1"))
        if KNOWN not in scope:
            most = _STRANGER_BYTES
        declared = headers.first("content-length")
        if declared.isascii() and declared.isdigit() and (len(declared) > 18 or int(declared) > most):
            raise _too_large(most)
        if self._ending:
            seconds = _LAST_SECONDS
        else:
            seconds = self._body_seconds + most / 2**20
        waiting = asyncio.timeout(seconds)
        try:
            async with waiting:
                self._coming.add(waiting)
                body = await inlet.read(most)
        except TimeoutError:
            inlet.over = True  # what did not come by now is not waited for
            late = Refusal(408, "Refused", f"The request's body did not come within {seconds:.0f} seconds.", CLOSE)
            raise (_ending() if self._ending else late) from None
        finally:
            self._coming.discard(waiting)
        kind = headers.first("content-type")
        named = kind.partition(";")[0].strip().lower()
        if (body or kind) and scope["method"] not in _SAFE and named not in media:
            raise Refusal(415, "BadArgument", f"The body must be {' or '.join(media)}, and the Content-Type say so.")
        if body and scope["method"] in _SAFE:
            raise Refusal(400, "BadArgument", "A request that only reads has no body.")
        if headers.first("content-encoding").strip().lower() not in ("", "identity"):
            raise Refusal(415, "BadArgument", "The body must be sent as it is, without a Content-Encoding.")
        charset = kind.lower().partition("charset=")[2].strip(' "')
        if charset and charset not in ("utf-8", "utf8"):
            raise Refusal(415, "BadArgument", "The body must be in UTF-8.")
        return body


_UNKNOWN: Final = (
    "A token is needed: send it as `Authorization: Bearer TOKEN`. It is in state/token of the home; a browser comes in "
    "by the link that `holdfast ui` opens."
)
_NO_PAGE: Final = (
    "The cookie is known, but nothing says that a page of this server asks: a change by cookie needs an `Origin` or "
    "`Sec-Fetch-Site` header, as browsers send them. A program sends the token instead: `Authorization: Bearer TOKEN`."
)
_FOR_PROGRAMS: Final = "This address is for programs, which send the token; the web app shows the same on its pages."
_NO_KEY: Final = (
    "The cookie is known, but not the key of the page that goes with it (`X-Holdfast-Page`): a cookie alone opens "
    "nothing. Run `holdfast ui` to come in again."
)


def stranger(why: str) -> Refusal:
    """Return the refusal of a request without a token that is known."""
    return Refusal(401, "NotPermitted", why, (("WWW-Authenticate", 'Bearer realm="holdfast"'),))


def _is_navigation(headers: Headers) -> bool:
    """Return whether a browser says that a person goes to a page, and not that a page fetches or frames it."""
    return headers.all("sec-fetch-mode") == ["navigate"] and headers.all("sec-fetch-dest") == ["document"]


def _check_protocol(scope: Scope, headers: Headers) -> None:
    """Raise Refusal for a request that another server, such as a proxy before this one, may read in another way."""
    if scope.get("http_version", "1.1") not in ("1.0", "1.1"):
        raise Refusal(505, "Refused", "This server speaks HTTP/1.1.", CLOSE)
    if len(scope["headers"]) > _MOST_HEADERS:
        raise Refusal(431, "TooLarge", f"The request has more than {_MOST_HEADERS} headers.", CLOSE)
    if _head_bytes(scope) > _MOST_HEAD_BYTES:
        raise Refusal(431, "TooLarge", f"The head of the request has more than {_MOST_HEAD_BYTES:,} bytes.", CLOSE)
    if headers.all("transfer-encoding") and headers.all("content-length"):
        why = "The request has both a Content-Length and a Transfer-Encoding; send one."
        raise Refusal(400, "BadArgument", why, CLOSE)


def _head_bytes(scope: Scope) -> int:
    named = sum(len(name) + len(value) for name, value in scope["headers"])
    return named + len(scope.get("raw_path", b"")) + len(scope.get("query_string", b""))


def _ending() -> Refusal:
    return Refusal(503, "Busy", "The server is ending. Try again once it runs.", (("Retry-After", "1"), *CLOSE))


def _too_large(most: int) -> Refusal:
    return Refusal(
        413, "TooLarge", f"The request's body has more than {most:,} bytes. Split it into smaller pieces.", CLOSE
    )


class _Inlet:
    """The body as it comes; `over` says whether there is more to wait for."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self.over = False

    async def read(self, most: int) -> bytes:
        """All of it, unless it is longer than that."""
        pieces: list[bytes] = []
        size = 0
        while not self.over:
            pieces.append(await self._piece())
            size += len(pieces[-1])
            if size > most:
                raise _too_large(most)
        return b"".join(pieces)

    def is_open(self, headers: Headers) -> bool:
        """Say whether more of the body may come. It is not read: the connection lets its sender finish, and closes."""
        lengths = [length for length in headers.all("content-length") if length != "0"]
        return bool(lengths or headers.all("transfer-encoding")) and not self.over

    async def _piece(self) -> bytes:
        message = await self._receive()
        if message["type"] == "http.disconnect":
            self.over = True
            raise Refusal(400, "Refused", "The caller went away.")
        self.over = not message.get("more_body", False)
        piece: bytes = message.get("body", b"")
        return piece


def replay_body(body: bytes, receive: Receive) -> Receive:
    """Give the body once more for who reads it next, and then whatever comes."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


class Headers:
    """The headers of a request by name."""

    def __init__(self, scope: Scope) -> None:
        self._pairs: list[tuple[bytes, bytes]] = scope["headers"]

    def all(self, name: str) -> list[str]:
        """Every value of a header."""
        wanted = name.encode()
        return [value.decode("latin-1") for key, value in self._pairs if key.lower() == wanted]

    def first(self, name: str) -> str:
        """The first value, or nothing."""
        return next(iter(self.all(name)), "")


class _Out:
    """The way out: what every response has, and what none may have."""

    def __init__(
        self, send: Send, request: str, *, head: bool, page: Callable[[int, str], bytes] | None = None
    ) -> None:
        self._send, self.id, self._head, self._page = send, request, head, page
        self.status = 0

    async def send(self, message: Message) -> None:
        """Pass a message on."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = complete_headers(message.get("headers", ()), self.id)
            message = {**message, "headers": headers}
        await self._send(message)

    async def refuse(self, refusal: Refusal, *, closing: bool = False) -> None:
        """Say no, unless an answer has begun already; then the line just ends."""
        if self.status:
            return
        if self._page is None:
            body, media = refusal_body(refusal), b"application/json"
        else:  # a person, who can do nothing with JSON
            body, media = self._page(refusal.status, str(refusal)), b"text/html; charset=utf-8"
        headers = refusal_headers(refusal, body, media)
        if closing and CLOSE[0] not in refusal.headers:
            headers.append((b"connection", b"close"))
        await self.send({"type": "http.response.start", "status": refusal.status, "headers": headers})
        await self.send({"type": "http.response.body", "body": b"" if self._head else body})
