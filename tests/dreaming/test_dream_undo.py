"""What a run did is taken back whole, and what no longer holds or was forgotten leaves MEMORY.md."""

from __future__ import annotations

from pathlib import Path

import pytest
from dreaming.asking import DAY, NOTE, TEA, asked_for, everything, prompt

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.dreaming.dream_counts import signals_of
from holdfast.errors import CheckpointNotFound


def test_a_run_is_taken_back_with_one_command_and_stays_taken_back(
    memory: Memory, home: Path, clock: FakeClock
) -> None:
    memory.save("# Mine\n")
    memory.save(f"- {TEA}\n", file=NOTE)
    asked_for(memory, clock)
    before = everything(home)
    done = memory.dreams.run()
    assert everything(home) != before
    undone = memory.dreams.roll_back()
    assert undone.run == done.run and set(undone.restored) == {"MEMORY.md", done.report}
    assert everything(home) == before
    assert not memory.dreams.run(["deep"]).candidates
    with pytest.raises(CheckpointNotFound):
        memory.dreams.roll_back(done.run)


def test_taking_a_run_back_overwrites_nothing_that_was_written_since(
    memory: Memory, home: Path, clock: FakeClock
) -> None:
    memory.save(f"- {TEA}\n", file=NOTE)
    asked_for(memory, clock)
    done = memory.dreams.run()
    (home / "MEMORY.md").write_text("# New\n\nMine.\n\n" + prompt(home) + "\nAlso mine.\n")
    (home / done.report).write_text("My own words.\n")
    undone = memory.dreams.roll_back()
    assert undone.cleared == ("MEMORY.md",) and undone.kept == (done.report,)
    assert "Mine." in prompt(home) and "Also mine." in prompt(home) and TEA not in prompt(home)
    assert (home / done.report).read_text() == "My own words.\n"


def test_a_fact_that_another_superseded_leaves_memory_for_it(memory: Memory, home: Path, clock: FakeClock) -> None:
    memory.facts.store("I live in Lisbon", category="fact")
    asked_for(memory, clock, ("where do I live", "live in Lisbon", "Lisbon", "which city do I live in", "my home live"))
    (promoted,) = memory.dreams.run().of("promoted")
    assert promoted.text == "I live in Lisbon"
    clock.advance(DAY)
    memory.facts.store("I live in Porto", category="fact")
    (replaced,) = memory.dreams.run().of("superseded")
    assert replaced.text == "I live in Porto" and replaced.replaced == (promoted.id,)
    assert "I live in Porto" in prompt(home) and "Lisbon" not in prompt(home)
    assert not memory.dreams.run().changed
    memory.dreams.roll_back()
    assert "I live in Lisbon" in prompt(home) and "Porto" not in prompt(home)


def test_a_line_that_contradicts_what_a_person_wrote_waits(memory: Memory, home: Path, clock: FakeClock) -> None:
    memory.save("- I live in Lisbon\n")
    memory.save("- I live in Porto\n", file=NOTE)
    asked_for(memory, clock, ("where do I live", "live in Porto", "Porto", "which city do I live in Porto"))
    (waiting,) = memory.dreams.run().of("waiting")
    assert waiting.text == "I live in Porto" and "MEMORY.md#1" in waiting.because
    assert prompt(home) == "- I live in Lisbon\n"


def test_of_two_lines_that_contradict_each_other_the_newer_one_is_kept(
    memory: Memory, home: Path, clock: FakeClock
) -> None:
    memory.save("- I live in Porto\n", file="memory/2026-11-12.md")
    memory.save("- I live in Lisbon\n", file="memory/2026-10-01.md")
    asked_for(
        memory, clock, ("I live in Porto or Lisbon", "live Lisbon Porto home", "Porto Lisbon", "Lisbon Porto city")
    )
    done = memory.dreams.run()
    assert [one.text for one in done.of("promoted")] == ["I live in Porto"]
    assert [one.text for one in done.of("old")] == ["I live in Lisbon"]
    assert "Lisbon" not in prompt(home)


def test_forgetting_takes_the_counts_along(memory: Memory, clock: FakeClock) -> None:
    memory.save(f"- {TEA}\n", file=NOTE)
    asked_for(memory, clock)
    signals = signals_of(memory.ctx)
    assert signals.asked(0.0, 1)
    memory.forget(text=f"- {TEA}")
    assert signals.asked(0.0, 1) == []


def test_a_request_to_forget_is_not_counted_as_a_question(memory: Memory) -> None:
    memory.save(f"- {TEA}\n", file=NOTE)
    memory.forget("green tea in the morning", dry_run=True)
    assert signals_of(memory.ctx).asked(0.0, 1) == []


def test_a_fact_that_is_deleted_by_hand_leaves_memory_with_the_next_dream(
    memory: Memory, home: Path, clock: FakeClock
) -> None:
    stored = memory.facts.store("I live in Lisbon", category="fact")
    asked_for(memory, clock, ("where do I live", "live in Lisbon", "Lisbon", "which city do I live in", "my home live"))
    assert memory.dreams.run().of("promoted") and "Lisbon" in prompt(home)
    (home / "memory/facts.md").write_text("- I work in a harbour office\n")
    assert memory.dreams.run().retired == (stored.id,)
    assert "Lisbon" not in prompt(home)
    assert not memory.dreams.run().changed


def test_a_run_is_one_change_to_undo_and_so_is_taking_it_back(memory: Memory, home: Path, clock: FakeClock) -> None:
    memory.save("# Mine\n")
    memory.save(f"- {TEA}\n- The dentist is Doctor Moreau\n", file=NOTE)
    asked_for(memory, clock)
    before = everything(home)
    done = memory.dreams.run()
    back = memory.undo()
    assert {back.path, *back.also} == {"MEMORY.md", done.report}
    assert everything(home) == before
    assert not memory.dreams.run(["deep"]).candidates  # what somebody took out stays out
    asked_for(
        memory, clock, ("dentist", "who is Moreau", "the dentist Moreau", "Doctor Moreau", "which dentist doctor")
    )
    again = memory.dreams.run()
    assert again.of("promoted") and memory.dreams.roll_back().run == again.run
    assert len({change.group for change in memory.history(limit=2)}) == 1
    assert everything(home) == before
