"""A running server of the home, asked over plain HTTP: it has everything open, and a hook or a command has little time.

What the standard library has for HTTP takes longer to load than the server to answer, so this speaks the little that is
needed itself: one request of HTTP/1.0, whose answer ends with the connection.
"""

from __future__ import annotations

import json
import os
import re
from typing import Any

from holdfast.errors import HoldfastError
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late
from holdfast.settings.home_path import SERVER_FILE

__all__ = ["Server", "ask", "has_server_file", "post", "server_of"]

# The key goes to nobody else, whatever stands in the file that names the server.
_LOOPBACK = compile_late(r"http://(127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})/?", re.ASCII)
_STATUS = compile_late(rb"HTTP/1\.[01] (\d{3})[ \r\n]")
_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~")
_MOST_ANSWERED = 4 * 1024 * 1024
_BLOCK = 64 * 1024


class Server(NamedTuple):
    """The address of a server, and the key to it, which no repr shows."""

    host: str
    port: int
    token: str

    def __repr__(self) -> str:
        return f"Server(host={self.host!r}, port={self.port})"


def has_server_file(home: str) -> bool:
    """Say whether a server may run for a home; where none may, nothing more is loaded to ask one."""
    return os.path.exists(os.path.join(home, SERVER_FILE))


def server_of(home: str) -> Server | None:
    """The server that serves this home, on this machine; None where there is none that lives."""
    if not has_server_file(home):
        return None
    from holdfast.surfaces.http.server_file import running_server

    found = running_server(home)
    place = None
    if found is not None:
        place = _LOOPBACK.fullmatch(found.url)
    if place is None:
        return None
    from holdfast.surfaces.http.token import token_of

    try:
        token = token_of(home, make=False)
    except HoldfastError:
        return None
    if not token:
        return None
    return Server(place[1].strip("[]"), int(place[2]), token)


def ask(
    server: Server, session: str, verb: str, body: dict[str, Any], query: dict[str, str], seconds: float
) -> dict[str, Any]:
    """Return what the server answers for a session; OSError or ValueError where it gives no answer in time."""
    return post(server, f"/api/v1/sessions/{_quote_part(session)}/{verb}", body, query, seconds)


def post(server: Server, path: str, body: dict[str, Any], query: dict[str, str], seconds: float) -> dict[str, Any]:
    """Return what the server answers under a path; OSError or ValueError where it gives no answer in time."""
    asked = "&".join(f"{name}={_quote_part(value)}" for name, value in query.items())
    data = json.dumps(body).encode()
    if ":" in server.host:
        host = f"[{server.host}]"
    else:
        host = server.host
    head = (
        f"POST {path}?{asked} HTTP/1.0\r\n"
        f"Host: {host}:{server.port}\r\nAuthorization: Bearer {server.token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\nConnection: close\r\n\r\n"
    )
    reply = _send(server, head.encode("ascii") + data, seconds)
    status = _STATUS.match(reply)
    if status is None:
        raise ValueError("the server gave no answer that can be read")
    if status[1] != b"200":
        raise ValueError(f"the server answered {int(status[1])}")
    answer = json.loads(reply.partition(b"\r\n\r\n")[2])
    if not isinstance(answer, dict):
        raise ValueError("the server answered no object")
    return answer


def _send(server: Server, data: bytes, seconds: float) -> bytes:
    """Send a request, and return all that comes back before the end of the time."""
    import socket
    from time import monotonic

    end = monotonic() + max(0.05, seconds)
    with socket.create_connection((server.host, server.port), end - monotonic()) as line:
        line.sendall(data)
        blocks: list[bytes] = []
        size = 0
        while size <= _MOST_ANSWERED:
            line.settimeout(max(0.001, end - monotonic()))
            block = line.recv(_BLOCK)
            if not block:
                return b"".join(blocks)
            blocks.append(block)
            size += len(block)
    raise ValueError("the server answers more than can be meant")


def _quote_part(text: str) -> str:
    """A text as a part of an address: all but letters, digits and _.-~ as %XX."""
    return "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in text.encode("utf-8", "surrogatepass"))
