"""Files that no sane editor writes, each with a token at a line that is counted without Holdfast."""

from __future__ import annotations

import random
import re
from typing import NamedTuple

__all__ = ["FTS_SYNTAX", "OddFile", "odd_file"]

_LINE_END = re.compile(rb"\r\n|\r|\n")
_ENDS = ("\n", "\n", "\n", "\r\n", "\r\n", "\r")

FTS_SYNTAX = (
    '"',
    '""',
    '"unclosed',
    "AND",
    "OR NOT AND",
    "a AND",
    "NEAR(a b, 2)",
    "NEAR(",
    "title:x",
    "{title body}:x",
    "-body : x",
    "^first",
    "a*",
    "*",
    "**",
    "(((",
    ")",
    "a + b",
    "'; DROP TABLE editions; --",
    "%_%",
    "?1",
    ":name",
    "a\x00b",
    "\x00",
    "\ud800",
    "\udcff token",
    "\ufeff",
    "\u202e",
    "\U000e0041",
    "-- /* */",
    "\\",
    "\x1f",
    "e\u0301" * 50,
    "🙂" * 40,
    "ﷺ",
    "ß" * 100,
    "İ",
    "a-b-c." * 60,
    "x" * 5_000,
    "'" * 500,
    "猫" * 300,
)

# Each is a piece of a line; splitlines() would end a line at some of them, and no editor does.
_PIECES = (
    "plain words of a note",
    "a form\x0cfeed",
    "a vertical\x0btab",
    "a next\x85line",
    "a line\u2028separator",
    "a paragraph\u2029separator",
    "file\x1cgroup\x1drecord\x1eunit\x1fseparators",
    "zero\u200bwidth and \ufeff in the middle",
    "right\u202eto left",
    "\U000e0041\U000e0042 tags",
    "猫が座った。犬も。",
    "ไทยไม่มีช่องว่าง",
    "नमस्ते दुनिया",
    "\x1b[31mred\x1b[0m",
    "noncharacter \uffff",
    "emoji 👩‍👩‍👧‍👦 family",
    "```",
    "~~~ python",
    "# heading",
    "###### deep",
    "title: x",
    "---",
    "===",
    "- item",
    "1. item",
    "> quote",
    "| a | b |",
    "    code",
    "\tcode",
    "<!-- comment",
    "[[link]] [a](b)",
    "word " * 150,
    "x" * 1_500,
    *(text for text in FTS_SYNTAX if text.isprintable() and len(text) < 100),
)


class OddFile(NamedTuple):
    """The bytes of a file, and where its token stands if it is text at all."""

    data: bytes
    token: str
    line: int | None


def odd_file(chance: random.Random, number: int) -> OddFile:
    """The file of this number; a third of them is no UTF-8 text."""
    token = f"tok{number}q{chance.randrange(10**6)}z"
    kind = chance.randrange(9)
    lines = [chance.choice(_PIECES) for _ in range(chance.choice((1, 3, 10, 40, 120)))]
    if chance.random() < 0.1:
        lines[0] = "---"
    lines[chance.randrange(len(lines))] += f" {token} "
    text = "".join(line + chance.choice(_ENDS) for line in lines)
    if chance.random() < 0.3:
        text = text.rstrip("\r\n")
    data = text.encode("utf-8")
    if kind == 0:
        data = b"\xef\xbb\xbf" + data
    elif kind == 1:
        data = _spoiled(chance, data)
    elif kind == 2:
        data = text.encode(chance.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-32")))
    elif kind == 3:
        at = chance.randrange(len(data) + 1)
        data = data[:at] + b"\0" + data[at:]
    return OddFile(data, token, _line_of(data, token) if _is_text(data) else None)


def _spoiled(chance: random.Random, data: bytes) -> bytes:
    """With bytes that are never UTF-8: a lone continuation, an overlong form, a surrogate, a cut character."""
    bad = chance.choice((b"\x80", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xff\xfe", b"\xe2\x82"))
    at = chance.randrange(len(data) + 1)
    return data[:at] + bad + data[at:]


def _is_text(data: bytes) -> bool:
    try:
        return "\0" not in data.decode("utf-8")
    except UnicodeDecodeError:
        return False


def _line_of(data: bytes, token: str) -> int:
    (place,) = (i for i, line in enumerate(_LINE_END.split(data), 1) if token.encode() in line)
    return place
