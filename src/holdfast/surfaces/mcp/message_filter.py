"""A filter around the SDK's HTTP server: a body that is not a message gets our own error, with its id.

The SDK shows what its own checks print, answers to no id, and takes a request whose id is none for a notification: who
sent it would wait for ever. Over stdio the same lines are answered by `wire`; here it is asked as well.
"""

from __future__ import annotations

import json
from typing import Any, Final

from mcp_types import JSONRPCError, JSONRPCRequest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from holdfast.surfaces.http.request_guard import replay_body
from holdfast.surfaces.mcp.client_lines import LONGEST
from holdfast.surfaces.mcp.message_lines import encode_line, parse_line

__all__ = ["filter_messages"]

_KINDS: Final = {403: "NotPermitted", 404: "NotFound", 413: "TooLarge", 421: "NotPermitted", 500: "HoldfastError"}
_MOST_ANSWER: Final = 64 * 1024  # bytes of an error; what is longer is passed on as it is


def filter_messages(app: ASGIApp) -> ASGIApp:
    """The app, which is given messages only, and whose errors are told as everywhere."""

    async def screen(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        if scope["method"] != "POST":
            await app(scope, receive, _Telling(send).send)
            return
        body = await _body(receive)
        if body is None:  # the caller has gone
            return
        message, answer = parse_line(body[:LONGEST], cut=len(body) > LONGEST, what="body")
        if message is None:
            answer = answer or parse_line(b"?", what="body").answer  # an empty body
            assert answer is not None
            await _refuse(answer, 413 if len(body) > LONGEST else 400, send)
            return
        known = None
        if isinstance(message, JSONRPCRequest):
            known = message.id
        await app(scope, replay_body(body, receive), _Telling(send, known).send)

    return screen


async def _body(receive: Receive) -> bytes | None:
    """The whole body, or so much of it that it is too long."""
    pieces: list[bytes] = []
    size, more = 0, True
    while more and size <= LONGEST:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        pieces.append(message.get("body", b""))
        size += len(pieces[-1])
        more = message.get("more_body", False)
    return b"".join(pieces)


async def _refuse(answer: JSONRPCError, status: int, send: Send) -> None:
    body = encode_line(answer).rstrip(b"\n")
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class _Telling:
    """The way out: an error of the SDK's own gets the id of the request, and the object that every surface shows."""

    def __init__(self, send: Send, known: str | int | None = None) -> None:
        self._send, self._known = send, known
        self._start: Message | None = None
        self._held = b""

    async def send(self, message: Message) -> None:
        """Pass a message on, or hold it back until the error is whole."""
        if message["type"] == "http.response.start" and message["status"] >= 400 and _is_json(message):
            self._start = message
            return
        if self._start is None or message["type"] != "http.response.body":
            await self._send(message)
            return
        self._held += message.get("body", b"")
        more = message.get("more_body", False)
        if more and len(self._held) <= _MOST_ANSWER:
            return
        start, self._start = self._start, None
        if more:
            body = self._held
        else:
            body = _complete_error(self._held, start["status"], self._known)
        if body != self._held:
            kept = [pair for pair in start.get("headers", ()) if pair[0].lower() != b"content-length"]
            start = {**start, "headers": [*kept, (b"content-length", str(len(body)).encode())]}
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body, "more_body": more})


def _is_json(message: Message) -> bool:
    return any(name.lower() == b"content-type" and b"json" in value for name, value in message.get("headers", ()))


def _complete_error(body: bytes, status: int, known: str | int | None) -> bytes:
    """An error of JSON-RPC with what it lacks; anything else as it is."""
    try:
        found: Any = json.loads(body)
    except (ValueError, RecursionError):
        return body
    error = None
    if isinstance(found, dict):
        error = found.get("error")
    if not isinstance(error, dict) or not isinstance(error.get("message"), str):
        return body
    if not isinstance(error.get("data"), dict) or "error" not in error["data"]:
        if isinstance(error.get("data"), dict):
            data = error.get("data")
        else:
            data = {}
        shown = {"type": _KINDS.get(status, "BadArgument"), "message": error["message"]}
        error["data"] = {**(data or {}), "error": shown}
    if found.get("id") is None:
        found["id"] = known
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
