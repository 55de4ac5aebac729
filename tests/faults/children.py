"""Real processes that a test starts, holds at a barrier, kills, and never waits for without a limit."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from fork_server import readable, start

__all__ = ["Child", "children", "report", "wait_for_go"]

_HERE = os.path.dirname(os.path.abspath(__file__))
_LIMIT = 120.0


class Child:
    """One process that runs a script of this directory."""

    def __init__(self, script: str, *args: object) -> None:
        program = f"import runpy; runpy.run_path({os.path.join(_HERE, script)!r}, run_name='__main__')"
        self._process = start(program, *map(str, args), env=os.environ, stdin=subprocess.PIPE)
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._stdin, self._stdout, self._stderr = self._process.stdin, self._process.stdout, self._process.stderr

    def line(self, limit: float = _LIMIT) -> str:
        """The next line that the child prints."""
        ready = readable([self._stdout], limit)
        line = self._stdout.readline() if ready else b""
        assert line, f"the child said nothing: {self._complaint()}"
        return str(line, "utf-8").strip()

    def go(self) -> None:
        """Let the child pass its barrier."""
        self._stdin.write(b"go\n")

    def kill_after(self, seconds: float) -> bool:
        """Kill the child with SIGKILL; False when it had ended by itself before."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait(_LIMIT)
        return self._process.returncode == -signal.SIGKILL

    def end(self, how: signal.Signals) -> None:
        """End the child with a signal, and wait until it is gone."""
        self._process.send_signal(how)
        self._process.wait(_LIMIT)

    def killed_itself(self) -> bool:
        """Whether the child ended by SIGKILL; it may have taken the road to it that a test laid."""
        assert self._process.wait(_LIMIT) in (0, -signal.SIGKILL), self._complaint()
        return self._process.returncode == -signal.SIGKILL

    def ended(self) -> tuple[bool, str, str]:
        """Return whether the child was killed, and what it had printed, and complained of, when it ended."""
        out, err = self._process.communicate(timeout=_LIMIT)
        return self._process.returncode == -signal.SIGKILL, str(out, "utf-8"), str(err, "utf-8", "replace")

    def answer(self) -> Any:
        """The JSON of the child's last line, after it has ended well."""
        out, err = self._process.communicate(timeout=_LIMIT)
        assert self._process.returncode == 0, str(err, "utf-8", "replace")
        return json.loads(out.splitlines()[-1])

    def close(self) -> None:
        """End the child if it still lives."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait(_LIMIT)
        for pipe in (self._stdin, self._stdout, self._stderr):
            pipe.close()

    def _complaint(self) -> str:
        self._process.kill()
        self._process.wait(_LIMIT)
        return str(self._stderr.read(), "utf-8", "replace")


@contextmanager
def children(script: str, arguments: Sequence[Sequence[object]]) -> Iterator[list[Child]]:
    """One child for each list of arguments; all have reached their barrier."""
    started: list[Child] = []
    try:
        started.extend(Child(script, *args) for args in arguments)
        for child in started:
            assert child.line() == "ready"
        yield started
    finally:
        for child in started:
            child.close()


def wait_for_go() -> None:
    """In a child: say that all is loaded, and wait for the parent."""
    os.write(1, b"ready\n")
    assert sys.stdin.readline() == "go\n"


def report(value: object) -> None:
    """In a child: one line of JSON for the parent."""
    os.write(1, json.dumps(value).encode("utf-8") + b"\n")
