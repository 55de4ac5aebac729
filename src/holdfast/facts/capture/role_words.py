"""A text → the sentences that its role is judged by, as words: each by itself, and a short text as a whole."""

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
_END: Final = re.compile(r"(?<=[.!?…;])\s+(?![a-zß-ÿ])|(?<=[。！？；])")


def role_sentences(text: str, cut: Callable[[str], list[str]]) -> list[list[str]]:
    """Return the words of each sentence, and of all of them where they are few. `cut` parts a run without blanks."""
    flat = flattened(text)
    flat = requested(flat) or flat  # "Remember that …" says nothing of what is to be remembered
    parts = [words for part in _END.split(flat) if len(words := role_words(part, cut)) > 1]
    if len(parts) < 2:
        return list(_pieces(role_words(flat, cut)))
    whole = [role_words(flat, cut)] if len(parts) <= _MOST_TOGETHER else []
    return [piece for words in (*parts, *whole) for piece in _pieces(words)]


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
