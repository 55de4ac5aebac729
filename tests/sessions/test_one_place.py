"""A sentence that is remembered stands in one place: as a fact, or in the note that it was saved to."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Memory, Origin
from holdfast.llm.chat_model import Answer, ToolCall
from holdfast.llm.scripted_model import ScriptedModel
from holdfast.operations.memory_append import append_new

SAID = "Remember that I prefer dark mode in every editor."
SAVED = "I prefer dark mode in every editor."


def places(home: Path, words: str = "dark mode in every editor") -> list[str]:
    notes = [home / "MEMORY.md", *(home / "memory").rglob("*.md")]
    return sorted(str(note.relative_to(home)) for note in notes if note.exists() and words in note.read_text())


def saving(file: str | None) -> ScriptedModel:
    arguments = {"content": SAVED} | ({"file": file} if file else {})
    return ScriptedModel(Answer("", tool_calls=(ToolCall("c1", "memory_save", arguments),)), always="Noted.")


@pytest.mark.parametrize("file", [None, "memory/editors.md"])
def test_what_a_model_saves_in_a_turn_is_not_captured_once_more(home: Path, file: str | None) -> None:
    with Memory.open() as memory, memory.session("a") as session:
        session.turn(SAID, model=saving(file))
        assert places(home) == [file or "MEMORY.md"]
        hits = memory.search("which mode do I prefer in every editor?").results
        assert len([hit for hit in hits if "dark mode" in hit.snippet]) == 1


@pytest.mark.parametrize("file", [None, "memory/editors.md"])
def test_what_was_captured_and_is_saved_later_stands_where_it_is_best_kept(home: Path, file: str | None) -> None:
    with Memory.open() as memory, memory.session("a") as session:
        session.turn(SAID, model=ScriptedModel(always="I see."))
        assert places(home) == ["memory/preferences.md"]
        session.turn("Do it.", model=saving(file))
        assert places(home) == (["MEMORY.md"] if file is None else ["memory/preferences.md"])


def test_one_undo_takes_a_move_to_memory_md_back(home: Path) -> None:
    with Memory.open() as memory, memory.session("a") as session:
        session.turn(SAID, model=ScriptedModel(always="I see."))
    with Memory.open(origin=Origin.USER) as memory:
        memory.save(SAVED)
        assert places(home) == ["MEMORY.md"]
        memory.undo()
    assert places(home) == ["memory/preferences.md"]


def test_the_silent_turn_repeats_no_fact_in_the_note_of_the_day(home: Path) -> None:
    with Memory.open() as memory:
        memory.facts.store(SAVED, category="preference")
        ctx = memory.ctx.for_origin(Origin.AGENT)
        assert append_new(ctx, f"- {SAVED}", "memory/2026-03-01.md", tool="flush") is None
        append_new(ctx, f"- {SAVED}\n- The launch moved to May.", "memory/2026-03-01.md", tool="flush")
    assert places(home) == ["memory/preferences.md"]
    assert (home / "memory/2026-03-01.md").read_text().strip() == "- The launch moved to May."


def test_a_fact_that_takes_the_place_of_another_is_captured_wherever_it_was_saved(home: Path) -> None:
    with Memory.open() as memory, memory.session("a") as session:
        session.turn("I live in Berlin.", model=ScriptedModel(always="I see."))
        save = ToolCall("c1", "memory_save", {"content": "I moved to Munich."})
        session.turn(
            "Remember that I moved to Munich.", model=ScriptedModel(Answer("", tool_calls=(save,)), always="Yes.")
        )
        live = [fact.text for fact in memory.facts.list().facts]
    assert not any("Berlin" in text for text in live), live


def test_the_owner_may_write_a_sentence_wherever_they_like(home: Path) -> None:
    with Memory.open(origin=Origin.USER) as memory:
        memory.facts.store(SAVED, category="preference")
        memory.save(SAVED, file="memory/mine.md")
    assert places(home) == ["memory/mine.md", "memory/preferences.md"]
