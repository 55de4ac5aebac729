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

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from holdfast.index.store import Near, Ranked
from holdfast.settings.values import MergeStrategy

__all__ = ["CLOSE", "FAINT", "RRF_K", "Fused", "fuse"]

RRF_K = 60
FAINT = 0.2
CLOSE = 0.5


class Fused(NamedTuple):
    """A chunk's final score and what it is made of; the scores of the rankings are between 0 and 1."""

    chunk: Ranked
    score: float
    vector_score: float | None
    text_score: float | None
    parts: Mapping[str, float]


class _Leg(NamedTuple):
    """One ranking: what each chunk scores in it, and at which place it stands."""

    name: str
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
    """Every chunk of either ranking with its score, best first; equals by path and line."""
    chunks = {one.row: one for one in told or ()}
    legs: list[_Leg] = []
    if near is not None:
        chunks |= {one.row: one for one in near.ranked}
        legs.append(_vector_leg(near, vector_weight))
    if told is not None:
        legs.append(_text_leg(told, text_weight))
    total = sum(leg.weight for leg in legs)
    fused: list[Fused] = []
    told_of = {one.row for one in told or ()}
    for row, chunk in chunks.items():
        if row not in told_of and legs[0].name == "vector" and legs[0].scores[row] < FAINT:
            continue
        score, parts = 0.0, dict[str, float]()
        for leg in legs:
            share = leg.weight / total if total else 1 / len(legs)
            gain = _gain(leg, row, strategy)
            if gain is not None:
                score += share * gain
                parts[leg.name] = share * gain
                parts[f"{leg.name}_weight"] = share
                parts["cosine" if leg.name == "vector" else "bm25"] = leg.raw[row]
                if row in leg.places:
                    parts[f"{leg.name}_rank"] = leg.places[row] + 1
        if not score and row not in told_of:
            continue  # its ranking has no weight
        own = {leg.name: leg.scores.get(row) for leg in legs}
        fused.append(Fused(chunk, score, own.get("vector"), own.get("text"), parts))
    return sorted(fused, key=lambda one: (-one.score, one.chunk.path, one.chunk.start_line, one.chunk.chunk_id))


def _gain(leg: _Leg, row: int, strategy: MergeStrategy) -> float | None:
    if strategy is MergeStrategy.LINEAR:
        return leg.scores.get(row)
    place = leg.places.get(row)
    return None if place is None else (RRF_K + 1) / (RRF_K + 1 + place)


def _vector_leg(near: Near, weight: float) -> _Leg:
    raw = {**near.others, **{one.row: one.score for one in near.ranked}}
    best = near.ranked[0].score if near.ranked else 0.0
    reach = max(best - near.background, CLOSE * (1.0 - near.background), 1e-6)
    scores = {row: min(1.0, max(0.0, (score - near.background) / reach)) for row, score in raw.items()}
    return _Leg("vector", weight, scores, {one.row: place for place, one in enumerate(near.ranked)}, raw)


def _text_leg(told: Sequence[Ranked], weight: float) -> _Leg:
    best = told[0].score if told else 0.0
    # BM25 of a word that most notes hold is (almost) nothing; where all scores are, the places still tell.
    scores = {one.row: one.score / best if best > 0 else 1 / (1 + place) for place, one in enumerate(told)}
    places = {one.row: place for place, one in enumerate(told)}
    return _Leg("text", weight, scores, places, {one.row: one.score for one in told})
