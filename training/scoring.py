"""Scores of the keyword floor and of a model, their fusions, and what a ranking is worth."""

from __future__ import annotations

import math
import re
import sqlite3
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sets import Collection

__all__ = ["FUSIONS", "Scores", "keyword_scores", "worth"]

Scores = NDArray[np.float64]
STOP = frozenset(
    "a about above after again against all am an and any are as at be because been before being below between both "
    "but by can could did do does doing down during each few for from further had has have having he her here hers "
    "herself him himself his how i if in into is it its itself just me more most my myself no nor not now of off on "
    "once only or other our ours ourselves out over own same she should so some such than that the their theirs them "
    "themselves then there these they this those through to too under until up very was we were what when where which "
    "while who whom why will with would you your yours yourself yourselves s t don".split()
)


def keyword_scores(collection: Collection) -> Scores:
    """SQLite FTS5 with porter, the query's words but stop words OR-ed: one row a query, 0 where nothing fits."""
    index = sqlite3.connect(":memory:")
    index.execute("create virtual table docs using fts5(body, tokenize = 'porter unicode61')")
    index.executemany("insert into docs(rowid, body) values (?, ?)", enumerate(collection.texts, 1))
    scores = np.zeros((len(collection.queries), len(collection.texts)))
    for row, (query, _) in enumerate(collection.queries):
        words = re.findall(r"\w+", query.lower())
        wanted = " OR ".join(f'"{word}"' for word in dict.fromkeys(words) if word not in STOP)
        if wanted:
            found = index.execute("select rowid, -bm25(docs) from docs where docs match ?", (wanted,))
            for number, score in found:
                scores[row, number - 1] = score
    return scores


def _share(scores: Scores) -> Scores:
    return np.asarray(scores / np.maximum(scores.max(1, keepdims=True), 1e-9))


def _above_median(dense: Scores) -> Scores:
    middle = np.median(dense, axis=1, keepdims=True)
    return np.asarray(np.maximum((dense - middle) / np.maximum(dense.max(1, keepdims=True) - middle, 1e-9), 0.0))


def _above_least(dense: Scores) -> Scores:
    least = dense.min(1, keepdims=True)
    return np.asarray((dense - least) / np.maximum(dense.max(1, keepdims=True) - least, 1e-9))


def _spread(dense: Scores) -> Scores:
    """Standard deviations above the mean; 1 is four of them, however near the best comes."""
    return np.asarray(
        np.maximum((dense - dense.mean(1, keepdims=True)) / (4 * dense.std(1, keepdims=True) + 1e-9), 0.0)
    )


def _plain(dense: Scores) -> Scores:
    """The cosine itself, where nothing is known of the other documents."""
    return np.asarray(np.maximum(dense, 0.0))


def _headroom(dense: Scores) -> Scores:
    """How much of the way from the middle document to a perfect match: near to the cosine, for any model."""
    middle = np.median(dense, axis=1, keepdims=True)
    return np.asarray(np.maximum((dense - middle) / np.maximum(1 - middle, 1e-9), 0.0))


def _bounded(dense: Scores) -> Scores:
    """Above the median, but what is best counts no more than its own cosine allows."""
    best = np.clip(dense.max(1, keepdims=True) / 0.6, 0, 1)
    return np.asarray(_above_median(dense) * best)


def _reciprocal(scores: Scores) -> Scores:
    ranks = np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1, kind="stable") + 1
    return np.asarray(np.where(scores > 0, 60 / (60 + ranks), 0.0))


def _deep(dense: Scores, depth: int = 100) -> Scores:
    """The best hundred alone, from the last of them up: what a search with a candidate list can know."""
    kept = min(depth, dense.shape[1])
    last = np.sort(dense, axis=1)[:, -kept][:, None]
    return np.asarray(np.maximum((dense - last) / np.maximum(dense.max(1, keepdims=True) - last, 1e-9), 0.0))


def _convex(normal: Callable[[Scores], Scores]) -> Callable[[Scores, Scores, float], Scores]:
    return lambda keywords, dense, weight: weight * _share(keywords) + (1 - weight) * normal(dense)


FUSIONS: dict[str, Callable[[Scores, Scores, float], Scores]] = {
    "median": _convex(_above_median),
    "minimum": _convex(_above_least),
    "spread": _convex(_spread),
    "cosine": _convex(_plain),
    "headroom": _convex(_headroom),
    "bounded": _convex(_bounded),
    "top100": _convex(_deep),
    "rrf": lambda keywords, dense, weight: weight * _reciprocal(keywords) + (1 - weight) * _reciprocal(dense + 2),
}


def worth(collection: Collection, scores: Scores) -> list[tuple[float, float]]:
    """(nDCG@10, recall@10) of every query; ties go to the earlier document."""
    best = np.argsort(-scores, axis=1, kind="stable")[:, :10]
    out = []
    for row, (_, gold) in enumerate(collection.queries):
        hits = [collection.ids[number] in gold and scores[row, number] > 0 for number in best[row].tolist()]
        gain = sum(1 / math.log2(rank + 2) for rank, hit in enumerate(hits) if hit)
        ideal = sum(1 / math.log2(rank + 2) for rank in range(min(10, len(gold))))
        out.append((gain / ideal, sum(hits) / len(gold)))
    return out


def mean(values: list[tuple[float, float]]) -> tuple[float, float]:
    """The two means."""
    pairs: Any = np.mean(np.array(values), axis=0)
    return float(pairs[0]), float(pairs[1])
