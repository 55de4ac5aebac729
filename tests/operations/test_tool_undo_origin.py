"""Everything of one origin is taken back with one command; what others wrote stays, and one undo reverts it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.errors import BadArgument, NotPermitted
from holdfast.guard.origin import Origin
from holdfast.operations.undo_origin import undo_origin

NOON = 1_795_000_000.0
DAY = 86_400.0
NOTE = "memory/ports.md"


def opened(home: Path, clock: FakeClock | None = None) -> Memory:
    dotted = {"memory.disable_rag": True}
    return Memory.open(home, origin=Origin.USER, clock=clock or FakeClock(NOON), settings=dotted)


def notes(home: Path) -> dict[str, bytes]:
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in home.glob("*/*.md")}


def test_lines_and_notes_and_facts_of_an_origin_go_and_one_undo_brings_them_back(home: Path) -> None:
    with opened(home) as memory:
        memory.save("My own line.", file=NOTE)
        tools = memory.tools(Origin.MCP_TOOL)
        tools.call("memory_save", {"content": "A line of a tool.", "file": NOTE})
        tools.call("memory_save", {"content": "A note of a tool.", "file": "memory/tool.md"})
        tools.call("store", {"text": "The tool likes Rome", "category": "fact"})
        memory.save("Another own line.", file=NOTE)
        memory.facts.store("I like green tea", category="preference")
        before = notes(home)
        planned = memory.undo_origin("mcp_tool", dry_run=True)
        assert notes(home) == before and [note.path for note in planned.notes] == [
            "memory/facts.md",
            NOTE,
            "memory/tool.md",
        ]
        done = memory.undo_origin("mcp_tool")
        assert done.notes == planned.notes and len(done.checkpoint_ids) == 3 and not done.left
        assert (home / NOTE).read_text(encoding="utf-8") == "My own line.\n\nAnother own line.\n"
        assert set(notes(home)) == {NOTE, "memory/preferences.md"}
        assert not memory.search("tool").results
        assert not memory.undo_origin("mcp_tool").notes, "there is nothing left to take back"
        undone = memory.undo()
        assert len(undone.also) == 2 and notes(home) == before
        assert memory.undo_origin("mcp_tool").notes == done.notes


def test_what_an_origin_removed_comes_back(home: Path) -> None:
    with opened(home) as memory:
        memory.save("One.\nTwo.\nThree.", file=NOTE)
        memory.save("Whole.", file="memory/whole.md")
        tools = memory.tools(Origin.AGENT)
        tools.call("memory_delete", {"file": NOTE, "text": "Two.\n"})
        tools.call("memory_delete", {"file": "memory/whole.md", "delete_file": True})
        memory.save("Four.", file=NOTE)
        memory.undo_origin("agent")
        assert (home / NOTE).read_text(encoding="utf-8") == "One.\nTwo.\nThree.\n\nFour.\n"
        assert (home / "memory/whole.md").read_text(encoding="utf-8") == "Whole.\n"


def test_a_fact_that_lost_its_place_to_one_of_the_origin_has_it_back(home: Path) -> None:
    with opened(home) as memory:
        memory.facts.store("I live in Berlin", category="fact")
        before = notes(home)
        assert memory.tools(Origin.AGENT).call("store", {"text": "I live in Paris", "category": "fact"})["superseded"]
        memory.undo_origin("agent")
        assert notes(home) == before


def test_a_place_that_was_taken_twice_stays_with_whoever_took_it_last(home: Path) -> None:
    with opened(home) as memory:
        first = memory.facts.store("I live in Berlin", category="fact")
        memory.tools(Origin.AGENT).call("store", {"text": "I live in Paris", "category": "fact"})
        last = memory.facts.store("I live in Lisbon", category="fact")
        memory.undo_origin("agent")
        told = memory.facts.history("where do I live?").facts
    assert [(fact.text, fact.struck) for fact in told] == [("I live in Berlin", True), ("I live in Lisbon", False)]
    assert (told[0].superseded_by, told[1].supersedes) == (last.id, (first.id,))


def test_only_the_days_that_are_named_are_taken_back(home: Path) -> None:
    clock = FakeClock(NOON)
    with opened(home, clock) as memory:
        for day, words in enumerate(("first", "second", "third")):
            memory.tools(Origin.MCP_TOOL).call("store", {"text": f"The {words} day", "category": "fact"})
            memory.tools(Origin.MCP_TOOL).call("memory_save", {"content": f"On the {words} day.", "file": NOTE})
            clock.advance(DAY if day < 2 else 0.0)
        memory.undo_origin("mcp_tool", since="2026-11-19", until="2026-11-19")
        assert (home / NOTE).read_text(encoding="utf-8") == "On the first day.\n\nOn the third day.\n"
        assert {fact.text for fact in memory.facts.list().facts} == {"The first day", "The third day"}


def test_an_import_goes_with_its_notes(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    (folder / "memory").mkdir(parents=True)
    (folder / "MEMORY.md").write_text("- They like Rome\n", encoding="utf-8")
    (folder / "memory" / "trip.md").write_text("# Trip\n\nThey went to Rome.\n", encoding="utf-8")
    with opened(home) as memory:
        memory.save("Mine.", file=NOTE)
        before = notes(home)
        assert memory.import_from(str(folder), source="openclaw").brings
        memory.undo_origin("import")
        assert notes(home) == before and not list((home / "memory").rglob("*rome*"))


def test_edits_from_outside_go_where_a_checkpoint_knows_what_was_there(home: Path) -> None:
    with opened(home) as memory:
        memory.save("Mine.", file=NOTE)
        old = home / "memory" / "old.md"
        old.write_text("Typed last year.\n", encoding="utf-8")
        os.utime(old, (NOON - 400 * DAY, NOON - 400 * DAY))
        for path in (home / NOTE, home / "memory" / "new.md"):
            with path.open("a", encoding="utf-8") as file:
                file.write("Not mine.\n")
            os.utime(path, (NOON, NOON))
        memory.save("Mine again.", file=NOTE)
        done = memory.undo_origin("outside", since="2026-11-01")
        assert (home / NOTE).read_text(encoding="utf-8") == "Mine.\n\nMine again.\n"
        assert [(note.path, "whole-notes" in note.because) for note in done.left] == [("memory/new.md", True)]
        memory.undo_origin("outside", since="2026-11-01", whole_notes=True)
        assert not (home / "memory" / "new.md").exists() and old.exists()


def test_without_a_day_the_owners_own_words_are_not_taken_back(home: Path) -> None:
    with opened(home) as memory:
        for origin in ("user", "outside"):
            with pytest.raises(BadArgument, match="name a day"):
                memory.undo_origin(origin)
        with pytest.raises(BadArgument, match="not one of"):
            memory.undo_origin("nobody")
        with pytest.raises(BadArgument, match="is after"):
            memory.undo_origin("import", since="2026-03-05", until="2026-03-01")
        with pytest.raises(NotPermitted):
            undo_origin(memory.ctx.for_origin(Origin.AGENT), "import")


def test_a_damaged_checkpoint_keeps_no_other_note_from_being_cleared(home: Path) -> None:
    with opened(home) as memory:
        memory.save("Mine.", file=NOTE)
        tools = memory.tools(Origin.MCP_TOOL)
        tools.call("memory_save", {"content": "Bad.", "file": NOTE})
        tools.call("memory_save", {"content": "Worse.", "file": "memory/worse.md"})
        damaged = next(one for one in memory.history(NOTE) if one.origin == "mcp_tool").before
        assert damaged is not None
        (found,) = home.glob(f"state/checkpoints/main/objects/*/{damaged}")
        found.chmod(0o600)
        found.write_bytes(b"other bytes")
        done = memory.undo_origin("mcp_tool")
        assert [note.path for note in done.notes] == ["memory/worse.md"] and done.left[0].path == NOTE
        assert (home / NOTE).read_text(encoding="utf-8") == "Mine.\n\nBad.\n"


FACTS = "memory/facts.md"


def stored_by_a_tool(memory: Memory, *texts: str) -> None:
    for text in texts:
        memory.tools(Origin.MCP_TOOL).call("store", {"text": text, "category": "fact"})


def reword(home: Path, old: str, new: str) -> None:
    path = home / FACTS
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def test_a_fact_that_the_owner_reworded_since_stays_and_is_told_of(home: Path) -> None:
    with opened(home) as memory:
        stored_by_a_tool(memory, "They play chess", "The tool likes Rome")
        reword(home, "They play chess", "They play chess and go")
        kept = (home / FACTS).read_text(encoding="utf-8").splitlines()[0]
        done = memory.undo_origin("mcp_tool")
        assert [(note.gone, note.kept) for note in done.notes] == [(1, 1)] and not done.left
        assert (home / FACTS).read_text(encoding="utf-8") == f"{kept}\n"
        again = memory.undo_origin("mcp_tool")
        assert not again.notes and [(note.path, note.kept) for note in again.left] == [(FACTS, 1)]
        assert "edited" in again.left[0].because and not again.to_json()["undone"]


def test_a_fact_with_lines_of_the_owner_below_it_stays_whole(home: Path) -> None:
    with opened(home) as memory:
        stored_by_a_tool(memory, "They play chess", "The tool likes Rome")
        path = home / FACTS
        first, second = path.read_text(encoding="utf-8").splitlines()
        path.write_text(f"{first}\n  on Mondays, at the club\n{second}\n", encoding="utf-8")
        memory.undo_origin("mcp_tool")
        assert path.read_text(encoding="utf-8") == f"{first}\n  on Mondays, at the club\n"


def test_a_reworded_fact_stays_the_owners_when_the_origin_says_it_again(home: Path) -> None:
    with opened(home) as memory:
        stored_by_a_tool(memory, "They play chess")
        reword(home, "They play chess", "They play chess and go")
        stored_by_a_tool(memory, "They play chess and go")
        assert [fact.reinforced for fact in memory.facts.list().facts] == [1]
        memory.undo_origin("mcp_tool")
        assert [fact.text for fact in memory.facts.list().facts] == ["They play chess and go"]


def test_what_the_origin_reworded_itself_goes_all_the_same(home: Path) -> None:
    with opened(home) as memory:
        memory.facts.store("I like green tea", category="fact")
        stored_by_a_tool(memory, "They play chess")
        line = (home / FACTS).read_text(encoding="utf-8").splitlines()[1]
        tools = memory.tools(Origin.MCP_TOOL)
        tools.call("memory_delete", {"file": FACTS, "text": line})
        stored_by_a_tool(memory, "They play chess and go")
        memory.undo_origin("mcp_tool")
        assert [fact.text for fact in memory.facts.list().facts] == ["I like green tea"]


def test_facts_that_were_stored_by_turns_go_and_stay_by_their_marks(home: Path) -> None:
    with opened(home) as memory:
        for number in range(6):
            memory.facts.store(f"My box {number} is blue", category="fact")
            stored_by_a_tool(memory, f"Their jar {number} is red")
        done = memory.undo_origin("mcp_tool")
        assert [(note.gone, note.back, note.kept) for note in done.notes] == [(6, 0, 0)] and not done.left
        assert {fact.text for fact in memory.facts.list().facts} == {f"My box {number} is blue" for number in range(6)}


def test_what_a_fact_to_come_was_to_end_goes_on_without_it(home: Path) -> None:
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.facts.store("I live in Berlin", category="fact", valid_from="2024-01-01")
        before = (home / "memory/facts.md").read_bytes()
    with Memory.open(home, origin=Origin.API) as memory:
        memory.facts.store("I live in Oslo", category="fact", valid_from="2127-01-01")
        assert b"until=2126-12-31" in (home / "memory/facts.md").read_bytes()
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.undo_origin("api")
    assert (home / "memory/facts.md").read_bytes() == before


def test_a_note_that_the_owner_deleted_or_made_anew_since_stays_as_they_left_it(home: Path) -> None:
    with opened(home) as memory:
        for name in ("memory/gone.md", "memory/anew.md"):
            memory.notes.write(name, "One.\nTwo.\n")
        tools = memory.tools(Origin.MCP_TOOL)
        tools.call("memory_delete", {"file": "memory/gone.md", "text": "Two.\n"})
        tools.call("memory_delete", {"file": "memory/anew.md", "delete_file": True})
        memory.notes.delete("memory/gone.md")
        memory.notes.write("memory/anew.md", "Mine.\n")
        done = memory.undo_origin("mcp_tool")
    assert notes(home) == {"memory/anew.md": b"Mine.\n"}
    assert not done.notes and [note.path for note in done.left] == ["memory/anew.md"]
