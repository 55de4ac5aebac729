"""Signs → the days they name. Each rule looks a few signs ahead and never back, so a text is read in linear time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from holdfast.named_tuple import NamedTuple
from holdfast.search.calendar_spans import (
    EARLIEST,
    NamedSpan,
    Span,
    add_days,
    add_months,
    month_of,
    valid_date,
    year_of,
)
from holdfast.search.moment_calendar import Calendar, Step
from holdfast.search.moment_signs import Sign

__all__ = ["read"]

# How much what stands before a name says that it is meant as a time: the `context` of the rules below.
_NO_CONTEXT = 0
_SOME_CONTEXT = 1  # "on"
_CLEAR_CONTEXT = 2  # "in"
_STEPS = (("last", Step.LAST), ("rolling", Step.LAST), ("this", Step.THIS), ("next", Step.NEXT))
_STEPS_AFTER = (("lastafter", Step.LAST), ("nextafter", Step.NEXT))
_WEEK, _YEAR = 1, 4


class _Reading(NamedTuple):
    """The days that were read, how surely, the sign after them, and whether no year was named."""

    span: Span
    sure: float
    after: int
    yearly: bool = False


def read(signs: Sequence[Sign], today: date, language: str, *, spoken: bool, first: int = 0) -> list[NamedSpan]:
    """Return every time that the signs name; `spoken` when the question is likely to be in this language."""
    reader = _Reader(signs, today, language, spoken=spoken, first=first)
    found: list[NamedSpan] = []
    at = 0
    while at < len(signs):
        moment = reader.whole(at)
        if moment is None:
            at += 1
            continue
        span, sure, after, yearly = moment
        found.append(NamedSpan(span, sure, signs[at].begin, signs[after - 1].end, yearly))
        at = after
    return found


class _Reader:
    def __init__(self, signs: Sequence[Sign], today: date, language: str, *, spoken: bool, first: int) -> None:
        self.signs, self.language, self.spoken = signs, language, spoken
        self.today = today
        self.calendar = Calendar(today, ahead=any("ahead" in sign.means for sign in signs), first=first)

    def means(self, at: int, kind: str) -> int | None:
        """Return what the sign means in this sense, if it can."""
        if at >= len(self.signs):
            return None
        return self.signs[at].means.get(kind)

    def has(self, at: int, *kinds: str) -> bool:
        return any(self.means(at, kind) is not None for kind in kinds)

    def past(self, at: int, *kinds: str) -> int:
        """Return the first sign from here on of another kind than these; at most two are passed over."""
        for _ in range(2):
            if self.has(at, *kinds):
                at += 1
        return at

    # From the outside in: a range or a bound, a time with what stands before it, a time alone.

    def whole(self, at: int) -> _Reading | None:
        return self.range(at) or self.bound(at) or self.led(at) or self.moment(at, _NO_CONTEXT)

    def led(self, at: int) -> _Reading | None:
        if self.has(at, "at"):
            level = _CLEAR_CONTEXT
        elif self.has(at, "near"):
            level = _SOME_CONTEXT
        else:
            return None
        return self.moment(self.past(at + 1, "article"), level)

    def range(self, at: int) -> _Reading | None:
        between = self.has(at, "between")
        if between or self.has(at, "from"):
            first = self.moment(self.past(at + 1, "article"), _CLEAR_CONTEXT)
        elif self.has(at, "month", "date", "weekday") and self.has(at + 1, "to"):
            first = self.moment(at, _CLEAR_CONTEXT)
        else:
            first = None
            if self.has(at, "number", "nth", "month"):
                first = self.moment(at, _NO_CONTEXT)
        if first is None or not self.has(first.after, "and" if between else "to"):
            return None
        second = self.moment(self.past(first.after + 1, "article"), _CLEAR_CONTEXT)
        if second is None:
            return None
        start, end = first.span.start, second.span.end
        if first.yearly:  # "between March and May 2024": the year of the second is that of the first
            start = add_months(start, 12 * (second.span.start.year - start.year))
            if start > end:
                start = add_months(start, -12)
        if start > end:
            return None
        if first.yearly:
            sure = second.sure
        else:
            sure = min(first.sure, second.sure)
        return _Reading(Span(start, end), 0.95 * sure, second.after, second.yearly)

    def bound(self, at: int) -> _Reading | None:
        for kind in ("since", "until", "before", "after"):
            if not self.has(at, kind):
                continue
            moment = self.moment(self.past(at + 1, "article", "at"), _CLEAR_CONTEXT)
            if moment is None:
                continue
            start, end = moment.span
            if kind in ("since", "after"):
                if kind != "since":
                    start = add_days(end, 1)
                # What is still to come has no end in sight; a year is enough to look at.
                if start <= self.today:
                    end = self.today
                else:
                    end = add_days(start, 366)
            else:
                start, end = EARLIEST, end if kind == "until" else add_days(start, -1)
            return _Reading(Span(start, max(start, end)), 0.9 * moment.sure, moment.after)
        return None

    def moment(self, at: int, context: int) -> _Reading | None:
        if at >= len(self.signs) or not self.signs[at].means:
            return None
        return (
            self.beside(at)
            or self.day(at)
            or self.counted(at)
            or self.stepped(at)
            or self.part(at)
            or self.dated(at, context)
            or self.weekday(at, context)
            or self.season(at, context)
            or self.other(at, context)
        )

    def day(self, at: int) -> _Reading | None:
        days = self.means(at, "day")
        if days is None or (self.signs[at].weak and not self.spoken):
            return None
        day = add_days(self.today, days)
        # "today" is also said of these times, and not of this day.
        return _Reading(Span(day, day), 0.9 if days else 0.75, self.past(at + 1, "part"))

    def counted(self, at: int) -> _Reading | None:
        """Read "three days ago", "the last three days", "in three days"."""
        before = self.has(at, "agobefore")
        soon = self.has(at, "in")
        rolling = self.has(at, "rolling") or self.has(at, "last")
        if before or soon or rolling:
            start = at + 1
        else:
            start = at
        count = self.means(start, "number")
        if count is None:
            here = start
        else:
            here = start + 1
        if not rolling and count is not None and self.has(here, "rolling"):  # "trois derniers jours"
            rolling, here = True, here + 1
        unit = self.means(here, "unit")
        if unit is None or self.has(here + 1, "of"):
            return None
        if self.has(here + 1, "ago") and (count is not None or self.has(here, "one")):
            return _Reading(self.calendar.away(unit, -(count or 1)), 0.85, here + 2)
        if before and count is not None:
            return _Reading(self.calendar.away(unit, -count), 0.85, self.past(here + 1, "ago"))
        if rolling and (count is not None or self.has(at, "rolling")):
            if count is None and unit == 0:
                count = 5  # "the last days"
            return _Reading(self.calendar.past(unit, count or 1), 0.85, here + 1)
        if soon and count is not None:  # as often a length as a time
            return _Reading(self.calendar.away(unit, count), 0.3, here + 1)
        return None

    def stepped(self, at: int) -> _Reading | None:
        """Read "last week", "la semaine dernière", "next March"."""
        for kind, step in _STEPS:
            if self.has(at, kind):
                moment = self._named(at + 1, step)
                if moment is None or self.has(moment.after, "of"):
                    return None
                return moment
        for kind, step in _STEPS_AFTER:
            if self.has(at + 1, kind):
                moment = self._named(at, step)
                if moment is None:
                    return None
                return moment._replace(after=at + 2)
        return None

    def _named(self, at: int, step: int) -> _Reading | None:
        unit = self.means(at, "unit")
        if unit is not None:
            return _Reading(self.calendar.unit(unit, step), 0.9, at + 1)
        sign = None
        if at < len(self.signs):
            sign = self.signs[at]
        if sign is None or (sign.verb and not sign.capital and at + 1 < len(self.signs)):
            return None  # "this may be"
        month, weekday, season, feast = (self.means(at, kind) for kind in ("month", "weekday", "season", "feast"))
        if month is not None:
            year = self._year(at + 1)
            if year is None:
                return _Reading(self.calendar.month(month, step), 0.85, at + 1)
        if weekday is not None and not self._too_weak(sign, _SOME_CONTEXT):
            return _Reading(self.calendar.weekday(weekday, step), 0.8, self.past(at + 1, "part"))
        if season is not None:
            return _Reading(self.calendar.season(season, step), 0.8, at + 1)
        if feast is not None:
            return _Reading(self.calendar.feast(feast, step), 0.8, at + 1)
        return None

    def beside(self, at: int) -> _Reading | None:
        """Read "the week before 16 November 2023", "the Sunday after Christmas", "the week before last"."""
        if self.has(at, "last", "next"):
            at = at + 1
        count = self.means(at, "number")
        if count is None:
            here = at
        else:
            here = at + 1
        unit, weekday = self.means(here, "unit"), self.means(here, "weekday")
        if (unit is None and weekday is None) or not self.has(here + 1, "before", "after"):
            return None
        side = 1
        if self.has(here + 1, "before"):
            side = -1
        if unit is not None and count is None and self.means(here + 2, "last") and not self.has(here + 3, "unit"):
            return _Reading(self.calendar.unit(unit, -2), 0.85, here + 3)
        start = self.past(here + 2, "article")
        moment = self.dated(start, _CLEAR_CONTEXT) or self.other(start, _CLEAR_CONTEXT)
        if moment is None or moment.span.days > 31:
            return None
        if side < 0:
            edge = moment.span.start
        else:
            edge = moment.span.end
        if weekday is not None:
            day = self.calendar.weekday_before(weekday, edge)
            if side >= 0:
                day = self.calendar.weekday_after(weekday, edge)
            span = Span(day, day)
        elif unit is not None and count is not None:
            span = self.calendar.away(unit, side * count, origin=edge)
        else:
            span = self.calendar.beside(unit or 0, moment.span, side)
        return _Reading(span, moment.sure, moment.after, moment.yearly)

    def part(self, at: int) -> _Reading | None:
        """Read "early March", "mid-2023", "the end of last month": a third of it, a half or a week."""
        which = next((which for which, kind in enumerate(("early", "mid", "late")) if self.has(at, kind)), None)
        if which is None:
            return None
        size = self.means(at, ("early", "mid", "late")[which]) or 1
        start = self.past(at + 1, "dash", "of", "article")
        moment = self.stepped(start) or self.dated(start, _CLEAR_CONTEXT) or self.other(start, _CLEAR_CONTEXT)
        if moment is None or moment.span.days < 3:
            return None
        days = moment.span.days
        length = (-(-days // 3), -(-days // 2), min(days, 7))[size - 1]
        first = add_days(moment.span.start, (days - length) * which // 2)
        return moment._replace(span=Span(first, add_days(first, length - 1)), sure=0.95 * moment.sure)

    def dated(self, at: int, context: int) -> _Reading | None:
        """Return a day, a month or a year of the calendar."""
        sign = None
        if at < len(self.signs):
            sign = self.signs[at]
        if sign is None:
            return None
        if sign.span is not None:
            return _Reading(sign.span, sign.means["date"] / 100, at + 1)
        if self._day_number(at) is not None:
            return self._day_first(at, context)
        month = self.means(at, "month")
        if month is not None:
            return self._month_first(at, month, context)
        return None

    def _day_number(self, at: int) -> int | None:
        day = self.means(at, "number")
        if day is None:
            day = self.means(at, "nth")
        if day is not None and 1 <= day <= 31:
            return day
        return None

    def _day_first(self, at: int, context: int) -> _Reading | None:
        first = last = self._day_number(at) or 1
        here = at + 1
        if self.has(here, "to", "and") and (then := self._day_number(here + 1)) is not None:
            last, here = then, here + 2
        clear = context > _NO_CONTEXT or self.has(at, "nth")
        if self.has(here, "of"):
            here = self.past(here, "of", "article", "at")
        month = self.means(here, "month")
        if month is None:
            return None
        year = self._year(here + 1)
        sign = self.signs[here]
        if sign.verb and not (clear or year or sign.capital):
            return None  # "5 may come"
        return self._days(month, first, last, year, here + 1)

    def _month_first(self, at: int, month: int, context: int) -> _Reading | None:
        sign = self.signs[at]
        day = self._day_number(at + 1)
        if day is not None and not self.signs[at + 1].comma:
            last, here = day, at + 2
            if self.has(here, "to") and (then := self._day_number(here + 1)) is not None:
                last, here = then, here + 2
            year = self._year(here)
            clear = context or year or self.has(at + 1, "nth") or self._closes(here)
            if clear or not sign.verb or (sign.capital and not self._opens(at)):
                return self._days(month, day, last, year, here)
        year = self._year(at + 1)
        if year is not None:
            return _Reading(month_of(year[0], month), 0.95, year[1])
        if sign.weak and context < _CLEAR_CONTEXT:
            return None  # "a letter for June"
        return _Reading(self.calendar.month(month), 0.75 if context else 0.5, at + 1, yearly=True)

    def _opens(self, at: int) -> bool:
        """Say whether a capital letter says nothing here, because a sentence begins."""
        return at == 0 or self.has(at - 1, "break")

    def _closes(self, at: int) -> bool:
        return at >= len(self.signs) or self.has(at, "break")

    def _days(self, month: int, first: int, last: int, year: tuple[int, int] | None, after: int) -> _Reading | None:
        if year is not None:
            start, end = valid_date(year[0], month, first), valid_date(year[0], month, last)
            if start and end and start <= end:
                return _Reading(Span(start, end), 0.98, year[1])
            return None
        whole = self.calendar.month(month)
        start, end = valid_date(whole.start.year, month, first), valid_date(whole.start.year, month, last)
        if start is None or end is None or start > end:
            return None
        if start > self.today and not self.calendar.ahead and start.year > EARLIEST.year:
            start, end = add_months(start, -12), add_months(end, -12)
        return _Reading(Span(start, end), 0.85, after, yearly=True)

    def _year(self, at: int) -> tuple[int, int] | None:
        """Return a year at this place, as a number or as "last year", and the sign after it."""
        here = self.past(at, "of", "article")
        year = self.means(here, "year")
        if year is not None:
            return year, here + 1
        for kind, step in _STEPS:
            if self.has(here, kind) and self.means(here + 1, "unit") == _YEAR:
                return self.calendar.unit(_YEAR, step).start.year, here + 2
        for kind, step in _STEPS_AFTER:
            if self.means(here, "unit") == _YEAR and self.has(here + 1, kind):
                return self.calendar.unit(_YEAR, step).start.year, here + 2
        return None

    def _too_weak(self, sign: Sign, context: int) -> bool:
        """Say whether a word that is also another ("sat", "segunda") has too little beside it to be a weekday."""
        return sign.weak and not (context and (sign.capital or self.language != "en"))

    def weekday(self, at: int, context: int) -> _Reading | None:
        weekday = self.means(at, "weekday")
        if weekday is None:
            return None
        date_after = self.dated(self.past(at + 1, "article"), _SOME_CONTEXT)
        if date_after is not None and date_after.span.days == 1:
            return date_after
        if self._too_weak(self.signs[at], context):
            return None
        return _Reading(self.calendar.weekday(weekday), 0.75 if context else 0.6, self.past(at + 1, "part"))

    def season(self, at: int, context: int) -> _Reading | None:
        season = self.means(at, "season")
        if season is None:
            return None
        year = self._year(at + 1)
        if year is not None:
            return _Reading(self.calendar.season_in(season, year[0]), 0.6 if season == 3 else 0.85, year[1])
        weak = self.signs[at].weak
        # "in spring boot", "in fall detection": without an article, a word after it makes it the first half of a name.
        followed = at + 1 < len(self.signs) and not self.signs[at + 1].means and not self.signs[at + 1].comma
        if weak and (not context or (self.language == "en" and followed and not self.has(at - 1, "article"))):
            return None
        return _Reading(self.calendar.season(season), 0.6 if context else 0.4, at + 1, yearly=True)

    def other(self, at: int, context: int) -> _Reading | None:
        """Return a year, a quarter, a week by its number, a feast, "recently"."""
        year = self.means(at, "year")
        if year is not None:
            if not context:
                return None
            return _Reading(year_of(year), 0.85, at + 1)
        quarter = self.means(at, "quarter")
        if quarter is not None:
            named = self._year(self.past(at + 1, "dash"))
            if named is not None:
                return _Reading(self.calendar.quarter(quarter, named[0]), 0.9, named[1])
            return _Reading(self.calendar.nearest_quarter(quarter), 0.5, at + 1, yearly=True)
        number = self.means(at + 1, "number")
        if self.means(at, "unit") == _WEEK and number is not None and 1 <= number <= 53:
            named = self._year(at + 2)
            span = self.calendar.week_number(number, named[0] if named else None)
            if named:
                return _Reading(span, 0.8, named[1])
            return _Reading(span, 0.4, at + 2, yearly=True)
        feast = self.means(at, "feast")
        if feast is not None and (context or not self.signs[at].weak):
            named = self._year(at + 1)
            if named is not None:
                return _Reading(self.calendar.feast(feast, year=named[0]), 0.85, named[1])
            return _Reading(self.calendar.feast(feast), 0.6, at + 1, yearly=True)
        recent = self.means(at, "recent")
        if recent is not None:
            return _Reading(Span(add_days(self.today, -recent), self.today), 0.3, at + 1)
        return None
