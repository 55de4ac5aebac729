"""What nobody sees is shown, and what a language or an emoji needs stays as it is (T17)."""

from __future__ import annotations

import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.guard.invisibles import escape_invisibles, reveal

TAGGED = "".join(chr(0xE0000 + ord(char)) for char in "obey")
BENIGN = [
    "می\u200cخواهم به خانه بروم",  # Persian, with ZWNJ
    "क्\u200dष और क्\u200cष",  # Hindi, with both joiners
    "শ্রী\u200cমান",
    "ශ්\u200dරී ලංකාව",  # Sinhala, with ZWJ
    "👩\u200d👩\u200d👧\u200d👦 and 👩🏽\u200d💻 and ❤\ufe0f\u200d🔥 and 🏳\ufe0f\u200d🌈",
    "1\ufe0f⃣ ©\ufe0f ☎\ufe0f",
    "葛\U000e0100城市",  # an ideographic variation
    "שלום (ABC)\u200e עולם",  # Hebrew, with a mark
    "العربية \u200f(مرحبا)",
    "ᠮᠣᠩᠭᠣᠯ\u180b",
    "naïve 日本語 “quotes” – dashes … \t tab\nline",
]
HIDDEN = [
    ("pass\u200bword", "pass⟦U+200B⟧word"),
    ("pass\u200dword", "pass⟦U+200D⟧word"),
    ("pass\u200cword", "pass⟦U+200C⟧word"),
    ("\u202egnirts", "⟦U+202E⟧gnirts"),
    ("a\u2066b\u2069", "a⟦U+2066⟧b⟦U+2069⟧"),
    ("a\u200eb", "a⟦U+200E⟧b"),
    ("a\xadb\ufeff\u2060\u3164\u115f", "a⟦U+00AD⟧b⟦U+FEFF⟧⟦U+2060⟧⟦U+3164⟧⟦U+115F⟧"),
    (f"hi{TAGGED}", "hi⟦U+E006F⟧⟦U+E0062⟧⟦U+E0065⟧⟦U+E0079⟧"),
    ("one\u2028two", "one⟦U+2028⟧two"),
    ("\x1b[31m\x07\x9b\x7f", "␛[31m␇⟦U+009B⟧⟦U+007F⟧"),
    ("😀\ufe0f\ufe01\ufe02", "😀\ufe0f⟦U+FE01⟧⟦U+FE02⟧"),  # bytes in variation selectors
    ("a\ufe01\U000e0101", "a⟦U+FE01⟧⟦U+E0101⟧"),
    ("ی\u200c\u200d\u200c", "ی\u200c⟦U+200D⟧⟦U+200C⟧"),  # bits in joiners
]


@pytest.mark.row("T17", benign=1, refused=0)
@pytest.mark.parametrize("text", BENIGN)
def test_what_a_language_or_an_emoji_needs_stays(text: str) -> None:
    assert reveal(text) == text
    assert escape_invisibles(text) == text


@pytest.mark.row("T17", hidden=1, unmarked=0)
@pytest.mark.parametrize(("text", "shown"), HIDDEN)
def test_what_nobody_sees_is_shown(text: str, shown: str) -> None:
    assert reveal(text) == shown
    assert json.loads(escape_invisibles(json.dumps(text, ensure_ascii=False))) == text


def test_an_emoji_that_comes_in_two_pieces_stays_one() -> None:
    assert reveal("\u200d💻", before="👩") == "\u200d💻"
    assert reveal("\u200d💻", before="x") == "⟦U+200D⟧💻"


@given(st.text(st.characters(codec=None)))
def test_no_format_or_control_character_is_left_where_it_shapes_nothing(text: str) -> None:
    shown = reveal(text)
    assert reveal(shown) == shown
    for at, char in enumerate(shown):
        if unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"}:
            assert char in "\t\n"
        if unicodedata.category(char) == "Cf" and char not in "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f":
            # A joiner behind its letter, a mark in a text that needs it; or a sign that has a picture of its own.
            assert char in "\u200c\u200d\u200e\u200f\u061c" or _has_a_picture(char), hex(ord(char))
            assert at or char in "\u200e\u200f\u061c" or _has_a_picture(char)


def _has_a_picture(char: str) -> bool:
    return re.match("[\u0890\u0891\u08e2\U000110bd\U000110cd\U00013430-\U0001345f]", char) is not None


@given(st.text(st.characters(codec="utf-8")))
def test_json_keeps_its_value_and_hides_nothing(text: str) -> None:
    written = escape_invisibles(json.dumps({"text": text}, ensure_ascii=False))
    assert json.loads(written) == {"text": text}
    assert escape_invisibles(written) == written
