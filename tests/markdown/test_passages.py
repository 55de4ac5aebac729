"""Conversations and notes that are kept by hand, cut into the smallest pieces that stand by themselves."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.markdown.chunk import Chunk
from holdfast.markdown.front_matter import front_end
from holdfast.markdown.lines import blank, split_lines
from holdfast.markdown.outline import scan
from holdfast.markdown.passages import LONG_TURN_TOKENS
from holdfast.markdown.speakers import Voice, turns
from holdfast.markdown.splitter import split, split_passages
from holdfast.markdown.token_estimate import weight

SPOKEN = ["**Ann**: yes", "**Bo:** no, in May", "Ann: the boat", "User: hi", "Assistant: " + "long reply " * 90]
WRITTEN = ["- a bullet", "  - nested", "  more of it", "* * *", "text at the margin", "Status: open", "1. first", ""]
OTHERS = ["# Title", "## Part", "Setext", "---", "```", "- **user** (12:00): hello", "x" * 3000, "\t", "> quoted"]
NOTES = st.lists(st.sampled_from(SPOKEN + WRITTEN + ["", ""] + OTHERS), max_size=40).map("\n".join)


def cut(text: str, *, by_hand: bool = False) -> list[Chunk]:
    return list(split_passages(text, by_hand=by_hand).chunks)


def texts(text: str, *, by_hand: bool = False) -> list[str]:
    return [one.text for one in cut(text, by_hand=by_hand)]


def voices(text: str) -> list[Voice]:
    return [one.voice for one in cut(text)]


@given(NOTES, st.booleans())
def test_every_line_with_text_is_in_one_passage_but_a_heading_over_what_is_kept_by_hand(
    text: str, by_hand: bool
) -> None:
    lines = split_lines(text)
    begin = front_end(lines)
    headings = {line for one in scan(lines, begin, []) for line in range(one.start, one.end)}
    spoken = bool(turns(lines, begin, len(lines)))
    found = cut(text, by_hand=by_hand)
    held: dict[int, list[Chunk]] = {}
    for one in found:
        for number in range(one.start_line - 1, one.end_line):
            held.setdefault(number, []).append(one)
    for number, line in enumerate(lines):
        if number < begin or blank(line):
            continue
        assert number in held or (by_hand and number in headings), (number, line)
        if spoken or by_hand:
            # What is more than one piece of one line is a line that was too long for one.
            alone = all(one.start_line == one.end_line for one in held.get(number, []))
            assert len(held.get(number, [])) <= 1 or (alone and weight(line) > 4 * LONG_TURN_TOKENS)


@given(NOTES, st.booleans())
def test_passages_stand_in_the_order_of_their_lines_and_hold_them_as_they_are(text: str, by_hand: bool) -> None:
    lines = split_lines(text)
    found = cut(text, by_hand=by_hand)
    places = [(one.start_line, one.end_line) for one in found]
    assert places == sorted(places)
    for one in found:
        whole = "\n".join(lines[one.start_line - 1 : one.end_line])
        assert one.text and one.text in whole


@given(NOTES)
def test_what_is_no_conversation_and_not_kept_by_hand_is_cut_by_section(text: str) -> None:
    lines = split_lines(text)
    if not turns(lines, front_end(lines), len(lines)):
        assert split_passages(text) == split(text)


@pytest.mark.parametrize(
    ("talk", "expected"),
    [
        ("**Ann**: Shall we?\n\n**Bo**: In May.\n\n**Ann**: Good.\n", ["Ann", "Bo", "Ann"]),
        ("**Ann:** Shall we?\n**Bo:** In May.\n**Ann:** Good.\n", ["Ann", "Bo", "Ann"]),
        ("Ann: Shall we?\nBo: In May.\nAnn: Good.\n", ["Ann", "Bo", "Ann"]),
        ("[10:42] Ann: Shall we?\n[10:43] Bo: In May.\n[10:44] Ann: Good.\n", ["Ann", "Bo", "Ann"]),
        ("- **user** (12:00): Shall we?\n- **assistant** (12:01): In May.\n", ["user", "assistant"]),
        ("User: Shall we?\n\nAssistant: In May.\n", ["User", "Assistant"]),
    ],
)
def test_a_turn_is_a_passage_however_it_was_written_down(talk: str, expected: list[str]) -> None:
    found = texts(talk)
    assert len(found) == len(expected)
    for name, text in zip(expected, found, strict=True):
        assert name in text.partition(" S")[0].partition(" I")[0].partition(" G")[0]


def test_lines_of_json_are_turns_with_their_roles() -> None:
    said = [("user", "When do we sail?"), ("assistant", "On Monday."), ("user", "Thanks.")]
    text = "\n".join(json.dumps({"role": role, "content": words}) for role, words in said)
    assert voices(text) == [Voice.PERSON, Voice.ASSISTANT, Voice.PERSON]


def test_the_paragraphs_of_a_long_reply_belong_to_its_turn_and_are_cut() -> None:
    reply = "\n\n".join(f"Point {number}. " + "It goes on about that for a while. " * 8 for number in range(9))
    found = cut(f"User: Tell me all.\n\nAssistant: {reply}\n\nUser: Thanks.\n")
    assert [found[0].text, found[-1].text] == ["User: Tell me all.", "User: Thanks."]
    between = found[1:-1]
    assert len(between) > 3 and all(one.voice is Voice.ASSISTANT for one in between)
    assert all(weight(one.text) <= 4 * LONG_TURN_TOKENS * 13 // 10 for one in between)


def test_below_a_turn_that_is_a_bullet_text_at_the_margin_is_nobodys() -> None:
    talk = "- **user** (12:00): The anchor is heavy.\n  It is old.\n- **assistant** (12:01): Is it?\n"
    found = cut(f"{talk}\nThe lantern was broken.\n", by_hand=True)
    assert [one.voice for one in found] == [Voice.PERSON, Voice.ASSISTANT, Voice.UNKNOWN]
    assert found[0].text.endswith("It is old.") and found[2].text == "The lantern was broken."


def test_below_a_turn_that_is_a_paragraph_the_next_paragraph_goes_on_with_it() -> None:
    assert texts("**Ann**: Well.\n\nThe lantern was broken.\n\n**Bo**: Oh.\n\n**Ann**: Yes.\n")[0].endswith("broken.")


def test_a_bullet_kept_by_hand_is_a_passage_with_its_nested_lines_and_its_headings_in_its_path() -> None:
    note = "# Day\n\n## Garden\n\n- Sowed peas\n  - in bed 4\n- Fed the cat\n\n## Work\n\nCalled Ida about the lease.\n"
    found = cut(note, by_hand=True)
    assert [one.text for one in found][:2] == ["- Sowed peas\n  - in bed 4", "- Fed the cat"]
    assert [one.headings for one in found] == [("Day", "Garden"), ("Day", "Garden"), ("Day", "Work")]
    assert "Called Ida" in found[2].text


@pytest.mark.parametrize(
    "note",
    [
        "# Kestrel\n\nStatus: open\nOwner: Ida\nDue: Friday\n\nIt is about the boat.\n",
        "- Status: open\n- Owner: Ida\n- Due: Friday\n",
        "**Status**: open\n\n**Owner**: Ida\n",
        "## Kestrel\n\nStatus: open\nOwner: Ida\n\n## Heron\n\nStatus: done\nOwner: Bo\n",
        "- **Status**: open\n- **Due**: Friday\n\n- **Status**: done\n- **Due**: Monday\n",
        "## Kestrel\n\nStatus: open\n\n## Heron\n\nStatus: done\n",
        "See https://example.org and note: this is one line.\n",
    ],
)
def test_keys_and_values_are_no_conversation(note: str) -> None:
    assert set(voices(note)) == {Voice.UNKNOWN}


def test_a_note_that_says_warning_now_and_then_is_no_conversation() -> None:
    parts = [f"## Part {number}\n\nTurn the valve by a quarter.\n\nWait until it is cold." for number in range(12)]
    manual = "\n\n".join([*parts, "**Note:** mind the steam.", *parts, "**Note:** mind your hands."])
    assert set(voices(manual)) == {Voice.UNKNOWN}
