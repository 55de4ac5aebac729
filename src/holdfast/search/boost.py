"""Turn what is known of a note beside its words into a small, bounded change of its score, with a name for each part.

    final = score x (1 + reach x sum(weight x signal) + time reach x fit), signals between -1 and 1, weights at most 1

The reach follows from one promise: two hits whose scores differ by more than the cap never change places, whatever
their age, importance, use or project (`largest_turn` tells the bound with time on). A boost thus decides between hits
that answer about as well, and never buries the note that holds what was asked for. A hit that the question names
exactly gets all that can be had, so nothing that scored less overtakes it.

A fact that was superseded loses a fixed share of what it then has: where both answer about as well, what took its place
stands before it, and where only the old one answers, it is still found.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import cache, partial
from typing import Any

from holdfast.named_tuple import NamedTuple
from holdfast.value import Value

__all__ = ["BoostedScore", "Boosts", "Signals", "access", "age_of", "boost_score", "booster", "largest_turn", "recency"]

_FULL_USE = 20  # recalls that count in full; more say no more
_SECONDS_OF_A_DAY = 86_400.0
_AGING = frozenset(("sessions", "extra"))


class Boosts(Value):
    """Says how much each signal weighs (0 switches it off), and how much all of them together may do."""

    cap: float = 0.15
    recency: float = 0.4
    importance: float = 0.25
    access: float = 0.15
    project: float = 0.2
    time: float = 0.5
    superseded: float = 0.3
    half_life_days: float = 30.0
    access_half_life_days: float = 30.0
    goes_on: bool = False
    """Whether the question goes on with what was said last: then what is new gains as much as what is old loses."""


class Signals(NamedTuple):
    """Holds what is known of a hit; what is not known changes nothing.

    `age_days` is None for evergreen notes, `importance` is 0 to 1 with .5 in the middle, `uses` and `idle_days` tell
    how often and when it was last recalled, `in_project` whether it lies in the project the caller works in, `fit` how
    well its date fits the time asked for (closeness x certainty).
    """

    age_days: float | None = None
    importance: float | None = None
    uses: float = 0.0
    idle_days: float = 0.0
    in_project: bool = False
    fit: float | None = None
    exact: bool = False
    superseded: bool = False


class BoostedScore(NamedTuple):
    """The new score, at most 1, and what each signal added to the old one; the parts sum up to the difference."""

    score: float
    parts: Mapping[str, float]


_as_boosted: Callable[[Iterable[Any]], BoostedScore] = partial(tuple.__new__, BoostedScore)


def recency(age_days: float, half_life: float) -> float:
    """Return 1 for today and the future, half of it after each half-life; always 1 when there is no half-life."""
    if not 0 < half_life < math.inf or math.isnan(age_days) or age_days <= 0:
        return 1.0
    return float(0.5 ** min(age_days / half_life, 1000.0))


def access(uses: float, idle_days: float = 0.0, half_life: float = 30.0) -> float:
    """Return 0 for what was never recalled, up to 1: by the logarithm, and fading while it is not recalled."""
    if not uses > 0:
        return 0.0
    return min(1.0, math.log1p(min(uses, 1e9) * recency(idle_days, half_life)) / math.log1p(_FULL_USE))


def age_of(now: datetime, source: str, dated: date | None, mtime: float | None) -> float | None:
    """Return the age of a note in days.

    It goes by the note's date; sessions and extra paths without a date go by their mtime, other notes have no age.
    """
    if dated is not None:
        return float(max(0, (now.date() - dated).days))
    if source in _AGING and mtime is not None:
        return max(0.0, (now.timestamp() - mtime) / _SECONDS_OF_A_DAY)
    return None


def largest_turn(boosts: Boosts) -> float:
    """Return the largest ratio of two scores that boosts turn round, a supersession aside.

    It is 1 + cap where time has no part.
    """
    reach, time = _reaches(boosts)
    return (1 + reach + time) / (1 - reach)


def boost_score(score: float, signals: Signals, boosts: Boosts) -> BoostedScore:
    """Return a score between 0 and 1 with its boosts."""
    return booster(boosts)(score, signals)


def booster(boosts: Boosts) -> Callable[[float, Signals], BoostedScore]:
    """Return the same for many scores: what is known of a note is known of each of its passages."""
    (reach, time), weights = _reaches(boosts), _weights(boosts)
    loss = _clamp(boosts.superseded, 0.0, 1.0)

    @cache
    def weighed(signals: Signals) -> tuple[float, Sequence[tuple[str, float, float]]]:
        centred = _centre_signals(signals, boosts)
        # What is not known of a hit leaves its share of the reach to what is.
        most = max(1.0, sum(map(weights.__getitem__, centred)))
        return most, [(name, weights[name], value) for name, value in centred.items()]

    def lift(score: float, signals: Signals) -> BoostedScore:
        parts: dict[str, float] = {}
        _, _, _, _, _, fit, exact, superseded = signals
        if exact:
            if part := score * (reach + time):
                parts["exact"] = part
        else:
            most, terms = weighed(signals)
            for name, weight, value in terms:
                if part := score * reach * weight / most * value:
                    parts[name] = part
            if fit is not None and (part := score * time * _clamp(fit, 0.0, 1.0)):
                parts["time"] = part
        total = score + sum(parts.values())
        if superseded and (part := -loss * total):
            parts["superseded"] = part
            total += part
        if total > 1.0:
            parts["limit"] = 1.0 - total
            total = 1.0
        return _as_boosted((total if total > 0.0 else 0.0, parts))

    return lift


def _centre_signals(signals: Signals, boosts: Boosts) -> dict[str, float]:
    """Return the signals between -1 and 1, with 0 for what changes nothing.

    Age only takes away, evergreen is as new; but what goes on with what was said last looks for the new, and evergreen
    is between new and old.
    """
    found: dict[str, float] = {}
    if signals.age_days is not None:
        newness = recency(signals.age_days, boosts.half_life_days)
        if boosts.goes_on:
            found["recency"] = 2.0 * newness - 1.0
        else:
            found["recency"] = newness - 1.0
    if signals.importance is not None:
        found["importance"] = 2.0 * _clamp(signals.importance, 0.0, 1.0, 0.5) - 1.0
    if signals.uses > 0:
        found["access"] = access(signals.uses, signals.idle_days, boosts.access_half_life_days)
    if signals.in_project:
        found["project"] = 1.0
    return found


def _weights(boosts: Boosts) -> dict[str, float]:
    return {name: _clamp(getattr(boosts, name), 0.0, 1.0) for name in ("recency", "importance", "access", "project")}


def _reaches(boosts: Boosts) -> tuple[float, float]:
    """Return how far up and down all signals together go, and how far up time does.

    With reach = cap / (2 + cap), (1 + reach) / (1 - reach) is 1 + cap.
    """
    cap = _clamp(boosts.cap, 0.0, 1.0)
    return cap / (2.0 + cap), _clamp(boosts.time, 0.0, 1.0)


def _clamp(value: float, least: float, most: float, otherwise: float = 0.0) -> float:
    if math.isnan(value):
        return otherwise
    return min(max(value, least), most)
