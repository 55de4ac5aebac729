"""Whether the confidence that a hit shows is right: how often first hits answer that show so much, and what is marked.

A question is marked where its first hit is said to be unlikely, or where there is none. What should be marked are the
questions without an answer; what must not be are first hits that answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from holdfast.value import Value

__all__ = ["Band", "Calibration", "Judged", "calibration_of"]

_BANDS = 5
_ENOUGH = 10  # questions: a share of fewer says nothing


class Judged(NamedTuple):
    """One question: what its first hit said of itself, and what was so."""

    answerable: bool
    right: bool
    confidence: float
    marked: bool


class Band(NamedTuple):
    """Questions whose first hit shows about as much confidence: how many there are, its mean, and the share right."""

    questions: int
    confidence: float
    right: float


class Calibration(Value):
    """What the confidence of first hits is worth on a set."""

    unanswerable: int
    unanswerable_marked: float | None
    """Of the questions without an answer, the share that is marked."""
    right_marked: float | None
    """Of the first hits that answer, the share that is marked."""
    bands: tuple[Band, ...]
    """As many questions in each, the least confident first."""

    @property
    def gap(self) -> float | None:
        """How far the confidence of a band is from the share of it that is right, at the most."""
        return max((abs(band.confidence - band.right) for band in self.bands), default=None)

    @property
    def rises(self) -> bool:
        """Whether more of a band are right, the more confident it is."""
        shares = [band.right for band in self.bands]
        return shares == sorted(shares)

    def to_json(self) -> dict[str, object]:
        """The shape that every surface shows."""
        return {
            "unanswerable": self.unanswerable,
            "unanswerable_marked": _rounded(self.unanswerable_marked),
            "right_marked": _rounded(self.right_marked),
            "gap": _rounded(self.gap),
            "rises": self.rises,
            "bands": [
                {"questions": band.questions, "confidence": round(band.confidence, 4), "right": round(band.right, 4)}
                for band in self.bands
            ],
        }


def calibration_of(judged: Iterable[Judged]) -> Calibration:
    """What the confidence of these questions' first hits is worth."""
    every = list(judged)
    without = [one for one in every if not one.answerable]
    right = [one for one in every if one.right]
    answerable = sorted((one for one in every if one.answerable), key=lambda one: one.confidence)
    count = min(_BANDS, len(answerable) // _ENOUGH)
    edges = [round(len(answerable) * place / count) for place in range(count + 1)] if count else []
    groups = [answerable[start:end] for start, end in pairwise(edges)]
    return Calibration(
        unanswerable=len(without),
        unanswerable_marked=_share([one.marked for one in without]),
        right_marked=_share([one.marked for one in right]),
        bands=tuple(
            Band(
                len(group),
                math.fsum(one.confidence for one in group) / len(group),
                _share([one.right for one in group]) or 0.0,
            )
            for group in groups
        ),
    )


def _share(values: list[bool]) -> float | None:
    return sum(values) / len(values) if values else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
