"""Time told by an event ("before the launch"), with the notes at hand: which day that was, and so which days are meant.

One more search by keywords, for a few chunks, and only where a question measures time by an event and names no plainer
time. The event's day is the one that its line states, else the one of its heading or its note.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from holdfast.named_tuple import NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.index.sqlite.edition import Edition
    from holdfast.index.store_contract import StoredChunk, Within
    from holdfast.search.calendar_spans import Span
    from holdfast.search.time_window import Window

__all__ = ["Occasion", "occasion"]

# Looked for before anything is imported: most questions hold none of them, and pay nothing.
_SIGNS = (
    *("before ", "prior to ", "after ", "since ", "during ", "while at "),
    *("vor ", "nach ", "seit ", "während ", "avant ", "après ", "depuis ", "pendant "),
    *(
        "antes d",
        "después d",
        "depois d",
        "desde ",
        "durante ",
        "prima d",
        "dopo ",
        "vóór ",
        "na ",
        "sinds ",
        "tijdens ",
    ),
)
_LOOKED_AT = 8  # chunks: the event's own note is among the first, or the words are too common to tell
_RIVAL = 0.6  # of the best one's score; who scores as much tells of the event as well
_SAME = 7  # days; an event is told of shortly before and after
_STEM = 5  # letters of a word that must stand there: its ending may differ
_SMALL = 3  # words up to here ("of", "the") need not


class Occasion(NamedTuple):
    """The days that an event opens, and the place that told its day."""

    window: Window
    explanation: str


def occasion(edition: Edition, query: str, now: datetime, within: Within | None = None) -> Occasion | None:
    """Return what an event in the question says of time.

    None where there is no event, a plainer time, or no day for it.
    """
    lowered = query.casefold()
    if not any(sign in lowered for sign in _SIGNS):
        return None
    from holdfast.search.event_time import around, event
    from holdfast.search.time_window import window

    found = event(query)
    if found is None or window(query, now) is not None:
        return None
    from holdfast.search.query import words_of

    ranked = edition.keywords(words_of(found.words), _LOOKED_AT, within)
    chunks = edition.chunks([hit.row for hit in ranked])
    best = sorted((-hit.score, chunk.path, chunk.start_line, chunk) for hit in ranked if (chunk := chunks.get(hit.row)))
    words = _telling_beginnings(found.words)
    dated = [(-lost, chunk, day) for lost, _, _, chunk in best if (day := _day_of(chunk, words)) is not None]
    if not dated:
        return None
    score, chunk, day = dated[0]
    # What is told of on many days ("during my walk") is no day's event: to choose one of them would be a guess.
    if any(rival >= _RIVAL * score and _days_between(day, its) > _SAME for rival, _, its in dated[1:]):
        return None
    opened = around(found, day)
    if opened.end != opened.start:
        days = f"{opened.start} to {opened.end}"
    else:
        days = f"{opened.start}"
    return Occasion(opened, f"'{opened.words}' is taken for {days}, by {chunk.path}#{chunk.start_line}")


def _days_between(first: Span, second: Span) -> int:
    """Return how many days lie between two runs of days."""
    return max((second.start - first.end).days, (first.start - second.end).days, 0)


def _telling_beginnings(words: str) -> list[str]:
    """Return the beginnings of the words that an event must not lack."""
    every = words.casefold().split()
    return [word[:_STEM] for word in every if len(word) > _SMALL] or [word[:_STEM] for word in every]


def _day_of(chunk: StoredChunk, words: Sequence[str]) -> Span | None:
    """Return the day of the event by this chunk, if the chunk is about it and has a day."""
    from holdfast.search.note_dates import chunk_span, note_span, stated_span
    from holdfast.search.scope_filter import fact_span

    whole = "\n".join((chunk.title, *chunk.headings, chunk.text)).casefold()
    if not all(word in whole for word in words):
        return None
    for line in chunk.text.splitlines():
        lowered = line.casefold()
        if all(word in lowered for word in words) and (stated := stated_span(line)) is not None:
            return stated
    own = None
    if chunk.fact is not None:
        own = fact_span(chunk.fact)
    return own or chunk_span(chunk.headings, note_span(chunk.path))
