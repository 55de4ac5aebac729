"""A title that is typed word for word is found first, whatever its words are worth, at any number of hits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from counts import by_turns

from holdfast import Memory

TITLES = [
    "What it is and how to do it",
    "Where are my keys?",
    "Übergabe an Lena",
    "The launch of the launch",
    "日本語のメモ",
    "C++ and C#",
]


@pytest.fixture(scope="module", params=[False, True], ids=["with vectors", "words only"])
def memory(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """Notes of odd titles that say nothing of them, among many that are full of the titles' words."""
    home: Path = tmp_path_factory.mktemp("home")
    (home / "memory").mkdir()
    for number, title in enumerate(TITLES):
        text = f"# {title}\n\nBlue paint, two buckets.\n"
        (home / f"memory/titled{number}.md").write_text(text, encoding="utf-8")
    for number in range(150):
        words = " ".join(TITLES[number % len(TITLES)].split()[::-1])
        text = f"# Log {number}\n\n{words} launch launch keys Lena {words}: do it, how it is.\n"
        (home / f"memory/log{number}.md").write_text(text, encoding="utf-8")
    with Memory.open(home, settings={"memory.disable_rag": request.param}) as opened:
        opened.sync()
        yield opened


@pytest.mark.parametrize("number", range(len(TITLES)))
def test_a_title_typed_word_for_word_is_found_first_at_any_number_of_hits(memory: Memory, number: int) -> None:
    for turn, typed in enumerate((TITLES[number], TITLES[number].lower(), f'"{TITLES[number]}"'), number):
        for most, by_passage in by_turns([*product((1, 5, 60, 100), (False, True))], turn, 3):
            best = memory.search(typed, max_results=most, by_passage=by_passage).results[0]
            assert best.path == f"memory/titled{number}.md", typed


def test_a_titled_note_outside_of_what_is_asked_for_is_not_found(memory: Memory) -> None:
    found = memory.search(TITLES[0], path="memory/log1.md").results
    assert {hit.path for hit in found} <= {"memory/log1.md"}


def test_a_title_does_not_bring_back_what_the_question_leaves_out(memory: Memory) -> None:
    found = memory.search("The launch of the launch -buckets", max_results=100).results
    assert found and not any("buckets" in hit.snippet for hit in found)


def test_half_a_character_is_no_title(memory: Memory) -> None:
    assert memory.search("\ud800").results is not None


def test_a_heading_that_many_notes_have_names_none_of_them(home: Path) -> None:
    for number, cause in enumerate(("a full disk", "a late deploy", "an old certificate", "a lost route", "a typo")):
        note = home / "memory" / f"incident-{number}.md"
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(f"# Incident {number}\n\n## Cause\n\nIt was {cause}.\n", encoding="utf-8")
    with Memory.open(home) as memory:
        assert not any("named" in hit.explain for hit in memory.search("what was the cause?").results)
        first = memory.search("Incident 3").results[0]
        assert (first.path, first.explain["named"]) == ("memory/incident-3.md", 1.0)
