"""A week begins where the locale says, unless the owner chose a day."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.operations.changes_page import changes_page
from holdfast.search.scope import day_named
from holdfast.search.time_window import window
from holdfast.search.week_start import first_weekday
from holdfast.settings.search_settings import WeekStart

SUNDAY = datetime(2026, 11, 15, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("environment", "first"),
    [
        ({}, 0),
        ({"LANG": "C.UTF-8"}, 0),
        ({"LANG": "en_US.UTF-8"}, 6),
        ({"LANG": "en_GB.UTF-8"}, 0),
        ({"LANG": "en_US.UTF-8", "LC_TIME": "de_DE.UTF-8"}, 0),
        ({"LANG": "de_DE", "LC_TIME": "", "LC_ALL": "pt_BR.UTF-8@euro"}, 6),
        ({"LANG": "ar_EG.UTF-8"}, 5),
        ({"LANG": "en"}, 0),
    ],
)
def test_the_locale_says_what_a_week_begins_with(environment: dict[str, str], first: int) -> None:
    assert first_weekday(WeekStart.AUTO, environment) == first


def test_what_was_chosen_counts_before_the_locale() -> None:
    assert first_weekday(WeekStart.MONDAY, {"LANG": "en_US.UTF-8"}) == 0
    assert first_weekday(WeekStart.SUNDAY, {"LANG": "de_DE.UTF-8"}) == 6


@pytest.mark.parametrize(
    ("query", "first", "start", "end"),
    [
        ("what happened last week?", 0, "2026-11-02", "2026-11-08"),
        ("what happened last week?", 6, "2026-11-08", "2026-11-14"),
        ("what happened last week?", 5, "2026-11-07", "2026-11-13"),
        ("what is on this Wednesday?", 0, "2026-11-11", "2026-11-11"),
        ("what is on this Wednesday?", 6, "2026-11-18", "2026-11-18"),
        ("上周发生了什么", 6, "2026-11-08", "2026-11-14"),
        ("in week 46 of 2026", 6, "2026-11-09", "2026-11-15"),
        ("last weekend", 6, "2026-11-07", "2026-11-08"),
    ],
)
def test_a_week_by_name_begins_with_that_day_and_one_by_number_on_monday(
    query: str, first: int, start: str, end: str
) -> None:
    found = window(query, SUNDAY, first)
    assert found is not None
    assert (found.start, found.end) == (date.fromisoformat(start), date.fromisoformat(end))


def test_a_filter_counts_weeks_in_the_same_way() -> None:
    assert day_named("last week", SUNDAY) == date(2026, 11, 2)
    assert day_named("last week", SUNDAY, first_weekday=6) == date(2026, 11, 8)


@pytest.mark.parametrize(("chosen", "first"), [("monday", "memory/2026-11-08.md"), ("sunday", "memory/2026-11-14.md")])
def test_the_setting_decides_what_last_week_finds(home: Path, chosen: str, first: str) -> None:
    for day in ("2026-11-02", "2026-11-08", "2026-11-14"):
        (home / "memory").mkdir(parents=True, exist_ok=True)
        (home / f"memory/{day}.md").write_text(f"- Wrote a letter to number {day[-2:]}.\n", encoding="utf-8")
    settings = {"memory.search.week_start": chosen}
    with Memory.open(home, clock=FakeClock(SUNDAY.timestamp()), settings=settings) as memory:
        assert memory.search("anything from last week?").results[0].path == first
        assert memory.search("", since="last week", until="last week").results[0].path == first


@pytest.mark.parametrize(("chosen", "taken"), [("monday", 0), ("sunday", 1)])
def test_the_setting_decides_what_up_to_last_week_is_taken_back_and_listed(home: Path, chosen: str, taken: int) -> None:
    clock = FakeClock(datetime(2026, 11, 11, 12, tzinfo=UTC).timestamp())
    with Memory.open(home, clock=clock, settings={"memory.search.week_start": chosen}) as memory:
        memory.notes.write("memory/letter.md", "Wrote a letter.\n")
        clock.advance(SUNDAY.timestamp() - clock.now())
        assert len(changes_page(memory.ctx, until="last week").changes) == taken
        planned = memory.undo_origin(str(memory.ctx.origin), since="2026-01-01", until="last week", dry_run=True)
        assert len(planned.notes) == taken
