"""What a test did, and how often, told to whoever runs the tests: docs/faults.md and SECURITY.md are made from it.

A test says by `@pytest.mark.row("T1")` to which row of a table it belongs. What it did is counted by numbers of that
mark (`row("T13", requests=120)`), or while it runs, by the fixture `tally`. Only what a test that passed has counted
is written, and only where `pytest --tally FILE` names one: each test takes the place of what stood there of it, as
soon as one of its cases has ended, so that a run that is stopped keeps what it saw. It counts as full with the last.
"""

from __future__ import annotations

import json
import os
import platform
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from counts import FULL

from holdfast import __version__

__all__ = ["Count", "TallyFile", "count_into", "machine"]

_PROPERTY = "tally"


class Count:
    """Counts what one test does: `tally(kills=1, lost=0)`."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def __call__(self, **numbers: int) -> None:
        """Add numbers; a harm that did not happen is counted too, as 0."""
        for name, number in numbers.items():
            self.numbers[name] = self.numbers.get(name, 0) + number


def count_into(node: pytest.Item) -> Count:
    """Return what counts for a test, and let the numbers of its marks and its rows travel with its report."""
    count = Count()
    rows = [str(mark.args[0]) for mark in node.iter_markers("row")]
    for mark in node.iter_markers("row"):
        count(**mark.kwargs)
    # The very dictionary, which the test goes on to fill before its report is made.
    node.user_properties.append((_PROPERTY, {"rows": rows, "counts": count.numbers}))
    return count


def machine() -> str:
    """Return what runs the tests, in a few words."""
    return f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"


class TallyFile:
    """The file of what all tests did; in the process that starts the workers."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._done: dict[str, dict[str, Any]] = {}
        self._awaited: Counter[str] = Counter()  # cases of each test that have not ended yet

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Learn which cases are to come."""
        self._awaited = Counter(_test_of(item.nodeid) for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        """Learn which cases are to come, where workers collect them: each has found all."""
        self._awaited = self._awaited or Counter(map(_test_of, ids))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take what a test has counted, with how long it took."""
        properties: dict[str, Any] = dict(report.user_properties)
        told = properties.get(_PROPERTY)
        if told is None or not told["rows"]:
            return
        test = _test_of(report.nodeid)
        entry = self._done.setdefault(
            test, {"rows": [], "runs": 0, "failed": 0, "skipped": 0, "seconds": 0.0, "counts": Counter()}
        )
        entry["rows"] = sorted({*entry["rows"], *told["rows"]})
        entry["seconds"] += report.duration
        if report.failed or report.skipped:
            entry["failed" if report.failed else "skipped"] += 1
        elif report.when == "call":
            entry["runs"] += 1
            entry["counts"].update(told["counts"])
        if report.when == "teardown":
            self._awaited[test] -= 1
            self.write([(test, {**entry, "full": FULL and self._awaited[test] <= 0})])

    def write(self, done: Iterable[tuple[str, dict[str, Any]]]) -> None:
        """Put entries into the file; what stands there of other tests stays."""
        known = json.loads(self._path.read_text(encoding="utf-8")) if self._path.exists() else {}
        stamp = {
            "version": __version__,
            "date": datetime.now(UTC).date().isoformat(),
            "machine": machine(),
            "full": FULL,
        }
        for test, entry in done:
            known[test] = {**stamp, **entry, "seconds": round(entry["seconds"], 1)}
        text = json.dumps(known, indent=1, sort_keys=True, ensure_ascii=False)
        beside = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        beside.write_text(text + "\n", encoding="utf-8")
        beside.replace(self._path)  # whoever stops us finds the record whole


def _test_of(nodeid: str) -> str:
    return nodeid.partition("[")[0]
