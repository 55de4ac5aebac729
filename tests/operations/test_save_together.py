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
TOWNS = "Oslo Lima Cairo Delhi Quito Accra Dakar Tunis Rabat Sofia Paris Turin Milan Lyon Bonn Graz Bern Basel Ghent Bruges Porto Faro Cadiz Leon".split()  # noqa: E501


def told(home: Path, word: str) -> list[str]:
    """The notes that hold a word."""
    every = [*home.glob("*.md"), *home.glob("memory/*.md")]
    return [path.relative_to(home).as_posix() for path in every if word in path.read_text()]


@pytest.mark.parametrize("who", [Origin.USER, Origin.AGENT])
def test_what_is_saved_and_captured_at_once_stands_in_one_place(home: Path, who: Origin) -> None:
    settings = {"memory.disable_rag": True, "capture.enabled": True}
    with ExitStack() as held:
        first, second = (held.enter_context(Memory.open(home, origin=Origin.USER, settings=settings)) for _ in range(2))
        for number in range(ROUNDS):
            town = TOWNS[number]
            session = second.session(f"talk-{number}")
            session.append("user", f"My sister Ada number {number} lives in {town}.")
            text = f"My sister Ada number {number} lives in {town}"
            save: Callable[[], object]
            if who is Origin.USER:
                save = partial(first.save, text, file=NOTE)
            else:
                save = partial(first.tools(who).call, "memory_save", {"content": text, "file": NOTE})
            at_once(save, session.capture)
            assert len(told(home, town)) == 1, (number, told(home, town))
