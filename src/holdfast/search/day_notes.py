"""Notes of the time that a question names, whether they share a word with it or not.

"What happened yesterday?" holds no word of yesterday's note. Such notes are found by their names, which begin with the
day (`memory/2026-11-14.md`, `memory/sessions/2026-11-14-….md`), and by dated headings, with queries that an index
answers. Where nothing but the time is asked for, they are the answer, the day's note first and the newest day before
the others. Where more is asked, the notes of that time are searched for it once more, by themselves: the best of them
stands as well as the best of all, for no other can be of that time. Where none of them holds any of it, but nor does
any other note ("who did I meet on Friday?"), they are the answer all the same; else they follow behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from holdfast.guard.paths import EXPORTS
from holdfast.index.sqlite.edition import Edition
from holdfast.index.store_contract import StoredChunk, Within, Word
from holdfast.search.calendar_spans import Span, moved
from holdfast.search.candidate import Standing
from holdfast.search.front_matter_hits import is_front
from holdfast.search.fusion import Fused
from holdfast.search.hit import FAINT
from holdfast.search.inquiry import Candidates, Inquiry
from holdfast.search.moment_words import asks_for_anything
from holdfast.search.note_dates import chunk_span, note_span
from holdfast.search.query import plain_question
from holdfast.search.retrieval import retrieve

if TYPE_CHECKING:
    from holdfast.index.sqlite.vectors import Vectors
    from holdfast.search.time_window import Window

__all__ = ["Days", "passages_of_days", "with_days"]

_FOLDERS = ("memory/", EXPORTS)  # in the order in which their notes of one day stand
_MOST_NOTES = 100  # of each folder, the newest first
_MOST_PASSAGES = 60  # as many as the stages of a search see
_MOST_DAYS = 31  # that headings are asked for, each for itself
_SHORT, _SHORT_SCORE, _LONG_SCORE = 7, 0.3, 0.15  # days, and what a note of so few days or of more scores by time alone
_ANSWERING = 0.6  # of what the best of the time scores
_SAYS_NOTHING = 0.3  # what the words besides the time score at best, where no note speaks of them
_SURE = 0.7  # from here on nothing but a time is meant
_AFTER = "\U0010ffff"


class Days(NamedTuple):
    """The passages of some days, what those score that hold what else is asked for, and what others score at best."""

    passages: Sequence[StoredChunk] = ()
    scores: Mapping[int, float] = {}
    elsewhere: float = 0.0


def passages_of_days(
    edition: Edition, inquiry: Inquiry, within: Within | None, vectors: Vectors | None, packed: bytes | None
) -> Days:
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
        return Days()
    notes = list(_notes(edition, asked.span, within))
    notes.sort(key=lambda note: (-_last_day(note[1]).toordinal(), note[1].startswith(EXPORTS), note[1]))
    found = list(islice(_passages(edition, notes), _MOST_PASSAGES))
    known = {chunk.row for chunk in found}
    headed = [chunk for chunk in _under_dated_headings(edition, asked.span, within) if chunk.row not in known]
    if asks_for_anything(question.text, asked.words) or not (notes or headed):
        return Days([*found, *headed])
    rest = plain_question(question.text.replace(asked.words, " ", 1))
    inside = Within([number for number, _ in notes], [chunk.row for chunk in headed])
    best = retrieve(edition, rest, vectors, packed, inquiry, inside).candidates
    best += retrieve(edition, rest, vectors, packed, inquiry, within).candidates
    note_of, numbers, rows = edition.passages.notes_of([one.row for one in best]), set(inside.notes), set(inside.chunks)
    scores: dict[int, float] = {}
    elsewhere = 0.0
    for one in best:
        if one.row in rows or note_of.get(one.row) in numbers:
            scores.setdefault(one.row, one.score)
        else:
            elsewhere = max(elsewhere, one.score)
    more = edition.chunks([row for row in scores if row not in known]).values()
    known.update(chunk.row for chunk in headed)
    return Days([*found, *headed, *(chunk for chunk in more if chunk.row not in known)], scores, elsewhere)


def with_days(inquiry: Inquiry, found: Candidates) -> Candidates:
    """The candidates and the passages of the days that the question asks about."""
    asked, days = _asked(inquiry), [chunk for chunk in found.days if _is_allowed(chunk, inquiry)]
    if asked is None or not days:
        return found
    chunks = {**{chunk.row: chunk for chunk in days}, **found.chunks}
    by_row = {one.fused.row: one for one in found.ranked}
    best = max(found.day_scores.values(), default=0.0)
    if asks_for_anything(inquiry.question.text, asked.words) or max(best, found.elsewhere) < _SAYS_NOTHING:
        top = max(asked.certainty, found.ranked[0].score if found.ranked else 0.0)
        first = [_lifted(by_row.get(chunk.row), chunk.row, top, asked.certainty) for chunk in days]
        rows = {chunk.row for chunk in days}
        return found._replace(
            ranked=[*first, *(one for one in found.ranked if one.fused.row not in rows)], chunks=chunks
        )
    least = asked.certainty * (_SHORT_SCORE if asked.span.days <= _SHORT else _LONG_SCORE)
    top = max(best, found.ranked[0].score if found.ranked else 0.0)
    if asked.certainty < _SURE:
        top *= asked.certainty
    of_days: dict[int, Standing] = {}
    for chunk in days:
        one = by_row.get(chunk.row)
        share = found.day_scores.get(chunk.row, 0.0) / best if best >= FAINT else 0.0
        score = max(top * share, 0.0 if one else least)
        if one is None or score > one.score:
            of_time = asked.certainty if share >= _ANSWERING else 0.0
            of_days[chunk.row] = _lifted(one, chunk.row, score, of_time)
    others = [one for one in found.ranked if one.fused.row not in of_days]
    # Sorted as they come, what is of the time first among equals.
    return found._replace(ranked=sorted([*of_days.values(), *others], key=lambda one: -one.score), chunks=chunks)


def _asked(inquiry: Inquiry) -> Window | None:
    return None if inquiry.weighing is None else inquiry.weighing.window


def _is_elsewhere(asked: Window, word: Word) -> bool:
    """Whether a word is an id that is no part of what names the time."""
    return word.heavy and (word.typed or word.text).casefold() not in asked.words.casefold()


def _lifted(one: Standing | None, row: int, top: float, certainty: float) -> Standing:
    """A passage of the day with this score; one that answers by being of the time says so."""
    if one is None:
        one = Standing(0.0, Fused(row, 0.0, None, None), {})
    later = {**one.later, "day": one.later.get("day", 0.0) + top - one.score}
    return Standing(top, one.fused, {**later, "of_time": certainty} if certainty else later)


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
    from holdfast.search.scope_filter import allowed

    return allowed(inquiry.scope, chunk)
