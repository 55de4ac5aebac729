"""One silent turn for each compaction: across failures, processes that died, and two at the same time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from sessions.test_flush import NOON, NOTE, files, opened
from sessions.turns import talk, wrote

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.errors import ProviderFailed
from holdfast.llm.chat_model import Answer, Request
from holdfast.llm.scripted_model import ScriptedModel


def test_there_is_one_flush_per_compaction_cycle(home: Path) -> None:
    model = ScriptedModel(always="NO_REPLY")
    settings = {"compaction.context_window": 2000, "compaction.keep_tokens": 300}
    with Memory.open(settings=settings) as memory, memory.session() as session:
        talk(session)
        assert session.flush_due().due
        assert session.before_compaction(model).ran
        asked = len(model.requests)
        assert not session.flush_due().due
        for force in (False, True):
            again = session.before_compaction(model, force=force)
            assert not again.ran and "already" in again.why
        done = session.compact(model)
        assert done.removed and done.flush is not None and not done.flush.ran
        assert len(model.requests) == asked
        talk(session)
        assert session.flush_due().due and session.flush_due().cycle == 1
        assert session.before_compaction(model).ran
        assert len(model.requests) > asked
    with Memory.open(settings=settings) as memory, memory.session() as session:
        assert not session.before_compaction(model, force=True).ran


def test_a_provider_that_fails_costs_nothing_and_is_asked_again_later(home: Path) -> None:
    clock = FakeClock(NOON)
    model = ScriptedModel(ProviderFailed("scripted", "it is down"), always="NO_REPLY")
    with opened(clock, compaction__context_window=2000) as memory, memory.session() as session:
        talk(session)
        done = session.before_compaction(model)
        assert done.ran and done.failed and "it is down" in done.why
        assert not session.flush_due().due, "not at every turn, while the provider is down"
        clock.advance(601)
        assert session.flush_due().due
        assert session.before_compaction(model).why == "the model found nothing to save"


def test_a_provider_that_fails_after_a_write_is_not_asked_again(home: Path) -> None:
    clock = FakeClock(NOON)
    model = ScriptedModel(wrote("- tea"), ProviderFailed("scripted", "it is down"), always=wrote("- tea, again"))
    with opened(clock) as memory, memory.session() as session:
        talk(session)
        done = session.before_compaction(model, force=True)
        assert done.failed and done.paths == (NOTE,)
        clock.advance(10_000)
        assert not session.before_compaction(model, force=True).ran
    assert files(home)[NOTE] == b"- tea\n"


def test_a_turn_whose_process_died_is_taken_over_only_where_it_wrote_nothing(home: Path) -> None:
    class Killed(BaseException):
        pass

    def kill(_: Request) -> Answer:
        raise Killed

    clock = FakeClock(NOON)
    with opened(clock) as memory, memory.session() as session:
        talk(session)
        state = {"cycle": 0, "at": NOON, "state": "asked"}
        session.state.set("flush", "cycle", state)  # as kill -9 leaves it
        assert session.flush_due(tokens=1_000_000).due
        assert session.before_compaction(ScriptedModel(always="NO_REPLY"), force=True).ran
        session.state.set("flush", "cycle", {**state, "state": "writing"})
        clock.advance(1_000_000)
        assert not session.before_compaction(ScriptedModel(always="NO_REPLY"), force=True).ran
        session.state.delete("flush", "cycle")
        with pytest.raises(Killed):
            session.before_compaction(ScriptedModel(kill), force=True)
        assert session.before_compaction(ScriptedModel(always="NO_REPLY"), force=True).ran


def test_a_claim_that_another_process_took_over_writes_nothing_any_more(home: Path) -> None:
    with opened() as memory, memory.session() as session:
        talk(session)

        def overtaken(_: Request) -> Answer:
            session.state.set("flush", "cycle", {"cycle": 0, "at": NOON + 700, "state": "asked"})
            return wrote("- mine")

        done = session.before_compaction(ScriptedModel(overtaken, "NO_REPLY"), force=True)
        assert done.wrote == ()
    assert files(home) == {}


def test_only_one_of_two_at_the_same_time_runs(home: Path) -> None:
    with opened() as memory, memory.session() as session, memory.session() as other:
        talk(session)
        seen: list[bool] = []

        def meanwhile(_: Request) -> str:
            seen.append(other.before_compaction(ScriptedModel(always=wrote("- two")), force=True).ran)
            return "NO_REPLY"

        assert session.before_compaction(ScriptedModel(meanwhile), force=True).ran
        assert seen == [False]


KILLED = """
import sys
from holdfast import Memory
from holdfast.llm.scripted_model import ScriptedModel

def asked(request):
    print("asked", flush=True)
    sys.stdin.read()
    return "NO_REPLY"

with Memory.open() as memory, memory.session() as session:
    session.compact(ScriptedModel(asked), keep_tokens=200)
"""


def test_a_flush_that_was_killed_is_run_by_the_next_process_before_anything_is_shortened(home: Path) -> None:
    with Memory.open() as memory, memory.session() as session:
        talk(session)
        child = subprocess.Popen([sys.executable, "-c", KILLED], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        with child:
            assert child.stdin is not None and child.stdout is not None
            assert child.stdout.readline() == b"asked\n"
            model = ScriptedModel(wrote("- tea"), "NO_REPLY")
            waits = session.compact(model, keep_tokens=200)
            assert waits.removed == 0 and "another process is saving" in waits.because
            assert not session.flush_due(tokens=1_000_000).due
            child.kill()
        done = session.compact(model, keep_tokens=200)
        assert done.removed and done.flush is not None and done.flush.ran and done.flush.paths


def test_a_flush_that_failed_in_a_later_part_goes_on_behind_what_was_written(home: Path) -> None:
    down = ProviderFailed("scripted", "it is down")
    first = ScriptedModel(wrote("- one"), "NO_REPLY", down)
    with opened() as memory, memory.session() as session:
        talk(session, 40)
        done = session.before_compaction(first, force=True, context_window=2000)
        assert done.failed and done.paths == (NOTE,)
        again = ScriptedModel(always="NO_REPLY")
        assert session.before_compaction(again, force=True, context_window=2000).ran
        text = "".join(request.messages[-1].text for request in again.requests)
        assert "question 0:" not in text and "question 39:" in text
        assert not session.before_compaction(again, force=True).ran
    assert "question 0:" in first.requests[0].messages[-1].text


def test_a_process_that_died_while_writing_one_part_leaves_only_the_others_to_be_read(home: Path) -> None:
    with opened() as memory, memory.session() as session:
        talk(session, 10)
        seen = session.messages()[9].id
        state = {"cycle": 0, "at": NOON, "state": "writing", "seen": seen, "more": True}
        session.state.set("flush", "cycle", state)
        model = ScriptedModel(always="NO_REPLY")
        assert session.before_compaction(model, force=True).ran
        text = model.requests[0].messages[-1].text
        assert "answer 4:" not in text and "question 5:" in text
