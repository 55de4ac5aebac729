from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.errors import BadText
from holdfast.guard.text_rules import MAX_NOTE_BYTES, MAX_WRITE_BYTES, admit, decode

REFUSED = {
    "lone surrogate": ["\ud800", "\udfff"],
    "NUL": ["\0"],
    "control": ["\x01", "\x08", "\x0b", "\x0c", "\x0e", "\x1b", "\x1f", "\x7f", "\x80", "\x85", "\x9b", "\x9f"],
    "tag": ["\U000e0000", "\U000e0001", "\U000e0041", "\U000e007f"],
    "bidirectional": ["\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"],
    "noncharacter": ["\ufdd0", "\ufdef", "\ufffe", "\uffff", "\U0001fffe", "\U0010ffff"],
}
BENIGN = [
    "",
    "plain\ttext\r\nwith lines\n",
    "می\u200cخواهم",
    "क्\u200dष",
    "👩\u200d👩\u200d👧\u200d👦 and ❤\ufe0f",
    "العربية עברית 日本語 한국어",
    "葛\U000e0100",
    "\ufe0f" * 4,
    "\ufeffBOM first",
]


@pytest.mark.row("T17", hidden=1, unmarked=0)
@pytest.mark.parametrize(("name", "bad"), [(name, bad) for name, many in REFUSED.items() for bad in many])
def test_characters_that_served_an_attack_are_refused_with_their_line(name: str, bad: str) -> None:
    with pytest.raises(BadText) as caught:
        admit(f"one\ntwo\r\nthree {bad} four\n", "fact")
    assert name in caught.value.why
    assert f"U+{ord(bad):04X}" in caught.value.why
    assert caught.value.line == 3
    assert caught.value.what == "fact"


@pytest.mark.row("T17", benign=1, refused=0)
@pytest.mark.parametrize("text", BENIGN)
def test_text_in_every_script_passes_unchanged(text: str) -> None:
    assert admit(text) == text


def test_a_run_of_variation_selectors_is_refused_as_a_hidden_message() -> None:
    with pytest.raises(BadText, match="variation selectors"):
        admit("😀" + "\ufe01\U000e0101\ufe00\U000e0155\ufe03")


@given(st.text(alphabet=st.characters(exclude_categories=("Cs", "Cc", "Cn", "Cf", "Mn")), max_size=200))
def test_ordinary_text_is_admitted(text: str) -> None:
    assert admit(text) is text


@given(st.text(max_size=200))
def test_what_is_admitted_can_be_written_and_decoded_again(text: str) -> None:
    try:
        admit(text)
    except BadText:
        return
    assert decode(text.encode()) == text.removeprefix("\ufeff")


def test_a_long_text_of_selectors_or_tags_is_judged_in_one_pass() -> None:
    assert admit(("a" + "\ufe0f" * 4) * 200_000)
    with pytest.raises(BadText):
        admit("x" * 2_000_000 + "\u202e")


def test_decoding_is_strict_and_says_where() -> None:
    with pytest.raises(BadText) as caught:
        decode(b"good\nbad \xff\n")
    assert (caught.value.what, caught.value.line) == ("note", 2)
    with pytest.raises(BadText, match="NUL"):
        decode(b"a\n\nb\0c")
    for utf16 in ("hi".encode("utf-16"), "hi".encode("utf-16-le")):
        with pytest.raises(BadText):
            decode(utf16)


def test_decoding_removes_one_byte_order_mark_and_keeps_line_ends() -> None:
    assert decode(b"\xef\xbb\xbfa\r\nb\rc\n") == "a\r\nb\rc\n"
    assert decode(b"") == ""


@given(st.binary(max_size=300))
def test_decoding_any_bytes_gives_text_or_a_typed_error(data: bytes) -> None:
    try:
        text = decode(data)
    except BadText:
        return
    assert text.encode() == data.removeprefix(b"\xef\xbb\xbf")


def test_limits_are_those_of_the_design() -> None:
    assert MAX_WRITE_BYTES == 51_200
    assert MAX_NOTE_BYTES == 4_194_304
