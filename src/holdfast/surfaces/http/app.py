"""A request that passed the guard → the route's function in a worker thread → its response."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, aclosing, suppress
from functools import partial
from typing import Any, Final, TypeVar

from holdfast.checkpoints.change import sent_before
from holdfast.checkpoints.change_id import use_change_id
from holdfast.context.context import Context
from holdfast.errors import BadArgument, BadText, HoldfastError
from holdfast.memory import Memory
from holdfast.notes.staleness import allow_stale
from holdfast.surfaces.client.transport import BEHIND
from holdfast.surfaces.http.api_reference import pages
from holdfast.surfaces.http.credentials import ENTER, Visitor
from holdfast.surfaces.http.event_stream import PLACE
from holdfast.surfaces.http.kept_answers import answer_once
from holdfast.surfaces.http.openapi import document_of
from holdfast.surfaces.http.parameters import Place, read_arguments
from holdfast.surfaces.http.request_body import read_json, read_query
from holdfast.surfaces.http.request_guard import MOST_BYTES, VISITOR, App, Receive, Refusal, Scope, Send
from holdfast.surfaces.http.responses import Flow, PackedJson, Raw, Reply, as_json, gzip_bytes, response_of
from holdfast.surfaces.http.role_access import only_reads
from holdfast.surfaces.http.route_table import ROUTES
from holdfast.surfaces.http.router import JSON, Endpoint, Table
from holdfast.surfaces.http.server_state import GIVEN, NamedAgent, ServerState, memory_for_origin
from holdfast.surfaces.http.statuses import error_body, retry_headers, status_of
from holdfast.surfaces.web.static_files import StaticFiles, accepts_gzip, is_app_path

__all__ = ["SERVER", "Api"]

SERVER: Final = "holdfast.server"
"""Where the scope of a request has its tenant's state."""

_PLACE: Final = "holdfast.place"
_THREADS: Final = 8
_Result = TypeVar("_Result")
_CHANGE_ID: Final = "Idempotency-Key"
_DIGEST_LENGTH: Final = 32  # 128 bits
_EXPECTING: Final = ("if_match", "if_none_match", "expected_hash")
_CONDITIONS: Final = ("if-match", "if-none-match")
_ANSWERED_AGAIN: Final = ("facts", "sessions", "state")
"""The tags of routes whose answers are kept for a request that comes again with the same key."""
_FORGET: Final = "POST /api/v1/forget"
_FOR_GOOD: Final = ("DELETE /api/v1/sessions/{key}", "POST /api/v1/sessions/{key}/forget")
_PACKED_FROM: Final = 10_000  # bytes of JSON; what is shorter fits into few packets anyway
# What holds a secret is not packed: beside text of others, its length would tell of it.
_NOT_PACKED: Final = (ENTER, "/api/v1/entry")


