"""What a command or a search costs: CPU time with children, wall time, peak memory; medians of several runs."""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from needles import Query

__all__ = ["Answer", "Asker", "CommandError", "Cost", "System", "Warm", "Worker", "ask_all", "clean", "median", "run"]

_HERE = Path(__file__).resolve().parent


class CommandError(Exception):
    """A command that was to be measured did not work."""


@dataclass(frozen=True)
class Cost:
    """One command: seconds of CPU (user and system, children included), seconds of wall time, bytes of peak RSS."""

    cpu: float
    wall: float
    rss: int
    output: str = field(default="", repr=False)


@dataclass(frozen=True)
class Answer:
    """One warm search: the files found, best first, and its seconds; CPU where the asker can tell."""

    paths: tuple[str, ...]
    wall: float
    cpu: float | None


@dataclass(frozen=True)
class Warm:
    """Warm searches of one system: milliseconds, peak bytes, and hits among the first five by kind of query."""

    p50: float
    p95: float
    cpu_p50: float | None
    cpu_mean: float | None
    rss: int | None
    hits: dict[str, int]


class Asker(Protocol):
    """A running system that answers one query after the other."""

    def ask(self, query: str) -> Answer:
        """Search once."""
        ...

    def usage(self) -> tuple[float | None, int | None]:
        """Seconds of CPU since its start and bytes of peak RSS, where they can be known."""
        ...

    def close(self) -> None:
        """Stop it."""
        ...


class System(Protocol):
    """One of the systems under comparison, tied to one directory of notes."""

    name: str

    def index(self, *, fresh: bool) -> Cost:
        """Index the notes in a new process: all of them when fresh, else what changed."""
        ...

    def cold(self, query: str) -> Cost:
        """Search once in a new process."""
        ...

    def size(self) -> int:
        """Bytes of the index on disk."""
        ...

    def warm(self) -> Asker:
        """Start it for many searches."""
        ...


def clean(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment for a measured process: none of our own variables, which Holdfast would take for settings."""
    ours = {"HOLDFAST_MEMORY_DISABLE_RAG"}  # the one that `run.py` itself sets
    kept = {name: value for name, value in os.environ.items() if name in ours or not name.startswith("HOLDFAST_")}
    return kept | dict(environment or {})


def run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Cost:
    """Run a command to its end and say what it cost."""
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch, "report")
        launch = [sys.executable, "-I", "-S", str(_HERE / "launch.py"), str(report), *command]
        done = subprocess.run(launch, env=clean(environment), cwd=scratch, capture_output=True, text=True, check=False)
        try:
            cpu, wall, peak, code = report.read_text(encoding="utf-8").split()
        except FileNotFoundError:
            raise CommandError(f"{command[0]} could not be started: {done.stderr.strip()[-500:]}") from None
    if int(code) != 0:
        raise CommandError(f"{' '.join(command)} ended with {code}: {(done.stderr or done.stdout).strip()[-800:]}")
    return Cost(float(cpu), float(wall), int(peak), done.stdout)


def median(costs: Sequence[Cost]) -> Cost:
    """The median of each figure; for memory the highest."""
    middle = statistics.median
    return Cost(middle(c.cpu for c in costs), middle(c.wall for c in costs), max(c.rss for c in costs))


class Worker:
    """An asker in a Python process of its own, so that nothing else is in its memory or its CPU time."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, str(_HERE / "warm.py"), *arguments]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean(), text=True
        )
        self._receive()

    def _receive(self) -> dict[str, object]:
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        line = self._process.stdout.readline()
        if not line:
            raise CommandError(f"the warm searches stopped: {self._process.stderr.read().strip()[-800:]}")
        reply: dict[str, object] = json.loads(line)
        return reply

    def _send(self, message: dict[str, str]) -> dict[str, object]:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()
        return self._receive()

    def ask(self, query: str) -> Answer:
        """Search once; the worker holds the watch, so the pipe is not counted."""
        reply = self._send({"query": query})
        paths, wall, cpu = reply["paths"], reply["wall"], reply["cpu"]
        assert isinstance(paths, list)
        assert isinstance(wall, float)
        assert isinstance(cpu, float)
        return Answer(tuple(paths), wall, cpu)

    def usage(self) -> tuple[float | None, int | None]:
        """CPU seconds and peak RSS, from the worker itself."""
        reply = self._send({})
        cpu, rss = reply["cpu"], reply["rss"]
        assert isinstance(cpu, float)
        return cpu, rss if isinstance(rss, int) else None

    def close(self) -> None:
        """Close its input, which ends it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=30)
        self._process.kill()
        for pipe in (self._process.stdout, self._process.stderr):
            assert pipe is not None
            pipe.close()


def _percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def ask_all(askers: Mapping[str, Asker], queries: Sequence[Query], rounds: int) -> dict[str, Warm]:
    """Every query to every asker, in turn, so that a busy machine hurts all of them alike."""
    answers: dict[str, list[Answer]] = {name: [] for name in askers}
    names = list(askers)
    for query in queries[:: max(1, len(queries) // 10)]:
        for name in names:
            askers[name].ask(query.text)
    before = {name: askers[name].usage()[0] for name in names}
    for turn in range(rounds):
        for number, query in enumerate(queries):
            first = (turn + number) % len(names)
            for name in names[first:] + names[:first]:
                answers[name].append(askers[name].ask(query.text))
    return {name: _warm(answers[name], before[name], askers[name], queries) for name in names}


def _warm(answers: list[Answer], before: float | None, asker: Asker, queries: Sequence[Query]) -> Warm:
    hits = dict.fromkeys((query.kind for query in queries), 0)
    for query, answer in zip(queries, answers, strict=False):
        wanted = query.answer.rsplit("/", 1)[-1].lower()
        hits[query.kind] += any(path.rsplit("/", 1)[-1].lower() == wanted for path in answer.paths[:5])
    walls = [answer.wall * 1000 for answer in answers]
    cpus = [answer.cpu * 1000 for answer in answers if answer.cpu is not None]
    spent, rss = asker.usage()
    mean = None if spent is None or before is None else (spent - before) / len(answers) * 1000
    return Warm(
        _percentile(walls, 0.5), _percentile(walls, 0.95), _percentile(cpus, 0.5) if cpus else None, mean, rss, hits
    )
