"""The parts of reading a stream, on every way to cut it: events, thoughts, and calls that arrive in pieces."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from holdfast.llm.answer_parts import without_thoughts
from holdfast.llm.anthropic_stream import Composition
from holdfast.llm.function_calls import calls_of
from holdfast.llm.gemini_stream import Response
from holdfast.llm.ollama_stream import Reply
from holdfast.llm.openai_stream import Completion
from holdfast.llm.stream_events import EventLines, JsonLines, Splitter
from holdfast.llm.thoughts import ThoughtFilter

_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=8), inside, max_size=3),
    max_leaves=8,
)
_WORDS = st.sampled_from(
    "type index delta content_block message text text_delta input_json_delta partial_json tool_use choices content "
    "tool_calls function arguments name id candidates parts finishReason thought done usage promptFeedback".split()
)
_EVENTS = st.recursive(
    st.none() | st.integers(0, 2) | st.lists(st.integers(), max_size=1) | st.text(max_size=4) | _WORDS,
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(_WORDS, inside, max_size=4),
    max_leaves=12,
).filter(lambda found: isinstance(found, dict))


def cut(data: bytes, sizes: list[int]) -> list[bytes]:
    found, at = [], 0
    for size in sizes:
        found.append(data[at : at + size])
        at += size
    return [*found, data[at:]]


def read(splitter: Splitter, pieces: list[bytes]) -> list[str]:
    return [event for piece in pieces for event in splitter.feed(piece)] + splitter.rest()


@given(
    st.lists(st.dictionaries(st.text(max_size=5), _ANY, max_size=3), max_size=5),
    st.lists(st.integers(0, 7), max_size=40),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
)
def test_events_are_the_same_however_the_stream_is_cut(
    events: list[dict[str, Any]], sizes: list[int], end: str, spaced: bool
) -> None:
    gap = " " if spaced else ""
    written = "".join(
        f"event: x{end}: a comment{end}data:{gap}{json.dumps(event, ensure_ascii=False)}{end}{end}" for event in events
    )
    encoded = written.encode("utf-8", "replace")
    expected = [json.loads(json.dumps(event).encode()) for event in events]
    whole = read(EventLines(), [encoded])
    assert read(EventLines(), cut(encoded, sizes)) == whole
    if all(json.dumps(event, ensure_ascii=False).isascii() for event in events):
        assert [json.loads(event) for event in whole] == expected
    lines = "".join(json.dumps(event) + end for event in events).encode()
    assert [json.loads(event) for event in read(JsonLines(), cut(lines, sizes))] == expected


@given(st.binary(max_size=200), st.lists(st.integers(0, 9), max_size=30))
def test_no_bytes_break_the_splitting(data: bytes, sizes: list[int]) -> None:
    for splitter in (EventLines, JsonLines):
        assert read(splitter(), cut(data, sizes)) == read(splitter(), [data])


def test_data_on_several_lines_is_one_event_and_a_last_empty_line_may_be_missing() -> None:
    assert read(EventLines(), [b"\xef\xbb\xbfdata: {\ndata: }\n\ndata: [DONE]"]) == ["{\n}", "[DONE]"]
    assert read(EventLines(), [b"data\n\ndata:\n\n: only a comment\n\nid: 3\n\n"]) == []


@given(
    st.lists(st.sampled_from(["<think>", "</think>", "<thinking>", "</thinking>", "<th", "ink>", " ", "\n", "a", "<"]))
)
def test_nothing_is_told_that_the_whole_text_leaves_out(pieces: list[str]) -> None:
    spoken = ThoughtFilter()
    told = "".join(spoken.feed(piece) for piece in pieces)
    whole = without_thoughts("".join(pieces))
    assert whole.startswith(told)
    if whole and not whole.lstrip().startswith("<") and whole.strip() and "<th" not in "".join(pieces):
        assert told == whole


@given(st.lists(_EVENTS, max_size=6))
def test_events_of_any_shape_are_gathered_without_an_error(events: list[dict[str, Any]]) -> None:
    for make in (Completion, Composition, Response, Reply):
        gathering = make()
        for event in events:
            assert isinstance(gathering.take(event), str)
        assert isinstance(gathering.whole(), dict)


def calls_in(*deltas: dict[str, Any]) -> list[tuple[str, Any]]:
    gathering = Completion()
    for delta in deltas:
        gathering.take({"choices": [{"index": 0, "delta": {"tool_calls": [delta]}}]})
    message = gathering.whole()["choices"][0]["message"]
    return [(call.name, dict(call.arguments)) for call in calls_of(message)]


def test_calls_are_put_together_by_index_whatever_else_a_server_repeats() -> None:
    first = {"index": 0, "id": "a", "function": {"name": "save", "arguments": ""}}
    second = {"index": 1, "id": "b", "function": {"name": "find", "arguments": '{"n": 1}'}}
    more = {"index": 0, "function": {"arguments": '{"x": '}}
    last = {"index": 0, "id": "a", "function": {"name": "save", "arguments": "2}"}}
    assert calls_in(first, second, more, last) == [("save", {"x": 2}), ("find", {"n": 1})]


def test_calls_without_a_number_or_all_with_the_same_are_told_apart_by_their_ids() -> None:
    for numbered in ({}, {"index": 0}):
        one = {**numbered, "id": "a", "function": {"name": "save", "arguments": '{"x": 2}'}}
        other = {**numbered, "id": "b", "function": {"name": "find", "arguments": {"n": 1}}}
        assert calls_in(one, other) == [("save", {"x": 2}), ("find", {"n": 1})]
