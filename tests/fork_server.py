"""Processes without the price of starting Python: a warm process, which has our modules loaded, forks for each of them.

What is forked is a process in its own right: its arguments, environment, folder, streams, signals and end are its own.
Only what Python does before the first line of a program is done already, so a test of that (imports, encodings, streams
that are closed from the start) runs `commandline.process`.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import secrets
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import walk_packages
from typing import IO, Any, TypeAlias

import fork_client

__all__ = ["Forked", "Process", "begin", "command", "readable", "start"]

# What commands load while they run; the frameworks of the adapters are too large for what they are used.
_LOADED = ("apsw", "mcp.server", "numpy", "starlette.applications", "uvicorn", "watchfiles")
_LEFT_OUT = ("holdfast.__main__", "holdfast.surfaces.adapters")
_KEPT: list[object] = []  # a model goes with the last that uses it


def readable(sources: Sequence[Any], timeout: float | None) -> list[Any]:
    """Return those that can be read, as `select.select` does, which knows no descriptor above 1,023."""
    poll, numbers = select.poll(), {}
    for source in sources:
        number = source if isinstance(source, int) else source.fileno()
        numbers[number] = source
        poll.register(number, select.POLLIN)
    return [numbers[number] for number, _ in poll.poll(None if timeout is None else timeout * 1000)]


class Forked:
    """A process that the warm one forked: as much of `subprocess.Popen` as tests use."""

    def __init__(self, line: socket.socket, pipes: Sequence[IO[bytes] | None] = (None, None, None)) -> None:
        self._line = line.detach()
        self._lock = threading.Lock()
        self.stdin, self.stdout, self.stderr = pipes
        self.returncode: int | None = None
        self.pid = self._next_number(60)

    def poll(self) -> int | None:
        """Its status, once it has ended."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Its status, when it has ended; a signal's number is negative."""
        self._await(timeout)
        with self._lock:  # several threads may wait for it
            if self.returncode is None:
                self.returncode = self._next_number(timeout)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float | None = None) -> tuple[bytes, bytes]:
        """Give what it says until it ends; the limit is for each silence."""
        if self.stdin:
            self.stdin.close()
        said: dict[IO[bytes], bytes] = {stream: b"" for stream in (self.stdout, self.stderr) if stream}
        speaking = [stream for stream in said if not stream.closed]
        while speaking:
            ready = readable(speaking, timeout)
            if not ready:
                raise subprocess.TimeoutExpired("a forked process", timeout or 0)
            for stream in ready:
                piece = os.read(stream.fileno(), 65_536)
                said[stream] += piece
                if not piece:
                    stream.close()
                    speaking.remove(stream)
        self.wait(timeout)
        out, err = (said[stream] if stream else b"" for stream in (self.stdout, self.stderr))
        return out, err

    def __del__(self) -> None:
        os.close(self._line)

    def _await(self, timeout: float | None) -> None:
        if not readable([self._line], timeout):
            raise subprocess.TimeoutExpired("a forked process", timeout or 0)

    def _next_number(self, timeout: float | None) -> int:
        self._await(timeout)
        told = os.read(self._line, fork_client.NUMBER.size)
        assert told, "the process that waits for it was killed"
        number: int = fork_client.NUMBER.unpack(told)[0]
        return number


Process: TypeAlias = "Forked | subprocess.Popen[bytes]"


def start(
    program: str, *argv: str, env: Mapping[str, str], stdin: int = subprocess.DEVNULL, streams: Sequence[int] = ()
) -> Process:
    """Start a program, as text of Python, with pipes to its output or with these three streams."""
    if sys.platform != "linux":
        given, out, err = streams or (stdin, subprocess.PIPE, subprocess.PIPE)
        return subprocess.Popen(
            [*command(program), *argv], bufsize=0, stdin=given, stdout=out, stderr=err, env=_with_path(env)
        )
    with ExitStack() as theirs:
        pipes: list[IO[bytes] | None] = [None, None, None]
        if not streams:
            pipes, streams = _pipes(theirs, with_input=stdin == subprocess.PIPE)
        return Forked(fork_client.ask("\0" + _server(), program, argv, dict(env), list(streams)), pipes)


def begin() -> None:
    """Have the warm process ready: whoever is forked from now on has the same one."""
    if sys.platform == "linux":
        _server()


def command(program: str) -> list[str]:
    """Return a command line that runs a program, for whoever wants one: a shell, or a client that starts a server."""
    if sys.platform != "linux":  # libraries of other systems don't outlive a fork
        return [sys.executable, "-c", program]
    return [sys.executable, "-I", "-S", fork_client.__file__, _server(), program]


def _with_path(env: Mapping[str, str]) -> dict[str, str]:
    return {**env, "PYTHONPATH": os.path.dirname(__file__)}


