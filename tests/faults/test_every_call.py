"""T2: every operation is killed, or the disk fails or is full, at every call that changes something on it.

Calls are Python's and SQLite's: what is made, written, synced, renamed, removed and cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from counts import by_turns, counted
from faults.changing_operations import OPERATIONS
from faults.whole_home import Whole, check, copy_home, run, what_is_wanted
from tally import Count

pytestmark = [pytest.mark.fault, pytest.mark.promise("P1"), pytest.mark.promise("P2"), pytest.mark.promise("P5")]

FAULTS = ("kill", "EIO", "ENOSPC")


@pytest.mark.row("T2")
# In the short run half of them: the power is cut in the others (`test_power_cut.py`).
@pytest.mark.parametrize("name", by_turns([*OPERATIONS], 1, len(OPERATIONS) // 2))
def test_whichever_call_of_an_operation_is_the_last_or_fails_nothing_is_lost_or_torn(
    whole: Whole, tmp_path: Path, name: str, tally: Count
) -> None:
    wanted, calls = what_is_wanted(whole, name, tmp_path / "done")
    assert calls > 2
    turn = list(OPERATIONS).index(name)
    for fault, number in _points(turn, calls):
        home = copy_home(whole, tmp_path / "faulty")
        outcome = run(home, name, fault, number)
        tally(**{"kills" if outcome.killed else "failed_calls": 1})
        check(home, whole.before, wanted, name, outcome, f"{name}: {fault} at call {number} of {calls}, {outcome}")
    tally(lost=0, torn=0, operations=1)


def _points(turn: int, calls: int) -> Iterator[tuple[str, int]]:
    """Yield which faults are tried: all of them in full, else one, each operation another."""
    every = [(fault, number) for fault in FAULTS for number in range(1, calls + 1)]
    if counted(0, 1):
        yield from every
        return
    fault = turn % len(FAULTS)
    yield from by_turns(every[fault * calls : (fault + 1) * calls], turn * 7, 1)
