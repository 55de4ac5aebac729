from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.index.store_contract import StoredChunk
from holdfast.search.candidate import Candidate, sort_candidates
from holdfast.search.fusion import Fused
from holdfast.search.note_weights import SIGN_OF_TIME, may_hold_a_time
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
        assert may_hold_a_time(text), text


_WORDS = (
    "an|ans|plans|ano|mangos|fa|sofa|tag|tagged|Vortag|mese|mesetas|Friday|mondial|today's|q3|may|dismay|_may|x-may"
)


@given(
    st.lists(st.one_of(st.sampled_from(_WORDS.split("|")), st.text(max_size=6)), max_size=5), st.sampled_from(" -_,.")
)
def test_the_quick_look_for_a_time_says_what_the_pattern_says(words: list[str], gap: str) -> None:
    text = gap.join(words)
    assert may_hold_a_time(text) == (SIGN_OF_TIME.search(text) is not None), text


@given(st.lists(st.tuples(st.sampled_from([0.25, 0.5, 1.0]), st.booleans(), st.integers(1, 3)), max_size=8))
def test_candidates_that_score_the_same_go_by_name_and_place(given_ones: list[tuple[float, bool, int]]) -> None:
    chunks = {
        row: StoredChunk(row, f"{row:02}", "", f"memory/{note}.md", "memory", 1, 1, (), "text")
        for row, (_, _, note) in enumerate(given_ones)
    }
    ranked = [
        Candidate(score, Fused(row, score, None, None), {"named": 1.0} if named else {})
        for row, (score, named, _) in enumerate(given_ones)
    ]
    places = [
        (-candidate.score, -candidate.later.get("named", 0.0), chunks[candidate.fused.row].path, candidate.fused.row)
        for candidate in sort_candidates(ranked[::-1], chunks)
    ]
    assert places == sorted(places)


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
