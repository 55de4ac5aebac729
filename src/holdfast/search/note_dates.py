"""The date of a note: from its path, else from its front matter; and of a chunk, from the headings it stands under.

MEMORY.md, USER.md and named notes without a date are evergreen: they have none, and grow no older.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import lru_cache

from holdfast.markdown.fact_row import category_of
from holdfast.pattern import compile_late
from holdfast.search.calendar_spans import LATEST, Span, add_days, day_of, month_of, valid_date, week_of

__all__ = ["EVERGREEN", "chunk_span", "note_date", "note_span", "stated_span"]

EVERGREEN = frozenset(("memory.md", "user.md"))

_MOST_CHARACTERS = 200  # of a heading or a value: a date stands in a short one
_SURE = 0.95  # only a date with its year is that sure, so what comes out does not depend on the day it is read
# 2026-03-05, 2026_03_05, 2026.03.05 and 20260305, not as a part of a longer number.
_DAY = compile_late(r"(?<!\d)(\d{4})(?:([-_.])(\d{2})\2(\d{2})|(\d{2})(\d{2}))(?!\d)")
_MONTH = compile_late(r"(?:^|(?<=[-_. ]))(\d{4})[-_](\d{2})(?=$|[-_. ](?!\d))")
_WEEK = compile_late(r"(?:^|(?<=[-_. ]))(\d{4})[-_]?[Ww](\d{2})(?!\d)")
_YEARS = (1970, 2100)  # in a name, eight digits are more often a number than a day long ago


def note_date(path: str, front_matter_date: str | date | None = None) -> date | None:
    """Return the day of a note; the last one where it is of a week or a month; None for evergreen notes."""
    span = note_span(path, front_matter_date)
    if span is None:
        return None
    return span.end


def note_span(path: str, front_matter_date: str | date | None = None) -> Span | None:
    """Return the days a note is of.

    A daily note is of one, `memory/2026-03.md` of a month, `memory/2026-W10.md` of a week.
    """
    if path.casefold().rpartition("/")[2] in EVERGREEN and path.count("/") in (0, 2):
        return None  # agents/<id>/MEMORY.md as well
    return _span_of_path(path) or _span_of_value(front_matter_date)


def chunk_span(headings: Sequence[str], note: Span | None) -> Span | None:
    """Return the days a chunk is of: those its innermost dated heading names, else those of its note."""
    for heading in reversed(headings):
        span = stated_span(heading)
        if span is not None:
            return span
    return note


@lru_cache(maxsize=4096)
def stated_span(text: str) -> Span | None:
    """Return the day or month that a text states with its year, in figures or in words.

    Such are "2026-03-05" and "1 pm on 8 May, 2023".
    """
    text = text[:_MOST_CHARACTERS]
    if not re.search(r"\d{4}", text):
        return None
    from datetime import datetime

    from holdfast.search.time_window import window

    # A note is not about the years after our calendar, whatever day it is read on: the last one serves as today.
    found = window(text, datetime(LATEST.year, 12, 31))  # noqa: DTZ001 - only its date counts
    if found is not None and found.certainty >= _SURE and found.span.days <= 31:
        return found.span
    return None


def _span_of_value(value: str | date | None) -> Span | None:
    if value is None or isinstance(value, date):
        if value is None:
            return None
        return day_of(date(value.year, value.month, value.day))
    match = _DAY.match(value.strip())
    if match is not None:
        return _day(match)
    return stated_span(value)


@lru_cache(maxsize=16_384)
def _span_of_path(path: str) -> Span | None:
    if category_of(path) is not None:
        return None  # the month in its name is when it was begun; each fact says its own days
    *above, name = path.split("/")
    if name.casefold().endswith(".md"):
        stem = name[:-3]
    else:
        stem = name
    return _of_name(stem) or _of_folders(above, stem) or _of_above(above)


def _of_name(name: str) -> Span | None:
    for match in _DAY.finditer(name):
        span = _day(match)
        if span is not None and _YEARS[0] <= span.start.year <= _YEARS[1]:
            return span
    week = _WEEK.search(name)
    if week is not None:
        fourth = valid_date(int(week[1]), 1, 4)  # always in the first week
        if fourth is not None and 1 <= int(week[2]) <= 53:
            return week_of(add_days(fourth, 7 * (int(week[2]) - 1)))
    month = _MONTH.search(name)
    if month is not None and valid_date(int(month[1]), int(month[2]), 1):
        return month_of(int(month[1]), int(month[2]))
    return None


def _of_folders(above: list[str], stem: str) -> Span | None:
    """Read `2026/03/05.md`, `2026/03/05-topic.md`, `2026-03/05.md` and `2026/03-05.md`."""
    tail = "-".join([*above[-2:], stem])
    match = re.search(r"(?:^|-)(\d{4})-(\d{2})-(\d{2})(?![\d.])", tail)
    day = None
    if match:
        day = valid_date(int(match[1]), int(match[2]), int(match[3]))
    if not day:
        return None
    return day_of(day)


def _of_above(above: list[str]) -> Span | None:
    """Read `2026-03-05/topic.md`: the folder is of a day, and so is what lies in it."""
    for folder in reversed(above):
        match = _DAY.match(folder)
        if match is not None and (span := _day(match)) is not None:
            return span
    return None


def _day(match: re.Match[str]) -> Span | None:
    year, _, *dashed, month, day = match.groups()
    if not month:
        month, day = dashed
    found = valid_date(int(year), int(month), int(day))
    if not found:
        return None
    return day_of(found)
