"""The date of a note: from its path, else from its front matter; and of a chunk, from the headings it stands under.

MEMORY.md, USER.md and named notes without a date are evergreen: they have none, and grow no older.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import lru_cache

from holdfast.markdown.fact_row import category_of
from holdfast.search.calendar_spans import LATEST, Span, day_of, month_of, moved, valid, week_of

__all__ = ["EVERGREEN", "chunk_span", "note_date", "note_span", "stated_span"]

EVERGREEN = frozenset(("memory.md", "user.md"))

_MOST_CHARACTERS = 200  # of a heading or a value: a date stands in a short one
_SURE = 0.95  # only a date with its year is that sure, so what comes out does not depend on the day it is read
# 2026-03-05, 2026_03_05, 2026.03.05 and 20260305, not as a part of a longer number.
_DAY = re.compile(r"(?<!\d)(\d{4})(?:([-_.])(\d{2})\2(\d{2})|(\d{2})(\d{2}))(?!\d)")
_MONTH = re.compile(r"(?:^|(?<=[-_. ]))(\d{4})[-_](\d{2})(?=$|[-_. ](?!\d))")
_WEEK = re.compile(r"(?:^|(?<=[-_. ]))(\d{4})[-_]?[Ww](\d{2})(?!\d)")
_YEARS = (1970, 2100)  # in a name, eight digits are more often a number than a day long ago


def note_date(path: str, front_matter_date: str | date | None = None) -> date | None:
    """The day of a note; the last one where it is of a week or a month; None for evergreen notes."""
    span = note_span(path, front_matter_date)
    return None if span is None else span.end


def note_span(path: str, front_matter_date: str | date | None = None) -> Span | None:
    """The days a note is of: a daily note of one, `memory/2026-03.md` of a month, `memory/2026-W10.md` of a week."""
    if path.casefold().rpartition("/")[2] in EVERGREEN and path.count("/") in (0, 2):
        return None  # agents/<id>/MEMORY.md as well
    return _span_of_path(path) or _span_of_value(front_matter_date)


def chunk_span(headings: Sequence[str], note: Span | None) -> Span | None:
    """The days a chunk is of: those its innermost dated heading names, else those of its note."""
    for heading in reversed(headings):
        span = stated_span(heading)
        if span is not None:
            return span
    return note


@lru_cache(maxsize=4096)
def stated_span(text: str) -> Span | None:
    """The day or month that a text states with its year, in figures or words: "2026-03-05", "1 pm on 8 May, 2023"."""
    text = text[:_MOST_CHARACTERS]
    if not re.search(r"\d{4}", text):
        return None
    from datetime import datetime

    from holdfast.search.time_window import window

    # A note is not about the years after our calendar, whatever day it is read on: the last one serves as today.
    found = window(text, datetime(LATEST.year, 12, 31))  # noqa: DTZ001 - only its date counts
    return found.span if found is not None and found.certainty >= _SURE and found.span.days <= 31 else None


def _span_of_value(value: str | date | None) -> Span | None:
    if value is None or isinstance(value, date):
        return None if value is None else day_of(date(value.year, value.month, value.day))
    match = _DAY.match(value.strip())
    if match is not None:
        return _day(match)
    return stated_span(value)


@lru_cache(maxsize=16_384)
def _span_of_path(path: str) -> Span | None:
    if category_of(path) is not None:
        return None  # the month in its name is when it was begun; each fact says its own days
    *above, name = path.split("/")
    stem = name[:-3] if name.casefold().endswith(".md") else name
    return _of_name(stem) or _of_folders(above, stem) or _of_above(above)


def _of_name(name: str) -> Span | None:
    for match in _DAY.finditer(name):
        span = _day(match)
        if span is not None and _YEARS[0] <= span.start.year <= _YEARS[1]:
            return span
    week = _WEEK.search(name)
    if week is not None:
        fourth = valid(int(week[1]), 1, 4)  # always in the first week
        if fourth is not None and 1 <= int(week[2]) <= 53:
            return week_of(moved(fourth, 7 * (int(week[2]) - 1)))
    month = _MONTH.search(name)
    if month is not None and valid(int(month[1]), int(month[2]), 1):
        return month_of(int(month[1]), int(month[2]))
    return None


def _of_folders(above: list[str], stem: str) -> Span | None:
    """`2026/03/05.md`, `2026/03/05-topic.md`, `2026-03/05.md` and `2026/03-05.md`."""
    tail = "-".join([*above[-2:], stem])
    match = re.search(r"(?:^|-)(\d{4})-(\d{2})-(\d{2})(?![\d.])", tail)
    day = valid(int(match[1]), int(match[2]), int(match[3])) if match else None
    return day_of(day) if day else None


def _of_above(above: list[str]) -> Span | None:
    """`2026-03-05/topic.md`: the folder is of a day, and so is what lies in it."""
    for folder in reversed(above):
        match = _DAY.match(folder)
        if match is not None and (span := _day(match)) is not None:
            return span
    return None


def _day(match: re.Match[str]) -> Span | None:
    year, _, *dashed, month, day = match.groups()
    numbers = (month, day) if month else tuple(dashed)
    found = valid(int(year), int(numbers[0]), int(numbers[1]))
    return day_of(found) if found else None
