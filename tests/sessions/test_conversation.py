"""A long conversation through the whole of it: recall, saves, compactions with their silent turns, an end, another."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from commandline import process
from counts import counted
from provider_server import ProviderServer
from sessions.companion import Companion, settings_for

from holdfast import Memory
from holdfast.sessions.turn_events import Step
from holdfast.transcripts.transcript_entry import Compaction

TURNS = counted(24, 300)
FILLER = "The weather was fine, we walked along the river and spoke about nothing in particular. " * 2


@pytest.fixture
def server() -> Iterator[ProviderServer]:
    with ProviderServer() as running:
        yield running


def spoken(number: int) -> str:
    """What the user says: now and then something to keep, or a question about what was kept."""
    if number == 1:
        return "This is turn 1. By the way, my sister Ottilie lives in Ravensburg."
    if number % 10 == 3:
        return f"Please remember: project Kite{number}ridge uses code QX-{number}."
    if number % 10 == 7:
        return f"What is the code of project Kite{number - 4}ridge?"
    return f"This is turn {number}. {FILLER}"


@pytest.mark.fault
def test_hundreds_of_turns_and_the_next_session_remembers(home: Path, server: ProviderServer) -> None:
    companion = Companion(server)
    steps: dict[Step, int] = dict.fromkeys(Step, 0)
    window = {"compaction.context_window": counted(3_000, 10_000)}
    with Memory.open(settings=settings_for(server, **window)) as memory:
        session = memory.session("long")
        for number in range(1, TURNS + 1):
            turned = session.turn(spoken(number))
            for event in turned.events:
                steps[event.step] += 1
            if number % 10 == 7:
                assert turned.text == f"Memory says QX-{number - 4}."
        assert steps[Step.FAILED] == 0
        assert steps[Step.SAVED] >= TURNS // 10  # by the model, and what the rules noted beside it
        assert steps[Step.RECALLED] >= TURNS // 10
        assert steps[Step.COMPACTED] == steps[Step.FLUSHED] == len(companion.flushes) >= 2
        marks = [read.record for read in session.transcript.lines() if isinstance(read.record, Compaction)]
        assert len(marks) == session.transcript.cycle == steps[Step.COMPACTED]
        said = session.messages()
        assert [entry.text for entry in said if entry.role == "user"] == [
            spoken(number) for number in range(1, TURNS + 1)
        ]
        saved = (home / "memory" / "projects.md").read_text(encoding="utf-8")
        assert saved.split("\n")[:-1] == [f"- project Kite{n}ridge uses code QX-{n}." for n in range(3, TURNS + 1, 10)]
        (daily,) = (home / "memory").glob("????-??-??.md")
        wrote = re.findall(r"^- Talked until turn (\d+)\.$", daily.read_text(encoding="utf-8"), re.MULTILINE)
        assert wrote == companion.flushes

        after = session.new("next")
        assert after.follows is not None and (home / after.follows.path).is_file()
        turned = after.turn("Where does my sister Ottilie live?")
        assert turned.text == "Memory says Ravensburg."
        assert turned.recalled is not None
        assert after.follows.path in {hit.path for hit in turned.recalled.hits}
        assert memory.spent.requests == companion.asked and memory.spent.failures == 0


def test_a_conversation_through_the_command_line(home: Path, server: ProviderServer) -> None:
    companion = Companion(server)
    home.mkdir()
    keys = settings_for(server, **{"compaction.context_window": 5000})
    env = {f"HOLDFAST_{key.upper().replace('.', '_')}": str(value) for key, value in keys.items()}
    lines = [spoken(number) for number in range(1, 51)]
    ran = process("chat", "--session", "long", stdin="\n".join([*lines, "/new next", ""]).encode(), env=env)
    out, err = ran.stdout.decode(), ran.stderr.decode()
    assert ran.returncode == 0, err
    assert out.count("Memory says QX-") == 5
    assert err.count("saved to memory/projects.md") == 5
    assert err.count("shortened the conversation") == len(companion.flushes) >= 1
    assert "What was said is kept as memory/sessions/" in out
    ran = process("chat", "--session", "next", "--once", "Where does my sister Ottilie live?", "--json", env=env)
    answer = json.loads(ran.stdout)
    assert answer["text"] == "Memory says Ravensburg." and answer["session"] == "next"
    assert any(hit["path"].startswith("memory/sessions/") for hit in answer["recalled"])