class Api:
    """The ASGI application behind the guard. `mounted` are other applications by the path they stand at.

    A server of tenants has no state of its own: each request brings its tenant's.
    """

    def __init__(self, server: ServerState | None, *, mounted: dict[str, App] | None = None, url: str = "") -> None:
        self.server = server
        self.table = Table(ROUTES, GIVEN)
        self._mounted = mounted or {}
        self._pages = pages(lambda: document_of(self.table, server.url if server is not None else url))
        self.files = StaticFiles()
        self._quick = ThreadPoolExecutor(_THREADS, "holdfast-quick")
        # A model may take a minute: whoever waits for one must not keep a search waiting.
        self._slow = ThreadPoolExecutor(_THREADS, "holdfast-slow")
        self._looking: set[asyncio.Future[None]] = set()

    def takes(self, method: str, raw_path: str) -> tuple[tuple[str, ...], int]:
        """Return what a request of this method and path may bring as its body."""
        with suppress(BadArgument):
            found = self.table.match(method, raw_path).endpoint
            if found is not None:
                return found.media, found.route.most or MOST_BYTES
        return (JSON,), MOST_BYTES

    def allows(self, raw_path: str) -> tuple[str, ...]:
        """The methods that there are for a path; none where there is nothing."""
        if raw_path in self._pages or (raw_path != ENTER and is_app_path(raw_path)):
            return ("GET", "HEAD")
        if raw_path == ENTER:
            return ("GET", "HEAD", "POST")
        if self._mounted_at(raw_path) is not None:
            return ("GET", "POST", "DELETE")
        return self.table.match("", raw_path).allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        raw_path: str = scope["raw_path"].decode("latin-1")
        mounted = self._mounted_at(raw_path)
        if mounted is not None:
            scope["holdfast.route"] = f"{scope['method']} {mounted}"
            await self._mounted[mounted](scope, receive, send)
            return
        try:
            reply = await self._reply(scope, raw_path, receive)
        except HoldfastError as error:
            conditional = scope.get("holdfast.conditional", False)
            shown = error_body(type(error).__name__, error.shown)
            if isinstance(error, BadText):
                shown["error"]["line"] = error.line
            reply = Reply(shown, status_of(error, conditional=conditional), retry_headers(error))
        if isinstance(reply, Flow) and scope["method"] == "HEAD":
            reply = Raw(b"", reply.media, headers=reply.headers)  # who asks for the headers alone does not listen
        if isinstance(reply, Flow):
            await _flow(reply, receive, send)
            return
        if isinstance(reply, PackedJson):
            reply = _negotiate_encoding(reply, _headers_of(scope))
        await _send(reply, send, scope.get(_PLACE, ""))

    def close(self) -> bool:
        """Take no more work; says whether a thread is still at some."""
        for pool in (self._quick, self._slow):
            pool.shutdown(wait=False, cancel_futures=True)
        threads = [*self._quick._threads, *self._slow._threads]  # noqa: SLF001 - there is no other way to ask
        return any(thread.is_alive() for thread in threads)

    def _mounted_at(self, raw_path: str) -> str | None:
        return next((at for at in self._mounted if raw_path == at or raw_path.startswith(f"{at}/")), None)

    def _page(self, scope: Scope, raw_path: str, headers: dict[str, str]) -> Reply | Raw | PackedJson | Flow:
        """Answer with a page of the reference, or with a file of the web app."""
        page = self._pages.get(raw_path)
        scope["holdfast.route"] = "GET /"
        if page is not None:
            scope["holdfast.route"] = f"GET {raw_path}"
        if scope["method"] not in ("GET", "HEAD"):
            raise Refusal(405, "Refused", "This page can only be read.", (("Allow", "GET, HEAD"),))
        if page is not None:
            return _encode_reply(page(read_query(scope["query_string"])), scope)
        return self.files.answer(scope["path"], headers)

    def _endpoint(self, method: str, raw_path: str) -> tuple[Endpoint, dict[str, Any]]:
        """Find the route, and what the path brings for it; Refusal where there is none."""
        found = self.table.match(method, raw_path)
        if found.endpoint is not None:
            return found.endpoint, dict(found.values)
        if found.allowed:
            why = f"This route knows {', '.join(found.allowed)}."
            raise Refusal(405, "Refused", why, (("Allow", ", ".join(found.allowed)),))
        raise Refusal(404, "NotFound", "There is no such route. /docs lists those that there are.")

    async def _reply(self, scope: Scope, raw_path: str, receive: Receive) -> Reply | Raw | PackedJson | Flow:
        headers = _headers_of(scope)
        reads = scope["method"] in ("GET", "HEAD")
        if raw_path in self._pages or (is_app_path(scope["path"]) and (reads or raw_path != ENTER)):
            return self._page(scope, raw_path, headers)
        endpoint, in_path = self._endpoint(scope["method"], raw_path)
        scope["holdfast.route"] = endpoint.name
        body = (await receive()).get("body", b"")
        query = read_query(scope["query_string"])
        visitor = scope.get(VISITOR, Visitor())
        # A page says with every call whose memory it shows, also where that makes no difference.
        agent = None
        if endpoint.asks_memory or visitor.browser:
            agent = query.pop("agent", None)
        if agent == "":
            raise BadArgument("agent", "it is empty")
        server = scope.get(SERVER, self.server)
        if visitor.browser:
            scope[_PLACE] = server.bus.place
        _refuse_idle_conditions(endpoint, headers)
        upload = endpoint.upload
        values: dict[Place, dict[str, Any]] = {
            Place.PATH: in_path,
            Place.QUERY: dict(query),
            Place.HEADER: dict(headers),
            Place.BODY: read_json(body, exact=endpoint.route.exact) if upload is None else {},
            Place.UPLOAD: {} if upload is None else {upload.shown: body},
        }
        arguments = read_arguments(endpoint.parameters, values)
        scope["holdfast.conditional"] = any(arguments.get(name) is not None for name in _EXPECTING)
        if endpoint.route.slow:
            pool = self._slow
        else:
            pool = self._quick
        loop = asyncio.get_running_loop()
        work = partial(self._work, server, endpoint, arguments, agent, visitor)
        if only_reads(endpoint.route, arguments):
            work = partial(_read_on, work)
        change_id = headers.get(_CHANGE_ID.lower())
        if change_id is not None and not reads:
            work = partial(_once, change_id, _request_digest(change_id, endpoint.name, agent, values, headers), work)
        # Written down by the same thread: the loop has others to serve, and another thread would wait for its turn.
        result = await loop.run_in_executor(pool, lambda: _encode_reply(work(), scope))
        if endpoint.route.method != "GET" and not endpoint.route.reads and endpoint.asks_memory:
            self._look_later(loop, server, agent)
        return result

    def _work(
        self, server: ServerState, endpoint: Endpoint, arguments: dict[str, Any], agent: str | None, visitor: Visitor
    ) -> Reply | Raw | PackedJson | Flow:
        """Runs in a worker thread."""
        given = dict(arguments)
        for name, kind in endpoint.given.items():
            if kind is ServerState:
                given[name] = server
            elif kind is NamedAgent:
                given[name] = NamedAgent(agent)
            elif kind is Visitor:
                given[name] = visitor

        def answer() -> Reply | Raw | PackedJson | Flow:
            return response_of(endpoint.run(given), endpoint.route.statuses[0])

        if not endpoint.asks_memory:
            return answer()
        if endpoint.route.tag != "server":  # whoever only watches us does not keep us from dreaming
            server.stir()
        with server.memories.memory(agent) as memory:
            server.follow(memory)
            acted = memory_for_origin(memory, visitor.origin)
            sent_before(acted.ctx.workspace)  # a key that was used for another request is refused before all else
            for name, kind in endpoint.given.items():
                if kind in (Memory, Context):
                    given[name] = acted if kind is Memory else acted.ctx
            if endpoint.route.tag not in _ANSWERED_AGAIN and endpoint.name != _FORGET:
                return answer()
            # What goes for good must not be kept in an answer.
            for_good = endpoint.name in _FOR_GOOD or bool(given.get("everywhere"))
            return answer_once(acted.ctx, given.get("key_"), answer, keep=not for_good)

    def _look_later(self, loop: asyncio.AbstractEventLoop, server: ServerState, agent: str | None) -> None:
        """Tell of what was written, after the answer."""
        with suppress(RuntimeError):  # the server is about to end
            looking: asyncio.Future[None] = loop.run_in_executor(self._quick, server.look, agent)
            self._looking.add(looking)
            looking.add_done_callback(self._looking.discard)


