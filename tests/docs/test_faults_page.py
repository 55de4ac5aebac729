"""docs/faults.md and the table of attacks in SECURITY.md: made from a run, by tests that are there."""

from __future__ import annotations

import re
from pathlib import Path

from docs.faults import (
    ATTACKS,
    FAULTS,
    PAGE,
    SECURITY,
    done_in,
    faults_page,
    is_full,
    marked_rows,
    measured,
    with_attacks,
)

from holdfast import __version__

SOAK = "bench/soak.py"  # it runs for as long as it is told to, and is no test


def test_every_row_is_held_by_tests_and_every_mark_names_a_row() -> None:
    assert {*marked_rows(), "T23"} == {*FAULTS, *ATTACKS}


def test_the_record_is_of_the_tests_that_there_are() -> None:
    told = {row: {test for test, entry in measured().items() if row in entry["rows"]} for row in {*FAULTS, *ATTACKS}}
    assert told == {"T23": {SOAK}, **marked_rows()}, (
        "run what was added with HOLDFAST_FAULTS=full .venv/bin/pytest TESTS --tally docs/faults.json"
    )


def test_no_test_of_the_record_failed_and_a_short_run_is_of_this_very_version() -> None:
    # What grows in a soak is a miss that the page shows; what it loses may not be shown, it may not be.
    assert [test for test, entry in measured().items() if entry["failed"] and test != SOAK] == []
    assert [measured()[SOAK]["counts"][harm] for harm in ("lost", "doubled", "wrong")] == [0, 0, 0]
    short = {entry["version"] for entry in measured().values() if not entry["full"]}
    assert short <= {__version__}, "make faults"


def test_each_command_of_make_faults_names_tests_before_the_record() -> None:
    # Without them pytest takes the record for what is to be run, and does not know the option that it belongs to.
    makefile = (Path(__file__).parents[2] / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    commands = re.findall(r"/pytest ([^;|]*?) --tally", makefile)
    assert len(commands) >= 3
    assert [command for command in commands if not re.search(r" (tests|\$\(SWEEPS\))", command)] == []


def test_each_row_that_was_run_in_full_has_as_many_as_were_asked_for() -> None:
    few = {
        (row, name): done_in(row).get(name, 0)
        for row, asked in FAULTS.items()
        for name, least in asked.least.items()
        if done_in(row).get(name, 0) < least and is_full(row)
    }
    assert few == {}


def test_the_tables_are_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == faults_page(), "python tests/docs/faults.py"
    text = SECURITY.read_text(encoding="utf-8")
    assert text == with_attacks(text), "python tests/docs/faults.py"
