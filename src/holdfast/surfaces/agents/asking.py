"""A running server of the home, asked over plain HTTP: it has everything open, and a hook has little time."""

from __future__ import annotations

import json
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode, urlsplit

from holdfast.errors import HoldfastError

__all__ = ["Server", "ask", "server_of"]

_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_MOST_ANSWERED = 4 * 1024 * 1024


class Server(NamedTuple):
    """Where a server listens, and the key to it, which no repr shows."""

    host: str
    port: int
    token: str

    def __repr__(self) -> str:
        return f"Server(host={self.host!r}, port={self.port})"


def server_of(home: str) -> Server | None:
    """The server that serves this home, on this machine; None where there is none that lives."""
    from holdfast.surfaces.http.announce import running
    from holdfast.surfaces.http.token import token_of

    found = running(home)
    if found is None:
        return None
    try:
        url = urlsplit(found.url)
        port, token = url.port, token_of(home, make=False)
    except (ValueError, HoldfastError):
        return None
    # The key goes to nobody else, whatever stands in the file that names the server.
    if url.scheme != "http" or url.hostname not in _LOOPBACK or port is None or not token:
        return None
    return Server(url.hostname, port, token)


def ask(
    server: Server, session: str, verb: str, body: dict[str, Any], query: dict[str, str], seconds: float
) -> dict[str, Any]:
    """What the server answers for a session; OSError or ValueError where it gives no answer in time."""
    from http.client import HTTPConnection, HTTPException

    connection = HTTPConnection(server.host, server.port, timeout=max(0.05, seconds))
    try:
        connection.request(
            "POST",
            f"/api/v1/sessions/{quote(session, safe='')}/{verb}?{urlencode(query)}",
            json.dumps(body).encode(),
            {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"},
        )
        reply = connection.getresponse()
        data = reply.read(_MOST_ANSWERED)
    except HTTPException as error:
        raise ValueError(f"the server gave no answer: {type(error).__name__}") from None
    finally:
        connection.close()
    if reply.status != 200:
        raise ValueError(f"the server answered {reply.status}")
    answer = json.loads(data)
    if not isinstance(answer, dict):
        raise ValueError("the server answered no object")
    return answer
