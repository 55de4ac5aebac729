from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.search.note_weights import _MAY_HOLD_A_TIME
from holdfast.search.time_window import window

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
TIMES = (
    "yesterday|last week|two weeks ago|in March|March 2024|on 5 May 2023|2023-05-05|this morning|last summer|on Monday|"
    "between March and May|the past three days|letzte Woche|gestern|im März|vor zwei Tagen|la semaine dernière|hier|"
    "en mars|la semana pasada|ayer|en marzo|na segunda-feira|ontem|em março|la settimana scorsa|ieri|a marzo|"
    "twee weken geleden|gisteren|in maart|вчера|в марте|на прошлой неделе|上周|三月|先週|昨日"
).split("|")


@pytest.mark.parametrize("text", TIMES)
def test_a_time_that_can_be_read_is_never_passed_over_by_the_quick_look(text: str) -> None:
    if window(text, NOW) is not None:
        assert _MAY_HOLD_A_TIME.search(text), text


def test_a_question_about_last_week_prefers_the_note_of_last_week(home: Path) -> None:
    (home / "memory").mkdir(parents=True)
    for day in ("2026-03-02", "2026-11-09", "2025-11-09"):
        (home / f"memory/{day}.md").write_text("We decided about the deployment of the API.\n", encoding="utf-8")
    clock = FakeClock(NOW.timestamp())
    with Memory.open(home, clock=clock) as memory:
        memory.sync()
        first = memory.search("what did we decide about the deployment last week?").results[0]
        assert first.path == "memory/2026-11-09.md"
        assert first.explain["time"] > 0
        march = memory.search("what did we decide about the deployment in March?").results[0]
        assert march.path == "memory/2026-03-02.md"


def test_age_and_use_never_cost_an_exact_id_its_place(home: Path) -> None:
    (home / "memory").mkdir(parents=True)
    (home / "memory/2023-01-04.md").write_text("The incident INC-43948-QJV was a full disk.\n", encoding="utf-8")
    for day in range(1, 15):
        text = f"An incident review: the disk of server {day} was full, and we cleaned it.\n"
        (home / f"memory/2026-11-{day:02}.md").write_text(text, encoding="utf-8")
    with Memory.open(home, clock=FakeClock(NOW.timestamp())) as memory:
        memory.sync()
        for hit in memory.search("full disk incident").results:
            memory.get(chunk_id=hit.chunk_id)
        for query in ("INC-43948-QJV", "what was the incident INC-43948-QJV about?"):
            assert memory.search(query).results[0].path == "memory/2023-01-04.md"


def test_filters_let_nothing_through_that_they_do_not_allow(home: Path) -> None:
    paths = ["MEMORY.md", "memory/work/a.md", "memory/workshop.md", "memory/2026-11-10.md", "memory/2026-03-01.md"]
    for path in paths:
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(f"The harbour note of {path}\n", encoding="utf-8")
    with Memory.open(home, clock=FakeClock(NOW.timestamp())) as memory:
        memory.sync()

        def found(**scope: Any) -> set[str]:
            return {hit.path for hit in memory.search("harbour note", max_results=20, **scope).results}

        assert found() == set(paths)
        assert found(path="memory/work") == {"memory/work/a.md"}
        assert found(path="memory") == set(paths) - {"MEMORY.md"}
        assert found(since="2026-11-01", until="2026-11-12") == {"memory/2026-11-10.md"}
        assert found(source="sessions") == set()
