"""What search must reach on labelled sets, against what `bench/quality.sh` measured.

python bench/quality_targets.py [FILE]

Ends with 1 when a target is missed; what was not measured is named and does not count.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import NamedTuple

from holdfast.evaluation.configurations import SHIPPED
from holdfast.evaluation.eval_run import FLOOR, Outcome
from holdfast.evaluation.figures import read_results
from holdfast.evaluation.sets import Level


class Target(NamedTuple):
    """A figure that must be reached: of which set, written how, by row or by session, of which questions."""

    set: str
    shape: str
    level: Level
    metric: str
    least: float
    slice: str = ""


TARGETS = (
    Target("locomo", "bullets", Level.LINE, "any@10", 0.835),
    Target("locomo", "bullets", Level.LINE, "nDCG@10", 0.59),
    Target("locomo", "paragraphs", Level.LINE, "any@10", 0.79),
    Target("locomo", "replies", Level.LINE, "any@10", 0.74),
    Target("scifact", "", Level.NOTE, "nDCG@10", 0.72),
    Target("xquad", "", Level.NOTE, "any@5", 0.978),
    Target("docs", "", Level.NOTE, "nDCG@10", 0.735),
    Target("realmem", "bullets", Level.NOTE, "any@5", 0.82, "first turn"),
    Target("realmem", "bullets", Level.NOTE, "all@10", 0.70, "first turn"),
    Target("friendsqa", "bullets", Level.LINE, "any@10", 0.58),
    Target("ikat-ptkb", "bullets", Level.LINE, "any@5", 0.80),
    Target("madial-en", "bullets", Level.LINE, "any@5", 0.62),
    Target("prefeval-memory", "bullets", Level.NOTE, "any@10", 0.82),
    Target("timeqa-train", "bullets", Level.LINE, "any@10", 0.75),
    Target("covid-faq-de", "bullets", Level.LINE, "any@5", 0.50),
    Target("one-liners", "notes", Level.LINE, "any@5", 0.50),
    Target("one-liners", "daily", Level.LINE, "any@5", 0.50),
    Target("household", "", Level.NOTE, "any@1", 0.75),
    Target("household", "", Level.NOTE, "any@3", 0.88),
)


_MISSED = "MISSED"


def main(path: str) -> int:
    """Print every target beside what was measured."""
    found = {(one.set, one.shape, one.level, one.way): one for one in read_results(path)}
    missed = 0
    print(f"{'set':<42} {'metric':<8} {'least':>6} {'now':>6} {'floor':>6}")
    for target in TARGETS:
        now, floor = (_figure(found, target, way) for way in (SHIPPED, FLOOR))
        verdict = "not measured" if now is None else _verdict(now, target)
        missed += verdict == _MISSED
        name = ", ".join(filter(None, (target.set, target.shape, target.level.value, target.slice)))
        figures = " ".join(f"{'' if one is None else format(one, '.3f'):>6}" for one in (target.least, now, floor))
        print(f"{name:<42} {target.metric:<8} {figures}  {verdict}")
    return int(missed > 0)


def _verdict(now: float, target: Target) -> str:
    return "ok" if now >= target.least else _MISSED


def _figure(found: Mapping[tuple[str, str, Level, str], Outcome], target: Target, way: str) -> float | None:
    outcome = found.get((target.set, target.shape, target.level, way))
    if outcome is None:
        return None
    scores = outcome.categories.get(target.slice) if target.slice else outcome.overall
    return None if scores is None else scores[target.metric]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "docs/quality.json"))
