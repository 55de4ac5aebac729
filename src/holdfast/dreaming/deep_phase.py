"""The third phase: what is known of a line → how much it belongs into every prompt, part by part.

The formula and its numbers are those of OpenClaw's deep phase; each part is between 0 and 1 before its weight.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from math import log1p
from typing import Final

from holdfast.dreaming.claim import stems
from holdfast.dreaming.signals import Recall
from holdfast.index.sqlite.signal_table import LineSighting
from holdfast.plural import count_of
from holdfast.settings.dreaming_settings import DeepSettings, DreamWeights
from holdfast.value import Value

__all__ = ["LineScore", "failed_gate", "score_line"]

_DAY: Final = 86_400.0
_MANY: Final = 10  # recalls, beyond which more hardly count
_QUESTIONS: Final = 5
_CONCEPTS: Final = 6
_SPAN: Final = 7.0  # days
_DAYS: Final = 4
_ONE_DAY: Final = 0.2
_BOOST_HALF_LIFE: Final = 14.0  # days


class LineScore(Value):
    """A score, and the parts that add up to it."""

    total: float
    parts: Mapping[str, float]

    def __hash__(self) -> int:
        return hash(self.total)


def score_line(recall: Recall, text: str, now: float, deep: DeepSettings, weights: DreamWeights) -> LineScore:
    """The score of a line that was asked for, at a moment."""
    age = max(0.0, now - recall.last) / _DAY
    parts = {
        "relevance": weights.relevance * min(1.0, max(0.0, recall.score)),
        "frequency": weights.frequency * min(1.0, log1p(recall.times) / log1p(_MANY)),
        "diversity": weights.diversity * min(1.0, recall.queries / _QUESTIONS),
        "recency": weights.recency * 0.5 ** (age / deep.half_life_days),
        "consolidation": weights.consolidation * _consolidation(recall.days),
        "concepts": weights.concepts * min(1.0, len(stems(text)) / _CONCEPTS),
        "light": weights.light * _boost(recall.light, now),
        "rem": weights.rem * _boost(recall.rem, now),
    }
    return LineScore(round(min(1.0, sum(parts.values())), 4), {name: round(part, 4) for name, part in parts.items()})


def failed_gate(recall: Recall, score: LineScore, now: float, deep: DeepSettings) -> str:
    """Return why a line may not go into MEMORY.md, by what is known of it; empty where it may."""
    if recall.times < deep.min_recall_count:
        return f"found {count_of(recall.times, 'time')}, and {deep.min_recall_count} are needed"
    if recall.queries < deep.min_unique_queries:
        return f"found by {count_of(recall.queries, 'different question')}, and {deep.min_unique_queries} are needed"
    if len(recall.days) < deep.min_days:
        return f"found on {count_of(len(recall.days), 'day')}, and {deep.min_days} are needed"
    age = (now - recall.last) / _DAY
    if age > deep.max_age_days:
        return f"last found {count_of(round(age), 'day')} ago, and {deep.max_age_days} is the most"
    if score.total < deep.min_score:
        return f"its score of {score.total:.2f} is below {deep.min_score:g}"
    return ""


def _consolidation(days: tuple[str, ...]) -> float:
    """Return how well it is spread over days; what is asked for on one day only is seldom lasting."""
    if len(days) < 2:
        return _ONE_DAY
    span = (date.fromisoformat(days[-1]) - date.fromisoformat(days[0])).days
    spread = min(1.0, log1p(len(days) - 1) / log1p(_DAYS))
    return 0.55 * spread + 0.45 * min(1.0, span / _SPAN)


def _boost(seen: LineSighting | None, now: float) -> float:
    if seen is None:
        return 0.0
    age = max(0.0, now - seen.last) / _DAY
    return float(min(1.0, max(0.0, seen.strength)) * 0.5 ** (age / _BOOST_HALF_LIFE))
