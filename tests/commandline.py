"""Running `holdfast` in a test: in this process for speed, in one of its own, or with a Python of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from typing import Any, NamedTuple

import fork_server

from holdfast.surfaces.cli.main import main

SCRIPT = "import sys; from holdfast.surfaces.cli.main import run; run()"
_READ_AT_START = ("PYTHON", "LC_", "LANG")


class Ran(NamedTuple):
    """How a command ended and what it printed."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """What it printed, as the one JSON object it must be."""
        value = json.loads(self.out)
        assert isinstance(value, dict)
        return value


def holdfast(*argv: str) -> Ran:
    """Run a command in this process; neither stream is a terminal."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = main(argv)
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
    return Ran(status, out.getvalue(), err.getvalue())


def done(*argv: str) -> Ran:
    """Run a command that must succeed."""
    ran = holdfast(*argv)
    assert ran.status == 0, ran.err
    return ran


def process(
    *argv: str, env: Mapping[str, str] | None = None, stdin: bytes = b"", timeout: float = 60
) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a process of its own."""
    assert not any(name.startswith(_READ_AT_START) for name in env or ()), "fresh_process has a Python that reads it"
    with ExitStack() as open_files:
        streams = [open_files.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
        streams[0].write(stdin)
        streams[0].seek(0)
        numbers = [stream.fileno() for stream in streams]
        child = fork_server.start(SCRIPT, *argv, env={**os.environ, **(env or {})}, streams=numbers)
        try:
            status = child.wait(timeout)
        except subprocess.TimeoutExpired:
            child.kill()
            raise
        for stream in streams[1:]:
            stream.seek(0)
        return subprocess.CompletedProcess(argv, status, streams[1].read(), streams[2].read())


def fresh_process(
    *argv: str, env: Mapping[str, str] | None = None, stdin: bytes = b"", timeout: float = 60
) -> subprocess.CompletedProcess[bytes]:
    """Run a command with a Python of its own, for what a forked process can't show: imports, encodings, streams."""
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, *argv],
        input=stdin,
        capture_output=True,
        timeout=timeout,
        env={**os.environ, **(env or {})},
        check=False,
    )
