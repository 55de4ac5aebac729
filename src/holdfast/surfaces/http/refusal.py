"""A refusal → an answer, as ASGI headers or as plain bytes, with the headers that every answer of ours has."""

from __future__ import annotations

import os
from collections.abc import Iterable
from email.utils import formatdate
from http import HTTPStatus
from typing import Final

from holdfast.surfaces.http.responses import as_json
from holdfast.surfaces.http.statuses import error_body

__all__ = ["CLOSE", "Refusal", "complete_headers", "new_request_id", "refusal_body", "refusal_bytes", "refusal_headers"]

CLOSE: Final = (("Connection", "close"),)
_CSP: Final = (
    # No text ever becomes markup or code: the browser itself refuses it (trusted-types 'none').
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; worker-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_SECURITY_HEADERS: Final = (
    (b"content-security-policy", _CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


class Refusal(Exception):
    """A refusal of a request: a status, and an error in the shape of all errors."""

    def __init__(self, status: int, kind: str, message: str, headers: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__(message)
        self.status, self.kind, self.headers = status, kind, headers


def new_request_id() -> str:
    """Make the id by which the log names a request."""
    return os.urandom(8).hex()


def complete_headers(headers: Iterable[tuple[bytes, bytes]], request_id: str) -> list[tuple[bytes, bytes]]:
    """Add what every answer has, and take out what none may have."""
    kept = [pair for pair in headers if not pair[0].lower().startswith(b"access-control-")]
    present = {name.lower() for name, _ in kept}
    kept += [pair for pair in _SECURITY_HEADERS if pair[0] not in present]
    if b"cache-control" not in present:
        kept.append((b"cache-control", b"no-store"))
    return [*kept, (b"x-request-id", request_id.encode())]


def refusal_body(refusal: Refusal) -> bytes:
    """Render the error."""
    return as_json(error_body(refusal.kind, str(refusal)))


def refusal_headers(refusal: Refusal, body: bytes, media: bytes = b"application/json") -> list[tuple[bytes, bytes]]:
    """Give the headers of the refusal itself, without those of every answer."""
    headers = [(b"content-type", media), (b"content-length", str(len(body)).encode())]
    return headers + [(name.lower().encode(), value.encode()) for name, value in refusal.headers]


def refusal_bytes(refusal: Refusal) -> bytes:
    """Render the whole answer, for a request that never became one: no application could send it."""
    body = refusal_body(refusal)
    headers = complete_headers(refusal_headers(refusal, body), new_request_id())
    headers.append((b"date", formatdate(usegmt=True).encode()))
    phrase = HTTPStatus(refusal.status).phrase.encode()
    lines = [b"HTTP/1.1 %d %s" % (refusal.status, phrase), *(b"%s: %s" % pair for pair in headers)]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body
