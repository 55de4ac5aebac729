"""Two rankings → one. Pure: scores in, scores out, with every component kept for `explain`.

`linear` adds weight x score. A text score is BM25 as a share of what holds the question in any home (of the best one,
where that is more); a vector score is how far the cosine stands above the background, what an unrelated chunk scores,
as a share of what is near in any home, some spreads of that background. Neither gets a full mark for being the least
bad. Scores carry information that ranks throw away: measured on chats and on abstracts, this beats keywords alone and
vectors alone, and ranks do not.

`rrf` adds weight / (60 + rank) over the rankings that hold a chunk, scaled so that first place in all of them is 1.

When only one ranking answers, it carries the whole weight: a score must not be small because a provider was down.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, partial
from operator import itemgetter
from typing import Any

from holdfast.index.store_contract import Near, RankedRow
from holdfast.named_tuple import NamedTuple
from holdfast.settings.memory_settings import MergeStrategy

__all__ = [
    "CLOSE",
    "HELD",
    "RRF_K",
    "Fused",
    "Leg",
    "as_fused",
    "best_first",
    "explain_score",
    "fuse",
    "nearness",
    "nearnesses",
    "spreads_above",
    "vector_share",
]

RRF_K = 60
CLOSE = 6.0  # spreads above the background: what is nearer than that is near in any home
_LEAST_SPREAD = 0.02
_NOTHING = 1e-4  # BM25 of a word that half of all chunks hold, as FTS5 counts it: among a handful, most words are such
# What the nearness of a block counts for one of its passages: it can't tell them apart. Chosen of 1, .5 and .25 on
# LoCoMo as bullets and with long replies, with the embedded model as if it were asked over HTTP.
_OF_A_BLOCK = 0.25
HELD = 0.35  # of what BM25 could give for the question: a chunk that has more holds it in any home
_ENGINE_SCORES = {"vector": "cosine", "text": "bm25"}  # by the name of a ranking: what its engine's score is called
_SCORE = itemgetter(1)


class Fused(NamedTuple):
    """A chunk's final score and the parts that add up to it; the scores of the rankings are between 0 and 1."""

    row: int
    score: float
    vector_score: float | None
    text_score: float | None
    vector: float = 0.0
    text: float = 0.0
    neighbours: float = 0.0
    note: float = 0.0

    def scaled(self, scale: float) -> Fused:
        """Return the same, with every part as much smaller as the score."""
        return Fused(
            self.row,
            self.score * scale,
            self.vector_score,
            self.text_score,
            self.vector * scale,
            self.text * scale,
            self.neighbours * scale,
            self.note * scale,
        )


as_fused: Callable[[Iterable[Any]], Fused] = partial(tuple.__new__, Fused)
"""What makes all its parts `Fused`: hundreds in every search, without a call of Python for each."""


class Leg:
    """One ranking: what each chunk scores in it, what its engine said of each, and those that stand in it, in order."""

    def __init__(
        self, name: str, share: float, scores: Mapping[int, float], raw: Mapping[int, float], order: Sequence[RankedRow]
    ) -> None:
        self.name = name
        self.share = share
        self.scores = scores
        self.raw = raw
        self._order = order

    @cached_property
    def places(self) -> Mapping[int, int]:
        """At which place each row stands, counted from 0; equals share theirs."""
        places: dict[int, int] = {}
        last, place = math.inf, 0
        for number, (row, score) in enumerate(self._order):
            if score < last:
                last, place = score, number
            places[row] = place
        return places

    def gains(self) -> Mapping[int, float]:
        """Return what each chunk gains by its place in this ranking, before it is weighed."""
        return {row: (RRF_K + 1) / (RRF_K + 1 + place) for row, place in self.places.items()}


