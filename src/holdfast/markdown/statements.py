"""Markdown text → its blocks as they are written; and what of them is a sentence. Strict, where in doubt.

This is for a gate, and not for search: what could be half a sentence is taken for a part of a longer one, because a
half may say the opposite of the whole. A stop ends a sentence only behind a small word and before a capital letter:
behind "Hr", "Yahoo", "3" or "…", inside brackets and wherever there are quotation marks it does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import Final
from unicodedata import normalize

from holdfast.markdown.front_matter import front_end
from holdfast.markdown.lines import blank, indent_of, split_lines
from holdfast.markdown.list_item import ITEM
from holdfast.markdown.outline import Fence, scan
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = [
    "Block",
    "Kind",
    "blocks_in",
    "ends_strictly",
    "fold",
    "has_quotation",
    "leaves_open",
    "sentence_key",
    "strict_sentences",
    "top_blocks",
]

_RULE: Final = compile_late(r"[ \t]*(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_FRAME: Final = compile_late(
    r"[ \t]*(?:[|>]|<[!/?A-Za-z]|\[[^\]]{1,200}\]:)"
)  # a table, a quotation, HTML, a definition
_INDENTED: Final = 2  # columns; text that stands so far to the right is code, or belongs to an item
_STOP: Final = compile_late(r"(?<![.!?…])[.!?](?= [^\W\d_])")
_LONGEST_WORD: Final = 40  # letters that are looked at
_SHORTEST: Final = 3  # letters of a word that may end a sentence: "a.m.", "no.", "nr." end none
_SHORT_FORMS: Final = frozenset(
    "approx dept excl incl est fig figs max min tel ext vol esp resp etc abzgl bspw bzw ehem evtl exkl geb gest ggf "
    "inkl lfd mind sog ugs usw verh vgl zzgl zus env chap apr avda cap núm num pág pag tít".split()
)
_NO_NAMES: Final = _SHORT_FORMS | frozenset(
    "capt prof comm cmdr corp assn bros dipl univ mlle messrs insp supt".split()
)
# None of them is a name, denies what was said before, or goes on with it ("Not.", "But", "That is false").
_OPENER: Final = compile_late(
    r"(?:Also|Please|Then|Now|Could|Would|Let's|Thanks|I|I'm|I've|My|We|Our|"
    r"Außerdem|Bitte|Ich|Wir|Meine?|Aussi|Merci|Je|Nous|También|Además|Também|Eu|Meu|Minha)(?= )"
)
_BRACKETS: Final = {"(": 1, "[": 1, "{": 1, "（": 1, "【": 1, ")": -1, "]": -1, "}": -1, "）": -1, "】": -1}
_QUOTATION: Final = compile_late(r"[\"“”„‟«»‹›「」『』《》〈〉＂″‶〝〞]|``|''|~~|`|(?:^|[\s(])['‘‚’](?=\S)")
_SWALLOWING: Final = ("details", "pre", "script", "style", "textarea", "table", "div", "template", "svg")
_DASHES_AND_QUOTES: Final = str.maketrans("’‘‚“”„–—", "'''\"\"\"--")
_BEHIND: Final = "\"'.,!…。！，、"
_BEHIND_NUMBER: Final = ".!…。！"  # 5" and 5' are lengths, and "1, 2" are two
_BEFORE: Final = "\"'"


class Kind(Enum):
    """The kind of a block: text, an item of a list, or a frame, which says nothing by itself."""

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
    """The sign of an item: a dash, a star, a number. A heading has a "#"."""

    @property
    def leads_in(self) -> bool:
        """True if what follows goes on with it: "Never do these:"."""
        return self.text.endswith((":", "："))

    @property
    def is_finished(self) -> bool:
        """True if it ends as a sentence does; a bullet needs no stop for that."""
        return self.kind is Kind.ITEM or self.text.endswith((".", "!", "?", "。", "！", "？"))


def fold(text: str) -> str:
    """The text in small letters, with one kind of quotation marks and dashes."""
    return normalize("NFC", text).casefold().translate(_DASHES_AND_QUOTES)


def sentence_key(text: str) -> str:
    """A sentence without its case, and without the punctuation around its words.

    Signs that stand alone or before a word ("!=", "- 5", "!ready", "--all") stay, and so do question marks (a semicolon
    is one in Greek), colons, brackets, emphasis and whatever is inside a word ("1.5") or belongs to a number.
    """
    return " ".join(_bare_word(word) for word in fold(text).split())


def _bare_word(word: str) -> str:
    counts = word.rstrip(_BEHIND)[-1:].isdigit()
    return word.lstrip(_BEFORE).rstrip(_BEHIND_NUMBER if counts else _BEHIND) or word


def has_quotation(text: str) -> bool:
    """Say whether a text has marks that could begin or end a quotation.

    An apostrophe in a word is not one.
    """
    return _QUOTATION.search(text) is not None


def leaves_open(text: str) -> bool:
    """Say whether a text opens code, a comment, HTML or front matter and leaves it open.

    What follows would be swallowed.
    """
    if text.rfind("<!--") > text.rfind("-->"):
        return True
    folded = text.casefold()
    if any(folded.count(f"<{tag}") > folded.count(f"</{tag}>") for tag in _SWALLOWING):
        return True
    lines = split_lines(text)
    if lines[0].rstrip() == "---" and not front_end(lines):
        return True
    fences: list[Fence] = []
    for _ in scan(lines, 0, fences):
        pass
    return bool(fences) and fences[-1].end == len(lines) and not _is_closed(lines, fences[-1])


def _is_closed(lines: Sequence[str], fence: Fence) -> bool:
    """Say whether the last line of a fence closes it, with at least as many signs."""
    first, *_, last = [line.strip() for line in lines[fence.start : fence.end] if line.strip()] * 2
    sign = first[0]
    length = len(first) - len(first.lstrip(sign))
    return fence.end - fence.start > 1 and last is not first and len(last) >= length and not last.strip(sign)


def ends_strictly(text: str) -> bool:
    """Say whether a paragraph ends in a stop behind a small word.

    What comes next does not go on with it.
    """
    return bool(text) and text[-1] in ".!?" and _is_small_word(text, 0, len(text) - 1)


def strict_sentences(text: str, *, behind_names: bool = False) -> list[str]:
    """The sentences of a paragraph, where it is beyond doubt that they are some; else all of it as one.

    With `behind_names`, one may end in a name, where the next begins with a word that nobody is called.
    """
    flat = " ".join(text.split())
    if not flat or has_quotation(flat):
        return [flat] if flat else []
    sentences: list[str] = []
    begin = at = depth = 0
    for stop in _STOP.finditer(flat):
        depth += sum(_BRACKETS.get(char, 0) for char in flat[at : stop.end()])
        at = stop.end()
        ends = _ends_sentence(flat, begin, stop) or (behind_names and _ends_in_name(flat, begin, stop))
        if depth == 0 and ends:
            sentences.append(flat[begin : stop.end()])
            begin = stop.end() + 1
    return [*sentences, flat[begin:]]


def _ends_sentence(flat: str, begin: int, stop: re.Match[str]) -> bool:
    return _is_small_word(flat, begin, stop.start()) and flat[stop.end() + 1].isupper()


def _ends_in_name(flat: str, begin: int, stop: re.Match[str]) -> bool:
    """Say whether a name stands before a full stop ("Oslo. Also …").

    Behind a title a name would follow, so a title does not count.
    """
    name = _word_before(flat, begin, stop.start())
    opener = _OPENER.match(flat, stop.end() + 1)
    is_name = len(name) > _SHORTEST and name.istitle() and name.casefold() not in _NO_NAMES
    return is_name and stop[0] == "." and opener is not None


def _word_before(flat: str, begin: int, end: int) -> str:
    start = end
    while start > max(begin, end - _LONGEST_WORD) and flat[start - 1].isalpha():
        start -= 1
    return flat[start:end]


def _is_small_word(flat: str, begin: int, end: int) -> bool:
    """Say whether the word before a position is lower-case and not an abbreviation."""
    word = _word_before(flat, begin, end)
    return len(word) >= _SHORTEST and word.islower() and word not in _SHORT_FORMS


def blocks_in(text: str) -> list[Block]:
    """The blocks of a text in their order; an item that is nested in another is one by itself."""
    return list(_Reader(split_lines(text)).blocks())


def top_blocks(text: str) -> list[str]:
    """The blocks as they are written, each item with all that is nested in it, and each table as one."""
    pieces: list[tuple[Block, list[str]]] = []
    for block in blocks_in(text):
        inside = bool(pieces) and pieces[-1][0].kind is Kind.ITEM and block.column > pieces[-1][0].column
        if inside or (pieces and _are_table_rows(pieces[-1][0], block)):
            pieces[-1][1].append(block.raw)
        else:
            pieces.append((block, [block.raw]))
    return ["\n".join(raws) for _, raws in pieces]


def _are_table_rows(first: Block, second: Block) -> bool:
    """Say whether two frames are rows of one table."""
    return first.kind is second.kind is Kind.FRAME and first.raw.lstrip()[:1] == second.raw.lstrip()[:1] == "|"


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
            start, item = at, ITEM.match(line)
            if blank(line):
                at += 1
            elif heading is not None:
                at = heading.end
                yield self._block(Kind.FRAME, start, at)._replace(sign="#")
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
                words = " ".join((line[item.end("sign") :], *self._lines[start + 1 : at]))
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
        marked = ITEM.match(line) or _RULE.match(line) or _FRAME.match(line)
        return at in self._headings or at in self._fences or marked is not None
