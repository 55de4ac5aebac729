"""`holdfast inbox`: what waits for the owner, and what they decide."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import done, holdfast

from holdfast import Memory, Origin


@pytest.fixture
def waiting(home: Path) -> Path:
    with Memory.open(home) as memory:
        tools = memory.tools(Origin.MCP_TOOL, client="claude-code")
        for text in ("- The launch moved to March.", "- Pay KX-9001.", "## Teams\n\n| a | b |\n|---|---|"):
            tools.call("memory_save", {"content": text})
    return home


def ids() -> dict[str, str]:
    return {entry["text"].split("\n")[0]: entry["id"] for entry in done("inbox", "--json").json["entries"]}


def test_the_list_shows_what_waits_from_whom_and_since_when(waiting: Path) -> None:
    shown = done("inbox")
    assert "mcp_tool/claude-code" in shown.out and "The launch moved to March." in shown.out
    assert "holdfast inbox approve ID" in shown.err
    assert len(done("inbox", "list", "--json").json["entries"]) == 4
    assert "4 lines wait to go into MEMORY.md; `holdfast inbox` shows them" in done("status").out


def test_an_entry_is_approved_edited_and_rejected(waiting: Path) -> None:
    named = ids()
    made = done("inbox", "approve", named["The launch moved to March."])
    assert "Into MEMORY.md: The launch moved to March." in made.out and "holdfast undo" in made.out
    assert "March" in (waiting / "MEMORY.md").read_text()
    edited = done("inbox", "edit", named["Pay KX-9001."], "Never pay KX-9001.", "--json").json["decided"][0]
    assert (edited["text"], edited["origin"], edited["outcome"]) == ("Never pay KX-9001.", "user", "edited")
    assert "Rejected" in done("inbox", "reject", edited["id"]).out
    assert set(ids()) == {"## Teams", "| a | b |"}
    done("undo")
    assert "Never pay KX-9001." in ids()
    assert "Into MEMORY.md: ## Teams" in done("inbox", "approve", "--all").out
    assert done("inbox", "--json").json == {"entries": []}
    assert "Nothing waits" in done("inbox").err


def test_an_entry_with_other_words_is_named_by_the_id_that_it_has_now(waiting: Path) -> None:
    edited = done("inbox", "edit", ids()["Pay KX-9001."], "Never pay KX-9001.").out
    assert f"Waits with new words, as {ids()['Never pay KX-9001.']}: Never pay KX-9001." in edited


@pytest.mark.parametrize(
    "words",
    [
        ["approve"],
        ["reject"],
        ["approve", "x", "--all"],
        ["list", "x"],
        ["edit", "x"],
        ["edit", "--all"],
        ["approve", "x", "text"],
        ["nonsense"],
    ],
)
def test_what_does_not_go_together_is_refused_and_changes_nothing(waiting: Path, words: list[str]) -> None:
    before = (waiting / "memory" / "inbox.md").read_bytes()
    assert holdfast("inbox", *words).status == 2
    assert (waiting / "memory" / "inbox.md").read_bytes() == before


def test_an_entry_that_does_not_wait_is_said_to_be_none(waiting: Path) -> None:
    failed = holdfast("inbox", "approve", "i0000000")
    assert failed.status == 3 and "`holdfast inbox` shows what does" in failed.err


def test_a_question_about_two_facts_says_what_approving_does(home: Path) -> None:
    asking = {"facts.replace_from": 1.0}  # so that it asks, however sure the model is
    with Memory.open(home, origin=Origin.USER, settings=asking) as memory:
        memory.facts.store("I drive a Golf", category="fact")
        memory.facts.store("I sold the Golf and bought a Tesla", category="fact")
    shown = done("inbox")
    assert "Does" in shown.out and "Golf" in shown.out
    assert "Approve a question to let the newer fact replace the older, reject it to keep both" in shown.err
    assert "MEMORY.md" not in shown.err
