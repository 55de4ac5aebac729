"""Two rankings → one. Pure: scores in, scores out, with every component kept for `explain`.

`rrf` adds weight / (60 + rank) over the rankings that hold a chunk, and scales the sum so that first place in all
of them is 1. `linear` adds weight x score, where the vector score is the cosine and the text score is
1 / (1 + place in the BM25 order). When only one ranking answers, it carries the whole weight: a score must not
be small because a provider was down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from holdfast.index.store import Ranked
from holdfast.settings.values import MergeStrategy

__all__ = ["RRF_K", "Fused", "fuse"]

RRF_K = 60


class Fused(NamedTuple):
    """A chunk's final score and what it is made of."""

    chunk: Ranked
    score: float
    vector_score: float | None
    text_score: float | None
    parts: Mapping[str, float]


def fuse(
    vector: Sequence[Ranked] | None,
    text: Sequence[Ranked] | None,
    strategy: MergeStrategy,
    vector_weight: float,
    text_weight: float,
) -> list[Fused]:
    """Every chunk of either ranking with its score, best first; equals by path and line."""
    legs = [(name, leg, weight) for name, leg, weight in _named(vector, text, vector_weight, text_weight)]
    total = sum(weight for _, _, weight in legs)
    parts: dict[int, dict[str, float]] = {}
    chunks: dict[int, Ranked] = {}
    own: dict[str, dict[int, float]] = {"vector": {}, "text": {}}
    for name, leg, weight in legs:
        share = weight / total if total else 1 / len(legs)
        for place, chunk in enumerate(leg):
            score = max(0.0, min(1.0, chunk.score)) if name == "vector" else 1 / (1 + place)
            own[name][chunk.row] = score
            chunks[chunk.row] = chunk
            gain = score if strategy is MergeStrategy.LINEAR else (RRF_K + 1) / (RRF_K + 1 + place)
            entry = parts.setdefault(chunk.row, {})
            entry[name] = share * gain
            entry[f"{name}_rank"] = place + 1
            entry[f"{name}_weight"] = share
            if name == "text":
                entry["bm25"] = chunk.score
    fused = [
        Fused(
            chunks[row],
            sum(entry.get(name, 0.0) for name in ("vector", "text")),
            own["vector"].get(row),
            own["text"].get(row),
            entry,
        )
        for row, entry in parts.items()
    ]
    return sorted(fused, key=lambda one: (-one.score, one.chunk.path, one.chunk.start_line, one.chunk.chunk_id))


def _named(
    vector: Sequence[Ranked] | None, text: Sequence[Ranked] | None, vector_weight: float, text_weight: float
) -> list[tuple[str, Sequence[Ranked], float]]:
    both = (("vector", vector, vector_weight), ("text", text, text_weight))
    return [(name, leg, weight) for name, leg, weight in both if leg is not None]
