"""From hits to ids: what takes a place, and that returning more lines at once gains nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdfast.evaluation.ranked_ids import gold_ids, holds, ranked_ids, rows_of
from holdfast.evaluation.sets import Collection, Gold, Level, Question
from holdfast.search.hit import Hit

TURNS = {
    "memory/sessions/a.md": {line: line for line in range(3, 30)},
    "memory/sessions/b.md": {line: line for line in range(3, 30)},
}
PATHS = sorted(TURNS)


def hit(path: str, first: int, last: int, snippet: str = "") -> Hit:
    return Hit("id", path, first, last, 1.0, None, None, snippet, None, "memory")


def about(*gold: Gold) -> Question:
    return Question("?", "any", gold)


def test_each_turn_of_a_hit_takes_a_place_of_its_own_in_the_order_of_the_lines() -> None:
    asked = about(Gold("memory/sessions/a.md", 5, 5))
    hits = [hit("memory/sessions/a.md", 4, 6), hit("memory/sessions/b.md", 3, 3), hit("memory/sessions/a.md", 5, 7)]
    assert ranked_ids(hits, asked, TURNS, Level.LINE) == [
        "memory/sessions/a.md#4",
        "memory/sessions/a.md#5",
        "memory/sessions/a.md#6",
        "memory/sessions/b.md#3",
        "memory/sessions/a.md#7",
    ]
    assert gold_ids(asked, Level.LINE) == {"memory/sessions/a.md#5"}


def test_a_hit_without_a_turn_takes_a_place() -> None:
    asked = about(Gold("memory/sessions/a.md", 5, 5))
    hits = [hit("memory/sessions/a.md", 1, 1), hit("memory/other.md", 8, 9), hit("memory/sessions/a.md", 5, 5)]
    assert ranked_ids(hits, asked, TURNS, Level.LINE).index("memory/sessions/a.md#5") == 2


def test_at_the_level_of_notes_a_note_stands_where_its_best_hit_does() -> None:
    asked = about(Gold("memory/sessions/a.md", 5, 5))
    hits = [hit("memory/sessions/b.md", 4, 6), hit("memory/sessions/a.md", 3, 3), hit("memory/sessions/b.md", 9, 9)]
    assert ranked_ids(hits, asked, TURNS, Level.NOTE) == ["memory/sessions/b.md", "memory/sessions/a.md"]
    assert gold_ids(asked, Level.NOTE) == {"memory/sessions/a.md"}


def test_an_own_question_is_answered_by_path_by_line_or_by_text() -> None:
    shown = hit("memory/a.md", 10, 14, "The launch\nmoved to  3 March.")
    assert holds(shown, Gold("memory/a.md"))
    assert holds(shown, Gold("memory/a.md", 14, 20))
    assert not holds(shown, Gold("memory/a.md", 15, 20))
    assert holds(shown, Gold("memory/a.md", text="launch moved to 3 march"))
    assert not holds(shown, Gold("memory/a.md", text="4 March"))
    assert not holds(shown, Gold("memory/b.md"))


def test_an_own_question_with_two_answers_finds_each_once() -> None:
    asked = about(Gold("memory/a.md", 3, 3), Gold("memory/a.md", text="lisbon"))
    hits = [hit("memory/a.md", 1, 2), hit("memory/a.md", 3, 8, "to Lisbon"), hit("memory/b.md", 1, 1)]
    ranked = ranked_ids(hits, asked, {}, Level.LINE)
    assert ranked[1:3] == ["memory/a.md#3", "memory/a.md#lisbon"]
    assert gold_ids(asked, Level.LINE) == set(ranked[1:3])
    assert len(ranked) == 4


def test_questions_that_name_a_note_count_each_note_once() -> None:
    hits = [hit("memory/b.md", 1, 2), hit("memory/b.md", 5, 6), hit("memory/a.md", 1, 1)]
    assert ranked_ids(hits, about(Gold("memory/a.md")), {}, Level.LINE) == ["memory/b.md", "memory/a.md"]


def test_the_floor_gets_a_row_for_each_possible_answer() -> None:
    notes = {"memory/a.md": "# Title\n\n- one\n- two\n", "memory/b.md": "text\n"}
    turns = {"memory/a.md": {3: 3, 4: 4}, "memory/b.md": {1: 1}}
    collection = Collection("c", notes, (), turns)
    assert list(rows_of(collection, Level.NOTE)) == list(notes.items())
    assert list(rows_of(collection, Level.LINE)) == [
        ("memory/a.md#3", "- one"),
        ("memory/a.md#4", "- two"),
        ("memory/b.md#1", "text"),
    ]


SPANS = st.lists(st.tuples(st.sampled_from(PATHS), st.integers(1, 30), st.integers(0, 12)), max_size=15)


@given(SPANS, st.integers(3, 29))
def test_a_hit_of_many_turns_is_worth_what_a_hit_for_each_turn_is(spans: list[tuple[str, int, int]], line: int) -> None:
    asked = about(Gold(PATHS[0], line, line))
    whole = [hit(path, first, first + more) for path, first, more in spans]
    singly = [
        hit(one.path, at, at)
        for one in whole
        for at in [n for n in range(one.start_line, one.end_line + 1) if n in TURNS[one.path]] or [one.start_line]
    ]
    at_once = ranked_ids(whole, asked, TURNS, Level.LINE)
    assert at_once == ranked_ids(singly, asked, TURNS, Level.LINE)
    assert len(set(at_once)) == len(at_once) <= 10
