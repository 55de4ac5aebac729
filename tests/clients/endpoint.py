"""A model on loopback that says what a script wants, in the language it is asked in, and keeps every request."""

from __future__ import annotations

import gzip
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self
from urllib.parse import urlsplit

from clients.dialects import DIALECTS, Dialect
from clients.script import Script

__all__ = ["Endpoint", "Received"]


class Received(NamedTuple):
    """One request: its path, and its body as it was sent."""

    path: str
    body: dict[str, Any]


class Endpoint:
    """Listens while it is open; `received` holds what models were asked, `refused` who else was asked for."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.received: list[Received] = []
        self.refused: list[str] = []
        self._server = _Server(self)
        self.port = int(self._server.server_address[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a client that is ended in the middle of an answer is no fault."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Content-Encoding") == "gzip":
            data = gzip.decompress(data)
        path = urlsplit(self.path).path
        dialect = next((spoken for spoken in DIALECTS if re.fullmatch(spoken.path, path)), None)
        if dialect is not None:
            self._answer(dialect, path, json.loads(data))
        elif path.endswith(("count_tokens", ":countTokens")):
            self._send(json.dumps({"input_tokens": 100, "totalTokens": 100}).encode())
        else:
            self._refuse()

    def do_GET(self) -> None:
        self._refuse()

    def do_HEAD(self) -> None:
        self._refuse()

    def do_CONNECT(self) -> None:
        """Refuse the way to any other machine: this is the proxy that clients are told to use."""
        self._refuse()

    def _answer(self, dialect: Dialect, path: str, body: dict[str, Any]) -> None:
        endpoint = self.server.endpoint
        endpoint.received.append(Received(path, body))
        step = endpoint.script.answer(dialect.read(body))
        if not (body.get("stream") or ":stream" in path):
            self._send(json.dumps(dialect.tell(step, body)).encode())
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for event in dialect.stream(step, body):
            self.wfile.write(event)
        self.close_connection = True

    def _send(self, data: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _refuse(self) -> None:
        self.server.endpoint.refused.append(f"{self.command} {self.path}")
        self._send(b"{}", 404)

    def log_message(self, format: str, *words: object) -> None:  # noqa: A002
        """Say nothing."""
