"""`holdfast mcp` as a process that is spoken to in bytes, for what the official client would never send."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any, cast

import fork_server
from commandline import SCRIPT
from fork_server import Process
from surfaces.mcp.connections import environment

HELLO: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": "hello",
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def request(number: int | str, method: str, **params: Any) -> dict[str, Any]:
    """A request of the handshake era."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def call(number: int | str, name: str, arguments: Any) -> dict[str, Any]:
    """A call of a tool."""
    return request(number, "tools/call", name=name, arguments=arguments)


class Raw:
    """The process, its input and its output, a JSON object a line."""

    def __init__(self, process: Process) -> None:
        self.process = process
        assert process.stdin is not None
        assert process.stdout is not None
        self.into: IO[bytes] = process.stdin
        self.out: IO[bytes] = io.BufferedReader(cast("io.FileIO", process.stdout))

    def say(self, *messages: dict[str, Any] | bytes) -> None:
        """Send messages, or lines as they are."""
        for one in messages:
            self.into.write((one if isinstance(one, bytes) else json.dumps(one).encode()) + b"\n")
        self.into.flush()

    def hear(self) -> dict[str, Any]:
        """The next message; every line must be one."""
        line = self.out.readline()
        assert line, "the server has gone"
        heard: dict[str, Any] = json.loads(line)
        assert heard["jsonrpc"] == "2.0"
        return heard

    def hear_result(self, message: dict[str, Any]) -> dict[str, Any]:
        """The result of one request, which is the next message."""
        self.say(message)
        heard = self.hear()
        assert heard["id"] == message["id"]
        result: dict[str, Any] = heard["result"]
        return result

    def greet(self) -> dict[str, Any]:
        """The handshake."""
        self.say(HELLO)
        hello = self.hear()
        self.say(READY)
        return hello

    def ended(self) -> int:
        """Close the input, and wait for the end; nothing but messages may have been left in the output."""
        self.into.close()
        for line in self.out:
            json.loads(line)
        return self.process.wait(60)


@contextmanager
def running(*options: str, command: Sequence[str] | None = None, cwd: str | None = None) -> Iterator[Raw]:
    """A server; it is ended by its input, and killed only when that fails."""
    pipe = subprocess.PIPE
    process: Process
    if command is None and cwd is None:
        process = fork_server.start(SCRIPT, "mcp", *options, env=environment(), stdin=pipe)
    else:
        argv = [*(command or fork_server.command(SCRIPT)), "mcp", *options]
        process = subprocess.Popen(argv, 0, stdin=pipe, stdout=pipe, stderr=pipe, env=environment(), cwd=cwd)
    raw = Raw(process)
    try:
        yield raw
        raw.into.close()
        process.wait(60)
    finally:
        process.kill()
        process.wait(60)
        for stream in (raw.into, raw.out, process.stderr):
            assert stream is not None
            stream.close()


def python(code: str) -> list[str]:
    """The same server with a Python of its own, after some code of a test's own: for what imports do."""
    return [sys.executable, "-c", _after(code)]


def forked(code: str) -> list[str]:
    """The same server after some code of a test's own, where all is imported already."""
    return fork_server.command(_after(code))


def _after(code: str) -> str:
    return f"import sys\n{code}\nfrom holdfast.surfaces.cli.main import main\nsys.exit(main(sys.argv[1:]))"