def _pipes(theirs: ExitStack, *, with_input: bool) -> tuple[list[IO[bytes] | None], list[int]]:
    """Our ends of three pipes, and theirs, which are closed with the stack."""
    (read, write), (out, said), (err, complained) = (os.pipe() for _ in range(3))
    for stream in (read, said, complained):
        theirs.callback(os.close, stream)
    if not with_input:
        os.close(write)
    into = os.fdopen(write, "wb", 0) if with_input else None
    return [into, os.fdopen(out, "rb", 0), os.fdopen(err, "rb", 0)], [read, said, complained]


@cache
def _server() -> str:
    """The name of the warm process of this one, which ends with it."""
    name = f"holdfast-tests-{os.getpid()}-{secrets.token_hex(8)}"
    server = subprocess.Popen(
        [sys.executable, __file__, name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # As the console script has it; and threads can't be forked.
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    assert server.stdin
    assert server.stdout
    with server.stdout:
        assert server.stdout.readline()

    def end(into: IO[bytes] = server.stdin) -> None:
        into.close()
        server.wait(60)

    atexit.register(end)
    return name


def _next_job(listener: socket.socket) -> dict[str, Any]:
    """Fork for each job that comes; returns in the forked process, with its streams in place."""
    lines: dict[int, tuple[int, socket.socket]] = {}  # by what tells of a process's end: its number, who waits for it
    while True:
        ready = readable([listener.fileno(), 0, *lines], None)
        if 0 in ready:
            os._exit(0)  # who started it is gone
        for ended in lines.keys() & set(ready):
            child, line = lines.pop(ended)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            with line, suppress(OSError):  # nobody may wait for it any more
                line.sendall(fork_client.NUMBER.pack(status))
            os.close(ended)
        if listener.fileno() not in ready:
            continue
        line, _ = listener.accept()
        child = os.fork()
        if not child:
            break
        lines[os.pidfd_open(child)] = child, line
        with suppress(OSError):
            line.sendall(fork_client.NUMBER.pack(child))
    listener.close()
    for ended, (_, other) in lines.items():
        other.close()
        os.close(ended)
    header, streams, _, _ = socket.recv_fds(line, fork_client.LENGTH.size, 3)
    job = _read(line, fork_client.LENGTH.unpack(header)[0])
    line.close()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    loaded: dict[str, Any] = json.loads(job)
    return loaded


def _read(line: socket.socket, length: int) -> bytes:
    parts = b""
    while len(parts) < length:
        parts += line.recv(length - len(parts))
    return parts


def _warm_model() -> object:
    """Return an embedder that has loaded, checked and used its model: each process would take a tenth of a second."""
    from holdfast.embeddings.embedder import Purpose
    from holdfast.embeddings.static.static_embedder import StaticEmbedder
    from holdfast.facts.relation import read_relation
    from holdfast.search.null_distribution import null_questions

    embedder = StaticEmbedder()
    told = [question.text for question in null_questions()]
    embedder.embed(told, Purpose.DOCUMENT)
    embedder.look_closer(told[0], [(text, text) for text in told[:2]])
    read_relation()
    return embedder


def _load() -> None:
    """Import whatever `holdfast` may."""
    import holdfast

    left_out: tuple[str, ...] = _LEFT_OUT
    if find_spec("psycopg") is None:  # as in the environments of the larger frameworks
        left_out += ("holdfast.postgres.postgres_connection",)
    for module in walk_packages(holdfast.__path__, "holdfast."):
        if not module.name.startswith(left_out):
            import_module(module.name)
    for name in _LOADED:
        import_module(name)
    _KEPT.append(_warm_model())
    gc.collect()
    gc.freeze()  # else the first collection of each process would copy all of this


def _run(job: Mapping[str, Any]) -> None:
    os.environ.clear()
    os.environ.update(job["env"])
    time.tzset()
    os.chdir(job["cwd"])
    sys.argv = ["-c", *job["argv"]]
    exec(compile(job["program"], "<string>", "exec"), {"__name__": "__main__"})


def _run_to_the_end(job: Mapping[str, Any]) -> None:
    """Run a program and end as Python does, but for taking the modules apart: that alone would copy all of them.

    An end with an error, or with streams that nobody reads, is Python's own.
    """
    status = 0
    try:
        _run(job)
    except SystemExit as end:
        if not isinstance(end.code, int | None):
            raise
        status = end.code or 0
    threading._shutdown()  # type: ignore[attr-defined]  # as Python does before all else: waits for threads
    atexit._run_exitfuncs()
    gc.collect()
    try:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
    except (OSError, ValueError):
        sys.exit(status)
    os._exit(status & 0xFF)


if __name__ == "__main__":
    listening = socket.socket(socket.AF_UNIX)
    listening.bind("\0" + sys.argv[1])
    listening.listen(64)
    _load()
    os.write(1, b"ready\n")
    _run_to_the_end(_next_job(listening))
