"""JSON with comments → its values, and where each stands; so that one can be put in or taken out and all else stays.

Read: what any of the programs takes that keep their settings so: comments, commas at the end, and for OpenClaw's JSON5
names without quotes. Written: plain JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from typing import Any, NoReturn

from holdfast.named_tuple import NamedTuple

__all__ = ["Item", "Node", "NotJson", "has_value", "parse_jsonc"]

_TOKEN = re.compile(
    r"""
    [\s\ufeff]*+
    (?: (?P<comment>//[^\n]*|/\*.*?\*/)
    | (?P<string>"(?:[^"\\\n]++|\\.)*+"|'(?:[^'\\\n]++|\\.)*+')
    | (?P<mark>[{}\[\]:,])
    | (?P<word>[^\s\ufeff{}\[\]:,"'/]++)
    | (?P<end>\Z) )
    """,
    re.VERBOSE | re.DOTALL,
)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,300})(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,4})?", re.ASCII)
_MAX_DEPTH = 100


class NotJson(ValueError):
    """The text is not valid; `str()` is a clause that says why."""


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


class Item(NamedTuple):
    """A member of an object, or an item of an array, with its start and the comma after it."""

    key: str | None
    start: int
    node: Node
    comma: int | None


class Node(NamedTuple):
    """A value and its position.

    `tail` is where the last thing in an object or array ends, a comment too.
    """

    value: Any
    start: int
    end: int
    items: tuple[Item, ...] = ()
    tail: int = 0

    @property
    def is_object(self) -> bool:
        """True if it has members."""
        return isinstance(self.value, dict)

    @property
    def is_array(self) -> bool:
        """True if it has items."""
        return isinstance(self.value, list)

    def find(self, key: str | int) -> int | None:
        """Return the number of the item with this key; None where there is none.

        Raises NotJson where there are two.
        """
        if isinstance(key, int):
            if self.is_array and 0 <= key < len(self.items):
                return key
            return None
        found = [number for number, item in enumerate(self.items) if item.key == key]
        if len(found) > 1:
            raise NotJson(f"{key!r} is there twice")
        return found[0] if found else None


class _Word(str):
    """A word of JSON5 that JSON has no value for; only to be kept."""

    __slots__ = ()


@lru_cache(maxsize=4)
def parse_jsonc(text: str) -> Node:
    """Return the value that a text holds, or raise NotJson.

    Nobody changes a value: it is shared.
    """
    return _Reader(text).read_document()


def has_value(text: str) -> bool:
    """Say whether there is anything but comments."""
    at = 0
    while (found := _TOKEN.match(text, at)) and found.lastgroup == "comment":
        at = found.end()
    return found is None or found.lastgroup != "end"


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = self._scan()
        self._seen = self._comment = 0  # where the last token, and the last comment, ended
        self._here = next(self._tokens)

    def read_document(self) -> Node:
        root = self._read_value(0)
        if self._here.kind != "end":
            self._fail(f"{self._here.text[:20]!r} stands after its end")
        return root

    def _scan(self) -> Iterator[_Token]:
        """Yield everything but space and comments, and at last an end."""
        at, text, match = 0, self._text, _TOKEN.match
        while token := match(text, at):
            at, kind = token.end(), token.lastgroup or ""
            if kind == "comment":
                self._comment = at
            else:
                yield _Token(kind, token[kind] or "its end", token.start(kind), at)
        at += len(text[at:]) - len(text[at:].lstrip())
        self._fail(f"{text[at : at + 20]!r} does not belong there", at)

    def _next(self) -> _Token:
        token = self._here
        self._seen = token.end
        self._here = next(self._tokens, token)
        return token

    def _fail(self, reason: str, at: int | None = None) -> NoReturn:
        place = self._here.start if at is None else at
        raise NotJson(f"{reason} (line {self._text.count(chr(10), 0, place) + 1})")

    def _read_value(self, depth: int) -> Node:
        if depth > _MAX_DEPTH:
            self._fail("its brackets are nested too deeply")
        token = self._here
        if token.text in ("{", "[") and token.kind == "mark":
            return self._read_container(depth)
        if token.kind not in ("string", "word"):
            self._fail(f"a value is missing before {token.text!r}")
        self._next()
        return Node(self._scalar(token), token.start, token.end)

    def _read_container(self, depth: int) -> Node:
        opening = self._next()
        close = "}" if opening.text == "{" else "]"
        items: list[Item] = []
        while self._here.text != close or self._here.kind != "mark":
            start, key = self._here.start, None
            if close == "}":
                key = self._read_key()
            node = self._read_value(depth + 1)
            comma = None
            if (self._here.kind, self._here.text) == ("mark", ","):
                comma = self._next().start
            items.append(Item(key, start, node, comma))
            if comma is None and (self._here.kind, self._here.text) != ("mark", close):
                self._fail(f"a comma or {close!r} is missing before {self._here.text[:20]!r}")
        # The scanner has gone on to the bracket, past what comments there are before it.
        tail = max(self._seen, self._comment)
        end = self._next().end
        value: Any = [item.node.value for item in items]
        if close == "}":
            value = {item.key: item.node.value for item in items}
        return Node(value, opening.start, end, tuple(items), tail)

    def _read_key(self) -> str:
        token = self._here
        if token.kind not in ("string", "word"):
            self._fail(f"a name is missing before {token.text[:20]!r}")
        self._next()
        if (self._here.kind, self._here.text) != ("mark", ":"):
            self._fail(f"a colon is missing after {token.text[:20]!r}")
        self._next()
        if token.kind == "word":
            return token.text
        return self._decode_string(token)

    def _scalar(self, token: _Token) -> Any:
        if token.kind == "string":
            return self._decode_string(token)
        if token.text in ("true", "false", "null") or _NUMBER.fullmatch(token.text):
            return json.loads(token.text)
        return _Word(token.text)

    def _decode_string(self, token: _Token) -> str:
        inner = token.text
        if inner[0] == "'":
            inner = '"' + inner[1:-1].replace("\\'", "'").replace('"', '\\"') + '"'
        with suppress(ValueError):
            text = json.loads(inner, strict=False)
            assert isinstance(text, str)
            return text
        return _Word(token.text)
