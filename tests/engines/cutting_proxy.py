"""A line to a port of this machine that a test can cut or hold in the middle of what passes, in either direction."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Self


class CuttingProxy:
    """Forwards connections to a port; when it is armed, all of them break off after so many more bytes."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        self._lock = threading.Lock()
        self._lines: set[socket.socket] = set()
        self._left: dict[bool, int] = {}
        """How many bytes still pass in a direction, where it is to be cut."""
        self._was_cut = threading.Event()
        self._until_held: int | None = None
        self._is_time: Callable[[bytes], bool] | None = None
        self._flows = threading.Event()
        self._flows.set()
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._door.close()
        self._flows.set()
        self._cut()

    def hold(self, after: int = 0) -> None:
        """Take what is sent, and new connections too, and pass nothing on until it is let go.

        `after` more bytes to the server, or some fewer, still pass.
        """
        with self._lock:
            self._until_held = after
        if not after:
            self._flows.clear()

    def hold_when(self, is_time: Callable[[bytes], bool]) -> None:
        """Do the same from the first bytes to the server on of which `is_time` says so."""
        self._is_time = is_time

    def let_go(self) -> None:
        """Pass on what was held, and all that follows."""
        self._is_time = None
        with self._lock:
            self._until_held = None
        self._flows.set()

    def cut_after(self, bytes_more: int, *, to_server: bool, seconds: float) -> bool:
        """Let so many more bytes pass in a direction, then cut; say whether that happened within some seconds."""
        self._was_cut.clear()
        with self._lock:
            self._left[to_server] = bytes_more
        return self._was_cut.wait(seconds)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._door.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                client.close()
                continue
            with self._lock:
                self._lines |= {client, server}
            for source, sink, to_server in ((client, server, True), (server, client, False)):
                threading.Thread(target=self._pump, args=(source, sink, to_server), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, to_server: bool) -> None:
        with suppress(OSError), closing(source):
            while data := source.recv(65_536):
                self._hold_back(data, to_server)
                passing, cuts = self._let_through(data, to_server)
                sink.sendall(passing)
                if cuts:
                    self._cut()
        with self._lock:
            self._lines.discard(source)
        with suppress(OSError):
            sink.shutdown(socket.SHUT_RDWR)

    def _hold_back(self, data: bytes, to_server: bool) -> None:
        if to_server and self._is_time is not None and self._is_time(data):
            self._flows.clear()
        with self._lock:
            if to_server and self._until_held is not None:
                self._until_held -= len(data)
                if self._until_held < 0:
                    self._flows.clear()
        self._flows.wait()

    def _let_through(self, data: bytes, to_server: bool) -> tuple[bytes, bool]:
        with self._lock:
            left = self._left.get(to_server)
            if left is None:
                return data, False
            if len(data) <= left:
                self._left[to_server] = left - len(data)
                return data, False
            self._left.clear()
            return data[:left], True

    def _cut(self) -> None:
        with self._lock:
            lines, self._lines = self._lines, set()
        for line in lines:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
        self._was_cut.set()
