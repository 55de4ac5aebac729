"""How likely it is that a hit answers the question.

What tells an answer from the least bad of nothing is how much of the question's words it holds, by their rarity, and
how far it stands above what an unrelated chunk has in common with the question. What the number is worth differs from
home to home.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

__all__ = ["evidence"]

# Fitted by training/confidence.py on the hits of four sets, each with its own questions and with those of the others,
# before conversations were cut by turn.
_BOTH = (-3.99, 0.99, 5.01)
_WORDS = (-3.15, 3.64)


def evidence(parts: Mapping[str, float], ideal: float, background: float, *, by_vectors: bool) -> float:
    """How likely a hit answers, from the parts of its score, and from what a chunk could reach that holds the whole
    question."""
    held = min(1.0, parts.get("bm25", 0.0) / ideal) if ideal > 0 else float("bm25" in parts)
    if not by_vectors:
        return _logistic(_WORDS[0] + _WORDS[1] * held)
    near = max(0.0, parts.get("cosine", background) - background) / max(1e-6, 1.0 - background)
    return _logistic(_BOTH[0] + _BOTH[1] * held + _BOTH[2] * near)


def _logistic(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-value))
