"""A scope and an index → where a search may look; what the scope says of one chunk has the last word.

Most filters ask for whole notes. A filter for facts (category, origin, importance), or for days in a note whose facts
have days of their own, is decided chunk by chunk; so is trust, in a note with words of several origins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from holdfast.guard.origin import Origin
from holdfast.index.sqlite.edition import Edition
from holdfast.index.sqlite.fact_table import FactRow
from holdfast.index.store_contract import StoredChunk, Within
from holdfast.markdown.fact_row import Fact, category_of
from holdfast.search.calendar_spans import Span
from holdfast.search.note_dates import note_span
from holdfast.search.origin_balance import whose

if TYPE_CHECKING:
    from holdfast.search.scope import Scope

__all__ = ["allowed", "fact_span", "last_said", "notes_of_scope", "within"]


def within(scope: Scope, edition: Edition) -> Within:
    """Return the notes and chunks that a scope lets through; call it inside a read transaction."""
    if scope.min_trust is not None:
        return _within_trusted(scope, edition)
    if scope.asks_for_paths_only and scope.paths is None:
        return Within([number for number, *_ in edition.paths.within(scope.plain().without)], all_but=True)
    return _list_inside(scope, edition)


def _list_inside(scope: Scope, edition: Edition) -> Within:
    """Return the same as a list of what is inside, whoever said it."""
    notes = {number: (path, source, mtime_ns) for number, path, source, mtime_ns in notes_of_scope(scope, edition)}
    if scope.asks_for_paths_only:
        return Within(list(notes))  # the store has compared their paths
    by_day = _asks_for_days(scope)
    asked = scope.categories, scope.origins, scope.min_importance
    if scope.asks_for_facts and by_day:
        rows = edition.facts.matching(*asked)
        return Within((), _let_in(scope, notes, rows))
    if scope.asks_for_facts:
        place = scope.replace(categories=None, origins=None, min_importance=None)
        open_to = {number for number, note in notes.items() if category_of(note[0]) and _allows(place, *note, None)}
        return Within((), [chunk for chunk, note in edition.facts.chunks(*asked) if note in open_to])
    inside = [
        number
        for number, (path, source, mtime_ns) in notes.items()
        if not (by_day and category_of(path)) and _allows(scope, path, source, mtime_ns, None)
    ]
    if by_day:
        rows = edition.facts.in_notes()
    else:
        rows = []
    return Within(inside, _let_in(scope, notes, rows))


def _within_trusted(scope: Scope, edition: Edition) -> Within:
    """Return the same where only the words of some are trusted.

    Most notes have words of one origin alone, and stay whole.
    """
    inside = _list_inside(scope.replace(min_trust=None), edition)
    if not edition.origins.kept:
        return Within(())
    kinds = {number: category_of(path) is not None for number, path, _, _ in notes_of_scope(scope, edition)}
    others = edition.origins.by_note()
    whole: list[int] = []
    mixed: dict[bool, list[int]] = {True: [], False: []}
    for number in inside.notes:
        trusted, origins = scope.trusted(is_fact=kinds[number]), others.get(number)
        if origins is None or (Origin.OUTSIDE in trusted and origins <= trusted):
            if Origin.OUTSIDE in trusted:
                whole += [number]
        elif Origin.OUTSIDE in trusted or not origins.isdisjoint(trusted):
            mixed[kinds[number]].append(number)
    chunks = edition.origins.among(inside.chunks, scope.trusted(is_fact=True))
    for is_fact, numbers in mixed.items():
        chunks += edition.origins.in_notes(numbers, scope.trusted(is_fact=is_fact))
    return Within(whole, chunks)


def notes_of_scope(scope: Scope, edition: Edition) -> list[tuple[int, str, str, int]]:
    """Return the notes that pass by their paths; the store compares these."""
    plain = scope.plain()
    return edition.paths.within(plain.paths, plain.without)


def _let_in(scope: Scope, notes: Mapping[int, tuple[str, str, int]], rows: Sequence[FactRow]) -> list[int]:
    """Return the chunks among these that the scope lets through."""
    return [row.chunk for row in rows if row.note in notes and _allows(scope, *notes[row.note], row.fact)]


def allowed(scope: Scope, chunk: StoredChunk) -> bool:
    """Say whether a scope lets one chunk through."""
    return _allows(scope, chunk.path, chunk.source, chunk.mtime_ns, chunk.fact, whose([chunk]))


def fact_span(fact: Fact) -> Span | None:
    """Return the days a fact is of: those it is known to have held on, else the one it was observed on."""
    end = fact.valid_until or fact.observed or fact.valid_from
    if end is None:
        return None
    start = fact.valid_from or min(fact.observed or end, end)
    if fact.valid_until is None:
        return Span(start, max(start, end))
    return Span(min(start, end), max(start, end))


def last_said(fact: Fact) -> date | None:
    """Return the day from which a fact ages: when it was last said."""
    return max(filter(None, (fact.observed, fact.reinforced_on)), default=None)


def _asks_for_days(scope: Scope) -> bool:
    return scope.since is not None or scope.until is not None


def _allows(
    scope: Scope, path: str, source: str, mtime_ns: int, fact: Fact | None, words_of: Origin | None = None
) -> bool:
    if fact is None:
        # reading names of a million notes takes seconds
        dated = None
        if _asks_for_days(scope):
            dated = note_span(path)
        return scope.allows(path, source, agent=scope.agent, dated=dated, mtime=mtime_ns / 1e9, words_of=words_of)
    return scope.allows(
        path,
        source,
        agent=scope.agent,
        dated=fact_span(fact) or note_span(path),
        mtime=mtime_ns / 1e9,
        category=fact.category,
        origin=fact.origin,
        importance=fact.importance,
        words_of=words_of,
    )
