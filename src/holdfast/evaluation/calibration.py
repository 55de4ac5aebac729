"""Calibration of confidence: how often first hits that show a confidence do answer, and which are marked unlikely.

A question is marked where its first hit is said to be unlikely, or where there is none. What should be marked are the
questions without an answer; what must not be are first hits that answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise

from holdfast.named_tuple import NamedTuple
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
    """The worth of the confidence of first hits on a set."""

    unanswerable: int
    unanswerable_marked: float | None
    """Of the questions without an answer, the share that is marked."""
    right_marked: float | None
    """Of the first hits that answer, the share that is marked."""
    bands: tuple[Band, ...]
    """As many questions in each, the least confident first."""

    @property
    def gap(self) -> float | None:
        """Return how far the confidence of a band is from the share of it that is right, at the most."""
        return max((abs(band.confidence - band.right) for band in self.bands), default=None)

    @property
    def rises(self) -> bool:
        """True if more of a band are right, the more confident it is."""
        shares = [band.right for band in self.bands]
        return shares == sorted(shares)

    def to_json(self) -> dict[str, object]:
        """Return the shape that every surface shows."""
        return {
            "unanswerable": self.unanswerable,
            "unanswerable_marked": _round(self.unanswerable_marked),
            "right_marked": _round(self.right_marked),
            "gap": _round(self.gap),
            "rises": self.rises,
            "bands": [
                {"questions": band.questions, "confidence": round(band.confidence, 4), "right": round(band.right, 4)}
                for band in self.bands
            ],
        }


def calibration_of(judged: Iterable[Judged]) -> Calibration:
    """Return what the confidence of these questions' first hits is worth."""
    every = list(judged)
    without = [answer for answer in every if not answer.answerable]
    right = [answer for answer in every if answer.right]
    answerable = sorted((answer for answer in every if answer.answerable), key=lambda answer: answer.confidence)
    count = min(_BANDS, len(answerable) // _ENOUGH)
    if count:
        edges = [round(len(answerable) * place / count) for place in range(count + 1)]
    else:
        edges = []
    groups = [answerable[start:end] for start, end in pairwise(edges)]
    return Calibration(
        unanswerable=len(without),
        unanswerable_marked=_share([answer.marked for answer in without]),
        right_marked=_share([answer.marked for answer in right]),
        bands=tuple(
            Band(
                len(group),
                math.fsum(answer.confidence for answer in group) / len(group),
                _share([answer.right for answer in group]) or 0.0,
            )
            for group in groups
        ),
    )


def _share(values: list[bool]) -> float | None:
    if not values:
        return None
    return sum(values) / len(values)


def _round(value: float | None) -> float | None:
    if value is None:
        return None
    return round(value, 4)
