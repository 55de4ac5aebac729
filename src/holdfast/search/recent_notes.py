"""Tell what there is of a time, newest first: an inquiry that says when, and not what."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, tzinfo

from holdfast.guard.paths import EXPORTS
from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.edition import Edition
from holdfast.named_tuple import NamedTuple
from holdfast.search.candidate import Candidate
from holdfast.search.excerpt import surroundings
from holdfast.search.front_matter_hits import skip_front_matter
from holdfast.search.fusion import Fused, Leg
from holdfast.search.hit import Mode, Results
from holdfast.search.inquiry import Candidates, Inquiry
from holdfast.search.note_dates import note_span
from holdfast.search.note_groups import NoteGroup
from holdfast.search.null_distribution import Null
from holdfast.search.retrieval import Retrieval
from holdfast.search.scope_filter import fact_span, notes_of_scope, within
from holdfast.search.search_pipeline import hits_of

__all__ = ["list_notes"]

_IS_OF_THE_TIME = 1.0  # what a hit scores: it is what was asked for


class _ListRow(NamedTuple):
    """Holds what is listed: its row, and what it is ordered by."""

    day: date
    said: bool
    path: str
    row: int


def list_notes(database: Database, inquiry: Inquiry) -> Results:
    """Return a hit for each note and each fact that the scope lets through, newest first.

    A note is shown by the passage that it begins with.
    """
    began = time.perf_counter()
    inquiry.check()
    found, edition = Candidates((), {}), None
    with database.connection.reading():
        edition = database.serving()
        if edition is not None and inquiry.scope is not None:
            newest = sorted(_list_passages(edition, inquiry), key=_newest_first)[: inquiry.limit]
            chunks = edition.chunks([entry.row for entry in newest])
            candidates = [_as_candidate(entry.row) for entry in newest if entry.row in chunks]
            found = skip_front_matter(database, edition, Candidates(candidates, chunks))
    best = [NoteGroup(candidate, (found.chunks[candidate.fused.row],)) for candidate in found.ranked]
    nothing = Retrieval([], [Leg("text", 1.0, {}, {}, ())], by_vectors=False)
    hits = hits_of(
        best, found, nothing, Null(by_vectors=False), surroundings(database, edition, best, inquiry), inquiry
    )
    took = (time.perf_counter() - began) * 1000
    return Results(inquiry.query, Mode.KEYWORD, "nothing but a time was asked for", hits, None, None, took)


def _list_passages(edition: Edition, inquiry: Inquiry) -> list[_ListRow]:
    """Return every note by its first passage, and every fact, of those that the scope lets through."""
    assert inquiry.scope is not None
    scope = inquiry.scope
    inside = within(scope, edition)
    allowed = set(inside.notes)
    notes = [note for note in notes_of_scope(scope, edition) if note[0] in allowed]
    found: list[_ListRow] = []
    days = {number: _day_of_note(path, mtime_ns, inquiry) for number, path, _, mtime_ns in notes}
    newest = sorted(notes, key=lambda note: (-days[note[0]].toordinal(), note[1].startswith(EXPORTS), note[1]))
    newest = newest[: inquiry.limit]
    opening = edition.passages.openings([number for number, *_ in newest])
    by_row = {chunk.row: chunk for chunk in edition.chunks(opening).values()}
    numbers = {path: number for number, path, *_ in newest}
    for row, chunk in by_row.items():
        found.append(_ListRow(days[numbers[chunk.path]], chunk.path.startswith(EXPORTS), chunk.path, row))
    for row, chunk in edition.chunks(inside.chunks).items():
        span = (None if chunk.fact is None else fact_span(chunk.fact)) or note_span(chunk.path)
        if span is not None:
            day = span.end
        else:
            day = _day_of_note(chunk.path, chunk.mtime_ns, inquiry)
        found.append(_ListRow(day, False, chunk.path, row))
    return found


def _day_of_note(path: str, mtime_ns: int, inquiry: Inquiry) -> date:
    """Return the day of a note by its name, else that of its last change."""
    span = note_span(path)
    if span is not None:
        return span.end
    zone: tzinfo = UTC
    if inquiry.scope is not None:
        zone = inquiry.scope.zone
    try:
        return datetime.fromtimestamp(mtime_ns / 1e9, zone).date()
    except (OverflowError, OSError, ValueError):  # a time stamp that no calendar has
        return date.min


def _newest_first(entry: _ListRow) -> tuple[int, bool, str, int]:
    return -entry.day.toordinal(), entry.said, entry.path, entry.row


def _as_candidate(row: int) -> Candidate:
    parts = {"day": _IS_OF_THE_TIME, "of_time": _IS_OF_THE_TIME}
    return Candidate(_IS_OF_THE_TIME, Fused(row, 0.0, None, None), parts)
