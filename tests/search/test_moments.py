from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from holdfast.search.calendar_spans import EARLIEST, LATEST, Span
from holdfast.search.moment_words import LANGUAGES
from holdfast.search.time_window import OTHER_YEAR, Window, closeness, window

NOW = datetime(2026, 11, 15, 10, 30, tzinfo=UTC)  # a Sunday
DAYS = st.dates(date(1950, 1, 1), date(2150, 12, 31))
NOWS = st.dates().map(lambda day: noon(day))

_PIECES = sorted({word for table in LANGUAGES.values() for word in table.replace(",", " ").replace("=", " ").split()})
SAYINGS = st.lists(
    st.one_of(
        st.sampled_from(_PIECES).map(lambda word: word.strip("~!|:")),
        st.integers(0, 99_999).map(str),
        st.sampled_from(
            ["2023-05-05", "5.3.2024", "Q3", "-", ",", ".", "去年", "三月", "3日前", "先週", "の", "上", "以来"]
        ),
        st.text(max_size=4),
    ),
    max_size=12,
).map(" ".join)


def noon(day: date) -> datetime:
    return datetime.combine(day, time(12), UTC)


class Case(NamedTuple):
    question: str
    start: str
    end: str


def day(question: str, start: str) -> Case:
    return Case(question, start, start)


LAST_WEEK = ("2026-11-02", "2026-11-08")
MARCH = ("2026-03-01", "2026-03-31")

CASES = [
    day("what did I do yesterday?", "2026-11-14"),
    day("what did I eat this morning", "2026-11-15"),
    day("the day before yesterday", "2026-11-13"),
    day("what was said last night", "2026-11-14"),
    Case("notes of last week", *LAST_WEEK),
    Case("two weeks ago we spoke of it", "2026-10-29", "2026-11-04"),
    Case("the past three days", "2026-11-12", "2026-11-15"),
    Case("in the last couple of weeks", "2026-11-01", "2026-11-15"),
    Case("what happened in March?", *MARCH),
    Case("the March 2024 budget", "2024-03-01", "2024-03-31"),
    Case("in March of last year", "2025-03-01", "2025-03-31"),
    Case("last summer", "2026-06-01", "2026-08-31"),
    Case("summer 2021", "2021-06-01", "2021-08-31"),
    Case("in 2023", "2023-01-01", "2023-12-31"),
    Case("Q3 2024", "2024-07-01", "2024-09-30"),
    Case("last weekend", "2026-11-07", "2026-11-08"),
    Case("between March and May", "2026-03-01", "2026-05-31"),
    Case("between November and March 2024", "2023-11-01", "2024-03-31"),
    Case("from 5 to 9 May 2023", "2023-05-05", "2023-05-09"),
    Case("May 5-9, 2023", "2023-05-05", "2023-05-09"),
    Case("since March", "2026-03-01", "2026-11-15"),
    Case("after 5 May 2024", "2024-05-06", "2026-11-15"),
    Case("until yesterday", EARLIEST.isoformat(), "2026-11-14"),
    Case("before March 2024", EARLIEST.isoformat(), "2024-02-29"),
    day("on Monday", "2026-11-09"),
    day("last Sunday", "2026-11-08"),
    day("when will we meet on Friday", "2026-11-20"),
    day("on 5 May 2023", "2023-05-05"),
    day("on 8 May, 2023?", "2023-05-08"),
    day("on May 23, 2023?", "2023-05-23"),
    day("on 1st September 2023", "2023-09-01"),
    day("2023-05-05", "2023-05-05"),
    day("25/12/2025", "2025-12-25"),
    day("the Sunday before October 25, 2022", "2022-10-23"),
    Case("the week before 16 November 2023", "2023-11-09", "2023-11-15"),
    Case("the first half of September 2022", "2022-09-01", "2022-09-15"),
    Case("at the end of last month", "2026-10-21", "2026-10-31"),
    Case("letzte Woche", *LAST_WEEK),
    Case("Was haben wir vor zwei Wochen besprochen?", "2026-10-29", "2026-11-04"),
    Case("im März", *MARCH),
    day("am 5. Mai 2023", "2023-05-05"),
    Case("la semaine dernière", *LAST_WEEK),
    Case("il y a deux semaines", "2026-10-29", "2026-11-04"),
    Case("en mars", *MARCH),
    day("qu'avons-nous fait hier ?", "2026-11-14"),
    Case("la semana pasada", *LAST_WEEK),
    Case("hace dos semanas", "2026-10-29", "2026-11-04"),
    Case("en marzo", *MARCH),
    day("el 5 de mayo de 2023", "2023-05-05"),
    Case("na semana passada", *LAST_WEEK),
    Case("há duas semanas", "2026-10-29", "2026-11-04"),
    Case("em março", *MARCH),
    day("na segunda-feira", "2026-11-09"),
    Case("la settimana scorsa", *LAST_WEEK),
    Case("due settimane fa", "2026-10-29", "2026-11-04"),
    Case("a marzo", *MARCH),
    Case("l'anno scorso", "2025-01-01", "2025-12-31"),
    Case("vorige week", *LAST_WEEK),
    Case("twee weken geleden", "2026-10-29", "2026-11-04"),
    Case("in maart", *MARCH),
    Case("на прошлой неделе", *LAST_WEEK),
    Case("две недели назад", "2026-10-29", "2026-11-04"),
    Case("в марте", *MARCH),
    Case("в марте прошлого года", "2025-03-01", "2025-03-31"),
    day("5 мая 2023 года", "2023-05-05"),
    Case("上周我们讨论了什么", *LAST_WEEK),
    Case("去年三月", "2025-03-01", "2025-03-31"),
    Case("三月到五月", "2026-03-01", "2026-05-31"),
    Case("三个月前", "2026-07-31", "2026-08-30"),
    Case("三月以前", EARLIEST.isoformat(), "2026-02-28"),
    Case("2023年5月8日以来", "2023-05-08", "2026-11-15"),
    day("2023年5月8日", "2023-05-08"),
    day("昨天", "2026-11-14"),
    day("上周三", "2026-11-04"),
    Case("先週の会議", *LAST_WEEK),
    day("先週の月曜日", "2026-11-02"),
    day("３日前", "2026-11-12"),
    Case("去年の夏", "2025-06-01", "2025-08-31"),
]


