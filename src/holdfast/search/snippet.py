"""The lines of a chunk that are worth showing: those around the words that were asked for."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple

from holdfast.index.store import Word
from holdfast.index.words import Analyser

__all__ = ["Snippet", "best_line", "marked", "snippet_of"]

_ANALYSER = Analyser()
_PLAIN_WORD = re.compile(r"\w+(?:[-.:/@+#'’&_]+\w+)*")


class Snippet(NamedTuple):
    """Text of at most the asked size, and the lines of the chunk (from 0) it was taken from."""

    text: str
    first: int
    last: int


def snippet_of(text: str, words: Sequence[Word], size: int) -> Snippet:
    """The whole chunk if it fits; else the run of whole lines with most of the words, or a part of one line."""
    lines = text.split("\n")
    if len(text) <= size:
        return Snippet(text, 0, len(lines) - 1)
    starts = _starts(lines)
    first, last = _best_run(starts, _Wanted(words).found_in(text, lines, starts), size)
    chosen = "\n".join(lines[first : last + 1])
    if len(chosen) > size:  # a single line that is longer than the snippet
        chosen = _around(chosen, words, size)
    return Snippet(chosen, first, last)


def best_line(text: str, words: Sequence[Word]) -> int:
    """The line (from 0) that holds most of the words, the first of equals; a heading only where there is no other."""
    lines = text.split("\n")
    if len(lines) == 1:
        return 0
    found = _Wanted(words).found_in(text, lines, _starts(lines))
    text_lines = [number for number, line in enumerate(lines) if line.strip() and not line.startswith("#")]
    if any(found) and not any(found[number] for number in text_lines):
        text_lines = []
    return max(text_lines or range(len(lines)), key=lambda number: (found[number].bit_count(), -number))


def _starts(lines: Sequence[str]) -> list[int]:
    """Where each line starts, and where one after them would: a line and its break are as long as that is further."""
    return [0, *(at + place for place, at in enumerate(accumulate(map(len, lines)), 1))]


def marked(text: str, words: Sequence[Word]) -> list[tuple[int, int]]:
    """Where the words stand in a text, in any of their forms: from which character on, and up to which."""
    whole = {word.text for word in words if not word.prefix} | {part for word in words for part in word.parts}
    whole.update(form for word in words for form in word.text.split())
    begins = tuple(word.text for word in words if word.prefix)
    found: list[tuple[int, int]] = []
    for match in _PLAIN_WORD.finditer(text):
        forms = _ANALYSER.index(match[0]).split()
        if not whole.isdisjoint(forms) or (begins and any(form.startswith(begins) for form in forms)):
            found.append(match.span())
    return found


class _Wanted:
    """The words to look for, in the forms that make looking quick."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        wanted = [word.text for word in words]
        # Stemming changes two letters at the end at most, so a line without these beginnings holds none of the words.
        # What has a digit in it is not stemmed, and its last letters tell it from others of its kind.
        self.roots = tuple({text[: max(1, len(text) - 2)] if text.isalpha() else text: None for text in wanted})

    def found_in(self, text: str, lines: Sequence[str], starts: Sequence[int]) -> list[int]:
        """Which of the words each line seems to hold, by their beginnings: a bit for each."""
        found = [0] * len(lines)
        low = text.lower()
        if len(low) == len(text):  # otherwise a place in one is not a place in the other
            # Looking through the whole text for each beginning is far quicker than asking every line for its words.
            for number, root in enumerate(self.roots):
                bit, whole = 1 << number, not root.isascii()
                at = low.find(root)
                while at >= 0:
                    if at == 0 or whole or not low[at - 1].isalnum():
                        line = bisect_right(starts, at) - 1
                        found[line] |= bit
                        at = low.find(root, starts[line + 1])
                    else:  # inside a word, where no word of the question begins
                        at = low.find(root, at + 1)
        if any(found) or text.isascii():
            return found
        return [self._held_by(line) for line in lines]  # accents and other forms of letters: the analyser knows

    def _held_by(self, line: str) -> int:
        here = _ANALYSER.index(line).split()
        held = 0
        for number, word in enumerate(self.words):
            if any(map(word.text.__eq__ if not word.prefix else _begins(word.text), here)):
                held |= 1 << number
        return held


def _begins(text: str) -> Callable[[str], bool]:
    return lambda form: form.startswith(text)


def _best_run(starts: Sequence[int], matches: Sequence[int], size: int) -> tuple[int, int]:
    """Of all runs of lines that fit, the one with most distinct words; the earliest and tightest of equals.

    A run starts at a line that matches, so that the citation points at the line that was asked for.
    """
    best, score = (0, 0), -1
    for start in [number for number, found in enumerate(matches) if found] or [0]:
        end = bisect_right(starts, starts[start] + size + 1) - 1
        found = 0
        for one in matches[start:end]:
            found |= one
        if found.bit_count() > score:
            # Room that is left over is filled with the lines that follow: context costs nothing here.
            best, score = (start, max(start, end - 1)), found.bit_count()
        if end == len(matches):
            break  # later starts can only see less
    return best


def _around(line: str, words: Sequence[Word], size: int) -> str:
    """A part of one long line, from shortly before the first word that was asked for."""
    folded = line.casefold()
    places = [place for word in words if (place := folded.find(word.text)) >= 0]
    start = max(0, min(places, default=0) - size // 4)
    start = min(start, max(0, len(line) - size))
    if start and (space := line.find(" ", start, start + 40)) >= 0:
        start = space + 1
    return line[start : start + size]
