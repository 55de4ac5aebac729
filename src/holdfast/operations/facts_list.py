"""list and stats: which facts there are, page by page, and how well they are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import date
from enum import StrEnum
from typing import Annotated, Any, Final

from holdfast.context.context import Context
from holdfast.facts.duplicates import count_repeats
from holdfast.facts.fact import KEPT, Fact, State
from holdfast.facts.facts_book import facts_told, today
from holdfast.guard.argument_types import check_choice, check_number, check_whole_number
from holdfast.guard.origin import Origin
from holdfast.guard.signature import OneOf
from holdfast.operations.facts_store import day_of, uses_of
from holdfast.operations.tool_schema import FOR_PROGRAMS
from holdfast.value import Shown, Value

__all__ = [
    "STATES",
    "AtLeastImportant",
    "FactStats",
    "ListedFacts",
    "OfCategory",
    "OfOrigin",
    "fact_stats",
    "list_facts",
    "said_between",
]

# What a list and a recall of facts ask alike.
OfCategory = Annotated[str | None, "Only preference, fact, decision, entity or other.", OneOf(KEPT)]
OfOrigin = Annotated[
    str | None,
    "Only facts that came from user, agent, auto_capture, import, mcp_tool, api or outside.",
    OneOf(tuple(Origin)),
]
AtLeastImportant = Annotated[float | None, "Only facts that are at least this important (0 to 1)."]

STATES: Final = (*State, "all")
_MOST = 100
_STALE_DAYS = 365


class ListedFacts(Value):
    """One page of facts, and how many there are in all."""

    facts: tuple[Fact, ...]
    total: int
    offset: int
    day: date
    because: str = ""
    """Which notes could not be read."""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        after = self.offset + len(self.facts)
        shown = {
            "facts": [fact.to_json(self.day) for fact in self.facts],
            "total": self.total,
            "offset": self.offset,
            "next_offset": after if after < self.total else None,
        }
        if self.because:
            return shown | {"because": self.because}
        return shown


class FactStats(Shown):
    """Says how many facts there are, of what kind, and what could be tidied."""

    total: int
    states: dict[str, int]
    categories: dict[str, int]
    origins: dict[str, int]
    duplicates: int
    """Live facts that say what another one says."""
    stale: int
    """Live facts that nobody has said for a year."""
    never_recalled: int
    months: dict[str, int]
    """How many were observed in each month."""
    most: int
    because: str = ""
    """Which notes could not be read."""

    sparse = ("because",)


def list_facts(
    ctx: Context,
    *,
    category: OfCategory = None,
    origin: OfOrigin = None,
    since: Annotated[str | None, "Only facts that were said on or after this day: 2026-03-05, last week, 10d."] = None,
    until: Annotated[str | None, "Only facts that were said up to this day."] = None,
    min_importance: AtLeastImportant = None,
    state: Annotated[str, "live, upcoming, superseded, expired, archived or all.", OneOf(STATES)] = "live",
    limit: Annotated[int, "How many at the most (1 to 100)."] = 20,
    offset: Annotated[int, "How many to skip: the next_offset of the page before."] = 0,
    # For who shows a ledger.
    as_of: Annotated[str | None, "What held on this day, whatever its state now: 2026-03-05.", FOR_PROGRAMS] = None,
    query: Annotated[str | None, "Only facts that have these words in their text.", FOR_PROGRAMS] = None,
) -> ListedFacts:
    """List the facts that are remembered, those said last first, page by page."""
    check_choice("category", category, KEPT)
    check_choice("origin", origin, Origin)
    check_choice("state", str(state), STATES)
    check_whole_number("limit", limit, 1, _MOST)
    check_whole_number("offset", offset, 0)
    check_number("min_importance", min_importance)
    day = today(ctx)
    in_time = said_between(ctx, since, until)
    then, words = day_of("as_of", as_of), (query or "").casefold().split()
    facts, because = facts_told(ctx)
    matches = [
        fact
        for fact in facts
        if category in (None, fact.category)
        and origin in (None, fact.origin)
        and fact.importance >= (min_importance or 0.0)
        and (fact.held_on(then) if then is not None else state in ("all", fact.state(day)))
        and all(word in fact.text.casefold() for word in words)
        and in_time(fact)
    ]
    # A stable order: pages must not overlap. What has no date was typed by hand, and comes last. A mark has no hour:
    # what was said on one day stands note by note, the last line first.
    matches.sort(key=lambda fact: (-(fact.said_last or date.min).toordinal(), fact.path, -fact.line))
    return ListedFacts(tuple(matches[offset : offset + limit]), len(matches), offset, day, because)


def fact_stats(ctx: Context) -> FactStats:
    """Count the facts, and those that repeat each other, are old, or were never asked for."""
    day = today(ctx)
    facts, because = facts_told(ctx)
    live = [fact for fact in facts if fact.live(day)]
    use = uses_of(ctx, live)
    days_said = [fact.said_last for fact in live]
    return FactStats(
        total=len(facts),
        states=_count_kinds((fact.state(day) for fact in facts), State),
        categories=_count_kinds((fact.category for fact in facts), KEPT),
        origins=_count_kinds((fact.origin for fact in facts), Origin),
        duplicates=count_repeats([fact.text for fact in live]),
        stale=sum(said_on is not None and (day - said_on).days > _STALE_DAYS for said_on in days_said),
        never_recalled=sum(not use(fact)[0] for fact in live),
        months=dict(sorted(Counter(fact.observed.isoformat()[:7] for fact in facts if fact.observed).items())),
        most=ctx.settings.facts.max,
        because=because,
    )


def _count_kinds(kinds_found: Iterable[StrEnum], kinds: Iterable[StrEnum]) -> dict[str, int]:
    counts = Counter(kind.value for kind in kinds_found)
    return {kind.value: counts[kind.value] for kind in kinds if counts[kind.value]}


def said_between(ctx: Context, since: str | None, until: str | None) -> Callable[[Fact], bool]:
    """Say whether a fact was said in some days; one without a day was typed by hand, and nobody knows when."""
    first, last = _day(ctx, since), _day(ctx, until, last=True)

    def said(fact: Fact) -> bool:
        late_enough = first is None or (fact.said_last is not None and fact.said_last >= first)
        return late_enough and (last is None or (fact.observed is not None and fact.observed <= last))

    return said


def _day(ctx: Context, text: str | None, *, last: bool = False) -> date | None:
    if text is None:
        return None
    from holdfast.search.scope import day_named

    return day_named(text, ctx.weighing().now, last=last, first_weekday=ctx.first_weekday)
