"""Markdown text → its blocks as they are written; and what of them is a sentence. Strict, where in doubt.

This is for a gate, and not for search: what could be half a sentence is taken for a part of a longer one, because a
half may say the opposite of the whole. A stop ends a sentence only behind a small word and before a capital letter:
behind "Hr", "Yahoo", "3" or "…", inside brackets and wherever there are quotation marks it does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import Final, NamedTuple
from unicodedata import normalize

from holdfast.chunks.front import front_end
from holdfast.chunks.lines import blank, indent_of, split_lines
from holdfast.chunks.outline import Fence, scan

__all__ = ["Block", "Kind", "blocks_in", "fold", "has_quotation", "sentence_key", "strict_sentences", "top_blocks"]

_ITEM: Final = re.compile(r"[ \t]*(?P<sign>[-*+]|[0-9]{1,9}[.)])(?:[ \t]+|$)")
_RULE: Final = re.compile(r"[ \t]*(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_FRAME: Final = re.compile(r"[ \t]*(?:[|>]|<[!/?A-Za-z]|\[[^\]]{1,200}\]:)")  # a table, a quotation, HTML, a definition
_INDENTED: Final = 2  # columns; text that stands so far to the right is code, or belongs to an item
_STOP: Final = re.compile(r"(?<![.!?…])[.!?](?= [^\W\d_])")
_WORD_BEFORE: Final = re.compile(r"[^\W\d_]+$")
_SHORTEST: Final = 3  # letters of a word that may end a sentence: "a.m.", "no.", "nr." end none
_SHORT_FORMS: Final = frozenset(
    "approx dept excl incl est fig figs max min tel ext vol esp resp etc abzgl bspw bzw ehem evtl exkl geb gest ggf "
    "inkl lfd mind sog ugs usw verh vgl zzgl zus env chap apr avda cap núm num pág pag tít".split()
)
_BRACKETS: Final = {"(": 1, "[": 1, "{": 1, "（": 1, "【": 1, ")": -1, "]": -1, "}": -1, "）": -1, "】": -1}
_QUOTATION: Final = re.compile(r"[\"“”„‟«»‹›「」『』《》〈〉＂″‶〝〞]|``|''|~~|`|(?:^|[\s(])['‘‚’](?=\S)")
_DASHES_AND_QUOTES: Final = str.maketrans("’‘‚“”„–—", "'''\"\"\"--")
_BEHIND: Final = "\"'.,;:!…。！，、；："
_BEFORE: Final = "\"'"


class Kind(Enum):
    """What a block is: text, an item of a list, or a frame, which says nothing by itself."""

    TEXT = auto()
    ITEM = auto()
    FRAME = auto()


class Block(NamedTuple):
    """One block: its lines as they are written, what it says, and the column it begins in."""

    kind: Kind
    raw: str
    text: str
    column: int
    sign: str = ""
    """What marks an item: a dash, a star, a number."""

    @property
    def leads_in(self) -> bool:
        """Whether what follows goes on with it: "Never do these:"."""
        return self.text.endswith((":", "："))


def fold(text: str) -> str:
    """The text in small letters, with one kind of quotation marks and dashes."""
    return normalize("NFC", text).casefold().translate(_DASHES_AND_QUOTES)


def sentence_key(text: str) -> str:
    """A sentence without its case, and without the punctuation around its words.

    Signs that stand alone or before a word ("!=", "- 5", "!ready", "--all") stay, and so do question marks, brackets,
    emphasis and whatever is inside a word ("1.5").
    """
    words = (word.lstrip(_BEFORE).rstrip(_BEHIND) or word for word in fold(text).split())
    return " ".join(words)


def has_quotation(text: str) -> bool:
    """Whether a text has marks that could begin or end what somebody else said; an apostrophe in a word is none."""
    return _QUOTATION.search(text) is not None


def strict_sentences(text: str) -> list[str]:
    """The sentences of a paragraph, where it is beyond doubt that they are some; else all of it as one."""
    flat = " ".join(text.split())
    if not flat or has_quotation(flat):
        return [flat] if flat else []
    found: list[str] = []
    begin = at = depth = 0
    for stop in _STOP.finditer(flat):
        depth += sum(_BRACKETS.get(char, 0) for char in flat[at : stop.end()])
        at = stop.end()
        if depth == 0 and _ends_sentence(flat, begin, stop):
            found.append(flat[begin : stop.end()])
            begin = stop.end() + 1
    return [*found, flat[begin:]]


def _ends_sentence(flat: str, begin: int, stop: re.Match[str]) -> bool:
    word = _WORD_BEFORE.search(flat, max(begin, stop.start() - 40), stop.start())
    if word is None or len(word[0]) < _SHORTEST or not word[0].islower() or word[0] in _SHORT_FORMS:
        return False
    return flat[stop.end() + 1].isupper()


def blocks_in(text: str) -> list[Block]:
    """The blocks of a text in their order; an item that is nested in another is one by itself."""
    return list(_Reader(split_lines(text)).blocks())


def top_blocks(text: str) -> list[str]:
    """The blocks as they are written, each item with all that is nested in it, and each table as one."""
    pieces: list[tuple[Block, list[str]]] = []
    for block in blocks_in(text):
        inside = bool(pieces) and pieces[-1][0].kind is Kind.ITEM and block.column > pieces[-1][0].column
        if inside or (pieces and _goes_on(pieces[-1][0], block)):
            pieces[-1][1].append(block.raw)
        else:
            pieces.append((block, [block.raw]))
    return ["\n".join(raws) for _, raws in pieces]


def _goes_on(one: Block, other: Block) -> bool:
    """Whether two frames are rows of one table."""
    return one.kind is other.kind is Kind.FRAME and one.raw.lstrip()[:1] == other.raw.lstrip()[:1] == "|"


class _Reader:
    """Reads lines from the first to the last, once."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._front = front_end(lines)
        fences: list[Fence] = []
        self._headings = {heading.start: heading for heading in scan(lines, self._front, fences)}
        self._fences = {fence.start: fence.end for fence in fences}

    def blocks(self) -> Iterator[Block]:
        """Each block, with the lines that go on with it."""
        if self._front:
            yield self._block(Kind.FRAME, 0, self._front)
        at = self._front
        while at < len(self._lines):
            line, heading = self._lines[at], self._headings.get(at)
            start, item = at, _ITEM.match(line)
            if blank(line):
                at += 1
            elif heading is not None:
                at = heading.end
                yield self._block(Kind.FRAME, start, at)
            elif at in self._fences:
                at = self._fences[at]
                yield self._block(Kind.FRAME, start, at)
            elif _RULE.match(line):
                at += 1
                yield self._block(Kind.FRAME, start, at)
            elif _FRAME.match(line) or (item is None and indent_of(line) >= _INDENTED):
                at = self._text_end(at)
                yield self._block(Kind.FRAME, start, at)
            elif item is not None:
                at = self._text_end(at)
                words = " ".join((line[item.end() :], *self._lines[start + 1 : at]))
                yield self._block(Kind.ITEM, start, at)._replace(text=" ".join(words.split()), sign=item["sign"])
            else:
                at = self._text_end(at)
                yield self._block(Kind.TEXT, start, at)

    def _block(self, kind: Kind, start: int, end: int) -> Block:
        lines = [line.rstrip() for line in self._lines[start:end]]
        return Block(kind, "\n".join(lines), " ".join(" ".join(lines).split()), indent_of(self._lines[start]))

    def _text_end(self, at: int) -> int:
        """The line after a block of text: a blank one, or one that opens another block."""
        end = at + 1
        while end < len(self._lines) and not blank(self._lines[end]) and not self._opens(end):
            end += 1
        return end

    def _opens(self, at: int) -> bool:
        line = self._lines[at]
        marked = _ITEM.match(line) or _RULE.match(line) or _FRAME.match(line)
        return at in self._headings or at in self._fences or marked is not None
