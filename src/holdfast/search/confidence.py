"""Tell how likely a hit answers: where its evidence lies among what questions from elsewhere reach in this home.

What a sum of evidence is worth differs from home to home by a factor of five, so it is compared with the home's null
(`search/null_distribution.py`): what questions reach here at best that were made for no home at all. A hit is likely
where its evidence is above that of most of them, and the confidence grows with how far it is above.
"""

from __future__ import annotations

import math

from holdfast.named_tuple import NamedTuple
from holdfast.search.evidence import Evidence
from holdfast.search.null_distribution import Null

__all__ = ["Judgement", "judge"]

# Confidence as a function of how far the evidence is from the null's middle level, in distances between its low and its
# high level. Chosen on `household` alone, whose first hits are right in .73; where fewer are, it promises too much.
_AT_THE_LEVEL = 0.4
_PER_UNIT = 2.1
_LEAST_UNIT = 0.05  # of evidence: in a home where all of the null reaches the same
_IN_DOUBT = -0.5  # units: where no evidence lifts a hit that lacks what was asked for by the letter; not measured
_FAR = 30.0  # units; further, the number would be 0 or 1


class Judgement(NamedTuple):
    """Says how likely a hit answers, from 0 to 1, and whether that is more than chance reaches here."""

    confidence: float
    likely: bool


def judge(evidence: Evidence, null: Null, *, in_doubt: bool = False) -> Judgement:
    """Say how likely a hit answers that has so much evidence, in a home with this null.

    Where it is `in_doubt` it lacks what was asked for by the letter, and stays unlikely whatever else speaks for it.
    """
    low, middle, high = null.levels(looked=evidence.looked)
    units = (evidence.value - middle) / max(high - low, _LEAST_UNIT)
    if in_doubt:
        units = min(units, _IN_DOUBT)
    strength = _AT_THE_LEVEL + _PER_UNIT * max(-_FAR, min(_FAR, units))
    return Judgement(1.0 / (1.0 + math.exp(-strength)), units >= 0.0)
