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

__all__ = ["CLOSE", "FAINT", "RRF_K", "Fused", "further", "fuse"]

RRF_K = 60
FAINT = 0.2
CLOSE = 0.5


class Fused(NamedTuple):
    """A chunk's final score and what it is made of; the scores of the rankings are between 0 and 1."""

    row: int
    score: float
    vector_score: float | None
    text_score: float | None
    parts: Mapping[str, float]


class _Leg(NamedTuple):
    """One ranking: what each chunk scores in it, and at which place it stands."""

    name: str
    name_of_weight: str
    name_of_place: str
    name_of_raw: str
    weight: float
    scores: Mapping[int, float]
    places: Mapping[int, int]
    raw: Mapping[int, float]


def fuse(
    near: Near | None,
    told: Sequence[Ranked] | None,
    strategy: MergeStrategy,
    vector_weight: float,
    text_weight: float,
) -> list[Fused]:
    """Every chunk of either ranking with its score, best first; who asks puts equals in order."""
    rows = dict.fromkeys(one.row for one in told or ())
    told_of = frozenset(rows)
    legs: list[_Leg] = []
    if near is not None:
        rows |= dict.fromkeys(one.row for one in near.ranked)
        legs.append(_vector_leg(near, vector_weight))
    if told is not None:
        legs.append(_text_leg(told, text_weight))
    total = sum(leg.weight for leg in legs)
    by_rank = strategy is MergeStrategy.RRF
    fused: list[Fused] = []
    nearness = legs[0].scores if near is not None else {}
    for row in rows:
        if row not in told_of and nearness[row] < FAINT:
            continue
        score, parts = 0.0, dict[str, float]()
        for leg in legs:
            own, place = leg.scores.get(row), leg.places.get(row)
            gain = own if not by_rank else None if place is None else (RRF_K + 1) / (RRF_K + 1 + place)
            if gain is None:
                continue
            share = leg.weight / total if total else 1 / len(legs)
            score += share * gain
            parts[leg.name] = share * gain
            parts[leg.name_of_weight] = share
            parts[leg.name_of_raw] = leg.raw[row]
            if place is not None:
                parts[leg.name_of_place] = place + 1
        if not score and row not in told_of:
            continue  # its ranking has no weight
        fused.append(
            Fused(row, score, nearness.get(row), legs[-1].scores.get(row) if told is not None else None, parts)
        )
    return sorted(fused, key=lambda one: -one.score)


def further(fused: list[Fused], told: Sequence[Ranked]) -> list[Fused]:
    """The same, and behind them what more the words found: for who asks for more hits than there are candidates.

    None of it scores above the last of the candidates, whose order must not depend on how many hits are wanted.
    """
    known = {one.row for one in fused}
    least = fused[-1].score if fused else 1.0
    rest = [one for one in told if one.row not in known]
    scores = (min(least, least * one.score / told[0].score) if told[0].score > 0 else least for one in rest)
    return fused + [
        Fused(one.row, score, None, score, {"text": score, "bm25": one.score})
        for one, score in zip(rest, scores, strict=True)
    ]


def _vector_leg(near: Near, weight: float) -> _Leg:
    raw = {**near.others, **{one.row: one.score for one in near.ranked}}
    best = near.ranked[0].score if near.ranked else 0.0
    reach = max(best - near.background, CLOSE * (1.0 - near.background), 1e-6)
    scores = {row: min(1.0, max(0.0, (score - near.background) / reach)) for row, score in raw.items()}
    places = _places(near.ranked)
    return _Leg("vector", "vector_weight", "vector_rank", "cosine", weight, scores, places, raw)


def _text_leg(told: Sequence[Ranked], weight: float) -> _Leg:
    best = told[0].score if told else 0.0
    # BM25 of a word that most notes hold is (almost) nothing; where all scores are, the places still tell.
    scores = {one.row: one.score / best if best > 0 else 1 / (1 + place) for place, one in enumerate(told)}
    places = _places(told)
    raw = {one.row: one.score for one in told}
    return _Leg("text", "text_weight", "text_rank", "bm25", weight, scores, places, raw)


def _places(ranked: Sequence[Ranked]) -> dict[int, int]:
    """At which place each row stands, counted from 0; equals share theirs."""
    places: dict[int, int] = {}
    last, place = math.inf, 0
    for number, (row, score) in enumerate(ranked):
        if score < last:
            last, place = score, number
        places[row] = place
    return places
