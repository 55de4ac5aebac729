"""The lines of a transcript: what is written comes back, and what is torn or strange is passed over."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.errors import BadArgument
from holdfast.llm.chat_model import Role, ToolCall
from holdfast.transcripts.session_key import Kind
from holdfast.transcripts.transcript_entry import Compaction, Entry, Opening, encode, parse

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
IDS = st.from_regex(r"[A-Za-z0-9_-]{1,64}", fullmatch=True)
TIMES = st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TIMES | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)
CALLS = st.builds(ToolCall, WORDS, WORDS, st.dictionaries(WORDS, VALUES, max_size=3), WORDS)
ENTRIES = st.builds(
    Entry,
    IDS,
    TIMES,
    st.sampled_from(Role),
    WORDS,
    WORDS,
    st.lists(CALLS, max_size=2).map(tuple),
    WORDS,
    WORDS,
    st.booleans(),
    st.lists(WORDS, max_size=2).map(tuple),
)
RECORDS = (
    ENTRIES
    | st.builds(Compaction, IDS, TIMES, WORDS, WORDS)
    | st.builds(Opening, WORDS, st.sampled_from(Kind), TIMES, WORDS)
)


@given(RECORDS)
def test_every_record_comes_back_as_it_was_written_on_one_line(record: Entry | Compaction | Opening) -> None:
    line = encode(record)
    assert b"\n" not in line
    assert parse(line) == record


@given(RECORDS, st.data())
def test_a_torn_line_is_no_record(record: Entry | Compaction | Opening, data: st.DataObject) -> None:
    line = encode(record)
    assert parse(line[: data.draw(st.integers(0, len(line) - 1))]) is None


@given(st.binary(max_size=60))
def test_any_bytes_are_read_without_an_error(line: bytes) -> None:
    assert parse(line) is None


@given(
    st.dictionaries(
        st.sampled_from(
            ["kind", "id", "at", "role", "text", "tool_calls", "tags", "key", "session", "failed", "summary"]
        ),
        VALUES | st.sampled_from(["message", "compaction", "session", "user", "direct"]),
    )
)
def test_an_object_with_fields_of_other_types_is_a_sound_record_or_none(fields: dict[str, object]) -> None:
    record = parse(json.dumps(fields).encode())
    if record is not None:
        assert parse(encode(record)) == record


def test_what_a_later_version_adds_is_passed_over() -> None:
    later = b'{"kind":"message","id":"m1","at":1,"role":"user","text":"hi","mood":"good"}'
    assert parse(later) == Entry("m1", 1.0, Role.USER, "hi")
    assert parse(b'{"kind":"reaction","id":"m1","at":1}') is None


@pytest.mark.promise("P13")
@pytest.mark.parametrize(
    "line",
    [
        b"[" * 100_000,
        b'{"kind":"message","id":"m1","at":' + b"9" * 5000 + b',"role":"user"}',
        b'{"kind":"message","id":"m1","at":NaN,"role":"user"}',
        b'{"kind":"message","id":"m1","at":1e999,"role":"user"}',
        b'{"kind":"message","id":"../x","at":1,"role":"user"}',
        b'{"kind":"message","id":"m1","at":1,"role":"root"}',
        b'{"kind":"message","id":"m1","at":true,"role":"user"}',
    ],
)
def test_a_hostile_line_is_passed_over(line: bytes) -> None:
    assert parse(line) is None


def test_characters_that_could_drive_a_terminal_or_fool_the_eye_are_escaped_in_the_file() -> None:
    odd = "a\x1b[2J\x9b\u202e\u200b\U000e0041\ufeffb ä 漢字"
    entry = Entry("m1", 1.0, Role.USER, odd)
    line = encode(entry)
    assert parse(line) == entry
    assert "ä 漢字".encode() in line
    assert not any(char.encode() in line for char in "\x1b\x9b\u202e\u200b\U000e0041\ufeff")


def test_half_a_character_that_another_program_wrote_does_not_reach_a_caller() -> None:
    record = parse(b'{"kind":"message","id":"m1","at":1,"role":"user","text":"a\\ud800b"}')
    assert isinstance(record, Entry)
    assert record.text == "a\ufffdb"


def test_arguments_that_json_can_not_hold_are_refused() -> None:
    with pytest.raises(BadArgument, match="not JSON"):
        encode(Entry("m1", 1.0, Role.ASSISTANT, tool_calls=(ToolCall("c1", "save", {"x": {1, 2}}),)))