def _encode_reply(reply: Reply | Raw | PackedJson | Flow, scope: Scope) -> Reply | Raw | PackedJson | Flow:
    """Give the bytes of a JSON answer; those of a long one gzipped, where the caller takes that."""
    if not isinstance(reply, Reply) or reply.shown is None:
        return reply
    body = as_json(reply.shown)
    if len(body) <= _PACKED_FROM or scope["path"] in _NOT_PACKED:
        return Raw(body, JSON, reply.status, reply.headers)
    fields = (*reply.headers, ("Vary", "Accept-Encoding"))
    if not accepts_gzip(_headers_of(scope)):
        return Raw(body, JSON, reply.status, fields)
    return Raw(gzip_bytes(body), JSON, reply.status, (*fields, ("Content-Encoding", "gzip")))


def _read_on(work: Callable[[], Reply | Raw | PackedJson | Flow]) -> Reply | Raw | PackedJson | Flow:
    """Do work that only reads: by what was known last where the truth can't be asked, and a header says so."""
    with allow_stale() as staleness:
        reply = work()
    if not staleness.why:
        return reply
    return reply.replace(headers=(*reply.headers, (BEHIND, staleness.why)))


def _once(change_id: str, digest: str, work: Callable[[], _Result]) -> _Result:
    """Do the work; where a change of this id was made before, that one is told of, and nothing is done twice."""
    with use_change_id(change_id, digest, name=_CHANGE_ID):
        return work()


