"""Hits that say the same make room for others, by maximal marginal relevance (MMR).

The order is a whole one, chosen from the front: the first k of it do not depend on how many are wanted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

__all__ = ["jaccard", "mmr", "similarity_of", "words_in"]

K = TypeVar("K", bound=Hashable)

Similarity = Callable[[K, K], float]

_MOST_WORDS = 2_000  # of a text: a chunk has a few hundred


def mmr(
    candidates: Sequence[tuple[K, float]], similarity: Similarity[K], lambda_: float = 0.7, limit: int | None = None
) -> list[K]:
    """Put candidates in an order in which those that repeat a better one give way.

    The next is always the best by lambda x score - (1 - lambda) x likeness to a chosen one. Scores count as shares of
    the best. Equals keep the order they came in; a key that comes twice counts once.
    """
    scores: dict[K, float] = {}
    for key, score in candidates:
        scores.setdefault(key, score)
    if limit is None:
        wanted = len(scores)
    else:
        wanted = max(0, min(limit, len(scores)))
    weight = min(max(lambda_, 0.0), 1.0)
    top = max(scores.values(), default=0.0)
    worth = {key: weight * (score / top if top > 0 else 0.0) for key, score in scores.items()}
    if weight == 1.0:
        return sorted(worth, key=lambda key: -worth[key])[:wanted]
    likeness = dict.fromkeys(worth, 0.0)
    chosen: list[K] = []
    while len(chosen) < wanted:
        best = max(worth, key=lambda key: worth[key] - (1.0 - weight) * likeness[key])
        if not chosen:  # nothing is alike to nothing: the first is the one with the best score, even at lambda 0
            best = max(worth, key=lambda key: scores[key])
        chosen.append(best)
        del worth[best]
        for key in worth:
            near = min(max(similarity(best, key), 0.0), 1.0)
            if near > likeness[key]:
                likeness[key] = near
    return chosen


def words_in(text: str) -> frozenset[str]:
    """Return the different words of a text; of scripts without spaces, its pairs of characters."""
    words: set[str] = set()
    for word in re.findall(r"\w+", text.casefold())[:_MOST_WORDS]:
        if word > "\u2e80" and len(word) > 2:
            words.update(word[i : i + 2] for i in range(min(len(word) - 1, _MOST_WORDS)))
        else:
            words.add(word)
    return frozenset(words)


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """Return how much two sets of words have in common: 0 nothing, 1 all."""
    shared = len(left & right)
    if not shared:
        return 0.0
    return shared / (len(left) + len(right) - shared)


def similarity_of(texts: Mapping[K, str], vectors: Mapping[K, bytes] | None = None) -> Similarity[K]:
    """Return a measure for `mmr`: the cosine where both have a vector, else the words that they share.

    Vectors are packed, of unit length and of one space.
    """
    words: dict[K, frozenset[str]] = {}
    if vectors:
        cosines = _cosines(vectors)
    else:
        cosines = {}

    def measure(left: K, right: K) -> float:
        near = cosines.get((left, right))
        if near is not None:
            return near
        for key in (left, right):
            if key not in words:
                words[key] = words_in(texts.get(key, ""))
        return jaccard(words[left], words[right])

    return measure


def _cosines(vectors: Mapping[K, bytes]) -> dict[tuple[K, K], float]:
    import numpy as np

    lengths = {len(packed) for packed in vectors.values() if packed}
    keys = [key for key, packed in vectors.items() if packed]
    if len(lengths) != 1:  # none, or of different spaces, which are never compared
        return {}
    block = np.frombuffer(b"".join(vectors[key] for key in keys), dtype="<f4").reshape(len(keys), -1)
    # One by one: a product of the whole would round differently with other keys beside them.
    return {
        (keys[row], keys[column]): float(near)
        for row in range(len(keys))
        for column, near in enumerate(np.round(np.vecdot(block, block[row]).astype("<f8"), 6))
    }
