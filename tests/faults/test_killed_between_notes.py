"""A process that changes several notes as one is killed at any call to the disk: all of it happened, or none of it."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from counts import counted
from faults.children import children
from faults.rebuilding import index_rows, notes_of, of_a_rebuild

from holdfast import Memory
from holdfast.checkpoints.integrity import verify
from holdfast.clock import FakeClock
from holdfast.dreaming.memory_lines import Addition, with_changes
from holdfast.facts.facts_book import facts_now
from holdfast.facts.ledger import facts_in
from holdfast.guard.origin import Origin

pytestmark = [pytest.mark.fault, pytest.mark.promise("P1"), pytest.mark.promise("P2")]

NOON = 1_780_000_000.0
WHAT = ("supersede", "make room", "archive", "restore", "forget", "undo")
TYPED = {"memory/facts.md": "My own words", "memory/other.md": "- a bullet of mine", "MEMORY.md": "I am Ada."}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with facts in several notes, one in the archive and one in MEMORY.md, and lines of a person's."""
    home = tmp_path_factory.mktemp("template") / "home"
    with opened(home) as memory:
        berlin = memory.facts.store("I live in Berlin", category="fact")
        memory.facts.store("I like plums", category="preference", importance=0.1)
        figs = memory.facts.store("I like figs", category="preference")
        for number in range(7):
            memory.facts.store(f"House {number} has a red door", category="entity", importance=0.9)
        for path, line in TYPED.items():
            with (home / path).open("a", encoding="utf-8") as file:
                file.write(f"\n{line}\n")
        copy = Addition("I live in Berlin", berlin.id, Origin.USER, "memory/facts.md#1", "run1", date(2026, 5, 1))
        prompt = home / "MEMORY.md"
        prompt.write_bytes(with_changes(prompt.read_bytes(), date(2026, 5, 28), added=[copy]) or b"")
        memory.sync()
        memory.facts.archive(figs.id)
    return home


def opened(home: Path) -> Memory:
    return Memory.open(home, origin=Origin.USER, clock=FakeClock(NOON))


def killed(home: Path, what: str, left: int) -> int | None:
    """The home after a child that died before its Nth call; how many calls there were, where it lived."""
    with children("_child_facts.py", [[home, what, left]]) as (child,):
        child.go()
        return None if child.killed_itself() else int(child.answer())


def masked(notes: dict[str, bytes], known: set[str]) -> dict[str, bytes]:
    """The notes with ids that were dealt out anew all the same."""
    new = re.compile(rb"\b(id|superseded_by|supersedes)=(\w+)")
    return {
        path: new.sub(lambda one: one[0] if one[2].decode() in known else one[1] + b"=new", data)
        for path, data in notes.items()
    }


@pytest.mark.parametrize("what", WHAT)
def test_a_change_of_several_notes_happens_whole_or_not_at_all(template: Path, tmp_path: Path, what: str) -> None:
    before = notes_of(template)
    done = shutil.copytree(template, tmp_path / "done")
    calls = killed(done, what, 0)
    assert calls is not None and notes_of(done) != before
    known = {fact.id for path, data in before.items() for fact in facts_in(data, path)}
    whole = masked(notes_of(done), known)
    step = max(1, calls // counted(2, calls))
    outcomes = Counter[bool]()
    for number, left in enumerate(range(1, calls + 1, step)):
        home = shutil.copytree(template, tmp_path / f"home{number}")
        lived = killed(home, what, left)
        if lived is not None:
            assert lived < left  # it may do with a call less than the first one made
            continue
        for path, line in TYPED.items():
            assert line in (home / path).read_text(encoding="utf-8").splitlines()
        with opened(home) as memory:
            told = {fact.text for fact in facts_now(memory.ctx)} | ({"I live in Berlin"} if what == "forget" else set())
            assert told >= {"I live in Berlin", "I like plums", "I like figs"}  # nothing is in no place
            memory.facts.store("The next operation works", category="decision")
            found = notes_of(home)
            del found["memory/decisions.md"]
            finished = masked(found, known) == whole
            assert finished or found == before
            outcomes[finished] += 1
            ids = Counter(fact.id for fact in facts_now(memory.ctx) if fact.id)
            assert max(ids.values()) == 1
            memory.sync()
            assert memory.ctx.database.check() == []
            assert index_rows(memory, set()) == of_a_rebuild(memory, tmp_path / "rebuild", set())
            memory.undo()
            if finished and what != "undo":
                memory.undo()
                assert notes_of(home) == before
            assert {problem.kind for problem in verify(memory.ctx.workspace)} <= {"unreferenced"}
        shutil.rmtree(home)
    assert outcomes[False]


def test_a_note_that_was_edited_after_the_kill_keeps_the_edit_and_a_copy_is_healed(
    template: Path, tmp_path: Path
) -> None:
    done = shutil.copytree(template, tmp_path / "done")
    calls = killed(done, "archive", 0)
    assert calls is not None
    for number, left in enumerate(range(1, calls + 1, max(1, calls // counted(3, calls)))):
        home = shutil.copytree(template, tmp_path / f"home{number}")
        assert killed(home, "archive", left) is None
        edited = [home / "memory/archive.md", home / "memory/other.md", home / "memory/facts.md"]
        for file in edited:
            file.write_text(file.read_text(encoding="utf-8") + "\nTyped after the crash.\n", encoding="utf-8")
        with opened(home) as memory:
            plums = [fact.id for fact in facts_now(memory.ctx) if fact.text == "I like plums"]
            assert len(plums) in (1, 2)
            memory.facts.store("The next operation works", category="decision")
            gone = memory.facts.forget(plums[0])
            assert gone.fact.text == "I like plums"
            assert "I like plums" not in {fact.text for fact in facts_now(memory.ctx)}
            for file in edited:
                assert "Typed after the crash." in file.read_text(encoding="utf-8").splitlines()
        shutil.rmtree(home)
