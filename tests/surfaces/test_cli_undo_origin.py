"""`holdfast undo --origin` and `holdfast search --min-trust`."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import holdfast

from holdfast import Memory
from holdfast.guard.origin import Origin

NOTE = "memory/ports.md"


@pytest.fixture(autouse=True)
def written(home: Path) -> None:
    """A note of the owner's in which another program's tool wrote too, and one that is all its own."""
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.save("The dashboard listens on port 8447.", file=NOTE)
        tools = memory.tools(Origin.MCP_TOOL)
        tools.call("memory_save", {"content": "The dashboard listens on port 31337.", "file": NOTE})
        tools.call("memory_save", {"content": "All ports are open.", "file": "memory/open.md"})


def test_a_dry_run_shows_what_would_go_and_changes_nothing(home: Path) -> None:
    ran = holdfast("undo", "--origin", "mcp_tool", "--dry-run")
    assert ran.status == 0
    assert ran.out.splitlines()[:2] == ["  memory/open.md: gone", f"  {NOTE}: 1 line out"]
    assert "Nothing was changed" in ran.out and "31337" in (home / NOTE).read_text(encoding="utf-8")


def test_all_of_an_origin_is_taken_back_and_one_undo_puts_it_back(home: Path) -> None:
    ran = holdfast("undo", "--origin", "mcp_tool", "--since", "10d", "--json")
    assert [note["path"] for note in ran.json["notes"]] == ["memory/open.md", NOTE] and ran.json["undone"]
    assert (home / NOTE).read_text(encoding="utf-8") == "The dashboard listens on port 8447.\n"
    again = holdfast("undo", "--origin", "mcp_tool")
    assert again.out == "Nothing to take back: no change of the origin mcp_tool stands.\n"
    told = holdfast("undo", "--origin", "mcp_tool", "--json").json
    assert told["notes"] == [] and not told["undone"], "nothing was taken back"
    ran = holdfast("undo")
    assert "because they were changed as one" in ran.out and "31337" in (home / NOTE).read_text(encoding="utf-8")


def test_a_note_of_which_all_was_edited_since_is_named_and_left(home: Path) -> None:
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.tools(Origin.AGENT).call("store", {"text": "They play chess", "category": "fact"})
    path = home / "memory" / "facts.md"
    path.write_text(path.read_text(encoding="utf-8").replace("chess", "chess and go"), encoding="utf-8")
    before = path.read_bytes()
    ran = holdfast("undo", "--origin", "agent")
    assert (ran.status, ran.out) == (0, "Nothing was taken back.\n")
    assert "memory/facts.md is left as it is: somebody has edited" in ran.err and path.read_bytes() == before


@pytest.mark.parametrize(
    "words",
    [
        ("--dry-run",),
        ("--since", "10d"),
        ("--origin", "mcp_tool", NOTE),
        ("--origin", "mcp_tool", "--force"),
        ("--origin", "outside"),
        ("--origin", "user"),
    ],
)
def test_what_does_not_go_together_is_refused(home: Path, words: tuple[str, ...]) -> None:
    before = (home / NOTE).read_bytes()
    assert holdfast("undo", *words).status == 2
    assert (home / NOTE).read_bytes() == before


def test_a_search_shows_whose_words_are_not_the_owners_and_leaves_them_out_on_request() -> None:
    assert "  mcp_tool\n" in holdfast("search", "all ports open").out
    ran = holdfast("search", "all ports open", "--min-trust", "user", "--json")
    assert {hit["origin"] for hit in ran.json["results"]} <= {"user"}
    assert holdfast("search", "x", "--min-trust", "friends").status == 2
