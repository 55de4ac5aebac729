"""Days of the calendar: runs of days that people have names for, and how they follow each other.

Everything stays between EARLIEST and LATEST, so that no question, however odd, leads outside the calendar.
Seasons are those of the northern half of the earth, where most who name one live.
"""

from __future__ import annotations

from datetime import date, timedelta

from holdfast.named_tuple import NamedTuple

__all__ = [
    "EARLIEST",
    "LATEST",
    "NamedSpan",
    "Span",
    "add_days",
    "add_months",
    "day_of",
    "month_of",
    "valid_date",
    "week_of",
    "weekend_of",
    "year_of",
]

EARLIEST = date(1900, 1, 1)
LATEST = date(2199, 12, 31)


class Span(NamedTuple):
    """A run of days, both ends in it."""

    start: date
    end: date

    @property
    def days(self) -> int:
        """Return how many days that is; never less than 1."""
        return (self.end - self.start).days + 1

    def meets(self, span: Span) -> bool:
        """Say whether the two have a day in common."""
        return self.start <= span.end and span.start <= self.end


def add_days(day: date, days: int) -> date:
    """Return the day this many days later, or the end of our calendar."""
    if days > 0:
        days = min(days, (LATEST - day).days)
    else:
        days = max(days, (EARLIEST - day).days)
    return day + timedelta(days=days)


def valid_date(year: int, month: int, day: int) -> date | None:
    """Return the day, if there is one, and it lies in our calendar."""
    if not (EARLIEST.year <= year <= LATEST.year and 1 <= month <= 12 and 1 <= day <= _length(year, month)):
        return None
    return date(year, month, day)


def day_of(day: date) -> Span:
    """Return one day as a run of days."""
    return Span(day, day)


def week_of(day: date, first: int = 0) -> Span:
    """Return Monday to Sunday, or the seven days from another weekday on."""
    start = add_days(day, -((day.weekday() - first) % 7))
    return Span(start, add_days(start, 6))


def weekend_of(day: date) -> Span:
    """Return Saturday and Sunday of this week."""
    saturday = add_days(day, 5 - day.weekday())
    return Span(saturday, add_days(saturday, 1))


def month_of(year: int, month: int, months: int = 1) -> Span:
    """Return a month, or several from it on; a month outside 1 to 12 lies in the years beside."""
    first = _month(year, month)
    last = _month(year, month + months - 1)
    return Span(first, last.replace(day=_length(last.year, last.month)))


def year_of(year: int) -> Span:
    """Return a whole year."""
    return month_of(year, 1, 12)


def add_months(day: date, months: int) -> date:
    """Return the same day this many months later; the last of the month where that is shorter."""
    target = _month(day.year, day.month + months)
    return target.replace(day=min(day.day, _length(target.year, target.month)))


def _month(year: int, month: int) -> date:
    number = year * 12 + month - 1
    number = max(EARLIEST.year * 12, min(number, LATEST.year * 12 + 11))
    return date(number // 12, number % 12 + 1, 1)


def _length(year: int, month: int) -> int:
    if month == 2:
        if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0):
            return 29
        return 28
    if month in (4, 6, 9, 11):
        return 30
    return 31


class NamedSpan(NamedTuple):
    """A run of days that a text names between two of its characters, how surely, and whether it named no year."""

    span: Span
    sure: float
    begin: int
    end: int
    yearly: bool = False
