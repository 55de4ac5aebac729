"""The record of what tests counted (`--tally`): a run that is stopped keeps what it saw, and is not called full."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

CONFTEST = """
import pytest
from pathlib import Path
from tally import TallyFile, count_into

def pytest_configure(config):
    config.addinivalue_line("markers", "row(id, **counts): a row")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(TallyFile(Path("record.json")))

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    count_into(item)
"""
TESTS = """
import os, signal
import pytest

@pytest.mark.row("T1", kills=1)
@pytest.mark.parametrize("case", range(3))
def test_whole(case):
    pass

@pytest.mark.row("T2", kills=1)
@pytest.mark.parametrize("case", range(3))
def test_stopped(case):
    if case == 2 and "STOP" in os.environ:
        os.kill(os.getpid(), signal.SIGKILL)
"""


def record_of(place: Path, *argv: str, **stop: str) -> tuple[int, dict[str, Any]]:
    """How pytest ended, and what its record holds: for each test its cases, its counts and whether it was full."""
    (place / "conftest.py").write_text(CONFTEST)
    (place / "test_rows.py").write_text(TESTS)
    (place / "pytest.ini").write_text("[pytest]\n")
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    env |= {"PYTHONPATH": str(Path(__file__).parent), "HOLDFAST_FAULTS": "full", **stop}
    env["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "yes"  # to load all that there are takes longer than the tests
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "xdist", *argv]
    ran = subprocess.run(command, cwd=place, capture_output=True, check=False, env=env)
    told = json.loads((place / "record.json").read_text())
    return ran.returncode, {
        test.partition("::")[2]: (entry["runs"], entry["counts"], entry["full"]) for test, entry in told.items()
    }


@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["one process", "a worker"])
def test_a_run_that_came_to_its_end_is_full(workers: tuple[str, ...], tmp_path: Path) -> None:
    whole = (3, {"kills": 3}, True)
    assert record_of(tmp_path, *workers) == (0, {"test_whole": whole, "test_stopped": whole})


def test_a_run_that_is_killed_keeps_what_it_saw_and_does_not_count_as_full(tmp_path: Path) -> None:
    status, told = record_of(tmp_path, STOP="yes")
    assert status == -signal.SIGKILL
    assert told == {"test_whole": (3, {"kills": 3}, True), "test_stopped": (2, {"kills": 2}, False)}


def test_a_test_whose_worker_is_gone_does_not_count_as_full(tmp_path: Path) -> None:
    _, told = record_of(tmp_path, "-n", "1", STOP="yes")
    assert told == {"test_whole": (3, {"kills": 3}, True), "test_stopped": (2, {"kills": 2}, False)}
