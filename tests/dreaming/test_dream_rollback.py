"""A rollback undoes what its run did, and nothing that anybody did since."""

from __future__ import annotations

from pathlib import Path

from dreaming.asking import DAY, NOTE, TEA, asked_for, everything, prompt

from holdfast import Memory
from holdfast.clock import FakeClock

EDITOR = "My favourite editor is Vim"
NEWER = "My favourite editor is Helix"
ROUTER = "The router lives in the attic closet"
QUESTIONS = (
    "where is the router",
    "router attic closet",
    "what lives in the closet",
    "which editor is my favourite",
    "favourite editor Vim",
    "what editor do I favour",
)


def two_runs(memory: Memory, clock: FakeClock) -> tuple[str, str]:
    """A run that brings two facts into MEMORY.md, and one in which a third takes the place of one; the facts' ids."""
    router = memory.facts.store(ROUTER, category="fact").id
    editor = memory.facts.store(EDITOR, category="preference").id
    asked_for(memory, clock, QUESTIONS)
    assert {one.text for one in memory.dreams.run().of("promoted")} == {ROUTER, EDITOR}
    clock.advance(DAY)
    memory.facts.store(NEWER, category="preference")
    assert [one.text for one in memory.dreams.run().of("superseded")] == [NEWER]
    return router, editor


def test_a_fact_that_was_forgotten_since_is_not_brought_back(memory: Memory, home: Path, clock: FakeClock) -> None:
    router, _ = two_runs(memory, clock)
    memory.facts.forget(router)
    undone = memory.dreams.roll_back()
    assert undone.cleared == ("MEMORY.md",) and undone.stays_out == 0
    assert ROUTER not in prompt(home) and NEWER not in prompt(home) and EDITOR in prompt(home)


def test_a_line_that_was_deleted_by_hand_since_is_not_brought_back(
    memory: Memory, home: Path, clock: FakeClock
) -> None:
    two_runs(memory, clock)
    left = [line for line in prompt(home).splitlines(keepends=True) if ROUTER not in line]
    (home / "MEMORY.md").write_text("".join(left))
    memory.dreams.roll_back()
    assert ROUTER not in prompt(home) and EDITOR in prompt(home)


def test_a_line_that_was_edited_by_hand_since_stays_as_it_was_edited(
    memory: Memory, home: Path, clock: FakeClock
) -> None:
    two_runs(memory, clock)
    (home / "MEMORY.md").write_text(prompt(home).replace("attic closet", "cellar"))
    memory.dreams.roll_back()
    assert "The router lives in the cellar" in prompt(home) and "attic" not in prompt(home)
    assert EDITOR in prompt(home) and NEWER not in prompt(home)


def test_a_fact_that_the_run_took_out_and_that_was_forgotten_since_stays_out(
    memory: Memory, home: Path, clock: FakeClock
) -> None:
    _, editor = two_runs(memory, clock)
    memory.facts.forget(editor)
    undone = memory.dreams.roll_back()
    assert undone.stays_out == 1 and undone.to_json()["staysOut"] == 1
    assert EDITOR not in prompt(home) and NEWER not in prompt(home) and ROUTER in prompt(home)


def test_an_edited_line_keeps_the_place_that_its_run_gave_it(memory: Memory, home: Path, clock: FakeClock) -> None:
    two_runs(memory, clock)
    (home / "MEMORY.md").write_text(prompt(home).replace(NEWER, f"{NEWER}, with two plugins"))
    assert memory.dreams.roll_back().stays_out == 1
    assert f"{NEWER}, with two plugins" in prompt(home) and EDITOR not in prompt(home)


def test_a_memory_note_that_was_removed_since_stays_removed(memory: Memory, home: Path, clock: FakeClock) -> None:
    two_runs(memory, clock)
    (home / "MEMORY.md").unlink()
    assert memory.dreams.roll_back().stays_out == 1
    assert not (home / "MEMORY.md").exists()


def test_a_run_that_only_added_brings_nothing_else_back(memory: Memory, home: Path, clock: FakeClock) -> None:
    memory.facts.store(ROUTER, category="fact")
    asked_for(memory, clock, QUESTIONS[:3])
    assert memory.dreams.run().of("promoted")
    memory.save(f"- {TEA}\n", file=NOTE)
    asked_for(memory, clock)
    assert [one.text for one in memory.dreams.run().of("promoted")] == [TEA]
    left = [line for line in prompt(home).splitlines(keepends=True) if ROUTER not in line]
    (home / "MEMORY.md").write_text("".join(left))
    memory.dreams.roll_back()
    assert ROUTER not in prompt(home) and TEA not in prompt(home)


def test_each_further_rollback_is_about_the_run_before(memory: Memory, home: Path, clock: FakeClock) -> None:
    memory.save("# Mine\n")
    before = everything(home)
    two_runs(memory, clock)
    newest = sorted((home / "memory/dreams").iterdir())[-1]
    newest.write_text("My own words.\n")
    second = memory.dreams.roll_back()
    assert second.kept == (newest.relative_to(home).as_posix(),) and newest.read_text() == "My own words.\n"
    first = memory.dreams.roll_back()
    assert first.run != second.run and "MEMORY.md" in first.restored
    assert prompt(home).encode() == before[str(home / "MEMORY.md")]


def proposed_run(memory: Memory, clock: FakeClock) -> str:
    """A run that proposes a line, since it contradicts one that a person wrote; the run."""
    memory.save("- I live in Lisbon\n")
    memory.save("- I live in Porto\n", file=NOTE)
    asked_for(memory, clock, ("where do I live", "live in Porto", "Porto", "which city do I live in Porto"))
    done = memory.dreams.run()
    assert [one.text for one in done.of("waiting")] == waiting(memory) == ["I live in Porto"]
    return done.run


def waiting(memory: Memory) -> list[str]:
    """The lines that wait in the inbox."""
    return [entry.text for entry in memory.inbox.list()]


def test_what_a_run_proposed_waits_no_more_once_the_run_is_rolled_back_and_is_not_proposed_again(
    memory: Memory, clock: FakeClock
) -> None:
    run = proposed_run(memory, clock)
    assert memory.dreams.roll_back().run == run
    assert waiting(memory) == []
    asked_for(memory, clock, ("where do I live", "live in Porto"))
    assert not memory.dreams.run().of("waiting") and waiting(memory) == []


def test_what_a_run_proposed_waits_again_once_its_rollback_is_taken_back(memory: Memory, clock: FakeClock) -> None:
    proposed_run(memory, clock)
    rolled = memory.dreams.roll_back()
    undone = memory.undo(checkpoint_ids=rolled.checkpoint_ids)
    assert waiting(memory) == ["I live in Porto"]
    memory.undo(checkpoint_ids=undone.checkpoint_ids)
    assert waiting(memory) == []


def test_what_a_run_proposed_goes_with_an_undo_of_the_run_as_with_a_rollback(memory: Memory, clock: FakeClock) -> None:
    proposed_run(memory, clock)
    last = memory.undo()
    assert last.tool == "dream" and waiting(memory) == []
    memory.restore(last.checkpoint_id)
    assert waiting(memory) == ["I live in Porto"]


def test_what_the_owner_approved_stays_when_the_run_that_proposed_it_is_rolled_back(
    memory: Memory, home: Path, clock: FakeClock
) -> None:
    run = proposed_run(memory, clock)
    (entry,) = memory.inbox.list()
    memory.inbox.approve(entry.id)
    memory.dreams.roll_back(run)
    assert "I live in Porto" in prompt(home) and waiting(memory) == []
