"""Front matter is found by and never shown: the hit is the note's first passage."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Memory

FRONT = "---\ntitle: Zanzibar itinerary\ntags: [dhow, snorkel]\naliases: [island trip]\ndescription: cloves\n---\n"
BODY = "We fly on Sunday and stay for a week.\n\nThe hotel is called Emerson.\n"


def write(home: Path, text: str, name: str = "trip.md") -> None:
    (home / "memory").mkdir(parents=True, exist_ok=True)
    (home / "memory" / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("query", ["Zanzibar itinerary", "dhow", "snorkel", "island trip", "cloves"])
@pytest.mark.parametrize("by_passage", [True, False])
def test_each_of_its_values_finds_the_first_passage(home: Path, query: str, by_passage: bool) -> None:
    write(home, FRONT + BODY)
    write(home, "Bread, milk and a bag of apples.\n", "shopping.md")
    with Memory.open(home) as memory:
        hit = memory.search(query, by_passage=by_passage).results[0]
        assert (hit.path, hit.start_line) == ("memory/trip.md", 7)
        assert "Sunday" in hit.snippet and "tags:" not in hit.snippet


def test_a_passage_is_one_hit_whether_it_was_found_by_itself_or_by_the_front_matter(home: Path) -> None:
    write(home, FRONT + BODY)
    with Memory.open(home) as memory:
        found = memory.search("Zanzibar on Sunday, the hotel", by_passage=True).results
        assert len({hit.chunk_id for hit in found}) == len(found)
        assert not any("tags:" in hit.snippet for hit in found)


def test_a_note_that_is_nothing_but_front_matter_is_shown_as_it_is(home: Path) -> None:
    write(home, FRONT)
    with Memory.open(home) as memory:
        assert "cloves" in memory.search("cloves").results[0].snippet


def test_a_line_between_two_rules_is_no_front_matter(home: Path) -> None:
    write(home, "---\nA day in the life of my dog\n---\n\nmore of it\n")
    with Memory.open(home) as memory:
        assert "life of my dog" in memory.search("life of my dog").results[0].snippet


def test_what_is_read_word_by_word_is_the_front_matter_that_was_found_and_not_what_is_shown_for_it(home: Path) -> None:
    write(home, "---\ndescription: How to prune an old quince tree\n---\n\nBegin in March, above a bud.\n", "quince.md")
    for number in range(20):
        write(home, f"# Other {number}\n\nThe boat was painted on day {number}.\n", f"other{number}.md")
    with Memory.open(home) as memory:
        memory.sync()
        hit = memory.search("how to prune an old quince tree").results[0]
        assert hit.path == "memory/quince.md" and "above a bud" in hit.snippet
        assert hit.explain["met"] > 0.9