def fuse(
    near: Near | None,
    keyword_hits: Sequence[RankedRow] | None,
    strategy: MergeStrategy,
    vector_weight: float,
    text_weight: float,
    ideal: float = 0.0,
    in_blocks: Collection[int] = (),
) -> tuple[list[Fused], list[Leg]]:
    """Return every chunk of either ranking with its score, best first, and the rankings; the caller orders equals.

    The vector of a chunk that is `in_blocks` speaks for a whole block, and counts for less.
    """
    weights = [weight for weight, given in ((vector_weight, near), (text_weight, keyword_hits)) if given is not None]
    total = sum(weights)
    shares = [weight / total if total else 1 / len(weights) for weight in weights]
    if near is not None:
        close = Leg("vector", shares[0], *_near_scores(near), near.ranked)
    else:
        close = _NO_LEG
    if keyword_hits is not None:
        words = Leg("text", shares[-1], *_text_scores(keyword_hits, ideal), keyword_hits)
    else:
        words = _NO_LEG
    rows = dict.fromkeys(words.scores)
    if near is not None and close.share > 0:
        rows |= dict.fromkeys(hit.row for hit in near.ranked)
    # A hundred rows and more in every search: each is looked up once where that is enough.
    near_of, told_of, by_vector, by_text = close.scores.get, words.scores.get, close.share, words.share
    fused: list[Fused] = []
    if strategy is MergeStrategy.LINEAR:
        if keyword_hits is None:
            of_block = by_vector
        else:
            of_block = vector_share(vector_weight, text_weight, in_block=True)
        for row in rows:
            is_near, is_told = near_of(row), told_of(row)
            if row in in_blocks and is_near is not None:
                vector, text = of_block * is_near, (1.0 - of_block) * (is_told or 0.0)
            else:
                vector, text = by_vector * (is_near or 0.0), by_text * (is_told or 0.0)
            fused.append(as_fused((row, vector + text, is_near, is_told, vector, text, 0.0, 0.0)))
    else:
        near_gains, told_gains = close.gains(), words.gains()
        for row in rows:
            vector, text = by_vector * near_gains.get(row, 0.0), by_text * told_gains.get(row, 0.0)
            fused.append(Fused(row, vector + text, near_of(row), told_of(row), vector, text))
    return best_first(fused), [leg for leg in (close, words) if leg is not _NO_LEG]


def vector_share(vector_weight: float, text_weight: float, *, in_block: bool) -> float:
    """Return what the vector of a chunk counts for beside its words, 0 to 1."""
    weight = vector_weight
    if in_block:
        weight *= _OF_A_BLOCK
    if weight + text_weight:
        return weight / (weight + text_weight)
    return 0.5


def explain_score(candidate: Fused, legs: Sequence[Leg]) -> dict[str, float]:
    """Return the parts of a score by name, and where they come from."""
    parts: dict[str, float] = {}
    for leg, part in zip(
        legs, (candidate.vector, candidate.text) if len(legs) > 1 else (candidate.vector + candidate.text,), strict=True
    ):
        if candidate.row in leg.raw:
            parts[leg.name] = part
            parts[f"{leg.name}_weight"] = leg.share
            parts[_ENGINE_SCORES[leg.name]] = leg.raw[candidate.row]
            if candidate.row in leg.places:
                parts[f"{leg.name}_rank"] = leg.places[candidate.row] + 1
        elif part:
            parts[leg.name] = part
    if candidate.neighbours or candidate.note:
        parts["neighbours"], parts["note"] = candidate.neighbours, candidate.note
    return parts


def best_first(fused: Iterable[Fused]) -> list[Fused]:
    """Sort by score, best first; equals stay in the order they came in."""
    return sorted(fused, key=_SCORE, reverse=True)


def nearness(cosine: float, near: Near) -> float:
    """Return how near a chunk is, 0 to 1.

    That is how far its cosine stands above the background, as a share of the best one's.
    """
    return min(1.0, max(0.0, (cosine - near.background) / _reach(near)))


def nearnesses(cosines: Mapping[int, float], near: Near) -> dict[int, float]:
    """Return the same of many chunks, by their rows."""
    low, reach = near.background, _reach(near)
    # Hundreds in every search: calls of min() and max() would take as long as all the rest.
    return {
        row: share if 0.0 < (share := (cosine - low) / reach) < 1.0 else float(share >= 1.0)
        for row, cosine in cosines.items()
    }


def spreads_above(vector_score: float, near: Near) -> float:
    """Return how many spreads a chunk of this vector score stands above the background."""
    return vector_score * _reach(near) / max(near.spread, _LEAST_SPREAD)


def _reach(near: Near) -> float:
    best = 0.0
    if near.ranked:
        best = near.ranked[0].score
    return max(best - near.background, CLOSE * max(near.spread, _LEAST_SPREAD))


def _near_scores(near: Near) -> tuple[dict[int, float], dict[int, float]]:
    """Return how near each chunk is, and its cosine."""
    raw = {**near.others, **dict(near.ranked)}
    return nearnesses(raw, near), raw


def _text_scores(keyword_hits: Sequence[RankedRow], ideal: float) -> tuple[dict[int, float], dict[int, float]]:
    """Return BM25 as a share of the best, or of what holds the question where that is more; and as it is.

    Where it is next to nothing even for the best, no word that is known tells one chunk from another, and it says
    nothing absolute; then those that hold such words get a full mark, or half of it where other words are missing.
    """
    raw = dict(keyword_hits)
    best = 0.0
    if keyword_hits:
        best = keyword_hits[0].score
    if best > _NOTHING:
        best = max(best, HELD * ideal)
    elif ideal > 0:
        best *= 2
    if best > 0:
        return {row: score / best for row, score in raw.items()}, raw
    # BM25 of a word that most notes hold is (almost) nothing; where all scores are, the places still tell.
    return {row: 1 / (1 + place) for place, row in enumerate(raw)}, raw


_NO_LEG = Leg("", 0.0, {}, {}, ())
