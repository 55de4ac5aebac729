"""Words that a language has in every sentence, by what the embedded model knows of languages: no lists.

In a home of several languages the small words of one that few notes are written in are rare, and BM25 takes them for
telling. A word that is one piece of the model's table, with a low cost, is common in its language wherever it stands.
Such words are left out of a question, unless it has no others; and the passages that hold one of them are about those
in its language, which says how rare its other words really are. English has a list of its own (`small_words.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from holdfast.index.analyzer import is_spaceless
from holdfast.index.store_contract import Word
from holdfast.search.query import Question
from holdfast.search.script import SCRIPTS

if TYPE_CHECKING:
    from holdfast.index.sqlite.edition import Edition

__all__ = ["PieceCosts", "leave_out_common"]

PieceCosts: TypeAlias = Callable[[str, Sequence[str]], list[list[float]] | None]
"""A question and words of it → what the pieces of each word cost, in nats; None for a question in English."""

# Nats. At 9 it agrees best with the English list ("between" costs 9.4, "year" 8.8); the words of other languages are
# rarer in the model's text by a nat and a half ("Jahr" costs 10.5). Chosen of 9 to 11 on XQuAD in eight languages.
_COMMON = 10.5
_FEW_COMMON = (
    0.2  # of the words: with fewer, nothing is said of the language (Vietnamese, which the model does not know)
)
# Nats by which a word costs more in text of all languages than it would in its own: what makes "die", "bir" and "hangi"
# as frequent in a passage as they are in XQuAD's.
_ONE_OF_MANY = 3.5
# Share of the passages that hold a common word. One that fewer hold is another word here: a syllable of Vietnamese, a
# name.
_COMMON_HERE = 0.25
# How many times as many passages are in a writing as hold its commonest pair of characters: 1.0 in Thai, 1.7 to 1.9 in
# Chinese.
_OF_A_PAIR = 1.5
# Share of the passages that hold a pair of characters of the question: a pair that more hold only says that they are in
# that writing. Chosen from .3 and .5.
_PAIR_EVERYWHERE = 0.3


def leave_out_common(question: Question, piece_costs: PieceCosts, edition: Edition) -> Question:
    """Return the question without the words that are common in its language, and with how many passages are in that."""
    loose = [word for word in question.words if not (word.heavy or word.prefix or word.light)]
    pairs = [word for word in loose if is_spaceless(word.text)]
    spaced = [word for word in loose if not is_spaceless(word.text)]
    texts = dict.fromkeys(text for word in spaced for text in (word.typed, word.text) if text)
    costs_of_texts = piece_costs(question.text, list(texts))
    if costs_of_texts is None:
        return question
    costs = dict(zip(texts, costs_of_texts, strict=True))
    common = {word: cost for word in spaced if (cost := _cost(word, costs)) <= _COMMON}
    own = edition.holding_any(list(common))
    if len(common) < _FEW_COMMON * len(spaced) and not pairs:
        own = 0
    elif common and not pairs:
        own = max(own, _passages_in_language(common, edition))
    elif pairs:
        own = _passages_in_writing(pairs[0].text, edition)
    left = {word for word in common if edition.lexicon.count(word) >= _COMMON_HERE * own}
    at_home = _is_at_home(loose, own, edition)
    if pairs and not at_home:  # where most notes are in that writing, BM25 itself knows which pairs are common
        own = edition.holding_any([*pairs, *common])
        left |= {word for word in pairs if edition.lexicon.count(word) > _PAIR_EVERYWHERE * own}
    kept = tuple(word for word in question.words if word not in left)
    return question.replace(words=kept or question.words, foreign=True, own_passages=own, at_home=at_home)


def _is_at_home(words: Sequence[Word], own: int, edition: Edition) -> bool:
    """Say whether most passages are in the language of these words.

    Where no common words tell, most of the words must stand in the notes.
    """
    if own:
        return 2 * own >= edition.lexicon.total()
    return 2 * sum(edition.lexicon.count(word) > 0 for word in words) > len(words)


def _cost(word: Word, costs: Mapping[str, list[float]]) -> float:
    """Return what a word costs that is one piece."""
    typed = word.typed or word.text
    # What an apostrophe or a hyphen joins is asked for by its parts: "d'un".
    if typed.isalnum():
        pieces_of_forms = [costs[typed]]
    else:
        pieces_of_forms = [costs[typed], costs[word.text]]
    return min((pieces[0] for pieces in pieces_of_forms if len(pieces) == 1), default=math.inf)


def _passages_in_writing(pair: str, edition: Edition) -> int:
    """Estimate how many passages are written in the characters of a pair."""
    bounds = next((bounds for bounds in SCRIPTS.values() if bounds[0] <= pair[0] < bounds[1]), None)
    if bounds is None:
        return 0
    return min(edition.lexicon.total(), round(_OF_A_PAIR * edition.lexicon.most_held(*bounds)))


def _passages_in_language(common: Mapping[Word, float], edition: Edition) -> int:
    """Estimate how many passages are in a language.

    It goes by how many hold its common words, and how many would if all were in it.
    """
    length = edition.lengths.mean()
    expected = sum(1.0 - math.exp(-length * math.exp(_ONE_OF_MANY - cost)) for cost in common.values())
    if expected <= 0.0:
        return 0
    return round(sum(map(edition.lexicon.count, common)) / expected)
