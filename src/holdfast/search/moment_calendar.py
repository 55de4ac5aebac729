"""Tell what "last week", "March" or "three days ago" are, seen from one day.

A month or a weekday that is named without a year or a week is the last one that has begun, since a memory is asked
about the past. Only a question that speaks of the future means the next one.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from holdfast.search.calendar_spans import (
    Span,
    add_days,
    add_months,
    day_of,
    month_of,
    valid_date,
    week_of,
    weekend_of,
    year_of,
)
from holdfast.search.moment_words import UNITS

__all__ = ["Calendar", "Step"]

_DAYS = dict(zip(UNITS, (1, 7, 30, 91, 365, 7, 0), strict=True))
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
# How far "three weeks ago" may be off, on either side.
_LOOSE = {"week": 3, "month": 15, "quarter": 45, "year": 183}


class Step:
    """Says which one of those that come again: the last that is over, this, the next, or the one that is nearest."""

    LAST = -1
    THIS = 0
    NEXT = 1


class Calendar:
    """The days that names mean on the day of the question; a week begins with `first`, which is Monday if it is 0."""

    def __init__(self, today: date, *, ahead: bool = False, first: int = 0) -> None:
        self.today, self.ahead, self.first = today, ahead, first

    def unit(self, unit: int, step: int) -> Span:
        """Return the day, week, month … before this one, this one, or the one after."""
        name = UNITS[unit]
        if name == "week":
            return week_of(add_days(self.today, 7 * step), self.first)
        if name == "weekend":
            return weekend_of(add_days(self.today, 7 * step))
        if name == "month":
            return month_of(self.today.year, self.today.month + step)
        if name == "quarter":
            return self.quarter((self.today.month - 1) // 3 + 1 + step, self.today.year)
        if name == "year":
            return year_of(self.today.year + step)
        return day_of(add_days(self.today, step if name == "day" else 0))

    def past(self, unit: int, count: int) -> Span:
        """Return this many days, weeks … up to today."""
        return Span(add_days(self.today, -_DAYS[UNITS[unit]] * count), self.today)

    def away(self, unit: int, count: int, *, origin: date | None = None) -> Span:
        """Return this many days, weeks … after a day (before it where negative): the larger, the looser."""
        name, day = UNITS[unit], origin or self.today
        if name == "hour":
            return day_of(add_days(day, int(count / 24)))
        if name == "weekend":
            return weekend_of(add_days(day, 7 * count))
        if name in _MONTHS:
            middle = add_months(day, _MONTHS[name] * count)
        else:
            middle = add_days(day, _DAYS[name] * count)
        if name == "year" and abs(count) == 1:
            loose = 60
        else:
            loose = _LOOSE.get(name, 0)
        return Span(add_days(middle, -loose), add_days(middle, loose))

    def beside(self, unit: int, span: Span, side: int) -> Span:
        """Return the week (day, month …) right before or right after some days."""
        if UNITS[unit] == "weekend":
            week = weekend_of(span.start if side < 0 else span.end)
            if side < 0:
                inside = week.start < span.start
            else:
                inside = week.end > span.end
            if inside:
                return week
            return weekend_of(add_days(week.start, 7 * side))
        days = max(_DAYS[UNITS[unit]], 1)
        if side < 0:
            return _span(add_days(span.start, -days), add_days(span.start, -1))
        return self._after(span, days)

    @staticmethod
    def _after(span: Span, days: int) -> Span:
        return _span(add_days(span.end, 1), add_days(span.end, days))

    def month(self, month: int, step: int | None = None) -> Span:
        """Return a month without its year."""
        return self._again(lambda year: month_of(year, month), step)

    def season(self, season: int, step: int | None = None) -> Span:
        """Return a season without its year; this winter is the one that began last December, while it lasts."""
        if season == 3 and step == Step.THIS and self.today.month <= 2:
            return self.season_in(3, self.today.year - 1)
        return self._again(lambda year: self.season_in(season, year), step)

    def season_in(self, season: int, year: int) -> Span:
        """Return a season of a year; a winter begins in December."""
        return month_of(year, 3 + 3 * season, 3)

    def quarter(self, quarter: int, year: int) -> Span:
        """Return three months; a quarter outside 1 to 4 leads into the years beside."""
        return month_of(year, 3 * quarter - 2, 3)

    def nearest_quarter(self, quarter: int) -> Span:
        """Return a quarter without its year."""
        return self._again(lambda year: self.quarter(quarter, year), None)

    def feast(self, packed: int, step: int | None = None, year: int | None = None) -> Span:
        """Return days that come every year, given as MMDDMMDD."""
        first, last = divmod(packed, 10_000)

        def days(year: int) -> Span:
            start = valid_date(year, *divmod(first, 100)) or self.today
            return Span(start, add_days(start, 1 if last < first else (last - first) % 100))

        if year is None:
            return self._again(days, step)
        return days(year)

    def weekday(self, weekday: int, step: int | None = None) -> Span:
        """Return a weekday without its week."""
        if step == Step.THIS:
            return day_of(add_days(week_of(self.today, self.first).start, (weekday - self.first) % 7))
        if step == Step.NEXT or (step is None and self.ahead):
            return day_of(add_days(self.today, (weekday - self.today.weekday() - 1) % 7 + 1))
        return day_of(self.weekday_before(weekday, self.today))

    @staticmethod
    def weekday_before(weekday: int, day: date) -> date:
        """Return the last such weekday before a day."""
        return add_days(day, -((day.weekday() - weekday - 1) % 7 + 1))

    @staticmethod
    def weekday_after(weekday: int, day: date) -> date:
        """Return the first such weekday after a day."""
        return add_days(day, (weekday - day.weekday() - 1) % 7 + 1)

    def week_number(self, number: int, year: int | None) -> Span:
        """Return a week by its number in the year, as ISO counts them."""

        def week(year: int) -> Span:
            fourth = valid_date(year, 1, 4) or self.today  # the 4th of January is always in the first week
            return week_of(add_days(week_of(fourth).start, 7 * (number - 1)))

        if year is not None:
            return week(year)
        return self._again(week, None)

    def _again(self, days: Callable[[int], Span], step: int | None) -> Span:
        """Return the one that is meant of what comes once a year."""
        year = self.today.year
        three = [days(year - 1), days(year), days(year + 1)]
        if step == Step.THIS:
            return three[1]
        if step == Step.NEXT or (step is None and self.ahead):
            return next((span for span in three if span.start > self.today), three[2])
        over = [span for span in three if (span.end if step == Step.LAST else span.start) <= self.today]
        if step == Step.LAST:
            over = [span for span in over if span.end < self.today]
        if over:
            return over[-1]
        return three[0]


def _span(start: date, end: date) -> Span:
    return Span(min(start, end), max(start, end))
