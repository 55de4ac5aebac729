"""Which of the languages that the rules know a text may be in: by its frequent words, of which each has its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from holdfast.facts.capture.english import ENGLISH
from holdfast.facts.capture.french import FRENCH
from holdfast.facts.capture.german import GERMAN
from holdfast.facts.capture.portuguese import PORTUGUESE
from holdfast.facts.capture.spanish import SPANISH
from holdfast.facts.capture.speech import Compiled, compiled

__all__ = ["LANGUAGES", "every", "likely"]

_SPEECHES = (ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE)
LANGUAGES = tuple(speech.code for speech in _SPEECHES)
"""The languages that the rules know."""
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")


def likely(text: str, main: Sequence[Compiled] = ()) -> list[Compiled]:
    """The language with most of its frequent words in a text; several where they have as many, the message's first."""
    counts = [0] * len(_SPEECHES)
    for word in _WORD.findall(text[:4000].casefold()):
        for number in _KNOWN.get(word, ()):
            counts[number] += 2
        if "'" in word:
            for number in _KNOWN.get(word.partition("'")[0] + "'", ()):
                counts[number] += 1
    most = max(counts)
    equal = [speech for speech, count in zip(every(), counts, strict=True) if count == most]
    codes = {speech.code for speech in main}
    return sorted(equal, key=lambda speech: speech.code not in codes)


@cache
def every() -> tuple[Compiled, ...]:
    """All languages, ready to be matched."""
    return tuple(compiled(speech) for speech in _SPEECHES)


def _by_word() -> dict[str, tuple[int, ...]]:
    known: dict[str, tuple[int, ...]] = {}
    for number, speech in enumerate(_SPEECHES):
        for word in set(speech.words.split()):
            known[word] = (*known.get(word, ()), number)
    return known


_KNOWN = _by_word()
