"""Characters that nobody sees → a form that shows them; the rest of a text stays as it is.

Whoever prints a note must see what a model reads in it: text behind zero-width characters or Unicode tags, or in
another order than it is shown (T17). Some of these characters are needed to write a language or an emoji; they stay
where they can do that, which is after a letter of such a script or after an emoji, and are shown anywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from holdfast.pattern import compile_late

__all__ = ["escape_invisibles", "is_invisible", "json_escape", "reveal"]

_JOINERS: Final = "\u200c\u200d"
_MARKS: Final = "\u061c\u200e\u200f"  # a bidirectional mark turns nothing around, and Hebrew and Arabic need it
_SELECTORS: Final = compile_late("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")

_ALWAYS: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls: escape sequences for the terminal
    "\xad\u034f\u115f\u1160\u17b4\u17b5\u180e\u3164\uffa0"  # a soft hyphen, joiners and fillers without a picture
    "\u200b\u2028-\u202e\u2060-\u206f"  # zero width, line ends that few programs know, embeddings and isolates
    "\ufdd0-\ufdef\ufeff\ufff0-\ufffb\ufffe\uffff\ud800-\udfff"  # noncharacters, annotations, half a character
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # formatting of hieroglyphs, shorthand, music
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"  # tags: whole sentences in invisible ASCII
)
_INVISIBLE: Final = compile_late(f"[{_ALWAYS}{_JOINERS}{_MARKS}]|{_SELECTORS.pattern}")

# Patterns that are compiled when an invisible character is met, which in most texts is never.
# Scripts whose letters a joiner shapes (Arabic to Mongolian, the Indic ones and their relatives), and emoji.
_SHAPED: Final = (
    "[\u0600-\u061b\u061d-\u0fff\u1000-\u109f\u1700-\u180a\u1810-\u18af\u1900-\u1cff\ua800-\uabff\ufb50-\ufdcf\ufdf0-\ufdff"
    "\ufe70-\ufefc\U00010a00-\U00010fff\U00011000-\U00011fff\U0001e900-\U0001e95f"
    "\xa9\xae\u203c\u2049\u20e3\u2122\u2139\u2190-\u2bff\u3030\u303d\u3297\u3299\ufe0f\U0001f000-\U0001faff]"
)
_RIGHT_TO_LEFT: Final = "[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\U00010800-\U00010fff]"
_KEYCAPS: Final = "0123456789#*"  # the only ASCII that is part of an emoji

_PICTURES: Final = 0x2400  # the Unicode block with a picture of each control character below 0x20


def is_invisible(char: str) -> bool:
    """Say whether a character shows as nothing, also where a script needs it."""
    return _INVISIBLE.match(char) is not None


def reveal(text: str, before: str = "") -> str:
    """Write every invisible character as `⟦U+202E⟧`, or as its picture (␛).

    `before` is the text that stood before this one.
    """
    return _replace(text, before, _picture)


def escape_invisibles(text: str) -> str:
    """Write every invisible character of a JSON text as JSON's own escape.

    The value is the same, and nothing is hidden.
    """
    return _replace(text, "", json_escape)


def _replace(text: str, before: str, render: Callable[[str], str]) -> str:
    if _INVISIBLE.search(text) is None:
        return text
    right_to_left = re.search(_RIGHT_TO_LEFT, text) is not None

    def replace(match: re.Match[str]) -> str:
        char, at = match[0], match.start()
        previous = text[at - 1] if at else before[-1:]
        if _is_needed(char, previous, right_to_left=right_to_left):
            return char
        return render(char)

    return _INVISIBLE.sub(replace, text)


def _is_needed(char: str, previous: str, *, right_to_left: bool) -> bool:
    """Say whether the character shapes what stands before it.

    Never two in a row: a run of them can carry a message.
    """
    if char in _JOINERS:
        return re.match(_SHAPED, previous) is not None
    in_a_run = _INVISIBLE.match(previous) is not None
    if char in _MARKS:
        return right_to_left and not in_a_run
    if _SELECTORS.match(char) and previous:
        return not in_a_run and (previous in _KEYCAPS or not previous.isascii())
    return False


def _picture(char: str) -> str:
    code = ord(char)
    if code < 0x20:
        return chr(_PICTURES + code)
    return f"⟦U+{code:04X}⟧"


def json_escape(char: str) -> str:
    """Return the character as JSON writes it in ASCII."""
    code = ord(char)
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
