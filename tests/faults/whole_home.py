"""A home before and after an operation, the operation in a process of its own, and what must hold after a fault."""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from counts import FULL
from faults.changing_operations import NEXT, OPERATIONS, fill, open_home, truth_of
from faults.children import Child
from faults.rebuilding import Rows, index_rows, notes_of, of_a_rebuild

from holdfast import Memory
from holdfast.checkpoints.integrity import verify
from holdfast.checkpoints.profile_change import profile_changes
from holdfast.errors import HoldfastError

__all__ = ["IN_STEPS", "Outcome", "Whole", "check", "copy_home", "is_between", "make_whole", "run", "what_is_wanted"]

# These change one thing after another: a fault may leave some done and others not, each of them whole.
IN_STEPS = {
    *("compact", "dream", "end a session", "flush", "forget everywhere", "import", "new session", "put back"),
    *("turn", "undo an origin"),
}

_REBUILT: dict[frozenset[tuple[str, bytes]], Rows] = {}


class Outcome(NamedTuple):
    """How a child ended."""

    acknowledged: bool
    killed: bool
    calls: int
    error: str
    at: str


def run(home: Path, name: str, fault: str, number: int, record: Path | None = None) -> Outcome:
    """Do an operation in a process of its own, with a fault at its Nth call; 0 for none."""
    child = Child("_child_operation.py", home, name, fault, number, record or "")
    try:
        killed, out, complaint = child.ended()
    finally:
        child.close()
    lines = out.splitlines()
    acknowledged = "acknowledged" in lines
    if killed:
        return Outcome(acknowledged, True, number, "", "")
    assert lines and lines[-1].startswith("{"), f"{name}, {fault} at call {number}: {complaint}"
    told = json.loads(lines[-1])
    return Outcome(acknowledged, False, told["calls"], told["error"], told["at"])


class Whole(NamedTuple):
    """A home before an operation, and what is to be found in it."""

    home: Path
    before: dict[str, Any]


def make_whole(home: Path) -> Whole:
    """Make the home that operations begin with."""
    fill(home)
    return Whole(home, truth_of(home))


def copy_home(whole: Whole, place: Path) -> Path:
    """Return a copy of the home, beside what is imported."""
    home = place / "home"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(whole.home.parent, place)
    return home


def what_is_wanted(whole: Whole, name: str, place: Path, record: Path | None = None) -> tuple[dict[str, Any], int]:
    """Return what is to be found when nothing goes wrong, and how many calls that takes; they may be recorded."""
    home = copy_home(whole, place)
    done = run(home, name, "kill", 0, record)
    assert done.acknowledged and not done.error, done
    with open_home(home) as memory:
        memory.save("- next", file=NEXT)
    return truth_of(home), done.calls


def check(home: Path, before: dict[str, Any], after: dict[str, Any], name: str, outcome: Outcome, told: str) -> None:
    """Open a home after a fault: each thing is as it was or as it was to be, and what failed can be done again."""
    with open_home(home) as memory:
        memory.save("- next", file=NEXT)  # the next one to take the lock settles what was under way
        profile_changes(memory.ctx.workspace)  # and that of the profile, what was under way there
        assert {problem.kind for problem in verify(memory.ctx.workspace)} <= {"unreferenced"}, told
    found = truth_of(home)
    for key in {*before, *after, *found}:
        assert is_between(before.get(key), found.get(key), after.get(key)), f"{told}: {key}: {found.get(key)}"
    if outcome.acknowledged:
        assert found == after, f"{told}: {_differing(found, after)}"
    elif name not in IN_STEPS:
        assert found in (before, after), f"{told}: {_differing(found, after)}"
    with open_home(home) as memory:
        if found == before and not outcome.acknowledged:
            OPERATIONS[name](memory, home.parent)
            memory.close()
            again = truth_of(home)
            assert again == after or name in IN_STEPS, f"{told}: done again, {_differing(again, after)}"
        elif not outcome.acknowledged:
            with suppress(HoldfastError, StopIteration, IndexError):  # most things can't be done twice
                OPERATIONS[name](memory, home.parent)
    with open_home(home) as memory:
        # As a search syncs: the owner's own sync asks all questions of the null, two thirds of the time of a check.
        memory.ctx.sync(embed_limit=100)
        assert [file for file in home.rglob("*") if file.name.endswith(".hf-tmp")] == [], told
        assert memory.ctx.database.check() == [], told
        if FULL:
            assert index_rows(memory, set()) == _rebuilt(memory, home.parent / "rebuild"), told


def _rebuilt(memory: Memory, scratch: Path) -> Rows:
    """Return the rows of a rebuild: the many faults of an operation leave few sets of notes, each built once."""
    notes = frozenset(notes_of(Path(memory.home)).items())
    if notes not in _REBUILT:
        _REBUILT[notes] = of_a_rebuild(memory, scratch, set())
    return _REBUILT[notes]


def is_between(before: Any, found: Any, after: Any) -> bool:
    """Say whether something is as it was, as it was to be, or a conversation on the way from one to the other."""
    if isinstance(found, list) and isinstance(after, list):
        return found in (before, after) or (
            found[: len(before or [])] == (before or []) and found == after[: len(found)]
        )
    # A session that is removed loses its lines first, and then its name.
    return found in (before, after) or (after is None and not found)


def _differing(found: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    return {key: (found.get(key), wanted.get(key)) for key in {*found, *wanted} if found.get(key) != wanted.get(key)}
