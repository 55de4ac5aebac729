"""The days that "last quarter", "the week before" or "Christmas" are, seen from one day."""

from __future__ import annotations

from datetime import date

import pytest

from holdfast.search.calendar_spans import Span
from holdfast.search.moment_calendar import Calendar, Step
from holdfast.search.moment_words import UNITS

SUNDAY = Calendar(date(2026, 11, 15))
JANUARY = Calendar(date(2026, 1, 10))
UNIT = {name: number for number, name in enumerate(UNITS)}


def span(first: str, last: str) -> Span:
    return Span(date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize(
    ("unit", "step", "first", "last"),
    [
        ("day", -1, "2026-11-14", "2026-11-14"),
        ("week", 1, "2026-11-16", "2026-11-22"),
        ("weekend", -1, "2026-11-07", "2026-11-08"),
        ("month", 1, "2026-12-01", "2026-12-31"),
        ("quarter", 0, "2026-10-01", "2026-12-31"),
        ("quarter", 1, "2027-01-01", "2027-03-31"),
        ("year", -1, "2025-01-01", "2025-12-31"),
        ("hour", -1, "2026-11-15", "2026-11-15"),
    ],
)
def test_a_unit_is_the_one_before_this_one_or_the_one_after(unit: str, step: int, first: str, last: str) -> None:
    assert SUNDAY.unit(UNIT[unit], step) == span(first, last)


@pytest.mark.parametrize(
    ("unit", "count", "first", "last"),
    [
        ("hour", -30, "2026-11-14", "2026-11-14"),
        ("day", -3, "2026-11-12", "2026-11-12"),
        ("weekend", -2, "2026-10-31", "2026-11-01"),
        ("year", -1, "2025-09-16", "2026-01-14"),
        ("month", 2, "2026-12-31", "2027-01-30"),
    ],
)
def test_so_many_units_away_is_looser_the_larger_the_unit(unit: str, count: int, first: str, last: str) -> None:
    assert SUNDAY.away(UNIT[unit], count) == span(first, last)


def test_what_stands_beside_some_days_touches_them() -> None:
    days = span("2026-11-10", "2026-11-12")
    assert SUNDAY.beside(UNIT["week"], days, -1) == span("2026-11-03", "2026-11-09")
    assert SUNDAY.beside(UNIT["day"], days, 1) == span("2026-11-13", "2026-11-13")
    assert SUNDAY.beside(UNIT["weekend"], days, -1) == span("2026-11-07", "2026-11-08")
    assert SUNDAY.beside(UNIT["weekend"], days, 1) == span("2026-11-14", "2026-11-15")
    weekend = span("2026-11-14", "2026-11-15")
    assert SUNDAY.beside(UNIT["weekend"], weekend, 1) == span("2026-11-21", "2026-11-22")


def test_this_winter_began_last_december_while_it_lasts() -> None:
    assert JANUARY.season(3, Step.THIS) == span("2025-12-01", "2026-02-28")
    assert SUNDAY.season(3, Step.THIS) == span("2026-12-01", "2027-02-28")


def test_feasts_and_quarters_are_the_last_ones_that_began_or_those_of_a_year() -> None:
    christmas = 12_24_12_26
    assert SUNDAY.feast(christmas) == span("2025-12-24", "2025-12-26")
    assert SUNDAY.feast(christmas, Step.NEXT) == span("2026-12-24", "2026-12-26")
    assert SUNDAY.feast(christmas, year=2020) == span("2020-12-24", "2020-12-26")
    assert SUNDAY.nearest_quarter(2) == span("2026-04-01", "2026-06-30")
    assert JANUARY.nearest_quarter(2) == span("2025-04-01", "2025-06-30")


def test_what_lies_ahead_is_meant_where_a_question_speaks_of_the_future() -> None:
    ahead = Calendar(date(2026, 11, 15), ahead=True)
    assert ahead.month(3) == span("2027-03-01", "2027-03-31")
    assert ahead.weekday(2) == span("2026-11-18", "2026-11-18")
    assert SUNDAY.weekday(2) == span("2026-11-11", "2026-11-11")
    assert SUNDAY.weekday(2, Step.THIS) == span("2026-11-11", "2026-11-11")


def test_the_last_one_is_over_and_a_week_has_its_number() -> None:
    assert SUNDAY.month(11, Step.LAST) == span("2025-11-01", "2025-11-30")
    assert SUNDAY.week_number(1, 2026) == span("2025-12-29", "2026-01-04")
    assert SUNDAY.week_number(46, None) == span("2026-11-09", "2026-11-15")
