"""The limit on facts: where there are more than the settings allow, the least valuable go to the archive.

What a person typed and nobody marked stays where it is, whatever its value: no line is moved that is not ours to move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Final, TypeAlias

from holdfast.facts.fact import Fact, State
from holdfast.search.boost import access, recency

__all__ = ["Use", "least_valuable", "value_of"]

_HALF_LIFE: Final = 90.0  # days; what was said a year ago counts a sixteenth of what was said today
_SLACK: Final = 50  # one in so many more goes than must, so that not every store moves one
_IMPORTANCE, _RECENCY, _USE = 0.5, 0.3, 0.2
_GRACE: Final = 30  # days; who has just fetched a fact from the archive does not want to find it there again

Use: TypeAlias = Callable[[Fact], tuple[float, float]]
"""How often a fact was read, and how many days ago last."""


def value_of(fact: Fact, day: date, use: tuple[float, float] = (0.0, 0.0)) -> float:
    """Return what a fact is worth, 0 to 1: how important it is, how lately it was said, how much it is used."""
    said = fact.said_last or fact.valid_from
    age = _HALF_LIFE
    if said is not None:
        age = float(max(0, (day - said).days))
    worth = _IMPORTANCE * fact.importance + _RECENCY * recency(age, _HALF_LIFE) + _USE * access(*use)
    # What no longer holds is only of use to who asks for the past.
    if fact.state(day) in (State.LIVE, State.UPCOMING):
        return worth
    return worth * 0.25


def least_valuable(facts: Sequence[Fact], most: int, day: date, use: Use | None = None) -> list[Fact]:
    """Return the facts that go to the archive, so that no more than `most` are left; none where they fit."""
    here = [fact for fact in facts if not fact.archived]
    excess = len(here) - most
    if excess <= 0:
        return []
    movable = [fact for fact in here if fact.marked]
    uses = use or (lambda _: (0.0, 0.0))
    ranked = sorted(
        movable, key=lambda fact: (_is_back(fact, day), value_of(fact, day, uses(fact)), fact.path, fact.line)
    )
    return ranked[: excess + most // _SLACK]


def _is_back(fact: Fact, day: date) -> bool:
    """Say whether somebody brought it back from the archive of late: then it goes after all others."""
    return fact.restored is not None and (day - fact.restored).days < _GRACE
