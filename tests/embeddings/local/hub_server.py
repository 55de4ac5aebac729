"""A model hub on loopback: it redirects large files to a second server, as the real one does to its CDN, and misbehaves
when told to. Both record the requests they saw."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar, NamedTuple


class Seen(NamedTuple):
    """One request as a server saw it."""

    server: str
    method: str
    path: str
    headers: dict[str, str]


class Hub:
    """What both servers share: the files, the ways to misbehave, and what was asked."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.small: set[str] = set()  # served by the hub itself, with the Git blob id
        self.seen: list[Seen] = []
        self.cuts: list[int] = []  # each answer with a body is broken off after so many bytes
        self.status: dict[str, int] = {}  # path → the status it answers instead
        self.error_code = ""
        self.checksum = ""  # instead of the right one
        self.announced = -1  # instead of the right size
        self.etag = ""  # instead of the right one, of files that the hub serves itself
        self.changed_etag = ""  # instead of it, in answers to GET: the file changed after it was asked about
        self.ignores_ranges = False
        self.refuses_ranges = False
        self.sends_more = b""
        self.moved: dict[str, str] = {}
        self.hold = threading.Event()  # an answer that is cut waits here first, where `holds` says so
        self.holds = False
        self.endpoint = ""
        self.cdn = ""

    def add(self, path: str, data: bytes, *, small: bool = False, revision: str = "main") -> None:
        """Put a file (owner/repository/path) on the hub."""
        owner, repository, file = path.split("/", 2)
        self.files[f"/{owner}/{repository}/resolve/{revision}/{file}"] = data
        if small:
            self.small.add(f"/{owner}/{repository}/resolve/{revision}/{file}")

    def asked(self, method: str, server: str = "cdn") -> list[Seen]:
        return [seen for seen in self.seen if seen.method == method and seen.server == server]


class _Answering(BaseHTTPRequestHandler):
    hub: ClassVar[Hub]
    server_name: ClassVar[str]
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the standard library's
        """Keep the tests' output clean."""

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def _answer(self) -> None:
        hub = self.hub
        hub.seen.append(Seen(self.server_name, self.command, self.path, dict(self.headers)))
        path = self.path.split("?")[0]
        if self.server_name == "hub":
            if path in hub.moved:
                return self._empty(307, {"Location": hub.moved[path]})
            status = hub.status.get(path, 200 if path in hub.files else 404)
            if status != 200:
                return self._empty(status, {"X-Error-Code": hub.error_code} if hub.error_code else {})
            if path not in hub.small:
                return self._to_the_cdn(path)
        elif "signature=" not in self.path:
            return self._empty(403, {})
        elif path in hub.status:
            return self._empty(hub.status[path], {})
        return self._bytes(path)

    def _to_the_cdn(self, path: str) -> None:
        data = self.hub.files[path]
        digest = self.hub.checksum or hashlib.sha256(data).hexdigest()
        headers = {"X-Linked-Etag": f'"{digest}"', "X-Repo-Commit": "0" * 40, "ETag": '"the hub\'s own page"'}
        headers["X-Linked-Size"] = str(self.hub.announced if self.hub.announced >= 0 else len(data))
        self._empty(302, headers | {"Location": f"{self.hub.cdn}{path}?signature=SECRET"})

    def _empty(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _bytes(self, path: str) -> None:
        hub = self.hub
        data = hub.files[path]
        blob = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
        changed = hub.changed_etag if self.command == "GET" else ""
        tag = f'"{changed or hub.etag or blob}"'
        asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        start = 0
        if asked and hub.refuses_ranges:
            return self._empty(416, {})
        if asked and not hub.ignores_ranges and self.headers.get("If-Range", tag) == tag:
            start = int(asked[1])
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        else:
            self.send_response(200)
        body = data[start:] + hub.sends_more
        self.send_header("ETag", tag)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "HEAD":
            return None
        if hub.cuts:
            self.wfile.write(body[: hub.cuts.pop(0)])
            self.wfile.flush()
            if hub.holds:
                hub.hold.wait(60)
            self.close_connection = True
            return None
        self.wfile.write(body)
        return None


@contextmanager
def running() -> Iterator[Hub]:
    """Both servers, on ports of their own, until the block ends."""
    hub = Hub()
    servers = []
    for name in ("hub", "cdn"):
        answering = type(name, (_Answering,), {"hub": hub, "server_name": name})
        server = ThreadingHTTPServer(("127.0.0.1", 0), answering)
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        servers.append((server, thread))
    hub.endpoint, hub.cdn = (f"http://127.0.0.1:{server.server_address[1]}" for server, _ in servers)
    try:
        yield hub
    finally:
        hub.hold.set()
        for server, thread in servers:
            server.shutdown()
            server.server_close()
            thread.join()
