"""The lines of a chunk that are worth showing: those around the words that were asked for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from holdfast.index.store import Word
from holdfast.index.words import Analyser

__all__ = ["Snippet", "snippet_of"]

_ANALYSER = Analyser()


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
    wanted = _Wanted(words)
    matches = wanted.found_in(text, lines)
    first, last = _best_run(lines, matches, size)
    chosen = "\n".join(lines[first : last + 1])
    if len(chosen) > size:  # a single line that is longer than the snippet
        chosen = _around(chosen, words, size)
    return Snippet(chosen, first, last)


class _Wanted:
    """The words to look for, in the forms that make looking quick."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.exact = frozenset(word.text for word in words if not word.prefix)
        self.prefixes = [word.text for word in words if word.prefix]
        # Stemming changes two letters at the end at most, so a line without these beginnings holds none of the words.
        self.roots = {word.text[: max(1, len(word.text) - 2)] for word in words}

    def found_in(self, text: str, lines: Sequence[str]) -> list[frozenset[str]]:
        """Which of the words each line seems to hold, by their beginnings."""
        found: list[set[str]] = [set() for _ in lines]
        low = text.lower()
        if len(low) == len(text):  # otherwise a place in one is not a place in the other
            # Looking through the whole text for each beginning is far quicker than asking every line for its words.
            starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
            for root in self.roots:
                at = low.find(root)
                while at >= 0:
                    number = bisect_right(starts, at) - 1
                    if at == 0 or not (low[at - 1].isalnum() and root.isascii()):
                        found[number].add(root)
                        at = low.find(root, starts[number + 1])
                    else:  # inside a word, where no word of the question begins
                        at = low.find(root, at + 1)
        if any(found) or text.isascii():
            return list(map(frozenset, found))
        return [self._held_by(line) for line in lines]  # accents and other forms of letters: the analyser knows

    def _held_by(self, line: str) -> frozenset[str]:
        here = _ANALYSER.index(line).split()
        found = self.exact.intersection(here)
        if self.prefixes:
            found |= {prefix for prefix in self.prefixes if any(form.startswith(prefix) for form in here)}
        return found


def _best_run(lines: Sequence[str], matches: Sequence[frozenset[str]], size: int) -> tuple[int, int]:
    """Of all runs of lines that fit, the one with most distinct words; the earliest and tightest of equals.

    A run starts at a line that matches, so that the citation points at the line that was asked for.
    """
    best, score = (0, 0), -1
    starts = [i for i, found in enumerate(matches) if found] or [0]
    for start in starts:
        length, end, found, useful = 0, start, set[str](), start
        while end < len(lines) and length + len(lines[end]) + (end > start) <= size:
            length += len(lines[end]) + (end > start)
            if not matches[end] <= found:
                found |= matches[end]
                useful = end
            end += 1
        if len(found) > score:
            # Room that is left over is filled with the lines that follow: context costs nothing here.
            best, score = (start, max(useful, end - 1)), len(found)
        if end == len(lines):
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
