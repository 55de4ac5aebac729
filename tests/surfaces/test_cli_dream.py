"""`holdfast dream`: what it prints, and what the owner can do about it."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import done, holdfast

from holdfast import Memory
from holdfast.clock import SystemClock
from holdfast.dreaming.claim import key_of
from holdfast.guard.origin import Origin
from holdfast.index.sqlite.signals import Asked
from holdfast.tools.dream import signals_of

TEA = "I drink green tea in the morning"
NOTE = "memory/habits.md"


def asked_often(home: Path, origin: Origin) -> None:
    """A line that was asked for by five questions on each of four days."""
    with Memory.open(home, origin=origin) as memory:
        memory.save(f"- {TEA}\n", file=NOTE)
        now = SystemClock().now()
        rows = [
            Asked(key_of(TEA), f"q{q}", f"2026-01-0{1 + 2 * d}", NOTE, "c", 0.9, now)
            for q in range(5)
            for d in range(4)
        ]
        signals_of(memory.rooms).record(rows)


def test_a_dream_is_shown_explained_made_and_taken_back(home: Path) -> None:
    asked_often(home, Origin.USER)
    dry = done("dream", "--dry-run", "--explain")
    assert "Into MEMORY.md 0.9" in dry.out and TEA in dry.out and "relevance 0.270" in dry.out
    assert "found 20 times, by 5 questions, on 4 days" in dry.out
    assert not (home / "MEMORY.md").exists()
    made = done("dream", "--json").json
    assert [(one["text"], one["outcome"], one["origin"]) for one in made["deep"]] == [(TEA, "promoted", "user")]
    assert made["report"].startswith("memory/dreams/") and len(made["checkpointIds"]) == 2
    assert TEA in (home / "MEMORY.md").read_text()
    assert "Nothing new; nothing was changed." in done("dream").out
    back = done("dream", "--rollback")
    assert "MEMORY.md is back to what it was" in back.out and not (home / "MEMORY.md").exists()
    assert holdfast("dream", "--rollback", made["run"]).status != 0


@pytest.mark.parametrize("action", ["approve", "reject"])
def test_what_waits_is_listed_and_decided_about(home: Path, action: str) -> None:
    asked_often(home, Origin.MCP_TOOL)
    assert "Waits for you" in done("dream", "--phase", "deep").out
    (waiting,) = done("dream", "proposals", "--json").json["proposals"]
    assert (waiting["text"], waiting["origin"]) == (TEA, "mcp_tool")
    assert waiting["id"] in done("dream", "proposals").out
    decided = done("dream", action, waiting["id"])
    assert TEA in decided.out
    assert (home / "MEMORY.md").exists() is (action == "approve")
    assert "No line waits" in done("dream", "proposals").err
    assert holdfast("dream", action, waiting["id"]).status != 0


def test_mistakes_are_named(home: Path) -> None:
    assert "say which line to approve" in holdfast("dream", "approve").err
    assert "takes none" in holdfast("dream", "proposals", "d1").err
    assert "--phase" in holdfast("dream", "--phase", "nap").err
    assert done("dream", "--json").json["deep"] == []
