"""Hits that say the same make room for others: by likeness (MMR), by note, and by joining neighbours.

Each of the three gives a whole order, chosen from the front: the first k of it do not depend on how many are wanted.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

__all__ = ["Merged", "Piece", "alike", "jaccard", "merge_neighbours", "mmr", "spread", "words_in"]

K = TypeVar("K", bound=Hashable)

Similarity = Callable[[K, K], float]

_MOST_WORDS = 2_000  # of a text: a chunk has a few hundred


def mmr(
    candidates: Sequence[tuple[K, float]], similarity: Similarity[K], lambda_: float = 0.7, limit: int | None = None
) -> list[K]:
    """Maximal marginal relevance: the next is the best by lambda x score - (1 - lambda) x likeness to a chosen one.

    Scores count as shares of the best. Equals keep the order they came in; a key that comes twice counts once.
    """
    scores: dict[K, float] = {}
    for key, score in candidates:
        scores.setdefault(key, score)
    wanted = len(scores) if limit is None else max(0, min(limit, len(scores)))
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
    """The different words of a text; of scripts without spaces, its pairs of characters."""
    words: set[str] = set()
    for word in re.findall(r"\w+", text.casefold())[:_MOST_WORDS]:
        if word > "\u2e80" and len(word) > 2:
            words.update(word[i : i + 2] for i in range(min(len(word) - 1, _MOST_WORDS)))
        else:
            words.add(word)
    return frozenset(words)


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """How much two sets of words have in common: 0 nothing, 1 all."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


def alike(texts: Mapping[K, str], vectors: Mapping[K, bytes] | None = None) -> Similarity[K]:
    """A measure for `mmr`: the cosine where both have a vector (packed, unit length, of one space), else the words."""
    words: dict[K, frozenset[str]] = {}
    cosines = _cosines(vectors) if vectors else {}

    def measure(one: K, other: K) -> float:
        near = cosines.get((one, other))
        if near is not None:
            return near
        for key in (one, other):
            if key not in words:
                words[key] = words_in(texts.get(key, ""))
        return jaccard(words[one], words[other])

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


def spread(
    keys: Sequence[K],
    note_of: Callable[[K], Hashable],
    most: int = 3,
    *,
    score_of: Callable[[K], float] | None = None,
    least_of: Callable[[K], float] = lambda _: 0.5,
) -> list[K]:
    """From the fourth hit of one note on, hits give way to those of other notes: they move down, not out.

    With scores, a hit gives way only to one that scores at least `least_of` it of its own: not to whatever else was
    found.
    """
    counts: dict[Hashable, int] = {}
    waiting: deque[K] = deque()
    coming = deque(keys)
    order: list[K] = []
    while coming or waiting:
        while coming and counts.get(note_of(coming[0]), 0) >= most:
            waiting.append(coming.popleft())
        gives_way = bool(coming) and (
            not waiting or score_of is None or score_of(coming[0]) >= least_of(waiting[0]) * score_of(waiting[0])
        )
        if gives_way:
            key = coming.popleft()
            note = note_of(key)
            counts[note] = counts.get(note, 0) + 1
        else:
            key = waiting.popleft()
        order.append(key)
    return order


class Piece(NamedTuple):
    """A hit as lines of a note, both ends in it; `size` is how many characters it has."""

    key: Hashable
    path: str
    start: int
    end: int
    score: float
    size: int


class Merged(NamedTuple):
    """Lines of a note that one hit or several neighbours hold; `keys` has the best first, whose score this is."""

    keys: tuple[Hashable, ...]
    path: str
    start: int
    end: int
    score: float
    size: int


def merge_neighbours(pieces: Iterable[Piece], most_size: int, *, least: float = 0.5, gap: int = 1) -> list[Merged]:
    """Hits of one note that touch or overlap become one, in the place of the best; best first comes in and goes out.

    Not beyond `most_size` characters, and not with a neighbour that scores less than `least` of the best: such a one
    would only make the lines longer. `gap` is how far apart two lines may be: 1 is the very next.
    """
    merged: list[Merged | None] = []
    places: dict[str, list[int]] = {}
    for piece in pieces:
        one = Merged((piece.key,), piece.path, piece.start, piece.end, piece.score, piece.size)
        place: int | None = None
        mine = places.setdefault(piece.path, [])
        for at in list(mine):
            other = merged[at]
            if other is None or not _joins(other, one, most_size, least, gap):
                continue
            one = _joined(other, one)
            if place is None:
                place = at
            else:  # it closed the gap between two: the earlier one takes the later in
                merged[at] = None
                mine.remove(at)
            merged[place] = one
        if place is None:
            mine.append(len(merged))
            merged.append(one)
    return [one for one in merged if one is not None]


def _joins(one: Merged, other: Merged, most_size: int, least: float, gap: int) -> bool:
    touches = one.start <= other.end + gap and other.start <= one.end + gap
    best, worst = max(one.score, other.score), min(one.score, other.score)
    return touches and worst >= least * best and _size(one, other) <= most_size


def _joined(one: Merged, other: Merged) -> Merged:
    better, worse = (one, other) if one.score >= other.score else (other, one)
    start, end = min(one.start, other.start), max(one.end, other.end)
    return Merged((*better.keys, *worse.keys), one.path, start, end, better.score, _size(one, other))


def _size(one: Merged, other: Merged) -> int:
    """The characters of both together; lines that both have are counted once, by their share of the smaller."""
    shared = min(one.end, other.end) - max(one.start, other.start) + 1
    if shared <= 0:
        return one.size + other.size + 1
    smaller = min(one, other, key=lambda each: each.end - each.start)
    return one.size + other.size - smaller.size * shared // (smaller.end - smaller.start + 1)
