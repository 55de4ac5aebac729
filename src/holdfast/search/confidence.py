"""How likely it is that a hit answers the question: a number that means the same for every question.

A score says how a hit stands to the best one of its search, and the best one always scores well. What tells an answer
from the least bad of nothing is how much of the question's words it holds, by their rarity, and how far it stands above
what an unrelated chunk has in common with the question.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["Evidence", "evidence"]

# Fitted by training/confidence.py on the hits of four sets, each with its own questions and with those of the others.
_BOTH = (-3.99, 0.99, 5.01)
_WORDS = (-3.15, 3.64)
# Below both there is nothing to say: chosen so that of the right first hits on those sets hardly one was lost.
_LIKELY = 0.04
_HELD = 0.15
# A question of which no word stands in any note is most often no question. Of made-up words, one in ten comes this near
# to something among a thousand chunks.
_MEANT = 0.33
# Where all notes are alike, no word is rare and nothing is nearer than anything else; but each word has its like there.
_MET = 0.98


class Evidence(NamedTuple):
    """What speaks for a hit: how likely it answers, and whether it is worth saying at all."""

    confidence: float
    tells: bool


def evidence(
    parts: Mapping[str, float],
    ideal: float,
    background: float,
    *,
    by_vectors: bool,
    few: bool = False,
    knows: bool = True,
) -> Evidence:
    """From the parts of a hit's score, and from what a chunk could reach that holds the whole question.

    `few` is whether there are too few chunks to tell what is unrelated; `knows`, whether any word of the question
    stands in one.
    """
    held = min(1.0, parts.get("bm25", 0.0) / ideal) if ideal > 0 else float("bm25" in parts)
    if not by_vectors:
        return Evidence(_logistic(_WORDS[0] + _WORDS[1] * held), tells=True)  # it holds a word that was asked for
    near = max(0.0, parts.get("cosine", background) - background) / max(1e-6, 1.0 - background)
    likely = _logistic(_BOTH[0] + _BOTH[1] * held + _BOTH[2] * near)
    if not knows and not few:
        return Evidence(likely, near >= _MEANT)
    holds_all = parts.get("met", 0.0) >= _MET
    return Evidence(likely, likely >= _LIKELY or held >= _HELD or holds_all or "named" in parts or few)


def _logistic(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-value))
