"""`memory.style = "off"`: nothing is remembered or brought to mind by itself; what is asked for outright works."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast import Memory, Origin
from holdfast.clock import FakeClock
from holdfast.dreaming.dream_counts import signals_of
from holdfast.dreaming.dream_idle import IdleDreamer
from holdfast.llm.chat_model import Answer, Role, ToolCall
from holdfast.llm.scripted_model import ScriptedModel
from holdfast.sessions.session_follow import RecordMessage, follow_at_end, follow_before_compaction

NOON = 1_772_712_000.0  # 2026-03-05 12:00 UTC
DAY = 86_400.0
SAID = "My name is Ada and I live in Berlin. I always drink green tea."
OFF = {"memory.style": "off", "memory.recall.deadline_ms": 60_000}


def notes(home: Path) -> dict[str, bytes]:
    """Every file below the home that a person or an agent would read."""
    return {str(path.relative_to(home)): path.read_bytes() for path in sorted(home.rglob("*.md"))}


@pytest.fixture
def off(home: Path) -> Iterator[Memory]:
    with Memory.open(origin=Origin.USER, clock=FakeClock(NOON)) as memory:
        memory.save("The launch of Kestrel moved to 3 March")
        memory.save("spoke of tents", file="memory/2026-03-05.md")
        memory.profile.save("name", "Ada")
    with Memory.open(clock=FakeClock(NOON), settings=OFF) as memory:
        yield memory


def test_nothing_is_injected(off: Memory) -> None:
    with off.session() as session:
        prompt, recalled = session.prompt("when is the launch of Kestrel?"), session.recall("the launch of Kestrel?")
    assert (prompt.text, list(prompt.blocks)) == ("", [])
    assert "memory.style" in str(prompt.because)
    assert recalled.text == "" and "memory.style" in recalled.skipped


def test_nothing_is_captured_flushed_or_written_by_itself(home: Path, off: Memory) -> None:
    call = ToolCall("c", "memory_append", {"content": "- tea"})
    model = ScriptedModel(Answer("", (call,)), Answer("NO_REPLY"))
    before = notes(home)
    with off.session() as session:
        session.append("user", SAID)
        captured = session.capture(model, force=True)
        flushed = session.before_compaction(model, force=True)
    assert (captured.facts, captured.looked_at) == ((), 0) and "memory.style" in captured.because
    assert not flushed.ran and "memory.style" in flushed.why
    assert notes(home) == before and not model.requests


@pytest.mark.parametrize("way", [follow_at_end, follow_before_compaction])
def test_a_hook_keeps_nothing_of_a_conversation(home: Path, off: Memory, way: Any) -> None:
    before = notes(home)
    with off.session("claude-code:abc", channel="claude-code") as session:
        kept = way(session, [RecordMessage(Role.USER, SAID, NOON), RecordMessage(Role.ASSISTANT, "Noted.", NOON)])
    assert (kept.added, kept.facts, kept.notes) == (0, 0, ()) and "memory.style" in kept.because
    assert notes(home) == before and off.sessions() == []


def test_nobody_dreams_and_no_question_is_counted(home: Path, off: Memory) -> None:
    before = notes(home)
    counted = signals_of(off.ctx).extent()
    assert off.search("when is the launch of Kestrel?").results, "who asks is answered"
    assert signals_of(off.ctx).extent() == counted
    dreamer = IdleDreamer(off.ctx)
    assert dreamer.tick(NOON + DAY, NOON) is None
    done = off.dreams.run()
    assert not done.report and "memory.style" in done.because
    assert notes(home) == before


def test_what_is_asked_for_outright_is_done(home: Path, off: Memory) -> None:
    assert off.save("a note of a program", file="memory/program.md")
    assert off.get("memory/program.md").text == "a note of a program"
    assert [hit.path for hit in off.search("note of a program").results][:1] == ["memory/program.md"]
    with off.session() as session:
        session.append("user", SAID)
        assert [entry.text for entry in session.messages()] == [SAID]
        exported = session.export()
    assert exported is not None and (home / exported.path).exists()
    assert off.tools().names == ()


def test_one_agent_is_off_and_the_others_are_not(home: Path, off: Memory) -> None:
    (home / "agents/quiet").mkdir(parents=True)
    (home / "agents/quiet/holdfast.toml").write_text('[memory]\nstyle = "off"\n', encoding="utf-8")
    for agent, facts in (("quiet", 0), ("main", 1)):
        with Memory.open(home, agent) as memory, memory.session() as session:
            session.append("user", SAID)
            assert bool(session.capture().facts) is bool(facts)
            assert bool(session.prompt().text) is bool(facts)
