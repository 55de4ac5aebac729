"""Markdown text → its plain parts, its code, and the comments of HTML outside of code.

Whichever begins first holds the other: a comment in code is code, and a fence in a comment is comment.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from enum import Enum, auto
from typing import Final

from holdfast.named_tuple import NamedTuple

__all__ = ["CLOSE", "OPEN", "Part", "PartKind", "cut_comments", "parts_of"]

OPEN: Final = "<!--"
CLOSE: Final = "-->"
_RUN: Final = re.compile(r"`+|~{3,}")
_NEWLINE: Final = re.compile(r"\n")
_BLANK: Final = re.compile(r"\n[ \t]*+\n")
_FENCE: Final = 3  # signs, as CommonMark has it
_BEFORE_FENCE: Final = " \t>-*+0123456789.)"  # margins, quotations and the signs of a list

_DEEPEST: Final = 100  # characters before a fence: some ten lists in each other; more would be read for every sign


class PartKind(Enum):
    """The kind of a part of a text."""

    PLAIN = auto()
    CODE = auto()
    COMMENT = auto()


class Part(NamedTuple):
    """A part of a text; all of them together are the text."""

    kind: PartKind
    text: str


def cut_comments(text: str) -> str:
    """The text without comments, its lines where they were; one that nobody closed stays."""
    kept: list[str] = []
    at = 0
    while (begin := text.find(OPEN, at)) >= 0 and (end := text.find(CLOSE, begin)) >= 0:
        kept += (text[at:begin], "\n" * text.count("\n", begin, end))
        at = end + len(CLOSE)
    return "".join((*kept, text[at:]))


def parts_of(text: str) -> Iterator[Part]:
    """The parts in their order."""
    at = 0
    for kind, start, end in _spans(text):
        if at < start:
            yield Part(PartKind.PLAIN, text[at:start])
        yield Part(kind, text[start:end])
        at = end
    if at < len(text):
        yield Part(PartKind.PLAIN, text[at:])


def _spans(text: str) -> Iterator[tuple[PartKind, int, int]]:
    """Return the spans of code and comments."""
    runs = _Runs(text)
    at = 0
    comment = _find_comment(text, 0)
    for run in runs.all:
        while comment is not None and comment[0] < max(run.start(), at):
            if comment[0] >= at:
                yield PartKind.COMMENT, *comment
                at = comment[1]
            comment = _find_comment(text, max(at, comment[0] + 1))
        if run.start() >= at and (end := runs.end_of_code(run)):
            yield PartKind.CODE, run.start(), end
            at = end
    while comment is not None:
        if comment[0] >= at:
            yield PartKind.COMMENT, *comment
            at = comment[1]
        comment = _find_comment(text, max(at, comment[0] + 1))


def _find_comment(text: str, at: int) -> tuple[int, int] | None:
    begin = text.find(OPEN, at)
    if begin >= 0:
        end = text.find(CLOSE, begin)
    else:
        end = -1
    if end >= 0:
        return (begin, end + len(CLOSE))
    return None


class _Runs:
    """The runs of backticks and tildes in a text, one of which may open code that another closes."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.all = list(_RUN.finditer(text))
        self._line_starts = [0, *(newline.end() for newline in _NEWLINE.finditer(text))]
        self._blanks = [blank.start() for blank in _BLANK.finditer(text)]
        self._places: dict[str, list[int]] = {}
        for run in self.all:
            self._places.setdefault(run[0], []).append(run.start())

    def end_of_code(self, run: re.Match[str]) -> int:
        """Return where the code ends that a run opens; 0 where it opens none."""
        line_start = self._line_starts[bisect_right(self._line_starts, run.start()) - 1]
        is_near = run.start() - line_start <= _DEEPEST
        if len(run[0]) >= _FENCE and is_near and not self._text[line_start : run.start()].strip(_BEFORE_FENCE):
            line_end = self._line_end(run.end())
            if run[0][0] == "~" or "`" not in self._text[run.end() : line_end]:
                return self._end_of_fence(run[0], line_end)
        if run[0][0] != "`":
            return 0
        return self._end_of_inline(run)

    def _end_of_fence(self, sign: str, line_end: int) -> int:
        """The end of the line that closes a fence; of the text, where none does."""
        while line_end < len(self._text):
            start, line_end = line_end + 1, self._line_end(line_end + 1)
            line = self._text[start:line_end].strip(" \t>")
            if line.startswith(sign) and not line.strip(sign[0]):
                return line_end
        return line_end

    def _end_of_inline(self, run: re.Match[str]) -> int:
        """The end of code within a paragraph: behind a run that is as long."""
        places = self._places[run[0]]
        following = bisect_left(places, run.end())
        if following == len(places):
            return 0
        blank = bisect_left(self._blanks, run.end())
        if blank < len(self._blanks) and self._blanks[blank] < places[following]:
            return 0
        return places[following] + len(run[0])

    def _line_end(self, at: int) -> int:
        end = self._text.find("\n", at)
        return len(self._text) if end < 0 else end
