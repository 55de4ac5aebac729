"""Notes of the time that a question names, whether they share a word with it or not.

"What happened yesterday?" holds no word of yesterday's note. Such notes are found by their names, which begin with the
day (`memory/2026-11-14.md`, `memory/sessions/2026-11-14-….md`), and by dated headings, with queries that an index
answers. Where nothing but the time is asked for, they are the answer, the day's note first and the newest day before
the others; else they are candidates that stand behind what the words found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING

from holdfast.guard.paths import EXPORTS
from holdfast.index.sqlite.edition import Edition
from holdfast.index.store import StoredChunk, Within, Word
from holdfast.search.dates import chunk_span, note_span
from holdfast.search.front_matter import is_front
from holdfast.search.fuse import Fused
from holdfast.search.inquiry import Candidates, Inquiry
from holdfast.search.moment_words import asks_for_anything
from holdfast.search.spans import Span, moved
from holdfast.search.standing import Standing

if TYPE_CHECKING:
    from holdfast.search.moments import Window

__all__ = ["passages_of_days", "with_days"]

_FOLDERS = ("memory/", EXPORTS)  # in the order in which their notes of one day stand
_MOST_NOTES = 100  # of each folder, the newest first
_MOST_PASSAGES = 60  # as many as the stages of a search see
_MOST_DAYS = 31  # that headings are asked for, each for itself
_SHORT, _SHORT_SCORE, _LONG_SCORE = 7, 0.3, 0.15  # days, and what a note of so few days or of more scores by time alone
_AFTER = "\U0010ffff"


def passages_of_days(edition: Edition, inquiry: Inquiry, within: Within | None) -> list[StoredChunk]:
    """The passages of the days that are asked for, newest day first, in each the day's note first.

    Call it inside a read transaction. There are none where the question also says what must or must not be there, or
    names an id.
    """
    asked, question = _asked(inquiry), inquiry.question
    if (
        asked is None
        or question.without
        or question.strict
        or any(_is_elsewhere(asked, word) for word in question.words)
    ):
        return []
    notes = list(_notes(edition, asked.span, within))
    notes.sort(key=lambda note: (-_last_day(note[1]).toordinal(), note[1].startswith(EXPORTS), note[1]))
    found = list(islice(_passages(edition, notes), _MOST_PASSAGES))
    known = {chunk.row for chunk in found}
    return [*found, *(chunk for chunk in _under_dated_headings(edition, asked.span, within) if chunk.row not in known)]


def with_days(inquiry: Inquiry, found: Candidates) -> Candidates:
    """The candidates and the passages of the days that the question asks about."""
    asked, days = _asked(inquiry), [chunk for chunk in found.days if _is_allowed(chunk, inquiry)]
    if asked is None or not days:
        return found
    chunks = {**{chunk.row: chunk for chunk in days}, **found.chunks}
    by_row = {one.fused.row: one for one in found.ranked}
    if asks_for_anything(inquiry.question.text, asked.words):
        top = max(asked.certainty, found.ranked[0].score if found.ranked else 0.0)
        first = [_lifted(by_row.get(chunk.row), chunk.row, top, asked.certainty) for chunk in days]
        rows = {chunk.row for chunk in days}
        return found._replace(
            ranked=[*first, *(one for one in found.ranked if one.fused.row not in rows)], chunks=chunks
        )
    score = asked.certainty * (_SHORT_SCORE if asked.span.days <= _SHORT else _LONG_SCORE)
    new = [
        Standing(score, Fused(chunk.row, 0.0, None, None), {"day": score}) for chunk in days if chunk.row not in by_row
    ]
    better = [one for one in found.ranked if one.score >= score]
    return found._replace(ranked=[*better, *new, *found.ranked[len(better) :]], chunks=chunks)


def _asked(inquiry: Inquiry) -> Window | None:
    return None if inquiry.weighing is None else inquiry.weighing.window


def _is_elsewhere(asked: Window, word: Word) -> bool:
    """Whether a word is an id that is no part of what names the time."""
    return word.heavy and (word.typed or word.text).casefold() not in asked.words.casefold()


def _lifted(one: Standing | None, row: int, top: float, certainty: float) -> Standing:
    """A passage of the day with the score of what stands first."""
    if one is None:
        one = Standing(0.0, Fused(row, 0.0, None, None), {})
    return Standing(top, one.fused, {**one.later, "day": top - one.score, "of_time": certainty})


def _notes(edition: Edition, span: Span, within: Within | None) -> Iterator[tuple[int, str]]:
    """The notes that are named by a day of these."""
    inside = None if within is None else set(within.notes)
    for folder in _FOLDERS:
        first, after = f"{folder}{span.start.isoformat()}", f"{folder}{span.end.isoformat()}{_AFTER}"
        for number, path in edition.newest_between(first, after, _MOST_NOTES):
            named = note_span(path)
            if named is not None and named.meets(span) and (inside is None or number in inside):
                yield number, path


def _passages(edition: Edition, notes: Sequence[tuple[int, str]]) -> Iterator[StoredChunk]:
    """All passages of the day's notes, and the first of each conversation."""
    for number, path in notes:
        passages = edition.passages_of(number, 2 if path.startswith(EXPORTS) else _MOST_PASSAGES)
        text = [chunk for chunk in passages if not is_front(chunk)] or passages
        yield from text[:1] if path.startswith(EXPORTS) else text


def _under_dated_headings(edition: Edition, span: Span, within: Within | None) -> Iterator[StoredChunk]:
    """Passages under headings such as `## 2026-11-14`, newest first."""
    if span.days > _MOST_DAYS:
        return
    days = [moved(span.start, ahead).isoformat() for ahead in range(span.days)]
    ranked = edition.keywords([Word(day) for day in days], _MOST_PASSAGES, within)
    dated: list[tuple[date, StoredChunk]] = []
    for chunk in edition.chunks([one.row for one in ranked]).values():
        of = chunk_span(chunk.headings, None)
        if of is not None and of.meets(span):
            dated.append((of.end, chunk))
    dated.sort(key=lambda one: (-one[0].toordinal(), one[1].path, one[1].start_line))
    yield from (chunk for _, chunk in dated)


def _last_day(path: str) -> date:
    span = note_span(path)
    assert span is not None  # it was found by its name
    return span.end


def _is_allowed(chunk: StoredChunk, inquiry: Inquiry) -> bool:
    if inquiry.scope is None or inquiry.scope.is_open:
        return True
    from holdfast.search.inside import allowed

    return allowed(inquiry.scope, chunk)
