"""Time is a way to find: notes of a named time are found whether they share a word with the question or not."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.search.hit import CONTRIBUTIONS
from holdfast.search.moment_words import asks_for_anything

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)  # a Sunday
NOTES = {
    "memory/2026-11-14.md": "- Repaired the gate.\n- Ida brought apples.\n",
    "memory/sessions/2026-11-14-boat.md": "- **User**: The boat needs paint.\n- **Assistant**: Blue?\n",
    "memory/2026-11-13.md": "- Long walk to the lighthouse.\n",
    "memory/2026-11-03.md": "- Sent the tax papers.\n",
    "memory/2026-10-20.md": "- Yesterday nothing happened, and nothing happened today.\n",
    "memory/journal.md": "# Journal\n\n## 2026-11-12\n\nSaw a heron by the river, and slept early.\n",
    "memory/plans.md": "# Plans\n\nWhat happened to the plans of yesterday is a riddle.\n",
}
KEYWORDS = {"memory.disable_rag": True}


@pytest.fixture(params=[True, False], ids=["words", "vectors"])
def memory(home: Path, request: pytest.FixtureRequest) -> Memory:
    for path, text in NOTES.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(text, encoding="utf-8")
    settings = {"memory.disable_rag": request.param, "memory.search.week_start": "monday"}
    opened = Memory.open(home, clock=FakeClock(NOW.timestamp()), settings=settings)
    request.addfinalizer(opened.close)
    return opened


def paths(memory: Memory, query: str, **how: object) -> list[str]:
    found = memory.search(query, **how).results  # type: ignore[arg-type]
    return list(dict.fromkeys(hit.path for hit in found))


@pytest.mark.parametrize(
    "query",
    [
        "What happened yesterday?",
        "anything from yesterday",
        "on 14 November",
        "Was ist gestern passiert?",
        "昨天发生了什么？",
    ],
)
def test_the_note_of_the_day_stands_first_and_what_was_said_that_day_behind_it(memory: Memory, query: str) -> None:
    assert paths(memory, query)[:2] == ["memory/2026-11-14.md", "memory/sessions/2026-11-14-boat.md"]


def test_what_is_of_the_only_thing_that_was_asked_for_is_likely(memory: Memory) -> None:
    hit = memory.search("what happened yesterday?").results[0]
    assert hit.likely and hit.confidence > 0.5


def test_of_a_week_the_newest_day_stands_first(memory: Memory) -> None:
    assert paths(memory, "anything from last week?")[0] == "memory/2026-11-03.md"
    assert paths(memory, "anything from this week?")[:3] == [
        "memory/2026-11-14.md",
        "memory/sessions/2026-11-14-boat.md",
        "memory/2026-11-13.md",
    ]


def test_a_dated_heading_is_of_its_day(memory: Memory) -> None:
    hit = memory.search("what happened on 12 November?").results[0]
    assert hit.path == "memory/journal.md" and "heron" in hit.snippet


def test_where_words_are_asked_for_too_they_count_before_the_day_alone(memory: Memory) -> None:
    assert paths(memory, "when did I send the tax papers, yesterday?")[0] == "memory/2026-11-03.md"
    assert "memory/2026-11-14.md" in paths(memory, "which grontle was zorblaxed yesterday?")


def test_a_filter_holds_for_what_time_finds(memory: Memory) -> None:
    assert paths(memory, "what happened yesterday?", source="sessions")[0] == "memory/sessions/2026-11-14-boat.md"
    assert not any(
        path.startswith("memory/2026") for path in paths(memory, "what happened yesterday?", source="sessions")
    )


def test_the_parts_add_up_to_the_score(memory: Memory) -> None:
    for query in ("what happened yesterday?", "did we paint the boat yesterday?"):
        for hit in memory.search(query).results:
            assert hit.score == pytest.approx(sum(hit.explain.get(name, 0.0) for name in CONTRIBUTIONS))


def test_the_first_hits_stay_the_first_when_more_are_asked_for(memory: Memory) -> None:
    for query in ("what happened this week?", "what did I repair last week?"):
        every = [hit.chunk_id for hit in memory.search(query, max_results=50).results]
        for count in (1, 2, 4, 6):
            found = [hit.chunk_id for hit in memory.search(query, max_results=count).results]
            assert found == every[: len(found)]


def test_where_time_is_switched_off_it_finds_nothing(home: Path) -> None:
    (home / "memory").mkdir(parents=True)
    (home / "memory/2026-11-14.md").write_text("- Repaired the gate.\n", encoding="utf-8")
    settings = {**KEYWORDS, "memory.search.time": False}
    with Memory.open(home, clock=FakeClock(NOW.timestamp()), settings=settings) as memory:
        assert memory.search("what happened yesterday?").results == ()


@pytest.mark.parametrize(
    ("question", "time", "anything"),
    [
        ("What happened yesterday?", "yesterday", True),
        ("anything from last week", "last week", True),
        ("what did I do on Friday?", "on Friday", True),
        ("qu'est-ce qui s'est passé hier ?", "hier", True),
        ("¿qué pasó ayer?", "ayer", True),
        ("昨日何がありましたか", "昨日", True),
        ("what did Ida say yesterday?", "yesterday", False),
        ("which boiler did we buy last week?", "last week", False),
    ],
)
def test_a_question_may_ask_for_nothing_but_a_time(question: str, time: str, anything: bool) -> None:
    assert asks_for_anything(question, time) is anything


def test_what_is_of_the_time_and_holds_the_rest_of_the_question_stands_before_what_only_names_the_time(
    memory: Memory, home: Path
) -> None:
    (home / "memory/oncall.md").write_text("# On call\n\nEach week we decide who is on call next week.\n", "utf-8")
    (home / "memory/2026-11-05.md").write_text("- Decided to drop the old boiler.\n", "utf-8")
    (home / "memory/2026-08-05.md").write_text("- Decided to keep the old boiler, last of its kind.\n", "utf-8")
    hit = memory.search("what did we decide last week?").results[0]  # the week from the second of November on
    assert hit.path == "memory/2026-11-05.md" and hit.likely
    assert sum(hit.explain.get(name, 0.0) for name in CONTRIBUTIONS) == pytest.approx(hit.score)


@pytest.mark.parametrize("query", ["who did I meet on Friday?", "recap yesterday", "what did we talk about yesterday?"])
def test_where_no_note_holds_the_rest_of_the_question_those_of_the_time_are_the_answer(
    memory: Memory, query: str
) -> None:
    hit = memory.search(query).results[0]
    assert hit.path == ("memory/2026-11-13.md" if "Friday" in query else "memory/2026-11-14.md") and hit.likely


def test_what_another_note_says_of_the_rest_is_not_buried_under_a_day_that_holds_none_of_it(memory: Memory) -> None:
    assert "memory/plans.md" in paths(memory, "what is the riddle of the plans on Friday?")[:2]


@pytest.mark.parametrize("folder", ["memory/notes/journal", "memory/meetings/2026", "memory/chats"])
def test_a_note_named_by_the_day_is_of_it_whatever_folder_it_lies_in(memory: Memory, home: Path, folder: str) -> None:
    note = f"{folder}/2026-11-09 Harbour.md"
    (home / folder).mkdir(parents=True)
    (home / note).write_text("# Harbour\n\nThe ferry to the islands was full.\n", "utf-8")
    for query in ("what happened on 9 November?", "Was ist am 9. November passiert?", "what happened last Monday?"):
        hit = memory.search(query).results[0]
        assert hit.path == note and hit.likely
    assert memory.search("what happened on 9 November?", path="memory/plans.md").results[0].path == "memory/plans.md"


def test_the_note_of_the_day_stands_before_one_of_that_day_in_another_folder(memory: Memory, home: Path) -> None:
    (home / "memory/chats").mkdir()
    (home / "memory/chats/2026-11-14-apples.md").write_text("# Apples\n\nA cake or a pie?\n", "utf-8")
    assert paths(memory, "what happened yesterday?")[:3] == [
        "memory/2026-11-14.md",
        "memory/chats/2026-11-14-apples.md",
        "memory/sessions/2026-11-14-boat.md",
    ]


@pytest.mark.parametrize("title", ["Read in 2026", "Goals for 2026", "Plan for November 2026", "Week of 9 November"])
def test_a_title_that_names_a_time_stands_before_the_notes_of_that_time(memory: Memory, home: Path, title: str) -> None:
    (home / "memory/2026-11-09.md").write_text("- Read a plan of the week, and its goals.\n", "utf-8")
    (home / "memory/titled.md").write_text(f"# {title}\n\n- Less sugar.\n", "utf-8")
    for query in (title, title.upper(), f"{title}?"):
        for count in (1, 3, 20):
            assert paths(memory, query, max_results=count)[0] == "memory/titled.md"


def test_two_long_days_leave_room_for_the_others_of_a_week(memory: Memory, home: Path) -> None:
    week = [f"memory/2026-11-{day:02}.md" for day in range(8, 1, -1)]
    for path in week:
        lines = (f"- At {hour} the harbour master wrote line {hour} of {path[-5:-3]}.\n" for hour in range(40))
        (home / path).write_text("".join(lines), "utf-8")
    for query in ("what happened last week?", "what did I do last week?"):
        assert paths(memory, query, max_results=7) == week


def test_the_line_that_says_it_all_stands_before_one_of_the_same_month_that_says_the_rest(
    memory: Memory, home: Path
) -> None:
    (home / "memory/2026-09-16.md").write_text("- Geir will leave at the end of November, not October\n", "utf-8")
    (home / "memory/2026-09-02.md").write_text("- Mei is on leave from 14 to 25 September\n", "utf-8")
    assert paths(memory, "who is on leave in September")[0] == "memory/2026-09-02.md"
