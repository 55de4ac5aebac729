"""A process that talks with a model, saves, flushes and compacts is killed at any point: nothing it said is lost."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from counts import counted
from faults._child_converses import spoken
from faults.children import children
from provider_server import ProviderServer
from sessions.companion import Companion, settings_for

from holdfast import Memory
from holdfast.llm.chat_model import Role

SMALL: dict[str, object] = {
    "compaction.context_window": 5000,
    "compaction.keep_tokens": 300,
    "memory.disable_rag": True,  # a child starts more quickly without numpy
}


def lines_of(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


@pytest.mark.fault
@pytest.mark.promise("P2")
def test_no_acknowledged_message_or_note_is_lost_and_no_flush_is_doubled(home: Path, tmp_path: Path) -> None:
    random_ = random.Random(20261115)
    log = tmp_path / "acknowledged.jsonl"
    rounds = counted(3, 100)
    turns = 0
    with ProviderServer() as server:
        companion = Companion(server)
        keys = settings_for(server, **SMALL)
        for _ in range(rounds):
            with children("_child_converses.py", [(home, json.dumps(keys), log, turns + 1)]) as (child,):
                child.go()
                for _ in range(random_.randrange(1, 60)):
                    child.line()
                assert child.kill_after(random_.random() / 50)
            turns = check(home, keys, log, turns)
        assert companion.flushes
        with Memory.open(home, settings=keys) as memory, memory.session("long") as session:
            assert session.turn(f"This is turn {turns + 1}.").text.startswith("I see.")
            assert session.transcript.unread <= rounds


def check(home: Path, keys: dict[str, object], log: Path, before: int) -> int:
    """After each kill; gives how many turns were begun so far."""
    told = lines_of(log)
    with Memory.open(home, settings=keys) as memory, memory.session("long") as session:
        said = {entry.id: entry.text for entry in session.messages()}
        for line in told:
            if "message" in line:
                assert said.get(line["message"]) == line["text"]
        asked = [entry.text for entry in session.messages() if entry.role is Role.USER]
        assert asked == [spoken(number) for number in range(1, len(asked) + 1)]
        assert len(asked) >= before
        assert session.context()
    notes = "".join(note.read_text(encoding="utf-8") for note in (home / "memory").glob("*.md"))
    for line in told:
        if "saved" in line:
            assert line["saved"].rpartition(": ")[2] in notes
    daily = [line for line in notes.split("\n") if line.startswith("- Talked until turn ")]
    # A model that was asked before the kill and had written nothing is asked again; what it wrote, it wrote once.
    cycles = {line["line"]: line["flush"] for line in told if "flush" in line}
    assert len({cycles[line] for line in daily}) == len(daily), "a cycle had its silent turn twice"
    return len(asked)
