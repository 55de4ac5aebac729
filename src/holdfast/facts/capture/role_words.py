"""A text → the sentences that its role is judged by, as words: each by itself, and a short text as a whole.

Items of a list, headings, rows of a table and paragraphs end where Markdown ends them: among other bullets an order
would be read as part of theirs, and many harmless rows as one sentence that nobody ever wrote.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from holdfast.facts.capture.flat_text import flattened
from holdfast.facts.capture.memory_requests import requested
from holdfast.facts.capture.sentence_features import letters_of, split_words
from holdfast.facts.capture.word_places import ADDRESS, PATH, PLACE

__all__ = ["EDGE", "role_sentences", "role_words", "word_shapes"]

EDGE: Final = "\n"  # the word that stands for both ends of a sentence
_LONGEST: Final = 48  # words; what is longer is cut, and each piece begins inside the one before
_MOST_TOGETHER: Final = 3  # sentences that are also judged as one
_STOPS: Final = " .。"  # who types seldom ends with one, and it says nothing
# What begins a block in Markdown, and what only shows that: it is no word of the sentence.
_LAYOUT: Final = re.compile(
    r"[ \t]*(?:>[ \t]?)*(?P<begins>(?P<heading>#{1,6}[ \t]+)|(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?"
    r"|(?:`{3,}|~{3,}).*|(?=\|))?"
)
# Around a line that is all code; code inside a sentence is part of it, as it is in the lessons.
_ALL_CODE: Final = re.compile(r"`+([^`]+)`+[.。]?")
_END: Final = re.compile(r"(?<=[.!?…;])\s+(?![a-zß-ÿ])|(?<=[。！？；])")


def role_sentences(text: str, cut: Callable[[str], list[str]]) -> list[list[str]]:
    """Return the words of each sentence, and of all of them where they are few. `cut` parts a run without blanks."""
    blocks = [flat for block in _blocks(text) if (flat := flattened(block))]
    if blocks:
        # "Remember that …" says nothing of what is to be remembered.
        blocks[0] = requested(blocks[0]) or blocks[0]
    parts = [words for flat in blocks for part in _END.split(flat) if len(words := role_words(part, cut)) > 1]
    whole = role_words(" ".join(blocks), cut)
    # Alone as well as with a word before it that is no sentence: a block must not be judged otherwise than in its note.
    if len(parts) <= _MOST_TOGETHER and whole not in parts:
        parts.append(whole)
    return [piece for words in parts for piece in _pieces(words)]


def _blocks(text: str) -> Iterator[str]:
    """Yield the blocks of a text without their signs: paragraphs, items, headings, rows, what is in a fence."""
    block: list[str] = []
    ended = False
    for line in text.splitlines():
        layout = _LAYOUT.match(line)
        assert layout is not None
        if block and (ended or layout["begins"] is not None or not line.strip()):
            yield " ".join(block)
            block = []
        rest = line[layout.end() :].strip()
        if rest.startswith("|"):
            rest = " ".join(text for cell in rest.split("|") if (text := cell.strip(" \t:-")))
        if rest:
            code = _ALL_CODE.fullmatch(rest)
            block.append(code[1] if code is not None else rest)
        ended = layout["heading"] is not None
    if block:
        yield " ".join(block)


def role_words(flat: str, cut: Callable[[str], list[str]]) -> list[str]:
    """Return the words of a flattened text. Of a place it counts that there is one, not which."""
    masked = PLACE.sub(lambda found: f" {ADDRESS if found['address'] else PATH} ", flat)
    return split_words(masked.rstrip(_STOPS), cut)


def word_shapes(words: Sequence[str]) -> list[tuple[float, ...]]:
    """Return what the signs of each word say of it."""
    return [letters_of(word) for word in words]


def _pieces(words: list[str]) -> Iterator[list[str]]:
    for start in range(0, max(1, len(words) - _LONGEST // 2), _LONGEST // 2):
        yield [EDGE, *words[start : start + _LONGEST], EDGE]
