"""The misbehaviours of the test server that need no answer of an API: on the wire and in the body as a whole."""

from __future__ import annotations

import gzip
from functools import cache
from http.server import BaseHTTPRequestHandler

import provider_faults as faults
from provider_exchange import Ask

__all__ = ["misbehave"]

_MEGABYTE = b" " * (1024 * 1024)
_PAUSE = 0.005


def misbehave(speaker: BaseHTTPRequestHandler, ask: Ask) -> bool:
    """Do what the fault says; False when the fault is not one of these."""
    match ask.fault:
        case faults.HANG:
            ask.server.release.wait()
        case faults.DRIP:
            _start(speaker, 1_000_000)
            _drip(speaker, ask, b" " * 1_000_000)
        case faults.HEADER_DRIP:
            _drip(speaker, ask, b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 90_000)
        case faults.REDIRECT:
            given = ask.seen.headers.get("authorization", "")
            _start(speaker, 0, 307, Location=f"/elsewhere?key={ask.server.key}", X_Echo=given)
            return True  # the connection may be used again
        case faults.HTML:
            page = f"<!DOCTYPE html><html><body>Please log in. {ask.server.key}</body></html>".encode()
            _start(speaker, len(page), Content_Type="text/html; charset=utf-8")
            speaker.wfile.write(page)
            return True
        case faults.EMPTY:
            _start(speaker, 0, Content_Type="application/json")
            return True
        case faults.HUGE:
            _start(speaker, 100 * len(_MEGABYTE), Content_Type="application/json")
            for _ in range(100):
                speaker.wfile.write(_MEGABYTE)
                ask.server.sent += len(_MEGABYTE)
        case faults.BOMB:
            _start(speaker, len(_bomb()), Content_Type="application/json", Content_Encoding="gzip")
            speaker.wfile.write(_bomb())
            return True
        case _:
            return False
    speaker.close_connection = True
    return True


def _start(speaker: BaseHTTPRequestHandler, length: int, code: int = 200, **headers: str) -> None:
    speaker.send_response(code)
    for name, value in headers.items():
        speaker.send_header(name.replace("_", "-"), value)
    speaker.send_header("Content-Length", str(length))
    speaker.end_headers()


def _drip(speaker: BaseHTTPRequestHandler, ask: Ask, data: bytes) -> None:
    release = ask.server.release
    for byte in data:
        if release.wait(_PAUSE):
            return
        speaker.wfile.write(bytes([byte]))
        speaker.wfile.flush()


@cache
def _bomb() -> bytes:
    return gzip.compress(b" " * (100 * 1024 * 1024), 9)
