from __future__ import annotations

from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from holdfast.search.calendar_spans import EARLIEST, LATEST, Span
from holdfast.search.note_dates import chunk_span, note_date, note_span, stated_span

THE_DAY = date(2026, 3, 5)
DAYS = st.dates(date(1970, 1, 1), date(2100, 12, 31))


@pytest.mark.parametrize(
    "path",
    [
        "memory/2026-03-05.md",
        "memory/2026-03-05-topic.md",
        "memory/2026-03-05 topic.md",
        "memory/sessions/2026-03-05-slug.md",
        "memory/2026/03/05.md",
        "memory/2026/03/05-topic.md",
        "memory/2026-03/05.md",
        "memory/2026/2026-03-05.md",
        "memory/2026-03-05/topic.md",
        "memory/20260305.md",
        "memory/2026_03_05.md",
        "memory/standup-2026-03-05.md",
        "/srv/wiki/2026-03-05-post.md",
    ],
)
def test_a_dated_path_tells_the_day(path: str) -> None:
    assert note_date(path) == THE_DAY


@pytest.mark.parametrize(
    "path",
    [
        "MEMORY.md",
        "memory.md",
        "USER.md",
        "agents/bob/MEMORY.md",
        "memory/trip.md",
        "memory/2026-13-45.md",
        "memory/2026-02-30.md",
        "memory/INC-43948201.md",
        "memory/12345678901.md",
        "memory/call-20269999.md",
        "memory/room-2026.md",
        "",
        "/",
    ],
)
def test_an_evergreen_note_has_no_day(path: str) -> None:
    assert note_date(path) is None


def test_a_note_of_a_month_or_a_week_spans_it() -> None:
    assert note_span("memory/2026-03.md") == Span(date(2026, 3, 1), date(2026, 3, 31))
    assert note_span("memory/2026-W10.md") == Span(date(2026, 3, 2), date(2026, 3, 8))
    assert note_date("memory/2026-03.md") == date(2026, 3, 31)


@pytest.mark.parametrize("value", ["2026-03-05", "2026-03-05T10:00:00Z", "2026-03-05 10:00", "5 March 2026", THE_DAY])
def test_front_matter_dates_a_named_note(value: str | date) -> None:
    assert note_date("memory/trip.md", value) == THE_DAY


def test_the_path_comes_before_the_front_matter_and_prompt_memory_never_ages() -> None:
    assert note_date("memory/2026-03-05.md", "2020-01-01") == THE_DAY
    assert note_date("MEMORY.md", "2026-03-05") is None
    assert note_date("memory/trip.md", "soon") is None
    assert note_date("memory/trip.md", "2026-02-30") is None


def test_the_innermost_dated_heading_dates_a_chunk() -> None:
    note = Span(THE_DAY, THE_DAY)
    assert chunk_span(["Log", "2024-01-02", "Details"], note) == Span(date(2024, 1, 2), date(2024, 1, 2))
    assert chunk_span(["1:56 pm on 8 May, 2023"], None) == Span(date(2023, 5, 8), date(2023, 5, 8))
    assert chunk_span(["Log", "Version 2024"], note) == note
    assert chunk_span([], None) is None


def test_only_a_date_with_its_year_is_stated() -> None:
    assert stated_span("5. März 2024") == Span(date(2024, 3, 5), date(2024, 3, 5))
    assert stated_span("March 2024") == Span(date(2024, 3, 1), date(2024, 3, 31))
    for text in ("last week, 2024", "in March", "yesterday", "2024", "since 2024-03-05", "room 2024", "x" * 5000):
        assert stated_span(text) is None


@given(DAYS, st.sampled_from(["memory/{}.md", "memory/{}-a.md", "memory/sessions/{}-a-b.md", "memory/x/{}_a.md"]))
def test_every_day_comes_back_from_its_path(day: date, shape: str) -> None:
    assert note_date(shape.format(day.isoformat())) == day
    assert note_date(f"memory/{day:%Y/%m/%d}.md") == day
    assert note_date("memory/a.md", day.isoformat()) == day


@given(st.text(), st.none() | st.text() | st.dates())
def test_any_path_and_any_value_are_safe(path: str, value: str | date | None) -> None:
    span = note_span(path, value)
    if span is not None and not isinstance(value, date):
        assert EARLIEST <= span.start <= span.end <= LATEST


@given(st.text("0123456789-/._WTZ aM", max_size=30))
@example("1900W")
def test_figures_are_safe(text: str) -> None:
    note_span(f"memory/{text}.md", text)
    stated_span(text)
