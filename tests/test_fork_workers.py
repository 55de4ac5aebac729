"""Tests in forked processes (`--forks`): each is run once, and none fails unheard."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = {
    "good": """
        def test_writes(tmp_path):
            print("never seen", file=ERRORS)
            (tmp_path / "x").write_text(TEXT)
        def test_skips():
            pytest.skip("a reason")
        @pytest.mark.xfail
        def test_is_expected_to_fail():
            assert TEXT == "y"
    """,
    "bad": """
        def test_fails(capsys):
            print("what it said")
            assert TEXT == "y"
        def test_warns():
            warnings.warn("a warning of it")
        def test_reads_its_number():
            assert os.environ["PYTEST_XDIST_TESTRUNUID"]
    """,
    "gone": """
        def test_ends_its_process():
            os._exit(0)
        def test_comes_after_it():
            pass
    """,
}


@pytest.fixture
def tests(tmp_path: Path) -> Path:
    place = tmp_path / "tests"
    place.mkdir()
    (place / "pytest.ini").write_text("[pytest]\n")
    for name, text in TESTS.items():
        head = 'import os, sys, warnings\nimport pytest\nTEXT, ERRORS = "x", sys.stderr\n'
        (place / f"test_{name}.py").write_text(head + re.sub("(?m)^        ", "", text))
    return place


def run(place: Path, *argv: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "pytest", "-p", "fork_workers", "-p", "no:cacheprovider", "-q", "-rA", *argv]
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    # To load all plugins that there are takes longer than the tests.
    env |= {"PYTHONPATH": str(Path(__file__).parent), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "yes"}
    ran = subprocess.run(command, cwd=place, capture_output=True, check=False, env=env)
    return ran.returncode, (ran.stdout + ran.stderr).decode()


def test_all_tests_are_run_and_told_of_also_where_a_process_ends_in_the_middle(tests: Path) -> None:
    status, said = run(tests, "--forks", "2")

    assert status == 1
    assert re.search(r"2 failed, 3 passed, 1 skipped, 1 xfailed, 1 warning", said), said
    assert 'assert TEXT == "y"' in said
    assert "what it said" in said
    assert "a warning of it" in said
    assert "never seen" not in said
    assert "FAILED test_gone.py::test_ends_its_process" in said
    assert "the rest of test_gone.py was not run" in said


def test_after_the_first_failure_no_new_file_is_begun_where_that_is_asked_for(tests: Path) -> None:
    status, said = run(tests, "--forks", "1", "-x")

    assert status == 1
    assert "1 failed" in said
    assert "stopping after 1 failures" in said
    assert "test_good.py" not in said
    assert "test_gone.py" not in said
