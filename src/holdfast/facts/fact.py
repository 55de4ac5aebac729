"""A fact as its note tells it, and what somebody wants to have stored as one."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Any, Final

from holdfast.errors import FactNotFound
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_row import IMPORTANCE, Category
from holdfast.value import Value

__all__ = ["KEPT", "LONGEST", "Draft", "Fact", "State", "no_such_fact"]

LONGEST: Final = 4000
"""The most characters a fact may have: it is a sentence or two, and not a document."""

KEPT: Final = (Category.PREFERENCE, Category.FACT, Category.DECISION, Category.ENTITY, Category.OTHER)
"""The categories that a fact can be stored under; from there it may go to the archive."""


def no_such_fact(named: str) -> FactNotFound:
    """Return the error for an id or a text that no fact has."""
    return FactNotFound(f"There is no fact {named!r}. `holdfast facts list` shows them with their ids.")


class State(StrEnum):
    """Holds what has become of a fact."""

    LIVE = "live"
    UPCOMING = "upcoming"
    """It holds from a day to come."""
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    ARCHIVED = "archived"


class Draft(Value):
    """Holds what is to be stored; whose words they are is stamped by the surface that took them in."""

    text: str
    category: Category = Category.OTHER
    importance: float | None = None
    valid_from: date | None = None
    valid_until: date | None = None
    session: str = ""
    message: str = ""


class Fact(Value):
    """One bullet of a note of facts. `category` is its own one also where it stands in the archive."""

    id: str
    text: str
    category: Category
    importance: float = IMPORTANCE
    origin: Origin = Origin.OUTSIDE
    observed: date | None = None
    valid_from: date | None = None
    valid_until: date | None = None
    session: str = ""
    message: str = ""
    supersedes: tuple[str, ...] = ()
    superseded_by: str = ""
    reinforced: int = 0
    reinforced_on: date | None = None
    rule: str = ""
    path: str = ""
    line: int = 0
    struck: bool = False
    marked: bool = True
    """False for a bullet that a person typed and nobody marked."""
    archived: bool = False
    restored: date | None = None
    """The day on which it came back from the archive."""
    whole: str = ""
    """Its text with the comments that its owner put there; empty where there are none."""

    @property
    def since(self) -> date | None:
        """Return the first day that it is known to have held on; None for what was over when it was said."""
        over = self.valid_until is not None and self.observed is not None and self.valid_until < self.observed
        return self.valid_from or (None if over else self.observed)

    @property
    def said_last(self) -> date | None:
        """Return the day on which it was last said."""
        return max(filter(None, (self.observed, self.reinforced_on)), default=None)

    def state(self, day: date) -> State:
        """Return what has become of it by a day. The strike decides: who takes it away by hand wants the fact back."""
        if self.archived:
            return State.ARCHIVED
        return self.own_state(day)

    def own_state(self, day: date) -> State:
        """Return the same, wherever it stands: what it would be outside the archive."""
        if self.struck:
            return State.SUPERSEDED
        if self.valid_from is not None and self.valid_from > day:
            return State.UPCOMING
        ended = self.valid_until is not None and self.valid_until < day and not self.superseded_by
        if ended:
            return State.EXPIRED
        return State.LIVE

    def live(self, day: date) -> bool:
        """Say whether it holds on this day, and is not in the archive."""
        return self.state(day) is State.LIVE

    def held_on(self, day: date) -> bool:
        """Say whether it holds on some day, as far as is known; the day it was superseded is its successor's."""
        if self.since is not None and day < self.since:
            return False
        if self.valid_until is None or (self.superseded_by and not self.struck):
            return not self.struck
        if self.struck:
            return day < self.valid_until
        return day <= self.valid_until

    def to_json(self, day: date) -> dict[str, Any]:
        """Return the shape that every surface shows."""
        days = {name: getattr(self, name) for name in ("observed", "valid_from", "valid_until", "reinforced_on")}
        return {
            "id": self.id or None,
            "text": self.text,
            "category": self.category.value,
            "importance": self.importance,
            "origin": self.origin.value,
            "state": self.state(day).value,
            **{name: day.isoformat() if day is not None else None for name, day in days.items()},
            "reinforced": self.reinforced,
            "supersedes": list(self.supersedes),
            "superseded_by": self.superseded_by or None,
            "rule": self.rule or None,
            "session": self.session or None,
            "message": self.message or None,
            "path": self.path,
            "line": self.line,
        }
