"""One sentence that is saved and captured at the same moment stands in one place, whoever comes first."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
from at_once import at_once

from holdfast import Memory
from holdfast.guard.origin import Origin

ROUNDS = 24
NOTE = "memory/places.md"
SAID = "My sister Ada lives in Oslo"


def told(memory: Memory) -> list[str]:
    """The notes that tell of it."""
    return [note.path for note in memory.notes.list() if "Oslo" in memory.notes.read(note.path).text]


@pytest.mark.parametrize("who", [Origin.USER, Origin.AGENT])
def test_what_is_saved_and_captured_at_once_stands_in_one_place(home: Path, who: Origin) -> None:
    settings = {"memory.disable_rag": True, "capture.enabled": True}
    for number in range(ROUNDS):
        with ExitStack() as held:
            # Each time of another agent: of a fact that another one is replaced by, both stand.
            saver, talker = (
                held.enter_context(Memory.open(home, f"agent{number}", origin=Origin.USER, settings=settings))
                for _ in range(2)
            )
            session = talker.session("talk")
            session.append("user", f"{SAID}.")
            save: Callable[[], object]
            if who is Origin.USER:
                save = partial(saver.save, SAID, file=NOTE)
            else:
                save = partial(saver.tools(who).call, "memory_save", {"content": SAID, "file": NOTE})
            if number == 0:
                save()
                session.capture()
            elif number == 1:
                session.capture()
                save()
            else:
                at_once(save, session.capture)
            assert len(told(saver)) == 1, (number, told(saver))
