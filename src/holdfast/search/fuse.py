"""Two rankings → one. Pure: scores in, scores out, with every component kept for `explain`.

`linear` adds weight x score. A text score is BM25 as a share of the best one; a vector score is how far the cosine
stands above the background (what an unrelated chunk scores), as a share of the best one's distance, which counts as
half the way to 1 at least: where nothing is near, nothing gets a full mark. Scores carry information that ranks throw
away: measured on chats and on abstracts, this beats keywords alone and vectors alone, and ranks do not.

A chunk that only the vectors found must be near enough to mean something: otherwise a question about nothing would
be answered with whatever is least far away.

`rrf` adds weight / (60 + rank) over the rankings that hold a chunk, scaled so that first place in all of them is 1.

When only one ranking answers, it carries the whole weight: a score must not be small because a provider was down.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from holdfast.index.store import Near, Ranked
from holdfast.settings.values import MergeStrategy

__all__ = ["CLOSE", "FAINT", "RRF_K", "Fused", "Leg", "explained", "fuse", "nearness"]

RRF_K = 60
FAINT = 0.2
CLOSE = 0.5


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
        """The same, with every part as much smaller as the score."""
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


class Leg(NamedTuple):
    """One ranking: what each chunk scores in it, at which place it stands, and what its engine said."""

    name: str
    share: float
    scores: Mapping[int, float]
    places: Mapping[int, int]
    raw: Mapping[int, float]


def fuse(
    near: Near | None,
    told: Sequence[Ranked] | None,
    strategy: MergeStrategy,
    vector_weight: float,
    text_weight: float,
) -> tuple[list[Fused], list[Leg]]:
    """Every chunk of either ranking with its score, best first, and the rankings; who asks puts equals in order."""
    legs: list[Leg] = []
    if near is not None:
        legs.append(_vector_leg(near, vector_weight))
    if told is not None:
        legs.append(_text_leg(told, text_weight))
    total = sum(leg.share for leg in legs)
    legs = [leg._replace(share=leg.share / total if total else 1 / len(legs)) for leg in legs]
    gains = [leg.scores if strategy is MergeStrategy.LINEAR else _by_place(leg.places) for leg in legs]
    close = (legs[0].scores, gains[0], legs[0].share) if near is not None else ({}, {}, 0.0)
    words = (legs[-1].scores, gains[-1], legs[-1].share) if told is not None else ({}, {}, 0.0)
    rows = dict.fromkeys(words[0])
    if near is not None:
        # What only the vectors found must be near enough to mean something, and their ranking must have a weight.
        rows |= dict.fromkeys(one.row for one in near.ranked if close[0][one.row] >= FAINT and close[2] > 0)
    fused: list[Fused] = []
    for row in rows:
        vector, text = close[2] * close[1].get(row, 0.0), words[2] * words[1].get(row, 0.0)
        fused.append(Fused(row, vector + text, close[0].get(row), words[0].get(row), vector, text))
    return sorted(fused, key=_score), legs


def explained(one: Fused, legs: Sequence[Leg]) -> dict[str, float]:
    """The parts of a score by name, and where they come from."""
    parts: dict[str, float] = {}
    for leg, part in zip(legs, (one.vector, one.text) if len(legs) > 1 else (one.vector + one.text,), strict=True):
        if one.row in leg.raw:
            parts[leg.name] = part
            parts[f"{leg.name}_weight"] = leg.share
            parts["cosine" if leg.name == "vector" else "bm25"] = leg.raw[one.row]
            if one.row in leg.places:
                parts[f"{leg.name}_rank"] = leg.places[one.row] + 1
        elif part:
            parts[leg.name] = part
    if one.neighbours or one.note:
        parts["neighbours"], parts["note"] = one.neighbours, one.note
    return parts


def _score(one: Fused) -> float:
    return -one.score


def _by_place(places: Mapping[int, int]) -> dict[int, float]:
    return {row: (RRF_K + 1) / (RRF_K + 1 + place) for row, place in places.items()}


def nearness(cosine: float, near: Near) -> float:
    """How near a chunk is, 0 to 1: how far its cosine stands above the background, as a share of the best one's."""
    best = near.ranked[0].score if near.ranked else 0.0
    reach = max(best - near.background, CLOSE * (1.0 - near.background), 1e-6)
    return min(1.0, max(0.0, (cosine - near.background) / reach))


def _vector_leg(near: Near, weight: float) -> Leg:
    raw = {**near.others, **{one.row: one.score for one in near.ranked}}
    scores = {row: nearness(score, near) for row, score in raw.items()}
    return Leg("vector", weight, scores, _places(near.ranked), raw)


def _text_leg(told: Sequence[Ranked], weight: float) -> Leg:
    best = told[0].score if told else 0.0
    # BM25 of a word that most notes hold is (almost) nothing; where all scores are, the places still tell.
    scores = {one.row: one.score / best if best > 0 else 1 / (1 + place) for place, one in enumerate(told)}
    return Leg("text", weight, scores, _places(told), {one.row: one.score for one in told})


def _places(ranked: Sequence[Ranked]) -> dict[int, int]:
    """At which place each row stands, counted from 0; equals share theirs."""
    places: dict[int, int] = {}
    last, place = math.inf, 0
    for number, (row, score) in enumerate(ranked):
        if score < last:
            last, place = score, number
        places[row] = place
    return places
