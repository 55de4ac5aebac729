"""Measure a table on English search by vectors alone: LoCoMo's turns, SciFact, nDCG@10; neither is trained on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scoring import mean, worth
from sets import locomo, scifact
from sources import SHARED

__all__ = ["report"]


def report(embed: Callable[..., Any]) -> str:
    """nDCG@10 / R@10 of both sets; documents with the evidence floor, queries without."""
    parts = []
    for name, load in (("LoCoMo", locomo), ("SciFact", scifact)):
        if not (SHARED / name.lower()).is_dir():
            continue
        found = []
        for one in load():
            near = embed([query for query, _ in one.queries]) @ embed(one.texts, floor=True).T
            found += worth(one, near + 2)
        gain, recall = mean(found)
        parts.append(f"{name} {gain:.3f} / {recall:.3f}")
    return ", ".join(parts)
