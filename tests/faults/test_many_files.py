"""A hundred thousand tiny notes, and files far too large: all of the one are found, none of the other is read (P13)."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from counts import counted
from faults.rebuilding import seen
from tally import Count

from holdfast import Memory
from holdfast.checkpoints.integrity import verify
from holdfast.guard.origin import Origin

pytestmark = [pytest.mark.fault, pytest.mark.promise("P13")]


@pytest.mark.row("many files")
def test_every_one_of_very_many_tiny_notes_is_found_and_followed(home: Path, tally: Count) -> None:
    count, chance = counted(600, 100_000), random.Random(100)
    for number in range(count):
        folder = home / "memory" / f"d{number % 200}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"n{number}.md").write_text(f"- tiny{number}z\n", encoding="utf-8")
    settings = {"memory.disable_rag": True}
    with Memory.open(home, origin=Origin.USER, settings=settings) as memory:
        synced = memory.sync()
        assert synced.skipped == ()
        assert memory.status().notes == count
        for number in chance.sample(range(count), 50):
            assert seen(memory, f"tiny{number}z") == {f"memory/d{number % 200}/n{number}.md"}
        edited = chance.sample(range(count), 20)
        for number in edited:
            (home / f"memory/d{number % 200}/n{number}.md").write_text(f"- grown{number}z\n", encoding="utf-8")
        memory.sync()
        for number in edited:
            assert seen(memory, f"grown{number}z") and not seen(memory, f"tiny{number}z")
        memory.save("- one more\n", file="memory/more.md")
        memory.undo()
        assert memory.ctx.database.check() == [] and verify(memory.ctx.workspace) == []
    assert sum(1 for _ in home.rglob("n*.md")) == count
    tally(files=count, lost=0, missed=0)


@pytest.mark.row("T19")
@pytest.mark.parametrize("size", [100 * 2**20, 10 * 2**30], ids=["100 MB", "10 GB of nothing"])
def test_a_file_that_is_far_too_large_is_skipped_and_reported(home: Path, size: int) -> None:
    (home / "memory").mkdir(parents=True)
    with (home / "memory" / "large.md").open("wb") as file:
        os.ftruncate(file.fileno(), size)
    (home / "memory" / "small.md").write_text("- the heron waits\n", encoding="utf-8")
    with Memory.open(home) as memory:
        [(path, why)] = memory.sync().skipped
        assert path == "memory/large.md" and f"{size:,}" in why
        assert seen(memory, "heron") == {"memory/small.md"}
