"""A real HTTP server on loopback that speaks the embedding APIs exactly, and misbehaves on request.

    with ProviderServer() as server:
        server.script(status(503), HANG)            # the next two requests, then it behaves
        server.always(HTML, on=r"/v1/files")        # every request to that path
        client(server.url, server.key)
        assert server.texts_paid == 3 and len(server.requests) == 1

An API lives in a file of its own (provider_openai.py …) as a list of routes; `server.add(routes)` takes more.
"""

from __future__ import annotations

import re
import socket
import threading
import uuid
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import provider_faults as faults
import provider_gemini
import provider_ollama
import provider_openai
from provider_chat_stream import stream
from provider_exchange import Ask, Reply, Route, Seen
from provider_wire import misbehave

__all__ = ["ProviderServer", "closed_port"]

MODELS = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
    "nomic-embed-text": 768,
    "gemini-embedding-001": 3072,
    "tiny": 8,
}


class ProviderServer:
    """Listens from the moment it is made; `reset()` forgets everything, `close()` ends every connection."""

    def __init__(self) -> None:
        self.key = f"sk-{uuid.uuid4().hex}"
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._routes: list[tuple[str, re.Pattern[str], Route]] = []
        for routes in (provider_openai.ROUTES, provider_ollama.ROUTES, provider_gemini.ROUTES):
            self.add(routes)
        self.release = threading.Event()
        self.reset()
        self._http = _Http(self)
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.005,), daemon=True)
        self._thread.start()

    def add(self, routes: Iterable[tuple[str, str, Route]]) -> None:
        """More endpoints: method, the pattern of the whole path, and what answers; the last one added wins."""
        for method, pattern, route in routes:
            self._routes.insert(0, (method, re.compile(pattern), route))

    def reset(self) -> None:
        """As new: no script, nothing recorded, hanging requests let go, the limits of the real services."""
        with self._lock:
            self.release.set()
            self.release = threading.Event()
            self.requests: list[Seen] = []
            self.paid: Counter[str] = Counter()
            self.models = dict(MODELS)
            self.window = 8192
            self.most_texts = 2048
            self.knows_base64 = True
            self.refuses_to_cut = False
            self.sent = 0
            self._scripts: list[tuple[re.Pattern[str], deque[faults.Fault | None], faults.Fault | None]] = []

    def script(self, *wanted: faults.Fault | None, on: str = ".*") -> None:
        """The next requests whose path matches meet these, one after the other; None behaves."""
        self._scripts.append((re.compile(on), deque(wanted), None))

    def always(self, fault: faults.Fault | None, on: str = ".*") -> None:
        """Every request whose path matches meets this, until the next `reset()`."""
        self._scripts.append((re.compile(on), deque(), fault))

    @property
    def texts_paid(self) -> int:
        """How many texts vectors were made for, repetitions included."""
        return self.paid.total()

    def pay(self, texts: Sequence[str]) -> None:
        """Count texts that vectors are made for."""
        with self._lock:
            self.paid.update(texts)

    def asked(self, path: str) -> list[Seen]:
        """The requests whose path matches."""
        return [seen for seen in self.requests if re.fullmatch(path, seen.path)]

    def close(self) -> None:
        """Stop, and end every connection and thread."""
        self.closing.set()
        self.release.set()
        self._http.shutdown()
        with self._lock:
            held = list(self._open)
        for connection in held:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
        self._http.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def take(self, seen: Seen) -> tuple[Ask, Route | None]:
        """Record a request and find what answers it, and the fault that is due."""
        with self._lock:
            self.requests.append(seen)
            fault = self._due(seen.path)
        for method, pattern, route in self._routes:
            match = pattern.fullmatch(seen.path)
            if match and method == seen.method:
                return Ask(self, seen, match.groups(), fault), route
        return Ask(self, seen, (), fault), None

    def hold(self, connection: socket.socket) -> None:
        """Remember a connection, so that `close()` can end it."""
        with self._lock:
            self._open.add(connection)

    def drop(self, connection: socket.socket) -> None:
        """The connection is over."""
        with self._lock:
            self._open.discard(connection)

    def _due(self, path: str) -> faults.Fault | None:
        for pattern, waiting, lasting in reversed(self._scripts):
            if pattern.fullmatch(path):
                if waiting:
                    return waiting.popleft()
                if lasting:
                    return lasting
        return None


def error_for(path: str, code: int, message: str) -> Reply:
    """An error in the shape of the API that the path belongs to."""
    if path.startswith("/api/"):
        return provider_ollama.error(code, message)
    if path.startswith(("/v1beta/", "/upload/", "/download/")):
        return provider_gemini.error(code, message)
    return provider_openai.error(code, message)


def closed_port() -> int:
    """A port of loopback on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class _Http(ThreadingHTTPServer):
    daemon_threads = False  # so that close() waits for each of them
    request_queue_size = 64

    def __init__(self, owner: ProviderServer) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), _Speaker)

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        self.owner.hold(connection)
        return connection, address

    def shutdown_request(self, request: Any) -> None:
        self.owner.drop(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is what many tests are about; nothing is printed."""


class _Speaker(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Http

    def answer(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        path, _, query = self.path.partition("?")
        headers = {name.lower(): value for name, value in self.headers.items()}
        seen = Seen(self.command, path, query, headers, self.rfile.read(length))
        ask, route = self.server.owner.take(seen)
        if ask.fault is not None and ask.fault.status:
            said = f"{ask.fault.message} {headers.get('authorization', headers.get('x-goog-api-key', ''))}".strip()
            reply = error_for(path, ask.fault.status, said)._replace(headers=dict(ask.fault.headers))
        elif route is None:
            reply = error_for(path, 404, f"Invalid URL ({seen.method} {path})")
        elif misbehave(self, ask):
            return
        else:
            reply = route(ask)
        self.reply(reply, ask.fault)

    do_GET = do_POST = do_DELETE = answer  # noqa: N815 - the names are the library's

    def reply(self, reply: Reply, fault: faults.Fault | None) -> None:
        if reply.pieces is not None:
            stream(self, reply, fault, self.server.owner.release)
            return
        body = reply.encoded()
        if fault == faults.TRUNCATED:
            body = body[: len(body) // 2]
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.media_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if fault == faults.RESET:
            body = body[: len(body) // 2]
            self.close_connection = True
        self.wfile.write(body)
        self.wfile.flush()
        if fault == faults.RESET:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
            self.connection.close()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
        """The server is silent: a test may look at everything that is printed."""
