"""Settings with comments: one thing is put in or taken out, and everything else stays as its owner wrote it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.guard.jsonc import NotJson, parse_jsonc
from holdfast.surfaces.agents.jsonc_edit import laid_out, with_item, with_member, without

ENTRY = {"command": "holdfast", "args": ["mcp"]}
NAMES = st.text(st.characters(codec="utf-8"), max_size=8).filter(lambda name: name not in ("a", "servers"))
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=12
)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=5)
LAYOUTS = st.sampled_from([None, 1, 2, 4, "\t"])


@settings(deadline=None)
@given(OBJECTS, LAYOUTS)
def test_what_json_reads_is_read_the_same(value: dict[str, object], indent: int | str | None) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    assert parse_jsonc(text).value == json.loads(text)
    assert json.loads(laid_out(value)) == json.loads(text)


@settings(deadline=None)
@given(OBJECTS, LAYOUTS)
def test_what_was_put_in_can_be_taken_out_and_the_text_is_the_same_to_the_byte(
    value: dict[str, object], indent: int | str | None
) -> None:
    text = json.dumps(value, indent=indent)
    put = with_member(text, ("servers", "holdfast"), ENTRY)
    assert json.loads(put) == json.loads(text) | {"servers": {"holdfast": ENTRY}}
    assert without(put, ("servers", "holdfast")) == text


@settings(deadline=None)
@given(st.lists(VALUES, min_size=1, max_size=4), LAYOUTS)
def test_an_item_goes_to_the_end_of_a_list_and_comes_out_again(items: list[object], indent: int | str | None) -> None:
    text = json.dumps({"a": items}, indent=indent)
    put = with_item(text, ("a",), ENTRY)
    assert json.loads(put)["a"] == [*items, ENTRY]
    assert without(put, ("a", len(items))) == text


@settings(deadline=None)
@given(st.text(alphabet="{}[]:,\"'/*\\ \n\tab1-.x", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        node = parse_jsonc(text)
    except NotJson:
        return
    assert 0 <= node.start < node.end <= len(text)
    if node.is_object and "a" not in node.value:
        put = with_member(text, ("a",), 1)
        assert parse_jsonc(put).value == node.value | {"a": 1}
        assert parse_jsonc(without(put, ("a",))).value == node.value


@pytest.mark.parametrize(
    "text",
    [
        '{\n  // mine\n  "theme": "dark", // at night\n  "list": [1, 2,], /* done */\n}\n',
        '{\n\t"theme": "dark" // no comma here\n}',
        "{ // nothing yet\n}",
        "{\n  theme: 'dark', // JSON5\n  port: +0x1F,\n}\n",
        '\ufeff{"theme": "dark"}',
        '{\r\n  "theme": "dark"\r\n}\r\n',
        '{"hooks": {"Stop": [{"hooks": []}]}, // one line\n}',
    ],
)
def test_comments_commas_and_line_ends_stay(text: str) -> None:
    put = with_member(text, ("servers", "holdfast"), ENTRY)
    assert parse_jsonc(put).value == parse_jsonc(text).value | {"servers": {"holdfast": ENTRY}}
    assert without(put, ("servers", "holdfast")) == text
    for comment in ("// mine", "// at night", "/* done */", "// no comma here", "// nothing yet", "// JSON5"):
        assert (comment in put) == (comment in text)
    assert ("\r\n" in put) == ("\r\n" in text)
    assert "\n" not in put.replace("\r\n", "") or "\r\n" not in text


def test_a_bracket_never_ends_up_behind_a_comment() -> None:
    put = "{a: 1, // one\n holdfast: 2}"
    assert parse_jsonc(without(put, ("holdfast",))).value == {"a": 1}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "missing"),
        ('{"a": 1', "missing"),
        ('{"a" 1}', "colon"),
        ('{"a": 1} x', "after its end"),
        ('{"a": 1 "b": 2}', "comma"),
        ("[" * 500, "nested"),
        ('{"servers": {}, "servers": {}}', "twice"),
        ('{"servers": 3}', "not an object"),
        ("{\n\n@}", "line 3"),
    ],
)
def test_what_is_no_settings_file_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(NotJson, match=why):
        with_member(text, ("servers", "holdfast"), ENTRY)
