"""T1: a process that changes notes is killed at any moment (P1, P2)."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from counts import counted
from faults.children import children
from faults.rebuilding import index_rows, notes_of, of_a_rebuild, seen
from tally import Count

from holdfast import Memory
from holdfast.checkpoints.integrity import verify
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.guard.origin import Origin

pytestmark = [pytest.mark.fault, pytest.mark.promise("P1"), pytest.mark.promise("P2")]


@pytest.mark.row("T1")
def test_killed_while_changing_keeps_every_note_whole_and_every_acknowledged_change(
    home: Path, tmp_path: Path, tally: Count
) -> None:
    chance = random.Random(101)
    acknowledged = 0
    for number in range(counted(8, 200)):
        before = notes_of(home) if home.exists() else {}
        log = tmp_path / f"log{number}"
        with_embedder = number % 2 == 1
        with children("_child_changes.py", [[home, log, number, "yes" if with_embedder else "no"]]) as (child,):
            child.go()
            assert child.line() == "first"
            assert child.kill_after(chance.uniform(0.005, 0.120)), "the child ended by itself"
        lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
        wanted, in_flight, ids = _replayed(before, lines)
        acknowledged += len(ids)
        _check(home, tmp_path / "rebuild", wanted, in_flight, ids, FakeEmbedder() if with_embedder else None)
    assert acknowledged >= counted(8, 200)
    tally(kills=counted(8, 200), changes=acknowledged, lost=0, torn=0)


def _replayed(
    notes: dict[str, bytes], lines: list[dict[str, Any]]
) -> tuple[dict[str, bytes], dict[str, Any] | None, list[str]]:
    """The notes after every acknowledged change, the one change that was under way, and the checkpoints' ids."""
    notes, ids = dict(notes), []
    for intent, ack in zip(lines[::2], lines[1::2], strict=False):
        assert intent["intent"] == ack["ack"]
        ids.append(ack["checkpoint"])
        notes.pop(intent["path"], None)
        if intent["after"] is not None:
            notes[intent["path"]] = intent["after"].encode("utf-8")
    return notes, (lines[-1] if len(lines) % 2 else None), ids


def _check(
    home: Path,
    scratch: Path,
    wanted: dict[str, bytes],
    in_flight: dict[str, Any] | None,
    ids: list[str],
    embedder: FakeEmbedder | None,
) -> None:
    found = notes_of(home)
    if in_flight is not None and found.get(in_flight["path"]) != wanted.get(in_flight["path"]):
        wanted.pop(in_flight["path"], None)
        if in_flight["after"] is not None:
            wanted[in_flight["path"]] = in_flight["after"].encode("utf-8")
    assert found == wanted, "a note is torn, or an acknowledged change is lost"
    with Memory.open(home, origin=Origin.USER, embedder=embedder) as memory:
        assert [path for path in home.rglob("*") if path.name.endswith(".hf-tmp")] == []
        assert memory.ctx.database.set_aside is None
        assert memory.ctx.database.check() == []
        history = memory.history(limit=1_000)
        assert [change.seq for change in history] == sorted({change.seq for change in history}, reverse=True)
        told = [change.id for change in reversed(history)]
        # The journal may also tell of the change that was under way, and of nothing else.
        assert told[told.index(ids[0]) :][: len(ids)] == ids
        assert len(told[told.index(ids[0]) :]) <= len(ids) + 1
        for path, data in found.items():
            for line in data.decode("utf-8").splitlines()[-1:]:
                assert path in seen(memory, next(word for word in line.split() if word.startswith("t")))
        memory.sync()
        assert index_rows(memory, set()) == of_a_rebuild(memory, scratch, set())
        # The next change settles the journal; what the killed one stored for nothing may stay until a prune.
        memory.undo(force=True)
        assert {problem.kind for problem in verify(memory.ctx.workspace)} <= {"unreferenced"}
