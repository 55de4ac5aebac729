"""Markdown text → its statements: each sentence, and each line that is none, with what it stands under.

A statement is known by its words and by the headings, the items and the lead-in above it: "Never do these:" belongs to
every bullet below it. So whoever takes a heading or half a sentence away has, by this reading, written something new.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple
from unicodedata import normalize

from holdfast.chunks.front import front_end
from holdfast.chunks.lines import blank, indent_of, split_lines
from holdfast.chunks.outline import Fence, scan
from holdfast.chunks.sentences import sentences

__all__ = ["Statement", "blocks_in", "fold", "sentence_key", "statements_in"]

_ITEM: Final = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]+|$)")
_RULE: Final = re.compile(r"[ \t]*(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_FRAME: Final = re.compile(r"[ \t]*(?:[|>]|<[!/?A-Za-z])")  # a table, a quotation, HTML
_DASHES_AND_QUOTES: Final = str.maketrans("’‘‚“”„–—", "'''\"\"\"--")
_EDGES: Final = "\"'.,;:!…«»‹›()*_-。！，、"
_ASKS: Final = "?？؟"
_LEAD: Final = -1  # the column of a line that leads in the list below it: left of every item


class Statement(NamedTuple):
    """One sentence, or one line that is none; `under` is what it stands under, the outermost first."""

    text: str
    under: tuple[str, ...] = ()
    claim: bool = True
    """Whether it is a sentence or a bullet: it says something by itself. A heading, a table or a rule does not."""
    nested: bool = False
    """Whether it stands below an item of a list or a lead-in, and goes on with it."""


def fold(text: str) -> str:
    """The text in small letters, with one kind of quotation marks and dashes."""
    return normalize("NFC", text).casefold().translate(_DASHES_AND_QUOTES)


def sentence_key(text: str) -> str:
    """A sentence without its case and punctuation; a question stays one, and so does every word and number.

    Only punctuation around words goes: "-5" is not "5" inside a word, and "1.5" is not "15".
    """
    flat = fold(text)
    words = [bare for word in flat.split() if (bare := _bare_word(word))]
    asks = flat.rstrip(_EDGES + " ").endswith(tuple(_ASKS))
    return " ".join(words) + ("?" if asks and words else "")


def _bare_word(word: str) -> str:
    bare = word.strip(_EDGES + _ASKS)
    # A sign before a number is part of it.
    if word.lstrip("\"'(*_").startswith("-") and bare[:1].isdigit():
        return f"-{bare}"
    return bare


def statements_in(text: str) -> list[Statement]:
    """The statements of a note, or of a piece of one, in their order."""
    return list(_Reader(split_lines(text)).statements())


def blocks_in(text: str) -> list[str]:
    """The blocks of a text as they are written: a paragraph, an item with what is nested in it, a table, a heading."""
    return list(_Reader(split_lines(text)).blocks())


class _Reader:
    """Reads lines from the first to the last, once."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._front = front_end(lines)
        fences: list[Fence] = []
        self._headings = {heading.start: heading for heading in scan(lines, self._front, fences)}
        self._fences = {fence.start: fence.end for fence in fences}

    def statements(self) -> Iterator[Statement]:
        """Each statement with what it stands under."""
        titles: list[tuple[int, str]] = []  # the headings above, with their levels
        items: list[tuple[int, str]] = []  # the items above, with their columns
        is_led = False  # whether the block before was a line that leads in what follows
        for line in self._lines[: self._front]:
            yield Statement(line.strip(), claim=False)
        at = self._front
        while at < len(self._lines):
            line, heading = self._lines[at], self._headings.get(at)
            if blank(line):
                at += 1
                continue
            if heading is not None:
                titles = [(level, title) for level, title in titles if level < heading.level]
                title = " ".join(" ".join(self._lines[heading.start : heading.end]).split())
                yield Statement(title, _texts(titles), claim=False)
                titles.append((heading.level, title))
                items, is_led, at = [], False, heading.end
                continue
            column = indent_of(line)
            marker = _ITEM.match(line)
            framed = self._frame_end(at)
            listed = marker is not None and framed == at
            items = [(place, item) for place, item in items if place < column and (listed or is_led or place != _LEAD)]
            is_led = False
            under = _texts(titles) + _texts(items)
            if framed > at:
                text = "\n".join(one.rstrip() for one in self._lines[at:framed])
                yield Statement(text, under, claim=False, nested=bool(items))
                at = framed
                continue
            end = self._text_end(at)
            first = line[marker.end() :] if marker is not None else line
            read = list(_sentences("\n".join((first, *self._lines[at + 1 : end])), under, nested=bool(items)))
            yield from read
            if marker is not None:
                items.append((column, " ".join(statement.text for statement in read)))
            elif read[-1].text.endswith(":"):
                items.append((_LEAD, read[-1].text))
                is_led = True
            at = end

    def blocks(self) -> Iterator[str]:
        """Each block's lines, joined; what is nested in an item goes with it."""
        if self._front:
            yield "\n".join(self._lines[: self._front])
        at = self._front
        while at < len(self._lines):
            if blank(self._lines[at]):
                at += 1
                continue
            heading = self._headings.get(at)
            start = at
            at = heading.end if heading is not None else max(self._frame_end(at), self._text_end(at))
            if heading is None and _ITEM.match(self._lines[start]):
                at = self._item_end(start, at)
            while heading is None and at < len(self._lines) and _FRAME.match(self._lines[start]) and self._goes_on(at):
                at += 1
            yield "\n".join(line.rstrip() for line in self._lines[start:at]).strip("\n")

    def _item_end(self, start: int, at: int) -> int:
        """Where an item ends with all that is indented below it."""
        column = indent_of(self._lines[start])
        end = at
        while at < len(self._lines) and (blank(self._lines[at]) or indent_of(self._lines[at]) > column):
            at += 1
            if not blank(self._lines[at - 1]):
                end = at
        return end

    def _frame_end(self, at: int) -> int:
        """The line after a block that is no text: code, a table, a quotation, HTML, a rule; `at` if there is none."""
        line = self._lines[at]
        if at in self._fences:
            return self._fences[at]
        if _RULE.match(line):
            return at + 1
        framed = _FRAME.match(line)
        if not framed:
            return at
        end = at + 1
        # A quotation or a comment goes on up to a blank line, as Markdown reads it.
        while end < len(self._lines) and not blank(self._lines[end]) and not self._opens(end):
            end += 1
        return end

    def _text_end(self, at: int) -> int:
        end = at + 1
        while end < len(self._lines) and not blank(self._lines[end]) and not self._opens(end):
            end += 1
        return end

    def _opens(self, at: int) -> bool:
        """Whether another block begins at a line."""
        line = self._lines[at]
        marked = _ITEM.match(line) or _RULE.match(line) or _FRAME.match(line)
        return at in self._headings or at in self._fences or marked is not None

    def _goes_on(self, at: int) -> bool:
        """Whether a line is of the same kind of block as the one before it, such as the next row of a table."""
        first = _FRAME.match(self._lines[at])
        return first is not None and first[0].strip()[:1] == self._lines[at - 1].strip()[:1]


def _texts(above: Sequence[tuple[int, str]]) -> tuple[str, ...]:
    return tuple(text for _, text in above)


def _sentences(words: str, under: tuple[str, ...], *, nested: bool) -> Iterator[Statement]:
    spans = sentences(words)
    if not spans:
        yield Statement("", under, claim=False, nested=nested)
    for start, end in spans:
        yield Statement(" ".join(words[start:end].split()), under, nested=nested)
