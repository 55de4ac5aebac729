"""The lines of a chunk that are worth showing: those around the words that were asked for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from types import MappingProxyType

from holdfast.index.analyzer import SHARED_ANALYSER
from holdfast.index.store_contract import Word
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = ["LEFT_OUT", "Snippet", "best_line", "lines_around", "marked", "snippet_of"]

LEFT_OUT = "…"
"""A line that stands for those that are left out."""

_LOOSE = 6  # letters; so long a word is known by its beginning, a shorter one has it in common with others
_ALIKE: Mapping[str, float] = MappingProxyType({})
_PLAIN_WORD = compile_late(r"\w+(?:[-.:/@+#'’&_]+\w+)*")


class Snippet(NamedTuple):
    """Text of at most the asked size, and the lines of the chunk (from 0) it was taken from."""

    text: str
    first: int
    last: int


def snippet_of(text: str, words: Sequence[Word], size: int, weights: Mapping[str, float] = _ALIKE) -> Snippet:
    """Return the whole chunk if it fits; else the run of whole lines with most of the words, or a part of one line.

    `weights` say how much each word tells, by its text; without them all tell the same.
    """
    lines = text.split("\n")
    if len(text) <= size:
        return Snippet(text, 0, len(lines) - 1)
    wanted = _wanted(words, weights)
    if len(lines) == 1:
        return Snippet(_best_part(text, wanted, size), 0, 0)
    starts = _starts(lines)
    first, last = _best_run(starts, wanted.found_in(text, lines, starts), size, wanted.worth)
    chosen = "\n".join(lines[first : last + 1])
    if len(chosen) > size:  # a single line that is longer than the snippet
        chosen = _best_part(chosen, wanted, size)
    return Snippet(chosen, first, last)


def best_line(text: str, words: Sequence[Word], weights: Mapping[str, float] = _ALIKE) -> int:
    """Return the line (from 0) that holds most of the words by their weights, the first of equals.

    It is a heading only where there is no other line.
    """
    lines = text.split("\n")
    if len(lines) == 1:
        return 0
    wanted = _wanted(words, weights)
    found = wanted.found_in(text, lines, _starts(lines))
    text_lines = [number for number, line in enumerate(lines) if line.strip() and not line.startswith("#")]
    if any(found) and not any(found[number] for number in text_lines):
        text_lines = []
    return max(text_lines or range(len(lines)), key=lambda number: (wanted.worth(found[number]), -number))


def lines_around(text: str, line: int, most: int) -> list[str]:
    """Return so many lines of a snippet around one of them (from 0), with a sign where others are left out."""
    lines = text.split("\n")
    first = max(0, min(line - most // 3, len(lines) - most))
    last = min(len(lines), first + most)
    while first < line and first > 0 and lines[first].strip() in ("", LEFT_OUT):
        first += 1
    while line < last - 1 and last < len(lines) and lines[last - 1].strip() in ("", LEFT_OUT):
        last -= 1
    return [*[LEFT_OUT] * (first > 0), *lines[first:last], *[LEFT_OUT] * (last < len(lines))]


def _starts(lines: Sequence[str]) -> list[int]:
    """Return where each line starts, and where one after them would.

    A line and its break are as long as the next start is further.
    """
    return [0, *(at + place for place, at in enumerate(accumulate(map(len, lines)), 1))]


def marked(text: str, words: Sequence[Word]) -> list[tuple[int, int]]:
    """Return where the words stand in a text, in any of their forms: from which character on, and up to which."""
    whole = {word.text for word in words if not word.prefix} | {part for word in words for part in word.parts}
    whole.update(form for word in words for form in word.text.split())
    begins = tuple(word.text for word in words if word.prefix)
    found: list[tuple[int, int]] = []
    for match in _PLAIN_WORD.finditer(text):
        forms = SHARED_ANALYSER.index(match[0]).split()
        if not whole.isdisjoint(forms) or (begins and any(form.startswith(begins) for form in forms)):
            found.append(match.span())
    return found


def _wanted(words: Sequence[Word], weights: Mapping[str, float]) -> _WordFinder:
    return _wanted_of(tuple(words), tuple([weights.get(word.text, 1.0) for word in words]))


@lru_cache(maxsize=4)  # every hit of a search looks for the same
def _wanted_of(words: tuple[Word, ...], weights: tuple[float, ...]) -> _WordFinder:
    return _WordFinder(words, weights)


class _WordFinder:
    """The words to look for, in the forms that make looking quick."""

    def __init__(self, words: Sequence[Word], weights: Sequence[float]) -> None:
        chosen = {word.text: (word, weight) for word, weight in zip(words, weights, strict=True)}
        self.words = tuple(word for word, _ in chosen.values())
        self._weights = [weight for _, weight in chosen.values()]
        self._roots = [_root(text) for text in chosen]
        self._are_loose = [len(text) >= _LOOSE or not (text.isascii() and text.isalpha()) for text in chosen]
        self._worths: dict[int, float] = {0: 0.0}

    def worth(self, found: int) -> float:
        """Return what the words of these bits tell together."""
        worth = self._worths.get(found)
        if worth is None:
            worth = sum(weight for number, weight in enumerate(self._weights) if found >> number & 1)
            self._worths[found] = worth
        return worth

    def found_in(self, text: str, lines: Sequence[str], starts: Sequence[int]) -> list[int]:
        """Return which of the words each line seems to hold, by their beginnings: a bit for each."""
        found = [0] * len(lines)
        low = text.lower()
        if len(low) == len(text):  # otherwise a place in one is not a place in the other
            # Looking through the whole text for each beginning is far quicker than asking every line for its words.
            for number, root in enumerate(self._roots):
                at = low.find(root)
                if at < 0:  # as mostly
                    continue
                word, bit, loose = self.words[number], 1 << number, self._are_loose[number]
                whole = not word.text.isascii()
                while at >= 0:
                    begins = at == 0 or whole or not low[at - 1].isalnum()
                    if begins and (loose or _is_form(word, low, at)):
                        line = bisect_right(starts, at) - 1
                        found[line] |= bit
                        at = low.find(root, starts[line + 1])
                    else:  # inside a word, or at another one
                        at = low.find(root, at + 1)
        if any(found) or text.isascii():
            return found
        return [self._held_by(line) for line in lines]  # accents and other forms of letters: the analyser knows

    def _held_by(self, line: str) -> int:
        here = SHARED_ANALYSER.index(line).split()
        held = 0
        for number, word in enumerate(self.words):
            if any(map(_test_of(word), here)):
                held |= 1 << number
        return held


def _root(text: str) -> str:
    """Return what every form of a word begins with.

    Stemming changes two letters at the end at most. What has a digit in it is not stemmed, nor a pair of characters,
    and their last ones tell them from others of their kind.
    """
    is_stemmed = text.isalpha() and (text.isascii() or len(text) >= _LOOSE)
    if not is_stemmed:
        return text
    return text[: max(2, len(text) - 2)]


def _is_form(word: Word, low: str, at: int) -> bool:
    """Say whether a form of a word begins at this place of a text."""
    match = _PLAIN_WORD.match(low, at)
    if match is None:
        return False
    return any(map(_test_of(word), SHARED_ANALYSER.index(match[0]).split()))


def _test_of(word: Word) -> Callable[[str], bool]:
    """Return what says of a form whether it is one of the word."""
    if not word.prefix:
        return word.text.__eq__
    return lambda form: form.startswith(word.text)


def _best_run(
    starts: Sequence[int], matches: Sequence[int], size: int, worth: Callable[[int], float]
) -> tuple[int, int]:
    """Return the run of lines that fits and whose distinct words tell most; the earliest and tightest of equals.

    A run starts at a line that matches, so that the citation points at the line that was asked for.
    """
    best, score = (0, 0), -1.0
    for start in [number for number, found in enumerate(matches) if found] or [0]:
        # What is longer than the size is shown in part, and still counts for all that it holds.
        end = max(start + 1, bisect_right(starts, starts[start] + size + 1) - 1)
        found = 0
        for words_of_line in matches[start:end]:
            found |= words_of_line
        if worth(found) > score:
            # Room that is left over is filled with the lines that follow: context costs nothing here.
            best, score = (start, max(start, end - 1)), worth(found)
        if end == len(matches):
            break  # later starts can only see less
    return best


def _best_part(line: str, wanted: _WordFinder, size: int) -> str:
    """Return a part of one long line: the run of it whose distinct words tell most, from shortly before."""
    lead, starts = size // 4, [0]
    while (at := starts[-1] + lead // 2) < len(line):
        starts.append(_next_word(line, at))
    starts.append(len(line) + 1)
    pieces = [line[start:end] for start, end in pairwise(starts)]
    first, _ = _best_run(starts, wanted.found_in(line, pieces, starts), size - lead, wanted.worth)
    start = min(max(0, starts[first] - lead), max(0, len(line) - size))
    if start:
        start = _next_word(line, start)
    return line[start : start + size]


def _next_word(line: str, at: int) -> int:
    """Return where the next word begins, or the place itself where there is no gap nearby."""
    space = line.find(" ", at, at + 40)
    if space < 0:
        return at
    return space + 1
