"""What a person is told of a turn, a line each; whatever a tool gives back, telling of it does not fail."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.llm.chat_model import Answer, Stop
from holdfast.operations.toolbox import SESSION_TOOLS, TOOLS
from holdfast.sessions.compaction import Compacted
from holdfast.sessions.flush import Flushed
from holdfast.sessions.turn_events import Step, of_answer, of_call, of_compaction

HITS = {"results": [{"path": f"memory/{n}.md", "start_line": n} for n in range(1, 7)]}


@pytest.mark.parametrize(
    ("name", "arguments", "result", "step", "text"),
    [
        ("memory_search", {"query": "tea"}, {"results": []}, Step.LOOKED, "looked for 'tea': 0 hits"),
        (
            "memory_search",
            {"query": "tea"},
            HITS,
            Step.LOOKED,
            "looked for 'tea': 6 hits (memory/1.md#1, memory/2.md#2, memory/3.md#3, memory/4.md#4 and 2 more)",
        ),
        (
            "memory_search",
            {"query": "tea"},
            {"results": [{"path": "memory/1.md", "start_line": 1}], "likely": False},
            Step.LOOKED,
            "looked for 'tea': 1 hit, unlikely to answer (memory/1.md#1)",
        ),
        ("memory_get", {"path": "MEMORY.md"}, {"path": "MEMORY.md"}, Step.LOOKED, "read MEMORY.md"),
        ("memory_save", {"content": "- a\n- b"}, {"path": "MEMORY.md"}, Step.SAVED, "saved to MEMORY.md: - a - b"),
        ("memory_delete", {}, {"path": "memory/x.md", "file_deleted": True}, Step.FORGOT, "deleted memory/x.md"),
        ("memory_delete", {}, {"path": "memory/x.md"}, Step.FORGOT, "deleted text from memory/x.md"),
        ("memory_forget", {}, {"forgotten": [{"text": "- a"}]}, Step.FORGOT, "forgot - a"),
        ("memory_forget", {}, {"because": "none is meant"}, Step.NOTED, "nothing was forgotten: none is meant"),
        ("checkpoint_restore", {}, {"path": "MEMORY.md"}, Step.RESTORED, "restored MEMORY.md"),
        ("session_state", {"action": "list"}, {"values": []}, Step.NOTED, "used session_state"),
        ("x", {}, {"error": {"type": "BadArgument", "message": "no such tool"}}, Step.FAILED, "x: no such tool"),
    ],
)
def test_a_call_is_told_in_a_line(
    name: str, arguments: dict[str, Any], result: dict[str, Any], step: Step, text: str
) -> None:
    event = of_call(name, arguments, result)
    assert (event.step, event.text) == (step, text)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
_KEYS = st.sampled_from(["results", "forgotten", "error", "path", "fact", "because", "query", "content", "text"])


@given(
    st.sampled_from([*TOOLS, *SESSION_TOOLS, "other"]),
    st.dictionaries(_KEYS, _JSON, max_size=4),
    st.dictionaries(_KEYS, _JSON, max_size=4),
)
def test_no_arguments_and_no_result_keep_it_from_being_told(
    name: str, arguments: dict[str, Any], result: dict[str, Any]
) -> None:
    assert "\n" not in of_call(name, arguments, result).text


def test_a_compaction_tells_what_was_saved_and_how_much_stays() -> None:
    made = Compacted(10, 4, "s", Flushed(True, "wrote to memory/x.md"))
    assert [event.text for event in of_compaction(made)] == [
        "before it is shortened: wrote to memory/x.md",
        "shortened the conversation: 10 messages are summed up, 4 stay word for word",
    ]
    assert of_compaction(Compacted(0, 4, because="there is nothing to leave out")) == []
    failed = of_compaction(Compacted(1, 1, flush=Flushed(True, "the model failed: it is down", failed=True)))
    assert failed[0].step is Step.FAILED


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer("x"), ""),
        (Answer("x", stop=Stop.LENGTH), "reached the longest that is allowed"),
        (Answer("", stop=Stop.REFUSED), "would not answer"),
        (Answer(" "), "said nothing"),
    ],
)
def test_an_odd_answer_is_told(answer: Answer, said: str) -> None:
    assert said in "".join(event.text for event in of_answer(answer))
    assert bool(said) == bool(of_answer(answer))
