"""Measure a ranked list against the ids that answer the question. Pure: ids in, numbers between 0 and 1 out.

`any@k` says that some answer is among the first k, `all@k` that every one is, `frac@k` how many of them are. They are
shown side by side because many a published "recall" is `any@k`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial

from holdfast.value import Value

__all__ = [
    "DEPTH",
    "METRICS",
    "Scores",
    "all_at",
    "any_at",
    "frac_at",
    "mean",
    "mrr",
    "ndcg_at",
    "nothing",
    "percentile",
]

DEPTH = 10
"""No list is looked at beyond this place, so that a system that returns more gains nothing by it."""


def any_at(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """Return 1 if some answer is among the first k, else 0."""
    return float(any(name in gold for name in ranked[:k]))


def all_at(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """Return 1 if every answer is among the first k, else 0."""
    return float(set(gold) <= set(ranked[:k]))


def frac_at(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """Return which part of the answers is among the first k."""
    return len(set(gold) & set(ranked[:k])) / len(set(gold))


def ndcg_at(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """Return what answers gain, more near the top: 1/log2(rank + 1) each, as a share of the best that could be."""
    gain = sum(1 / math.log2(place + 2) for place, name in enumerate(ranked[:k]) if name in gold)
    ideal = sum(1 / math.log2(place + 2) for place in range(min(k, len(set(gold)))))
    return gain / ideal


def mrr(ranked: Sequence[str], gold: Collection[str]) -> float:
    """Return 1/rank of the first answer; 0 where there is none."""
    return next((1 / (place + 1) for place, name in enumerate(ranked[:DEPTH]) if name in gold), 0.0)


def nothing(ranked: Sequence[str], gold: Collection[str]) -> float:  # noqa: ARG001 - a metric like the others
    """Return 1 if nothing came back at all, else 0."""
    return float(not ranked)


_Metric = Callable[[Sequence[str], Collection[str]], float]

METRICS: Mapping[str, _Metric] = {
    "any@1": partial(any_at, k=1),
    "any@3": partial(any_at, k=3),
    "any@5": partial(any_at, k=5),
    "all@5": partial(all_at, k=5),
    "any@10": partial(any_at, k=10),
    "all@10": partial(all_at, k=10),
    "frac@10": partial(frac_at, k=10),
    "nDCG@10": partial(ndcg_at, k=10),
    "MRR": mrr,
    "none": nothing,
}
"""Every figure that is reported, by its name; each takes a list of distinct ids and the ids that answer."""


class Scores(Value):
    """The means of every metric over some questions."""

    questions: int
    means: Mapping[str, float]

    def __getitem__(self, metric: str) -> float:
        return self.means[metric]

    def to_json(self) -> dict[str, object]:
        """Return the shape that every surface shows."""
        return {"questions": self.questions, **{name: round(value, 4) for name, value in self.means.items()}}


def mean(each: Iterable[tuple[Sequence[str], Collection[str]]]) -> Scores:
    """Return the means over questions, each given as its ranked list and the ids that answer it; at least one."""
    pairs = list(each)
    return Scores(
        len(pairs),
        {name: math.fsum(metric(*pair) for pair in pairs) / len(pairs) for name, metric in METRICS.items()},
    )


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that this share of all values does not exceed; 0 where there are none."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