@pytest.mark.parametrize("case", CASES, ids=[case.question for case in CASES])
def test_a_time_in_a_question_is_a_window(case: Case) -> None:
    found = window(case.question, NOW)
    assert found is not None
    assert (found.start.isoformat(), found.end.isoformat()) == (case.start, case.end)


@pytest.mark.parametrize(
    "question",
    [
        "",
        "may I come in",
        "this may be wrong",
        "May 5 people come?",
        "March on Washington",
        "the march went on",
        "April said hello",
        "a note for June about June's recipe",
        "the Mars mission",
        "mayo and ham",
        "in spring boot",
        "did the server fall over",
        "the last time we met",
        "the last day of school",
        "on the last commit",
        "three days of rain",
        "Mondays are hard",
        "the cat sat",
        "before the launch",
        "INC-2023-05-05",
        "v2023.05.05 of 10.1.2.3",
        "port 2023",
        "Was steht hier?",
        "non è mai stato fatto",
        "Что сказала Марта",
        "среда обитания",
        "五月天",
        "În ce an a murit Tesla?",
    ],
)
def test_words_that_only_look_like_time_make_no_window(question: str) -> None:
    assert window(question, NOW) is None


def test_the_words_a_window_came_from_are_told() -> None:
    found = window("What did Caroline say on 8 May, 2023 about it?", NOW)
    assert found is not None
    assert found.words == "on 8 May, 2023"


def test_the_surest_of_several_times_wins() -> None:
    found = window("his writing issue last week, as mentioned on November 6, 2023", NOW)
    assert found is not None
    assert found.start == date(2023, 11, 6)


@given(st.one_of(st.text(), SAYINGS), NOWS)
@example("in 0000 99 999 days ago last 3 years", noon(date(1, 1, 1)))
@example("next year in 999 years", noon(date(9999, 12, 31)))
@example("since 29 February 2024", noon(date(2023, 2, 28)))
def test_any_text_gives_days_in_order_and_inside_the_calendar(question: str, now: datetime) -> None:
    found = window(question, now)
    if found is not None:
        assert EARLIEST <= found.start <= found.end <= LATEST
        assert 0.0 < found.certainty <= 1.0
        assert found.words
        assert found == window(question, now)


@given(SAYINGS, DAYS, st.times())
def test_the_time_of_day_changes_nothing(question: str, day: date, other: time) -> None:
    assert window(question, noon(day)) == window(question, datetime.combine(day, other, UTC))


@given(DAYS, st.integers(0, 400), DAYS, st.booleans())
def test_closeness_is_1_inside_and_falls_with_the_distance(start: date, days: int, when: date, yearly: bool) -> None:
    asked = Window(start, start + timedelta(days), 1.0, "", yearly)
    near = closeness(when, asked)
    assert 0.0 <= near <= 1.0
    if asked.start <= when <= asked.end:
        assert near == 1.0
    else:
        assert near < 1.0
        away = 1 if when > asked.end else -1
        if not yearly:
            assert closeness(when + timedelta(away), asked) <= near


@given(DAYS, st.integers(0, 60), DAYS, st.integers(0, 60), st.booleans())
def test_closeness_of_a_run_of_days_is_bounded(start: date, days: int, when: date, more: int, yearly: bool) -> None:
    asked = Window(start, start + timedelta(days), 1.0, "", yearly)
    near = closeness(Span(when, when + timedelta(more)), asked)
    assert 0.0 <= near <= 1.0
    assert (near >= 0.5) or not Span(when, when + timedelta(more)).meets(asked.span)


def test_one_length_of_the_window_away_is_half_as_close() -> None:
    asked = Window(date(2026, 11, 2), date(2026, 11, 8), 0.9, "last week")
    assert closeness(date(2026, 11, 15), asked) == pytest.approx(0.5)
    assert closeness(date(2026, 10, 26), asked) == pytest.approx(0.5)
    assert closeness(date(2024, 1, 1), asked) == pytest.approx(0.0)


def test_a_month_without_a_year_is_also_that_month_of_other_years() -> None:
    asked = window("in February", NOW)
    assert asked is not None
    assert asked.yearly
    assert closeness(date(2026, 2, 28), asked) == 1.0
    assert closeness(date(2024, 2, 29), asked) == OTHER_YEAR
    assert closeness(date(2024, 8, 1), asked) < 0.1


def test_a_window_without_a_beginning_falls_off_quickly_after_its_end() -> None:
    asked = window("until March 2024", NOW)
    assert asked is not None
    assert asked.open
    assert closeness(date(2001, 1, 1), asked) == 1.0
    assert closeness(date(2025, 3, 1), asked) < 0.01
