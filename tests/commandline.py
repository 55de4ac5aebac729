"""Running `holdfast` in a test: in this process for speed, or as a real one where the process itself matters."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, NamedTuple

from holdfast.surfaces.cli.main import main

SCRIPT = "import sys; from holdfast.surfaces.cli.main import run; run()"


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
    """Run a command as a real process."""
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, *argv],
        input=stdin,
        capture_output=True,
        timeout=timeout,
        env={**os.environ, **(env or {})},
        check=False,
    )
