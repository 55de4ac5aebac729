"""Tell what speaks for a hit, on one scale.

    evidence = share of what BM25 could reach + 1/24 x spreads above the background + how well its words are met
               + what a long question can't reach + a day that was asked for + a name that was called

Each part is on a scale of its own that does not depend on the other hits of the search.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from holdfast.index.analyzer import is_spaceless
from holdfast.named_tuple import NamedTuple
from holdfast.search.query import Question

__all__ = ["SCALE", "Evidence", "evidence_of", "word_count"]

SCALE = 2
"""Raise it whenever the same hit would get other evidence: what is stored of the null is measured anew then."""

# Chosen by eye on friendsqa, LoCoMo, covid-faq-en, prefeval and household together; from 0 to 1/16 it hardly matters.
NEAR_WEIGHT = 1.0 / 24.0
# The more a question says, the less of it any passage holds: from six words on, e times as many words reach so much
# less, with a closer look and (half of it, not measured) without. Chosen with all sets in sight, mainly for realmem.
SHORT_QUESTION = 6  # words
LONG_QUESTION_LOOKED = 0.16
LONG_QUESTION = 0.08
# One and the same question has .7 times as many telling words in English as in XQuAD's other languages, and in those
# without spaces six pairs of characters for each.
_WORDS_ABROAD = 0.7
_PAIRS_OF_A_WORD = 6


class Evidence(NamedTuple):
    """Holds what speaks for a hit, and whether a closer look is in it."""

    value: float
    looked: bool


def word_count(question: Question) -> float:
    """Return how many telling words a question has, as English counts them."""
    pairs = sum(is_spaceless(word.text) for word in question.words)
    spaced = len(question.words) - pairs
    if question.foreign:
        return pairs / _PAIRS_OF_A_WORD + spaced * _WORDS_ABROAD
    return pairs / _PAIRS_OF_A_WORD + spaced


def evidence_of(
    words: float, held: float, above: float, met: float | None, later: Mapping[str, float] | None = None
) -> Evidence:
    """Add up what speaks for a hit; `words` counts those of the question, `later` is what later stages added."""
    if met is None:
        loss = LONG_QUESTION
    else:
        loss = LONG_QUESTION_LOOKED
    value = loss * math.log(max(words, SHORT_QUESTION) / SHORT_QUESTION)
    value += min(1.0, max(0.0, held)) + NEAR_WEIGHT * max(0.0, above)
    if met is not None:
        value += max(0.0, met)
    if later is not None:
        # A day that was asked for is as good as a word; what was called by its name is what was meant.
        value += max(0.0, later.get("time", 0.0)) + later.get("named", 0.0)
    return Evidence(value, met is not None)
