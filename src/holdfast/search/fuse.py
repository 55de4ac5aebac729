"""Two rankings → one. Pure: scores in, scores out, with every component kept for `explain`.

`rrf` adds weight / (60 + rank) over the rankings that hold a chunk, and scales the sum so that first place in all
of them is 1. `linear` adds weight x score, where the vector score is the cosine and the text score is
1 / (1 + place in the BM25 order). When only one ranking answers, it carries the whole weight: a score must not
be small because a provider was down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from holdfast.settings.values import MergeStrategy

__all__ = ["RRF_K", "Fused", "Leg", "fuse"]

RRF_K = 60


class Leg(NamedTuple):
    """One ranking: rows from best to worst, with the score each had there."""

    rows: Sequence[int]
    scores: Sequence[float]


class Fused(NamedTuple):
    """A row's final score and what it is made of."""

    row: int
    score: float
    vector_score: float | None
    text_score: float | None
    parts: Mapping[str, float]


def fuse(
    vector: Leg | None, text: Leg | None, strategy: MergeStrategy, vector_weight: float, text_weight: float
) -> list[Fused]:
    """Every row of either ranking with its score; the order is left to the caller, who knows the ties."""
    legs = [(name, leg, weight) for name, leg, weight in _named(vector, text, vector_weight, text_weight)]
    total = sum(weight for _, _, weight in legs)
    parts: dict[int, dict[str, float]] = {}
    own: dict[str, dict[int, float]] = {"vector": {}, "text": {}}
    for name, leg, weight in legs:
        share = weight / total if total else 1 / len(legs)
        for place, (row, raw) in enumerate(zip(leg.rows, leg.scores, strict=True)):
            score = max(0.0, min(1.0, raw)) if name == "vector" else 1 / (1 + place)
            own[name][row] = score
            gain = score if strategy is MergeStrategy.LINEAR else (RRF_K + 1) / (RRF_K + 1 + place)
            entry = parts.setdefault(row, {})
            entry[name] = share * gain
            entry[f"{name}_rank"] = place + 1
            entry[f"{name}_weight"] = share
            if name == "text":
                entry["bm25"] = raw
    return [
        Fused(
            row,
            sum(entry.get(name, 0.0) for name in ("vector", "text")),
            own["vector"].get(row),
            own["text"].get(row),
            entry,
        )
        for row, entry in parts.items()
    ]


def _named(
    vector: Leg | None, text: Leg | None, vector_weight: float, text_weight: float
) -> list[tuple[str, Leg, float]]:
    both = (("vector", vector, vector_weight), ("text", text, text_weight))
    return [(name, leg, weight) for name, leg, weight in both if leg is not None]
