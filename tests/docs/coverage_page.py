"""Which lines and branches the tests run: docs/coverage.md, from what `make coverage` measured.

python tests/docs/coverage_page.py MEASURED.json > docs/coverage.md
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple

from holdfast import __version__

__all__ = ["coverage_page"]

PACKAGE = "src/holdfast/"
LOW = 85.0  # per cent of lines; files below it are named
_ELSEWHERE = {
    "surfaces/adapters/agent_framework*": "run by `make test-adapters`, in an environment of its own",
    "surfaces/adapters/autogen*": "run by `make test-adapters`, in an environment of its own",
    "surfaces/adapters/crewai*": "run by `make test-adapters`, in an environment of its own",
    "surfaces/adapters/google_adk*": "run by `make test-adapters`, in an environment of its own",
    "surfaces/adapters/llamaindex*": "run by `make test-adapters`, in an environment of its own",
    "embeddings/local/gguf*": "run by `make test-models`, with real models",
    "embeddings/local/onnx*": "run by `make test-models`, with real models",
    "embeddings/local/*language*": "run by `make test-models`, with real models",
    "embeddings/local/universal_sentence_encoder*": "run by `make test-models`, with real models",
    "search/rerank_onnx*": "run by `make test-models`, with onnxruntime",
    "embeddings/static/embedding_worker*": "its loop runs in a process that is ended by SIGKILL, which counts nothing",
    "surfaces/cli/commands/serve*": "a team's server is begun in tests and ended by a signal before the last lines",
    "images/*": "run by `make test-images`, with what reads the words; and in a process that is killed at its limits",
    "*/__main__.py": "some lines, run by a Python that is started for them",
}
_HEAD = """\
# Which lines and branches the tests run

Measured {day} with version {version} by `make coverage`; commit {commit}, Python {python}: all tests of `make test`,
with the processes that they start and fork. What a process ran that was killed by SIGKILL is not counted; no line is
left out by a comment.

Of {lines:,} lines {line_share:.2f} % are run, of {branches:,} branches {branch_share:.2f} %.

## By room

| room | files | lines | run | branches | run |
|---|---|---|---|---|---|
"""
_LOW = """
## Files of which less than {low:.0f} % of the lines are run

| file | lines run | not run | why |
|---|---|---|---|
"""


class Count(NamedTuple):
    """Lines and branches, and how many of them were run."""

    files: int = 0
    lines: int = 0
    lines_run: int = 0
    branches: int = 0
    branches_run: int = 0

    @classmethod
    def of(cls, summary: Mapping[str, Any]) -> Count:
        """Return the count of one file, as coverage.py sums it up."""
        return cls(
            1, summary["num_statements"], summary["covered_lines"], summary["num_branches"], summary["covered_branches"]
        )

    @classmethod
    def of_all(cls, counts: Iterable[Count]) -> Count:
        """Return the sum."""
        return cls(*map(sum, zip(*counts, strict=True)))

    @property
    def line_share(self) -> float:
        """How much of a hundred lines was run; all where there is none."""
        return 100 * self.lines_run / self.lines if self.lines else 100.0

    @property
    def branch_share(self) -> float:
        """How much of a hundred branches was run; all where there is none."""
        return 100 * self.branches_run / self.branches if self.branches else 100.0


def coverage_page(measured: Mapping[str, Any], commit: str) -> str:
    """Return the page for one measurement, as `coverage json` writes it."""
    counts = {
        name.removeprefix(PACKAGE): Count.of(told["summary"])
        for name, told in measured["files"].items()
        if name.startswith(PACKAGE)  # tests run other versions too, from folders of their own
    }
    whole = Count.of_all(counts.values())
    page = _HEAD.format(
        day=datetime.now(UTC).date(),
        version=__version__,
        commit=commit,
        python=".".join(map(str, sys.version_info[:3])),
        lines=whole.lines,
        line_share=whole.line_share,
        branches=whole.branches,
        branch_share=whole.branch_share,
    )
    rooms: dict[str, list[Count]] = {}
    for name, count in sorted(counts.items()):
        rooms.setdefault(name.split("/")[0] if "/" in name else "(the package itself)", []).append(count)
    for room, group in sorted(rooms.items()):
        files, lines, _, branches, _ = total = Count.of_all(group)
        shares = f"| {total.line_share:.1f} % | {branches:,} | {total.branch_share:.1f} % |"
        page += f"| {room} | {files} | {lines:,} {shares}\n"
    low = {name: count for name, count in counts.items() if count.line_share < LOW}
    page += _LOW.format(low=LOW)
    for name, count in sorted(low.items(), key=lambda entry: entry[1].line_share):
        left = count.lines - count.lines_run
        page += f"| {name} | {count.line_share:.0f} % | {left} | {_reason(name)} |\n"
    return page


def _reason(name: str) -> str:
    found = (why for pattern, why in _ELSEWHERE.items() if fnmatch(name, pattern))
    return next(found, "not looked into")


def _commit() -> str:
    asked = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return asked.stdout.strip() or "unknown"


if __name__ == "__main__":
    sys.stdout.write(coverage_page(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), _commit()))
