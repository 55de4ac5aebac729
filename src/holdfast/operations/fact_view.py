"""One fact in full: what it replaced, what replaced it, and how often it was recalled."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Any

from holdfast.context.context import Context
from holdfast.errors import FactNotFound
from holdfast.facts.fact import Fact
from holdfast.facts.facts_book import today
from holdfast.operations.fact_source import FactSource, find_source
from holdfast.operations.facts_store import uses_of
from holdfast.recall.facts_answer import visible_facts
from holdfast.value import Value

__all__ = ["FactShown", "show_fact"]


class FactShown(Value):
    """A fact and its chain, the oldest first; `last_recalled` is the day on which it was read last."""

    fact: Fact
    chain: tuple[Fact, ...]
    recalls: int
    last_recalled: date | None
    day: date
    source: FactSource | None = None
    """The session and the message that it was captured from."""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return {
            "fact": self.fact.to_json(self.day),
            "chain": [fact.to_json(self.day) for fact in self.chain],
            "recalls": self.recalls,
            "last_recalled": None if self.last_recalled is None else self.last_recalled.isoformat(),
            "source": None if self.source is None else self.source.to_json(),
        }


def show_fact(ctx: Context, id: Annotated[str, "The fact's id."]) -> FactShown:  # noqa: A002 - its name
    """One fact, those that it took the place of and that took its own, how often it was recalled, and its source."""
    facts = {fact.id: fact for fact in visible_facts(ctx) if fact.id}
    fact = facts.get(id)
    if fact is None:
        raise FactNotFound(f"There is no fact {id[:40]!r}.")
    chain = _chain(fact, facts)
    day = today(ctx)
    times, ago = uses_of(ctx, [fact])(fact)
    last = None
    if times:
        last = day - timedelta(days=int(ago))
    return FactShown(fact, chain, int(times), last, day, find_source(ctx, fact))


def _chain(fact: Fact, facts: dict[str, Fact]) -> tuple[Fact, ...]:
    """All that are linked with a fact, one by one, by who took whose place."""
    facts_by_id: dict[str, Fact] = {}
    left = [fact]
    while left:
        current = left.pop()
        if current.id in facts_by_id:
            continue
        facts_by_id[current.id] = current
        links = {*current.supersedes, current.superseded_by}
        linked = [
            other for other in facts.values() if current.id in other.supersedes or current.id == other.superseded_by
        ]
        left += [*linked, *(facts[link] for link in links if link in facts)]
    return tuple(
        sorted(
            facts_by_id.values(), key=lambda entry: (entry.since or date.min, entry.observed or date.min, entry.line)
        )
    )
