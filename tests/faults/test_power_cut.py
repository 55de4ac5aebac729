"""The power is cut at every call of every operation: what was synced is there, and of the rest nothing or any part.

Nobody pulls a plug: the calls that change the disk are recorded, and the disk is made as it may be after each of them.
"""

from __future__ import annotations

import pickle
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from counts import by_turns, counted
from faults.changing_operations import OPERATIONS
from faults.power_cut import State, keep_none, keep_some, read_state, state_after, write_state
from faults.system_calls import Call
from faults.whole_home import Outcome, Whole, check, what_is_wanted
from tally import Count

pytestmark = [pytest.mark.fault, pytest.mark.promise("P1"), pytest.mark.promise("P2"), pytest.mark.promise("P5")]


@pytest.mark.row("power cut")
@pytest.mark.promise("P6")
# In the short run half of them: calls fail in the others (`test_every_call.py`).
@pytest.mark.parametrize("name", by_turns([*OPERATIONS], 0, len(OPERATIONS) // 2))
def test_wherever_the_power_is_cut_what_was_acknowledged_is_there_and_nothing_is_torn(
    whole: Whole, tmp_path: Path, name: str, tally: Count
) -> None:
    record = tmp_path / "record"
    wanted, _ = what_is_wanted(whole, name, tmp_path / "done", record)
    before = read_state(whole.home)
    calls: list[Call] = pickle.loads(record.read_bytes())
    turn = list(OPERATIONS).index(name)
    known: list[State] = []
    for cut, state in _states(before, calls, turn):
        tally(cuts=1)
        if state in known:
            continue
        known.append(state)
        tally(disks=1)
        place = tmp_path / "cut"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(whole.home.parent, place, ignore=shutil.ignore_patterns("home"))
        write_state(state, place / "home")
        outcome = Outcome(cut == len(calls), True, cut, "", "")
        last = calls[cut - 1] if cut else ""
        check(place / "home", whole.before, wanted, name, outcome, f"{name}: cut after {cut} of {len(calls)}, {last}")
    tally(lost=0, torn=0, operations=1)


def _states(before: State, calls: list[Call], turn: int) -> Iterator[tuple[int, State]]:
    """Yield what the disk may be after each cut; in short, after the last call and after one other."""
    cuts = range(len(calls) + 1)
    for cut in cuts if counted(0, 1) else {len(calls), *by_turns(cuts, turn * 5, 1)}:
        yield cut, state_after(before, calls[:cut], keep_none)
        if counted(0, 1):
            yield cut, state_after(before, calls[:cut], keep_some(cut))
