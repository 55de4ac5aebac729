"""A fact that somebody fetched from the archive stays where it is for a while, however little it is worth."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.clock import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(datetime(2026, 11, 15, 9, tzinfo=UTC).timestamp())


def archived(memory: Memory) -> list[str]:
    return [fact.id for fact in memory.facts.list(state="archived").facts]


def test_a_restored_fact_is_not_the_first_to_go_again_when_the_next_one_is_added(home: Path, clock: FakeClock) -> None:
    with Memory.open(home, clock=clock, settings={"facts.max": 10}) as memory:
        least = memory.facts.store("The attic holds lamp number nought", importance=0.0)
        for number in range(10):
            memory.facts.store(f"The cellar holds barrel {number}", importance=0.6)
        assert archived(memory) == [least.id]
        memory.facts.restore(least.id)
        memory.facts.store("The garden grows quinces", importance=0.6)
        assert least.id not in archived(memory)
        clock.advance(31 * 86_400.0)
        memory.facts.store("The roof wants new tiles", importance=0.6)
        assert least.id in archived(memory)
        line = (home / "memory/archive.md").read_text(encoding="utf-8")
        assert "restored=" not in line  # nothing of it is left there


def test_a_fact_that_came_back_because_it_was_said_again_stays_as_well(home: Path, clock: FakeClock) -> None:
    with Memory.open(home, clock=clock, settings={"facts.max": 10}) as memory:
        least = memory.facts.store("The attic holds lamp number nought", importance=0.0)
        for number in range(10):
            memory.facts.store(f"The cellar holds barrel {number}", importance=0.6)
        assert memory.facts.store("The attic holds lamp number nought").id == least.id
        memory.facts.store("The garden grows quinces", importance=0.6)
        assert least.id not in archived(memory)
