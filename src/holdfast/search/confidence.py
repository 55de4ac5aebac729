"""How likely it is that a hit answers: its evidence, and where that lies among what questions from elsewhere reach here.

    evidence = share of what BM25 could reach + 1/16 x spreads above the background + how well its words are met

Each part is on a scale of its own that does not depend on the other hits of the search; what such a sum is worth differs
from home to home, so it is compared with the home's null (`search/null_distribution.py`): what questions reach at best
that were made for no home at all. A hit is likely where its evidence is above most of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from holdfast.search.null_distribution import Null

__all__ = ["Evidence", "Judgement", "evidence_of", "judge"]

# Chosen on friendsqa and covid-faq-en, where anything from 0 to 1/12 marks as many; reported on the others.
NEAR_WEIGHT = 1.0 / 16.0


class Evidence(NamedTuple):
    """What speaks for a hit, and whether a closer look is in it."""

    value: float
    looked: bool


class Judgement(NamedTuple):
    """How likely a hit answers, from 0 to 1, and whether that is more than chance reaches here."""

    confidence: float
    likely: bool


def evidence_of(held: float, above: float, met: float | None, later: Mapping[str, float] | None = None) -> Evidence:
    """Add up what speaks for a hit; `later` are the parts of its score that the later stages added."""
    value = min(1.0, max(0.0, held)) + NEAR_WEIGHT * max(0.0, above)
    value += 0.0 if met is None else max(0.0, met)
    if later is not None:
        # A day that was asked for is as good as a word; what was called by its name is what was meant.
        value += max(0.0, later.get("time", 0.0)) + later.get("named", 0.0)
    return Evidence(value, met is not None)


def judge(evidence: Evidence, null: Null) -> Judgement:
    """Say how likely a hit answers that has so much evidence, in a home with this null."""
    low, middle, high = null.levels(looked=evidence.looked)
    units = (evidence.value - middle) / max(high - low, _LEAST_UNIT)
    return Judgement(1.0 / (1.0 + math.exp(-(_AT_THE_LEVEL + _PER_UNIT * max(-_FAR, min(_FAR, units))))), units >= 0.0)


_LEAST_UNIT = 0.05
_FAR = 40.0
_AT_THE_LEVEL = -0.8
_PER_UNIT = 1.0
