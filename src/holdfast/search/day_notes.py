"""Notes of the time that a question names, whether they share a word with it or not.

"What happened yesterday?" holds no word of yesterday's note. Such notes are found by their names, which begin with the
day, in whatever folder they lie (`memory/2026-11-14.md`, `memory/notes/journal/2026-11-14.md`,
`memory/sessions/2026-11-14-….md`), and by dated headings. Where nothing but the time is asked for, they are the answer,
the day's note first and the newest day before the others. Where more is asked, the notes of that time are searched for
it once more, by themselves: the best of them stands as well as the best of all, for no other can be of that time. Where
none of them holds any of it, but nor does any other note ("who did I meet on Friday?"), they are the answer all the
same; else they follow behind. A note that the question calls by a title with a time in it stands before them all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING

from holdfast.guard.paths import EXPORTS
from holdfast.index.sqlite.edition import Edition
from holdfast.index.store_contract import StoredChunk, Within, Word
from holdfast.named_tuple import NamedTuple
from holdfast.search.calendar_spans import Span, add_days
from holdfast.search.candidate import Candidate
from holdfast.search.front_matter_hits import is_front
from holdfast.search.fusion import Fused
from holdfast.search.hit import FAINT
from holdfast.search.inquiry import Candidates, Inquiry
from holdfast.search.moment_words import asks_for_anything
from holdfast.search.note_dates import chunk_span, note_span
from holdfast.search.query import plain_question
from holdfast.search.retrieval import retrieve

if TYPE_CHECKING:
    from holdfast.search.query_vector import QueryVector
    from holdfast.search.time_window import Window

__all__ = ["Days", "add_day_notes", "passages_of_days"]

_MOST_NOTES = 100  # of the exported conversations, and of all other notes; the newest first
_MOST_PASSAGES = 60  # as many as the stages of a search see
_MOST_DAYS = 31  # that headings are asked for, each for itself
_SHORT_DAYS = 7  # a time of at most this many days is short
_SHORT_SCORE = 0.3  # what a note of a short time scores by its time alone
_LONG_SCORE = 0.15  # and one of a longer time
_ANSWERING = 0.6  # of what the best of the time scores
_SAYS_NOTHING = 0.3  # what the words besides the time score at best, where no note speaks of them
_SURE = 0.7  # from here on nothing but a time is meant
_AFTER = "\U0010ffff"


class Days(NamedTuple):
    """The passages of some days, what those score that hold what else is asked for, and what others score at best."""

    passages: Sequence[StoredChunk] = ()
    scores: Mapping[int, float] = {}
    elsewhere: float = 0.0


def passages_of_days(edition: Edition, inquiry: Inquiry, within: Within | None, vector: QueryVector) -> Days:
    """Return the passages of the days that are asked for, newest day first, in each the day's note first.

    Call it inside a read transaction. There are none where the question also says what must or must not be there, or
    names an id.
    """
    asked, question = _asked_window(inquiry), inquiry.question
    if (
        asked is None
        or question.without
        or question.strict
        or any(_is_elsewhere(asked, word) for word in question.words)
    ):
        return Days()
    notes = list(_notes_named_by_day(edition, asked.span, within))
    notes.sort(key=lambda note: (-_last_day(note[1]).toordinal(), note[1].startswith(EXPORTS), note[1]))
    found = list(islice(_passages_of_notes(edition, notes), _MOST_PASSAGES))
    known = {chunk.row for chunk in found}
    headed = [chunk for chunk in _under_dated_headings(edition, asked.span, within) if chunk.row not in known]
    if asks_for_anything(question.text, asked.words) or not (notes or headed):
        return Days([*found, *headed])
    rest = plain_question(question.text.replace(asked.words, " ", 1))
    inside = Within([number for number, _ in notes], [chunk.row for chunk in headed])
    best = [
        *retrieve(edition, rest, vector, inquiry, inside).candidates,
        *retrieve(edition, rest, vector, inquiry, within).candidates,
    ]
    note_of, numbers, rows = (
        edition.passages.notes_of([candidate.row for candidate in best]),
        set(inside.notes),
        set(inside.chunks),
    )
    scores: dict[int, float] = {}
    elsewhere = 0.0
    for candidate in best:
        if candidate.row in rows or note_of.get(candidate.row) in numbers:
            scores.setdefault(candidate.row, candidate.score)
        else:
            elsewhere = max(elsewhere, candidate.score)
    more = edition.chunks([row for row in scores if row not in known]).values()
    known.update(chunk.row for chunk in headed)
    return Days([*found, *headed, *(chunk for chunk in more if chunk.row not in known)], scores, elsewhere)


def add_day_notes(inquiry: Inquiry, found: Candidates) -> Candidates:
    """Return the candidates and the passages of the days that the question asks about."""
    asked, days = _asked_window(inquiry), [chunk for chunk in found.days if _is_allowed(chunk, inquiry)]
    if asked is None or not days:
        return found
    chunks = {**{chunk.row: chunk for chunk in days}, **found.chunks}
    by_row = {candidate.fused.row: candidate for candidate in found.ranked}
    best = max(found.day_scores.values(), default=0.0)
    best_of_all = 0.0
    if found.ranked:
        best_of_all = found.ranked[0].score
    if asks_for_anything(inquiry.question.text, asked.words) or max(best, found.elsewhere) < _SAYS_NOTHING:
        top = max(asked.certainty, best_of_all)
        first = [_lift(by_row.get(chunk.row), chunk.row, top, asked.certainty) for chunk in days]
        rows = {chunk.row for chunk in days}
        others = [candidate for candidate in found.ranked if candidate.fused.row not in rows]
        return found._replace(ranked=_named_first([*first, *others]), chunks=chunks)
    if asked.span.days <= _SHORT_DAYS:
        least = asked.certainty * _SHORT_SCORE
    else:
        least = asked.certainty * _LONG_SCORE
    top = max(best, best_of_all)
    if asked.certainty < _SURE:
        top *= asked.certainty
    of_days: dict[int, Candidate] = {}
    for chunk in days:
        candidate = by_row.get(chunk.row)
        share = 0.0
        if best >= FAINT:
            share = found.day_scores.get(chunk.row, 0.0) / best
        score = top * share
        if candidate is None:
            score = max(score, least)
        if candidate is None or score > candidate.score:
            of_time = 0.0
            if share >= _ANSWERING:
                of_time = asked.certainty
            of_days[chunk.row] = _lift(candidate, chunk.row, score, of_time)
    others = [candidate for candidate in found.ranked if candidate.fused.row not in of_days]
    rows = {chunk.row for chunk in days}
    own = [candidate for candidate in others if candidate.fused.row in rows]
    others = [candidate for candidate in others if candidate.fused.row not in rows]
    # Sorted as they come: among equals what is of the time first, and of that what needed no lift.
    ranked = sorted([*own, *of_days.values(), *others], key=lambda candidate: -candidate.score)
    return found._replace(ranked=_named_first(ranked), chunks=chunks)


def _named_first(ranked: Sequence[Candidate]) -> list[Candidate]:
    """Return the same, but of equals what the question names first: "Goals for 2026" asks for that note."""
    top = max(candidate.score for candidate in ranked)
    return sorted(ranked, key=lambda candidate: not (candidate.later.get("named") and candidate.score >= top))


def _asked_window(inquiry: Inquiry) -> Window | None:
    if inquiry.weighing is None:
        return None
    return inquiry.weighing.window


def _is_elsewhere(asked: Window, word: Word) -> bool:
    """Say whether a word is an id that is no part of what names the time."""
    return word.heavy and (word.typed or word.text).casefold() not in asked.words.casefold()


def _lift(candidate: Candidate | None, row: int, top: float, certainty: float) -> Candidate:
    """Return a passage of the day with this score; one that answers by being of the time says so."""
    if candidate is None:
        candidate = Candidate(0.0, Fused(row, 0.0, None, None), {})
    later = {**candidate.later, "day": candidate.later.get("day", 0.0) + top - candidate.score}
    if certainty:
        later["of_time"] = certainty
    return Candidate(top, candidate.fused, later)


def _notes_named_by_day(edition: Edition, span: Span, within: Within | None) -> Iterator[tuple[int, str]]:
    """Yield the notes that are named by a day of these."""
    every = within or Within((), all_but=True)
    listed = frozenset(every.notes)
    first, after = f"{EXPORTS}{span.start.isoformat()}", f"{EXPORTS}{span.end.isoformat()}{_AFTER}"
    conversations = edition.paths.newest_between(first, after, _MOST_NOTES)
    others = (note for note in _notes_beside_exports(edition, span) if (note[0] in listed) is not every.all_but)
    for number, path in (*islice(others, _MOST_NOTES), *conversations):
        named = note_span(path)
        if named is not None and named.meets(span) and (number in listed) is not every.all_but:
            yield number, path


def _notes_beside_exports(edition: Edition, span: Span) -> Iterator[tuple[int, str]]:
    """Yield the notes whose names begin with a day of these, whatever folder they lie in, the newest first."""
    first, last = span.start.isoformat(), span.end.isoformat()
    shared = next((place for place in range(len(first)) if first[place] != last[place]), len(first))
    notes = [
        (name, path, number)
        for number, path in edition.paths.holding(f"/{first[:shared]}")
        if first <= (name := path.rpartition("/")[2]) < f"{last}{_AFTER}" and not path.startswith(EXPORTS)
    ]
    for _, path, number in sorted(notes, reverse=True):
        yield number, path


def _passages_of_notes(edition: Edition, notes: Sequence[tuple[int, str]]) -> Iterator[StoredChunk]:
    """Yield the passages of the day's notes, of many notes the first of each, and the first of each conversation."""
    most = max(1, _MOST_PASSAGES // max(1, len(notes)))  # two long days must not hide the others of a week
    for number, path in notes:
        if path.startswith(EXPORTS):
            wanted = 1
        else:
            wanted = most
        passages = edition.passages_of(number, wanted + 1)  # the front matter may be the first
        text = [chunk for chunk in passages if not is_front(chunk)] or passages
        yield from text[:wanted]


def _under_dated_headings(edition: Edition, span: Span, within: Within | None) -> Iterator[StoredChunk]:
    """Yield the passages under headings such as `## 2026-11-14`, newest first."""
    if span.days > _MOST_DAYS:
        return
    days = [add_days(span.start, ahead).isoformat() for ahead in range(span.days)]
    ranked = edition.keywords([Word(day) for day in days], _MOST_PASSAGES, within)
    dated: list[tuple[date, StoredChunk]] = []
    for chunk in edition.chunks([hit.row for hit in ranked]).values():
        of = chunk_span(chunk.headings, None)
        if of is not None and of.meets(span):
            dated.append((of.end, chunk))
    dated.sort(key=lambda entry: (-entry[0].toordinal(), entry[1].path, entry[1].start_line))
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
