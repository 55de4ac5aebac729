"""What is stored beside something like it: nothing is lost by likeness, and what repeats is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.embeddings.fake_embedder import FakeEmbedder


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The freezer runs at -18 degrees", "The freezer runs at 18 degrees"),
        ("She plays chess on Sundays", "I play chess on Sundays"),
        ("I rarely drink coffee", "I drink coffee"),
        ("The client pays us", "We pay the client"),
        ("The config is in ~/app", "The config is in /app"),
        ("The answer is yes 👍", "The answer is yes 👎"),
    ],
)
def test_a_fact_that_only_looks_like_a_known_one_is_written_down(home: Path, old: str, new: str) -> None:
    with Memory.open(home, embedder=FakeEmbedder(), settings={"facts.duplicate_similarity": 0.5}) as memory:
        memory.facts.store(old)
        memory.sync()
        assert memory.facts.store(new).outcome == "stored"
        assert {fact.text for fact in memory.facts.list().facts} == {old, new}
        assert memory.facts.stats().duplicates == 0


def test_what_is_added_without_saying_more_strengthens_the_fact_that_is_there(home: Path) -> None:
    with Memory.open(home, settings={"memory.disable_rag": True}) as memory:
        first = memory.facts.store("I live in Oslo", category="fact")
        for said in ("I live in Oslo, correct.", "I live in Oslo 🇳🇴", "I live in Oslo btw"):
            again = memory.facts.store(said)
            assert (again.outcome, again.id) == ("reinforced", first.id)
        assert memory.facts.list().facts[0].reinforced == 3


def test_near_twins_that_stand_side_by_side_are_counted_as_duplicates(home: Path) -> None:
    with Memory.open(home, settings={"memory.disable_rag": True}) as memory:
        memory.facts.store("I have two kids", category="fact")
        with (home / "memory/facts.md").open("a") as file:
            file.write("- I've got 2 kids, as you know\n- Anna has two kids\n- I really do have two kids\n")
        stats = memory.facts.stats()
        assert (stats.total, stats.duplicates) == (4, 2)
