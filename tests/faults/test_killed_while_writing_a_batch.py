"""A process that writes many notes as one change is killed at any call to the disk: all of it happened, or none."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
from counts import counted
from faults.children import children

from holdfast import Memory
from holdfast.checkpoints.integrity import verify

pytestmark = [pytest.mark.fault, pytest.mark.promise("P1"), pytest.mark.promise("P2")]

WORDS = {"memory.disable_rag": True}
START = {f"memory/n{number}.md": f"The swan number {number} nests in May.\n" for number in range(8)}
# Enough of them that they are synced in threads; some are new, some change, and one goes.
BATCH: dict[str, str | None] = {f"memory/n{number}.md": f"The heron {number} nests.\n" for number in range(4, 20)}
BATCH["memory/n0.md"] = None


def texts(home: Path) -> dict[str, str]:
    return {path.relative_to(home).as_posix(): path.read_text(encoding="utf-8") for path in home.glob("memory/*.md")}


def killed(home: Path, left: int) -> int | None:
    """The home after a child that died before its Nth call; how many calls there were, where it lived."""
    with children("_child_note_batch.py", [[home, json.dumps(BATCH), left]]) as (child,):
        child.go()
        return None if child.killed_itself() else int(child.answer())


def test_a_batch_that_was_killed_anywhere_happened_whole_or_not_at_all_and_is_undone_as_one(tmp_path: Path) -> None:
    template = tmp_path / "template"
    with Memory.open(template, settings=WORDS) as memory:
        memory.notes.write_all(START)
    whole = {**START, **{path: text for path, text in BATCH.items() if text is not None}}
    del whole["memory/n0.md"]
    calls = killed(shutil.copytree(template, tmp_path / "done"), 0)
    assert calls is not None and texts(tmp_path / "done") == whole
    outcomes = Counter[bool]()
    # From the last call on as well: after the last rename all of it has happened.
    points = sorted({*range(1, calls + 1, max(1, calls // counted(6, calls))), calls - 1, calls})
    for left in points:
        home = shutil.copytree(template, tmp_path / f"home{left}")
        if killed(home, left) is not None:
            continue  # threads may make a call less
        with Memory.open(home, settings=WORDS) as memory:
            assert "nests" in memory.search("nests").results[0].snippet
            memory.save("The next operation works.", file="memory/next.md")
            found = texts(home)
            del found["memory/next.md"]
            assert found in (START, whole)
            outcomes[found == whole] += 1
            hits = memory.search("heron nests", min_score=0.0).results
            assert any("heron" in hit.snippet for hit in hits) is (found == whole)
            memory.undo()
            if found == whole:
                memory.undo()
            assert texts(home) == START
            assert {problem.kind for problem in verify(memory.ctx.workspace)} <= {"unreferenced"}
        assert not list(home.rglob("*.hf-tmp"))
        shutil.rmtree(home)
    assert outcomes[True] and outcomes[False]
