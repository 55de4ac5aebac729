"""A line to PostgreSQL that is cut at the Nth statement, before it arrives or before its answer does."""

from __future__ import annotations

import socket
import struct
import threading
from contextlib import suppress

__all__ = ["CuttingProxy"]

_STATEMENT = b"QS"  # a simple query, or the end of an extended one: what the server answers as one
_READY = b"Z"


class CuttingProxy:
    """Forwards to a port; `cut_at` is the statement at which every line is cut, counted from 1 over all lines."""

    def __init__(self, port: int) -> None:
        self._server = port
        self.cut_at, self.answered = 0, False
        self.seen = self.cuts = 0
        self._lock = threading.Lock()
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def begin(self, cut_at: int, *, answered: bool) -> None:
        """Count from now on; `answered` lets the server do the statement, and loses its answer."""
        self.cut_at, self.answered, self.seen, self.cuts = cut_at, answered, 0, 0

    def close(self) -> None:
        """Take no more lines."""
        self._door.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._door.accept()
                server = socket.create_connection(("127.0.0.1", self._server))
                for line in (client, server):
                    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                _Line(self, client, server).start()

    def is_last(self) -> bool:
        """Count a statement, and say whether the line is cut at it."""
        with self._lock:
            self.seen += 1
            if self.seen != self.cut_at:
                return False
            self.cuts += 1
            return True


class _Line(threading.Thread):
    """One connection: what the client sends, message by message, and what comes back as it is."""

    def __init__(self, proxy: CuttingProxy, client: socket.socket, server: socket.socket) -> None:
        super().__init__(daemon=True)
        self._proxy, self._client, self._server = proxy, client, server
        self._swallows = threading.Event()

    def run(self) -> None:
        """Forward until either side ends."""
        back = threading.Thread(target=self._answer, daemon=True)
        back.start()
        with suppress(OSError):
            self._forward(_take(self._client, struct.unpack("!I", _take(self._client, 4))[0] - 4, b""))
        self._end()

    def _forward(self, startup: bytes) -> None:
        self._server.sendall(struct.pack("!I", len(startup) + 4) + startup)
        while True:
            kind = _take(self._client, 1)
            head = _take(self._client, 4)
            message = kind + head + _take(self._client, struct.unpack("!I", head)[0] - 4, b"")
            if kind in _STATEMENT and self._proxy.is_last():
                if not self._proxy.answered:
                    return
                self._swallows.set()
            self._server.sendall(message)

    def _answer(self) -> None:
        with suppress(OSError):
            while True:
                kind = _take(self._server, 1)
                head = _take(self._server, 4)
                body = _take(self._server, struct.unpack("!I", head)[0] - 4, b"")
                if not self._swallows.is_set():
                    self._client.sendall(kind + head + body)
                elif kind == _READY:  # all of it was done; nobody hears of it
                    break
        self._end()

    def _end(self) -> None:
        for line in (self._client, self._server):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
            line.close()


def _take(line: socket.socket, size: int, end: bytes | None = None) -> bytes:
    """Take so many bytes; the end of the line is an error."""
    data = end or b""
    while len(data) < size:
        more = line.recv(size - len(data))
        if not more:
            raise ConnectionResetError
        data += more
    return data
