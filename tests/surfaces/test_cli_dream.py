"""`holdfast dream`: what it prints, and what the owner can do about it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from commandline import SCRIPT, done, holdfast

from holdfast import Memory
from holdfast.clock import SystemClock
from holdfast.dreaming.dream_counts import signals_of
from holdfast.guard.origin import Origin
from holdfast.index.sqlite.signal_table import LineAnswer
from holdfast.markdown.claim_key import key_of

TEA = "I drink green tea in the morning"
NOTE = "memory/habits.md"


def asked_often(home: Path, origin: Origin) -> None:
    """A line that was asked for by five questions on each of four days."""
    with Memory.open(home, origin=origin) as memory:
        memory.save(f"- {TEA}\n", file=NOTE)
        now = SystemClock().now()
        rows = [
            LineAnswer(key_of(TEA), f"q{q}", f"2026-01-0{1 + 2 * d}", NOTE, 0.9, now)
            for q in range(5)
            for d in range(4)
        ]
        signals_of(memory.ctx).record(rows)


def test_the_status_says_how_many_lines_wait_for_the_owner(home: Path) -> None:
    done("save", "x")
    assert done("status", "--json").json["waiting"] == 0 and "waiting" not in done("status").out
    with Memory.open(home) as memory:
        memory.tools(Origin.MCP_TOOL).call("memory_save", {"content": "- Likes tea.\n- Lives in Lima."})
        first, _ = memory.inbox.list()
        assert done("status", "--json").json["waiting"] == 2
        memory.inbox.reject(first.id)
    assert "1 line waits to go into MEMORY.md; `holdfast inbox` shows them" in done("status").out


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
    (waiting,) = done("inbox", "--json").json["entries"]
    assert (waiting["text"], waiting["origin"], waiting["place"]) == (TEA, "mcp_tool", f"{NOTE}#1")
    assert waiting["id"] in done("inbox").out
    decided = done("inbox", action, waiting["id"])
    assert TEA in decided.out
    assert (home / "MEMORY.md").exists() is (action == "approve")
    assert "Nothing waits" in done("inbox").err
    assert holdfast("inbox", action, waiting["id"]).status != 0


def test_mistakes_are_named(home: Path) -> None:
    assert holdfast("dream", "approve").status == 2
    assert "--phase" in holdfast("dream", "--phase", "nap").err
    assert done("dream", "--json").json["deep"] == []


def test_a_rehearsal_never_takes_back(home: Path) -> None:
    asked_often(home, Origin.MCP_TOOL)
    done("dream", "--phase", "deep")
    (waiting,) = done("inbox", "--json").json["entries"]
    done("inbox", "approve", waiting["id"])
    before = (home / "MEMORY.md").read_bytes()
    for words in (("--rollback", "--dry-run"), ("--rollback", "--phase", "deep")):
        assert holdfast("dream", *words).status == 2
    assert (home / "MEMORY.md").read_bytes() == before


def test_where_there_is_no_dream_to_take_back_it_says_so(home: Path) -> None:
    done("save", "x")
    ran = holdfast("dream", "--rollback")
    assert ran.status == 3 and "There is no dream to take back" in ran.err and "checkpoint" not in ran.err
    assert "no dream 'k7' to take back" in holdfast("dream", "--rollback", "k7").err


@pytest.mark.parametrize("as_json", [False, True])
def test_watch_dreams_while_nothing_happens_and_says_what_it_did(home: Path, as_json: bool) -> None:
    asked_often(home, Origin.USER)
    argv = [sys.executable, "-u", "-c", SCRIPT, "watch", *(["--json"] if as_json else [])]
    env = {**os.environ, "HOLDFAST_DREAMING_MODE": "eager", "HOLDFAST_MEMORY_SYNC_WATCH_DEBOUNCE_MS": "50"}
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env) as child:
        try:
            assert child.stdout is not None
            told = next(line for line in child.stdout if b"dream" in line.lower())
            child.send_signal(signal.SIGINT)
            assert child.wait(timeout=60) in (0, 130)
        finally:
            child.kill()
    if as_json:
        assert [one["outcome"] for one in json.loads(told)["dream"]["deep"]] == ["promoted"]
    else:
        assert told.startswith(b"Dreamt: 1 line into MEMORY.md, 0 wait for you. memory/dreams/")
    assert TEA in (home / "MEMORY.md").read_text()
