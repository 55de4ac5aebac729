"""Facts: keep, list, recall, forget, archive, and how they changed."""

from __future__ import annotations

from typing import Annotated

from holdfast.facts.fact import KEPT
from holdfast.memory import Memory
from holdfast.operations.fact_view import FactShown, show_fact
from holdfast.operations.facts_forget import ChangedFact
from holdfast.operations.facts_list import FactStats, ListedFacts, facts_page
from holdfast.operations.facts_recall import History, Recalled
from holdfast.surfaces.http.responses import Reply

Category = Annotated[str | None, f"Only this kind: {', '.join(KEPT)}."]
Origin = Annotated[str | None, "Only facts of this origin."]
Since = Annotated[str | None, "Only facts from this day on."]
Until = Annotated[str | None, "Only facts up to this day."]
MinImportance = Annotated[float | None, "Only facts that are at least this important, 0 to 1."]
FactId = Annotated[str, "The fact's id."]


def store(
    memory: Memory,
    text: Annotated[str, "The fact, in one sentence."],
    category: Annotated[str | None, f"What it is about: {', '.join(KEPT)}."] = None,
    importance: Annotated[float | None, "How much it matters, 0 to 1."] = None,
    valid_from: Annotated[str | None, "The day from which it holds."] = None,
    valid_until: Annotated[str | None, "The last day on which it holds."] = None,
) -> Reply:
    """Keep one fact; 201 where it is new."""
    made = memory.facts.store(
        text, category=category, importance=importance, valid_from=valid_from, valid_until=valid_until
    )
    return Reply(made.to_json(), 200 if made.outcome == "reinforced" else 201)


def list_facts(
    memory: Memory,
    category: Category = None,
    origin: Origin = None,
    since: Since = None,
    until: Until = None,
    min_importance: MinImportance = None,
    state: Annotated[str, "live, superseded, archived … or all."] = "live",
    limit: Annotated[int, "How many, 1 to 100."] = 20,
    offset: Annotated[int, "How many to skip."] = 0,
    as_of: Annotated[str | None, "What held on this day, whatever its state now: 2026-03-05."] = None,
    query: Annotated[str | None, "Only facts that have these words in their text."] = None,
) -> ListedFacts:
    """The facts there are, those said last first."""
    return facts_page(
        memory.ctx,
        category=category,
        origin=origin,
        since=since,
        until=until,
        min_importance=min_importance,
        state=state,
        limit=limit,
        offset=offset,
        as_of=as_of,
        query=query,
    )


def one_fact(memory: Memory, id_: FactId) -> FactShown:
    """One fact, those that it took the place of and that took its own, and how often it was recalled."""
    return show_fact(memory.ctx, id_)


def recall(
    memory: Memory,
    query: Annotated[str, "A question, a topic or a name."],
    limit: Annotated[int, "How many, 1 to 25."] = 6,
    category: Category = None,
    origin: Origin = None,
    min_importance: MinImportance = None,
    since: Since = None,
    until: Until = None,
    as_of: Annotated[str | None, "What held on this day."] = None,
    include_superseded: Annotated[bool, "Also what no longer holds."] = False,
    include_archived: Annotated[bool, "Also what is in the archive."] = False,
) -> Recalled:
    """The facts that answer a question, best first."""
    return memory.facts.recall(
        query,
        limit=limit,
        category=category,
        origin=origin,
        min_importance=min_importance,
        since=since,
        until=until,
        as_of=as_of,
        include_superseded=include_superseded,
        include_archived=include_archived,
    )


def forget(
    memory: Memory,
    id_: Annotated[str | None, "The fact's id."] = None,
    text: Annotated[str | None, "Or its exact words."] = None,
) -> ChangedFact:
    """Remove one fact, by its id or its exact words."""
    return memory.facts.forget(id_, text=text)


def remove(memory: Memory, id_: FactId) -> ChangedFact:
    """Remove one fact."""
    return memory.facts.forget(id_)


def history(
    memory: Memory,
    query: Annotated[str, "A question, or the id of a fact."],
    as_of: Annotated[str | None, "Only what held on this day."] = None,
) -> History:
    """How the answer to a question changed over time."""
    return memory.facts.history(query, as_of=as_of)


def archive(memory: Memory, id_: FactId) -> ChangedFact:
    """Move a fact to the archive."""
    return memory.facts.archive(id_)


def restore(memory: Memory, id_: FactId) -> ChangedFact:
    """Bring a fact back from the archive, or put a superseded one in force again."""
    return memory.facts.restore(id_)


def stats(memory: Memory) -> FactStats:
    """How many there are, of what kind, and what could be tidied."""
    return memory.facts.stats()
