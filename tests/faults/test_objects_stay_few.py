"""A memory that stays open keeps nothing of an operation that is done again: no object, no descriptor."""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast import Memory, Origin

ROUNDS = 12


def saved_and_deleted(memory: Memory) -> None:
    memory.save("The heron nests at kilometre 12.", file="memory/birds.md")
    memory.save("The heron left in March.", file="memory/birds.md")
    memory.delete("memory/birds.md", delete_file=True)


def searched(memory: Memory) -> None:
    memory.search("when do we launch?")
    memory.search("what happened last week?", max_results=3)
    memory.get("memory/launch.md")


def undone(memory: Memory) -> None:
    memory.save("The launch is cancelled.", file="memory/launch.md", append=False)
    memory.undo()
    memory.history(limit=5)


def edited_outside(memory: Memory) -> None:
    note = Path(memory.home) / "memory" / "typed.md"
    for text in ("The wryneck calls.", "The wryneck is silent."):
        note.write_text(text, encoding="utf-8")
        memory.search("what does the wryneck do?")


def prompted(memory: Memory) -> None:
    with memory.session("talk") as session:
        session.prompt("When do we launch Kestrel?")
        session.tools().call("memory_search", {"query": "Kestrel"})


def kinds() -> Counter[str]:
    """How many objects of each class there are, after a search for cycles."""
    gc.collect()
    return Counter(f"{type(thing).__module__}.{type(thing).__qualname__}" for thing in gc.get_objects())


def left_by(work: Callable[[Memory], None], memory: Memory) -> dict[str, int]:
    """What some rounds leave behind, one for each round at the least; and descriptors."""
    before, files = kinds(), len(os.listdir("/proc/self/fd"))
    for _ in range(ROUNDS):
        work(memory)
    more = {kind: number for kind, number in (kinds() - before).items() if number >= ROUNDS}
    opened = len(os.listdir("/proc/self/fd")) - files
    return more | ({"descriptors": opened} if opened >= ROUNDS else {})


@pytest.mark.fault
@pytest.mark.parametrize("work", [saved_and_deleted, searched, undone, edited_outside, prompted])
def test_what_is_done_again_leaves_no_object_behind(work: Callable[[Memory], None], tmp_path: Path) -> None:
    with Memory.open(tmp_path / "home", origin=Origin.USER) as memory:
        memory.save("The launch of Kestrel moved to 3 March.", file="memory/launch.md")
        memory.sync()  # asks all that search asks a home to know it; a save would ask a few each time
        # Modules are loaded and caches fill; what leaks is left each time.
        left = [left_by(work, memory) for _ in range(3)]
        assert {} in left, left


@pytest.mark.fault
def test_texts_that_are_new_each_time_leave_no_objects_of_ours_behind(tmp_path: Path) -> None:
    numbers = iter(range(10_000))

    def saved_and_asked(memory: Memory) -> None:
        number = next(numbers)
        memory.save(f"The heron of day {number} nests at kilometre 12.", file="memory/birds.md", append=False)
        memory.search("where does the heron nest?")

    with Memory.open(tmp_path / "home", origin=Origin.USER) as memory:
        memory.save("The launch of Kestrel moved to 3 March.", file="memory/launch.md")
        memory.sync()
        left = [left_by(saved_and_asked, memory) for _ in range(3)]
        assert [{kind for kind in more if kind.startswith("holdfast.")} for more in left[1:]] == [set(), set()], left
