"""Whatever a transcript holds, the messages that are made of it are ones that a provider takes."""

from __future__ import annotations

from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from holdfast.llm.chat_model import Role, ToolCall
from holdfast.sessions.api_messages import messages_of
from holdfast.transcripts.transcript_entry import Entry


def said(role: Role, text: str = "x", *, calls: tuple[str, ...] = (), answers: str = "") -> Entry:
    return Entry("m1", 0.0, role, text, "", tuple(ToolCall(one, "memory_get") for one in calls), answers)


def test_a_call_whose_process_was_killed_gets_a_result_that_says_so() -> None:
    entries = [said(Role.USER), said(Role.ASSISTANT, "", calls=("a", "b")), said(Role.TOOL, "done", answers="a")]
    *_, first, second, last = messages_of([*entries, said(Role.USER, "go on")])
    assert (first.text, first.tool_call_id, first.failed) == ("done", "a", False)
    assert "broken off" in second.text and second.tool_call_id == "b" and second.failed
    assert last.text == "go on"


def test_a_result_that_came_after_another_message_stands_with_its_call() -> None:
    entries = [
        said(Role.USER),
        said(Role.ASSISTANT, calls=("a",)),
        said(Role.USER, "meanwhile"),
        said(Role.TOOL, "late", answers="a"),
    ]
    assert [message.text for message in messages_of(entries)] == ["x", "x", "late", "meanwhile"]


def test_ids_that_begin_anew_with_every_turn_are_told_apart() -> None:
    turns = [
        [said(Role.USER, f"q{n}"), said(Role.ASSISTANT, "", calls=("0",)), said(Role.TOOL, f"r{n}", answers="0")]
        for n in range(3)
    ]
    messages = messages_of([entry for turn in turns for entry in turn])
    assert [message.text for message in messages] == ["q0", "", "r0", "q1", "", "r1", "q2", "", "r2"]


def test_a_result_without_its_call_and_an_empty_message_are_left_out() -> None:
    entries = [said(Role.TOOL, "whose?", answers="z"), said(Role.ASSISTANT, ""), said(Role.USER, "hello")]
    assert [message.text for message in messages_of(entries)] == ["hello"]


_IDS = st.sampled_from(["", "a", "b", "0"])
_ENTRIES = st.lists(
    st.one_of(
        st.builds(lambda text: said(Role.USER, text), st.text(max_size=3)),
        st.builds(
            lambda text, calls: said(Role.ASSISTANT, text, calls=tuple(calls)),
            st.text(max_size=3),
            st.lists(_IDS, max_size=3),
        ),
        st.builds(lambda answers: said(Role.TOOL, "r", answers=answers), _IDS),
    ),
    max_size=12,
)


@given(_ENTRIES)
def test_every_call_is_answered_at_once_and_every_result_was_called_for(entries: list[Entry]) -> None:
    open_calls: list[str] = []
    messages = messages_of(entries)
    for message in messages:
        if message.role is Role.TOOL:
            assert open_calls and open_calls.pop(0) == message.tool_call_id
            continue
        assert not open_calls
        assert message.text or message.tool_calls
        open_calls = [call.id for call in message.tool_calls]
    assert not open_calls
    kept = [message.text for message in messages if message.role is Role.USER]
    asked = [entry.text for entry in entries if entry.role is Role.USER and entry.text]
    # A message that was sent again because nobody answered is there once.
    assert [text for text, _ in groupby(kept)] == [text for text, _ in groupby(asked)]


def test_a_message_that_was_sent_again_because_nobody_answered_is_told_once() -> None:
    asked, again, answer = said(Role.USER, "q"), said(Role.USER, "q"), said(Role.ASSISTANT, "a")
    assert [message.text for message in messages_of([asked, again, again])] == ["q"]
    assert [message.text for message in messages_of([asked, again, answer, again])] == ["q", "a", "q"]
    assert [message.text for message in messages_of([asked, said(Role.USER, "r"), again])] == ["q", "r", "q"]
