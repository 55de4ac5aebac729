"""An entry of a list stands by itself: what was noted before and after it says nothing of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Memory

ENTRIES = ("the boiler makes a noise", "plumber comes at nine", "the boiler was bought in May", "tea with Ida")


@pytest.mark.parametrize(
    ("shape", "borrows"),
    [("- {0}", False), ("* {0}", False), ("- **{1}**: {0}", True), ("**{1}**: {0}\n", True)],
)
def test_a_turn_of_a_conversation_borrows_from_its_neighbours_and_an_entry_of_a_list_does_not(
    home: Path, shape: str, borrows: bool
) -> None:
    (home / "memory").mkdir(parents=True)
    lines = [shape.format(entry, ("Ida", "Bob")[at % 2]) for at, entry in enumerate(ENTRIES)]
    (home / "memory/2026-11-15.md").write_text("\n".join(["# Sunday", "", *lines]) + "\n", encoding="utf-8")
    (home / "memory/2026-11-14.md").write_text("# Saturday\n\n- a walk by the river\n", encoding="utf-8")
    with Memory.open(home, settings={"memory.disable_rag": True}) as memory:
        memory.sync()
        hits = memory.search("boiler noise", by_passage=True).results
    lent = max((hit.explain.get("neighbours", 0.0) for hit in hits), default=0.0)
    assert (lent > 0.0) is borrows