def _request_digest(
    change_id: str, route: str, agent: str | None, values: dict[Place, dict[str, Any]], headers: dict[str, str]
) -> str:
    """Return what tells a request from another that has the same key: its route, agent, arguments and conditions."""
    arguments = {place.value: given for place, given in values.items() if place is not Place.HEADER}
    conditions = [headers.get(name) for name in _CONDITIONS]
    said = json.dumps([change_id, route, agent, arguments, conditions], sort_keys=True, default=_digest_of_upload)
    return hashlib.sha256(said.encode()).hexdigest()[:_DIGEST_LENGTH]


def _digest_of_upload(data: Any) -> str:
    return hashlib.sha256(data if isinstance(data, bytes) else repr(data).encode()).hexdigest()


def _headers_of(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


def _negotiate_encoding(reply: PackedJson, headers: dict[str, str]) -> Raw:
    """Return the form of an answer that the caller takes."""
    fields = (*reply.headers, ("Vary", "Accept-Encoding"))
    if not accepts_gzip(headers):
        return Raw(reply.plain, JSON, headers=fields)
    return Raw(reply.gzipped, JSON, headers=(*fields, ("Content-Encoding", "gzip")))


def _refuse_idle_conditions(endpoint: Endpoint, headers: dict[str, str]) -> None:
    """Refuse a condition that a route would not look at: who sent it believes that nothing happens unless it holds."""
    if endpoint.route.method == "GET":
        return
    known = {parameter.shown.lower() for parameter in endpoint.of(Place.HEADER)}
    idle = next((name for name in _CONDITIONS if name in headers and name not in known), None)
    if idle is not None:
        raise BadArgument(idle.title(), "this route knows no such condition; leave the header out")


async def _send(reply: Reply | Raw, send: Send, place: str) -> None:
    if isinstance(reply, Raw):
        body, media = reply.data, reply.media
    else:
        body, media = (b"", "") if reply.shown is None else (as_json(reply.shown), JSON)
    headers = [(name.lower().encode(), value.encode("latin-1", "replace")) for name, value in reply.headers]
    if media:
        headers.append((b"content-type", media.encode()))
    if place:
        headers.append((PLACE.lower().encode(), place.encode()))
    if reply.status != 304:
        headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _flow(flow: Flow, receive: Receive, send: Send) -> None:
    """Send pieces as they come, until there are no more or the caller is gone."""
    headers = [(name.lower().encode(), value.encode()) for name, value in flow.headers]
    headers += [(b"content-type", flow.media.encode()), (b"cache-control", b"no-store"), (b"x-accel-buffering", b"no")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    gone = asyncio.ensure_future(_wait_for_disconnect(receive))
    async with AsyncExitStack() as held:
        held.callback(gone.cancel)
        pieces = await held.enter_async_context(aclosing(flow.pieces))  # type: ignore[type-var]
        while True:
            piece = await _next(pieces, gone)
            if piece is None:
                break
            await send({"type": "http.response.body", "body": piece, "more_body": True})
    if not gone.done() or gone.cancelled():
        await send({"type": "http.response.body", "body": b""})


async def _next(pieces: AsyncIterator[bytes], gone: asyncio.Future[None]) -> bytes | None:
    coming = asyncio.ensure_future(_piece(pieces))
    await asyncio.wait((coming, gone), return_when=asyncio.FIRST_COMPLETED)
    if not coming.done():
        coming.cancel()
        with suppress(asyncio.CancelledError):
            await coming
        return None
    return coming.result()


async def _piece(pieces: AsyncIterator[bytes]) -> bytes | None:
    return await anext(pieces, None)


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
