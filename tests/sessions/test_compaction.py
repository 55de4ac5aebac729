"""Shortening a conversation: what stays, what stands in for the rest, and that nothing is lost on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sessions.turns import WORDS, talk, wrote

from holdfast import Memory
from holdfast.errors import BadArgument, ProviderFailed
from holdfast.llm.chat_model import Answer, Request, Role, Stop, ToolCall
from holdfast.llm.scripted_model import ScriptedModel
from holdfast.sessions.cut_points import cut_at, last_request, whole_at
from holdfast.transcripts.tokens import tokens_in
from holdfast.transcripts.transcript_entry import Entry

SUMMARY = {"compaction.mode": "summary"}


def opened(**settings: Any) -> Memory:
    return Memory.open(settings={name.replace("__", "."): value for name, value in settings.items()})


def test_the_tail_stays_and_a_summary_stands_in_for_the_rest(home: Path) -> None:
    with opened() as memory, memory.session() as session:
        talk(session, 20)
        everything = session.messages()
        done = session.compact(keep_tokens=500)
        summary, *kept = session.context()
        assert kept == everything[-len(kept) :] and done.kept == len(kept) and done.removed == 40 - len(kept)
        assert tokens_in(kept) <= 500 < tokens_in(everything[-len(kept) - 1 :])
        assert summary.tags == ("summary",) and summary.text == done.summary
        assert "It began with: question 0" in done.summary and f"{done.removed} earlier messages" in done.summary
        assert session.messages() == everything, "nothing is removed from the transcript"
    with opened() as memory, memory.session() as session:
        assert session.context() == [summary, *kept]


def test_compacting_again_counts_everything_and_carries_on_what_was_saved(home: Path) -> None:
    model = ScriptedModel(wrote("- tea"), always="NO_REPLY")
    with opened() as memory, memory.session() as session:
        talk(session, 10)
        call = ToolCall("c1", "memory_save", {"content": "x", "file": "memory/plan.md"})
        lost = ToolCall("c2", "memory_save", {"content": "x", "file": "memory/never.md"})
        session.append("assistant", "", tool_calls=[call, lost])
        session.append("tool", "{}", tool_call_id="c1", tool_name="memory_save")
        session.append("tool", "{}", tool_call_id="c2", tool_name="memory_save", failed=True)
        talk(session, 3)
        first = session.compact(model, keep_tokens=200)
        assert first.flush is not None and first.flush.paths
        talk(session, 10)
        second = session.compact(model, keep_tokens=200)
        assert second.summary.count("[Summary of the conversation so far]") == 1
        assert f"memory/plan.md, {first.flush.paths[0]}." in second.summary and "never.md" not in second.summary
        assert "It began with: question 0" in second.summary and "memory_save 2" in second.summary
        assert "So far: 22 messages of the user" in second.summary
        assert len(second.summary) < 5000
        assert session.transcript.cycle == 2


def test_a_short_conversation_is_left_as_it_is(home: Path) -> None:
    model = ScriptedModel(always="NO_REPLY")
    with opened() as memory, memory.session() as session:
        assert session.compact(model).removed == 0
        talk(session, 3)
        done = session.compact(model)
        assert (done.removed, done.kept, done.flush) == (0, 6, None) and "nothing to leave out" in done.because
        assert session.transcript.cycle == 0 and model.requests == []


def test_a_small_window_keeps_less_than_the_default(home: Path) -> None:
    with opened(compaction__context_window=4000) as memory, memory.session() as session:
        talk(session, 40)
        assert session.compact().removed > 0
        assert tokens_in(session.context()) < 2000


def test_the_flush_comes_before_the_compaction_even_if_nobody_asked_for_it(home: Path) -> None:
    model = ScriptedModel(wrote("- tea"), "NO_REPLY")
    with opened() as memory, memory.session() as session:
        talk(session, 20)
        assert not session.flush_due().due
        done = session.compact(model, keep_tokens=200)
        assert done.flush is not None and done.flush.ran and "Saved to memory: memory/" in done.summary


def test_a_flush_that_fails_does_not_keep_a_conversation_from_being_shortened(home: Path) -> None:
    model = ScriptedModel()
    model.down = True
    for mode in ("deterministic", "summary"):
        with opened(compaction__mode=mode) as memory, memory.session(mode) as session:
            talk(session, 20)
            done = session.compact(model, keep_tokens=200)
            assert done.removed > 0 and done.flush is not None and done.flush.failed
            assert ("the model failed" in done.because) == (mode == "summary")
            assert done.summary.startswith("[Summary of the conversation so far]\n")


def test_a_model_writes_the_summary_where_the_settings_say_so(home: Path) -> None:
    model = ScriptedModel("NO_REPLY", "They talked about numbers.", "NO_REPLY", "And then about more.")
    with Memory.open(settings=SUMMARY) as memory, memory.session() as session:
        talk(session, 10)
        done = session.compact(model, keep_tokens=200)
        assert "They talked about numbers." in done.summary and "by scripted" in done.summary and done.because == ""
        assert "question 0" in model.requests[1].messages[-1].text
        assert f"question {9}" not in model.requests[1].messages[-1].text
        talk(session, 10)
        session.compact(model, keep_tokens=200)
        assert "[before this] [Summary of the conversation so far, by scripted]" in model.requests[3].messages[-1].text


@pytest.mark.parametrize(
    "answer",
    ["", "  \n", Answer("I can't.", stop=Stop.REFUSED), ProviderFailed("scripted", "down")],
    ids=["empty", "spaces", "refused", "failed"],
)
def test_a_summary_that_does_not_come_is_made_without_the_model_and_says_so(home: Path, answer: Any) -> None:
    with Memory.open(settings=SUMMARY) as memory, memory.session() as session:
        talk(session, 10)
        done = session.compact(ScriptedModel("NO_REPLY", answer), keep_tokens=200)
        assert done.removed and done.because and "It began with: question 0" in done.summary
        talk(session, 10)
        assert "no model" in session.compact(keep_tokens=200).because


def test_what_a_model_summarised_is_carried_on_where_the_next_summary_needs_none(home: Path) -> None:
    with Memory.open(settings=SUMMARY) as memory, memory.session() as session:
        talk(session, 10)
        session.compact(ScriptedModel("NO_REPLY", "The ship is called Marlin."), keep_tokens=200)
    with opened() as memory, memory.session() as session:
        talk(session, 10)
        session.compact(keep_tokens=200)
        assert "The ship is called Marlin." in session.context()[0].text


@pytest.mark.promise("P12")
def test_a_summary_holds_no_secret(home: Path) -> None:
    secret = "ghp_" + "Zk3vQ8xW1nR5tY7uI9oP2aS4dF6gH0jL1zXc"[:36]
    with Memory.open(settings=SUMMARY) as memory, memory.session() as session:
        talk(session, 10)
        session.compact(ScriptedModel("NO_REPLY", f"The token is {secret}."), keep_tokens=200)
        session.compacted(summary=f"It is {secret}.")
        assert secret not in str(session.context())
        assert secret.encode() not in (home / session.transcript.path).read_bytes()


def test_the_users_last_message_is_never_lost(home: Path) -> None:
    with opened() as memory, memory.session() as session:
        talk(session, 5)
        asked = session.append("user", "Now port the whole thing to Rust, please.")
        for number in range(30):
            call = ToolCall(f"c{number}", "shell", {"command": "make"})
            session.append("assistant", "", tool_calls=[call])
            session.append("tool", WORDS * 10, tool_call_id=call.id, tool_name="shell")
        session.compact(keep_tokens=5000)
        assert asked in session.context()
        done = session.compact(keep_tokens=300)
        assert asked not in session.context(), "hours of work may not keep it from being shortened"
        assert "The user's last message:\nNow port the whole thing to Rust, please." in done.summary


def test_an_agent_that_compacts_by_itself_says_so_and_the_next_cycle_begins(home: Path) -> None:
    model = ScriptedModel(always="NO_REPLY")
    with opened(compaction__context_window=2000) as memory, memory.session() as session:
        talk(session, 20)
        assert session.before_compaction(model).ran
        kept = session.messages()[-4:]
        session.compacted(kept_from=kept[0].id, summary="What went before.")
        assert [entry.text for entry in session.context()] == ["What went before.", *(one.text for one in kept)]
        assert session.flush_due(tokens=5000).cycle == 1 and session.flush_due(tokens=5000).due
        session.compacted()
        assert session.context() == kept[-1:]
        for wrong in ("m00000000000000000000", "", session.messages()[0].id):
            with pytest.raises(BadArgument):
                session.compacted(kept_from=wrong)


def test_two_that_compact_at_once_make_one_compaction(home: Path) -> None:
    with opened() as memory, memory.session() as session, memory.session() as other:
        talk(session, 20)

        def meanwhile(_: Request) -> str:
            assert other.compact(keep_tokens=200).removed
            return "NO_REPLY"

        done = session.compact(ScriptedModel(meanwhile), keep_tokens=200)
        assert done.removed == 0 and "another process" in done.because
        assert session.transcript.cycle == 1


def test_what_is_said_during_a_compaction_stays(home: Path) -> None:
    with opened() as memory, memory.session() as session, memory.session() as other:
        talk(session, 20)

        def meanwhile(_: Request) -> str:
            other.append("user", "And one thing more.")
            return "NO_REPLY"

        session.compact(ScriptedModel(meanwhile), keep_tokens=200)
        assert session.context()[-1].text == "And one thing more."


@pytest.mark.parametrize("given", [-1, True, 1.5, "200"])
def test_a_number_that_is_none_is_refused(home: Path, given: Any) -> None:
    with opened() as memory, memory.session() as session:
        talk(session, 2)
        for name in ("tokens", "context_window"):
            with pytest.raises(BadArgument, match=name):
                session.flush_due(**{name: given})
        with pytest.raises(BadArgument, match="keep_tokens"):
            session.compact(keep_tokens=given)


@st.composite
def conversations(draw: st.DrawFn) -> list[Entry]:
    """Any order of messages, calls and results: answered late, twice, never, or without a call."""
    found: list[Entry] = []
    ids = st.sampled_from(["a", "b", "c"])
    for number in range(draw(st.integers(1, 14))):
        role = draw(st.sampled_from(Role))
        calls = draw(st.lists(ids, max_size=2, unique=True)) if role is Role.ASSISTANT else []
        found.append(
            Entry(
                f"m{number}",
                0.0,
                role,
                "x" * draw(st.sampled_from([0, 40, 400])),
                tool_calls=tuple(ToolCall(one, "t") for one in calls),
                tool_call_id=draw(ids) if role is Role.TOOL else "",
                tags=("recalled",) if draw(st.booleans()) and role is Role.USER else (),
            )
        )
    return found


@given(conversations(), st.integers(0, 400))
def test_a_cut_never_parts_a_call_from_its_result(entries: list[Entry], keep: int) -> None:
    at = cut_at(entries, keep)
    assert 0 <= at < len(entries) and whole_at(entries)[at]
    open_before = {call.id for entry in entries[:at] for call in entry.tool_calls}
    for entry in entries[at:]:
        if entry.role is Role.TOOL:
            assert entry.tool_call_id not in open_before
        open_before -= {call.id for call in entry.tool_calls}


@given(conversations(), st.integers(0, 400))
def test_a_cut_keeps_about_what_it_should(entries: list[Entry], keep: int) -> None:
    at = cut_at(entries, keep)
    whole = whole_at(entries)
    assert whole[0]
    request = last_request(entries)
    later = [place for place in range(at + 1, len(entries)) if whole[place]]
    # it is the longest tail that fits, or holds the user's last message, or can't be shorter
    assert tokens_in(entries[at:]) <= keep or not later or at <= request
    if tokens_in(entries) <= keep:
        assert at == 0
    if request >= 0 and tokens_in(entries[request:]) <= keep:
        assert at <= request
