"""Time told by an event: its day is looked up in the notes, and the days before or after it are lifted a little."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.search.event_time import event
from holdfast.search.event_window import _SIGNS, Occasion, occasion
from holdfast.search.time_window import Window

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
NOTES = {
    "memory/2026-02-20.md": "We agreed on the price of the kayak rental.\n",
    "memory/2026-03-05.md": "# A long day\n\nThe launch went well, and everybody slept late.\n",
    "memory/2026-03-20.md": "We agreed on the price of the kayak rental.\n",
    "memory/2026-09-01.md": "We agreed on the price of the kayak rental.\n",
    "memory/plans.md": "# Plans\n\n- The regatta was on 2 July 2026, in the rain.\n",
    "MEMORY.md": "The blueprint review has no date.\n",
}


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    for path, text in NOTES.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(text, encoding="utf-8")
    for day in range(1, 7):
        text = "I had another swimming lesson, and we agreed on nothing.\n"
        (home / f"memory/2026-{day + 3:02}-11.md").write_text(text, encoding="utf-8")
    with Memory.open(home, clock=FakeClock(NOW.timestamp())) as opened:
        opened.sync()
        yield opened


def found(memory: Memory, query: str) -> Occasion | None:
    edition = memory.ctx.database.serving()
    assert edition is not None
    return occasion(edition, query, NOW)


def test_the_day_of_a_note_about_the_event_opens_the_window(memory: Memory) -> None:
    before = found(memory, "what did we agree on before the launch?")
    assert before is not None
    assert before.window == Window(date(2026, 2, 3), date(2026, 3, 5), 0.5, "before launch")
    assert before.explanation == "'before launch' is taken for 2026-02-03 to 2026-03-05, by memory/2026-03-05.md#1"


def test_a_day_that_the_line_states_counts_before_the_day_of_the_note(memory: Memory) -> None:
    after = found(memory, "what did we agree on after the regatta?")
    assert after is not None and after.window.start == date(2026, 7, 2)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("what price did we agree on before the launch?", "memory/2026-02-20.md"),
        ("what price did we agree on after the launch?", "memory/2026-03-20.md"),
    ],
)
def test_notes_of_the_days_that_are_meant_come_first(memory: Memory, query: str, first: str) -> None:
    results = memory.search(query)
    agreed = [hit for hit in results.results if "kayak" in hit.snippet]
    assert len(agreed) == 3 and agreed[0].path == first
    assert agreed[0].explain["time"] > agreed[-1].explain["time"]
    assert "launch' is taken for 2026-0" in results.window
    assert results.to_json(explain=True)["window"] == results.window
    assert "window" not in results.to_json()


@pytest.mark.parametrize(
    "query",
    [
        "what did we agree on?",
        "what did we agree on before the launch in September?",  # a plainer time
        "what did we agree on before the blueprint review?",  # nobody knows when that was
        "what did we agree on after the swimming lesson?",  # which of them?
        "what did we agree on after a launch?",
        "what did we agree on after the eclipse?",  # no note has it
        "what did we agree on after the launch party?",  # nor that, whatever else was launched
    ],
)
def test_where_no_one_day_is_meant_there_is_no_window(memory: Memory, query: str) -> None:
    assert found(memory, query) is None
    assert memory.search(query).window == ""


def test_time_that_is_switched_off_looks_for_no_event(home: Path, memory: Memory) -> None:
    with Memory.open(home, settings={"memory.search.time": False}) as other:
        results = other.search("what price did we agree on before the launch?")
        assert results.window == "" and all("time" not in hit.explain for hit in results.results)


def test_an_event_outside_what_may_be_looked_into_tells_nothing(memory: Memory) -> None:
    assert memory.search("what price did we agree on before the launch?", path="memory/2026-02-20.md").window == ""


@pytest.mark.parametrize(
    "query",
    [
        "before the launch",
        "prior to the launch",
        "after the launch",
        "since the launch",
        "during the launch",
        "while at the launch",
        "vor der Reise",
        "nach dem Umzug",
        "seit der Reise",
        "während der Reise",
        "avant le départ",
        "après la fête",
        "depuis le départ",
        "pendant la fête",
        "antes del viaje",
        "después de la mudanza",
        "depois da viagem",
        "desde la boda",
        "durante la boda",
        "prima della festa",
        "dopo la festa",
        "na de verhuizing",
        "sinds de verhuizing",
        "tijdens het feest",
    ],
)
def test_an_event_that_can_be_read_is_never_passed_over_by_the_quick_look(query: str) -> None:
    assert event(query) is not None
    assert any(sign in query.casefold() for sign in _SIGNS)
