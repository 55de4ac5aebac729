"""A person of one's own who uses a real client: their home, what they remember, the client's runs, what is kept."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from clients.endpoint import Endpoint

__all__ = ["Loop", "begun", "program"]

ROOT = Path(__file__).resolve().parents[2]
HOLDFAST = Path(sys.executable).with_name("holdfast")
RUN_SECONDS = 240
"""How long a run of a client may take: it starts in up to ten seconds on a machine that does other things as well."""
KEPT_SECONDS = 120
"""How long what a client left behind may take: `holdfast hook --wait` ends itself after two minutes."""
_MARK = "CLIENT_LOOP"
"""Every process that a loop starts, or that one of those starts, has this in its environment."""
_POLL = 0.05  # seconds between two looks at /proc

# Keeps what a client sends to a hook and what it hears, and gives recall more time: a busy machine is not at issue.
_WRAPPER = """#!/bin/sh
if [ "$1" != hook ]; then exec {holdfast} "$@"; fi
case "$2" in session-start|user-prompt) more="--deadline 9";; *) more="";; esac
at=$(mktemp {records}/$(date +%s.%N)-"$2"-XXXXXX)
cat > "$at.in"
{holdfast} "$@" $more < "$at.in" > "$at.out" 2> "$at.err"
status=$?
cat "$at.out"
rm "$at"
exit $status
"""


class Loop:
    """What one loop shares: places, the environment, and the endpoint that the client's model is."""

    def __init__(self, place: Path, client: str, endpoint: Endpoint) -> None:
        self.client = client
        self.endpoint = endpoint
        self.person = place / "person"
        self.home = self.person / ".holdfast"
        self.project = self.person / "project"
        self.records = place / "hooks"
        for made in (self.project, self.records):
            made.mkdir(parents=True)
        self.outputs: list[str] = []
        self._mark = uuid.uuid4().hex
        self._program = place / "holdfast"
        self._program.write_text(
            _WRAPPER.format(holdfast=shlex.quote(str(HOLDFAST)), records=shlex.quote(str(self.records)))
        )
        self._program.chmod(0o755)
        proxy = endpoint.url
        self.environment = {
            "PATH": f"{ROOT / '.clients' / 'node' / 'node_modules' / 'node' / 'bin'}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.person),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "CI": "1",
            "DO_NOT_TRACK": "1",
            # Whoever is called but the endpoint: it refuses, and says who it was.
            **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), proxy),
            **dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost"),
            _MARK: self._mark,
        }

    def holdfast(self, *words: str) -> str:
        """Run a command of ours for this person."""
        ran = subprocess.run(
            [str(HOLDFAST), *words],
            env=self.environment,
            cwd=self.project,
            capture_output=True,
            text=True,
            timeout=RUN_SECONDS,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    def remember(self, lasting: str, note: str) -> None:
        """Save two sentences as the owner: one for every conversation, one in a note."""
        self.holdfast("save", lasting, "--file", "MEMORY.md")
        self.holdfast("save", note, "--file", "memory/office.md")

    def connect(self) -> None:
        """Connect the client as a person does, with a program that also keeps what hooks are sent."""
        self.holdfast("connect", self.client, "--write", "--command", str(self._program))

    def run(self, *words: str | Path, said: str = "", **environment: str) -> str:
        """Run the client until it ends, and then until nothing that it started is left; what it printed."""
        process = subprocess.Popen(
            [str(word) for word in words],
            env={**self.environment, **environment},
            cwd=self.project,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            printed, _ = process.communicate(said, timeout=RUN_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            printed, _ = process.communicate()
            raise AssertionError(f"{words[0]} did not end in {RUN_SECONDS} seconds; it printed:\n{printed}") from None
        self.outputs.append(printed)
        self.settle()
        assert process.returncode == 0, printed
        return printed

    @staticmethod
    def lines(printed: str) -> list[dict[str, Any]]:
        """The objects that a client printed, one on each line."""
        return [json.loads(line) for line in printed.splitlines() if line.startswith("{")]

    def settle(self) -> None:
        """Wait until what hooks have left to other processes is done."""
        end = time.monotonic() + KEPT_SECONDS
        while (left := self.processes()) and time.monotonic() < end:
            time.sleep(_POLL)
        assert not left, f"still running: {left}"

    def processes(self) -> dict[int, str]:
        """Return every process of this loop that runs, by its number."""
        mark = f"{_MARK}={self._mark}".encode()
        found: dict[int, str] = {}
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    found[int(entry.name)] = (
                        (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                    )
            except OSError:  # it ended just now, or is another user's
                continue
        return found

    def end(self) -> None:
        """End what is left of this loop, whatever happened in it."""
        for number in self.processes():
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                continue

    def hooks(self, event: str) -> list[dict[str, Any]]:
        """What the client sent to a hook, oldest first."""
        return [json.loads(path.read_bytes()) for path in sorted(self.records.glob(f"*-{event}-*.in"))]

    def notes(self) -> dict[str, str]:
        """The notes of sessions, by their names."""
        places = sorted((self.home / "memory" / "sessions").glob("**/*.md"))
        return {path.name: path.read_text(encoding="utf-8") for path in places}

    def log(self) -> str:
        """What hooks have noted down."""
        path = self.home / "state" / "hooks.log"
        return path.read_text(encoding="utf-8") if path.exists() else ""


def program(client: str, name: str = "") -> Path:
    """Where a client is installed."""
    path = ROOT / ".clients" / client / "node_modules" / ".bin" / (name or client)
    assert path.exists(), f"{client} is not installed; `make test-clients` does it"
    return path


@contextmanager
def begun(place: Path, client: str, endpoint: Endpoint) -> Iterator[Loop]:
    """A loop whose processes are gone when it is over."""
    loop = Loop(place, client, endpoint)
    try:
        yield loop
    finally:
        loop.end()
