"""Whose words a hit is, by the checkpoints; searching only what is trusted; and a page that nobody else fills."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.errors import BadArgument
from holdfast.guard.origin import TRUST, Origin, origins_at_least, weakest_origin

NOTE = "memory/launch.md"


def opened(home: Path) -> Memory:
    dotted = {"memory.disable_rag": True}
    return Memory.open(home, origin=Origin.USER, clock=FakeClock(1_795_000_000.0), settings=dotted)


def whose(memory: Memory, query: str) -> Origin | None:
    return memory.search(query, max_results=1).results[0].origin


def test_the_origins_are_in_one_order_and_each_has_its_place() -> None:
    assert sorted(TRUST) == sorted(Origin) and origins_at_least(Origin.USER) == {Origin.USER}
    assert origins_at_least(TRUST[0]) == set(Origin)
    assert weakest_origin({Origin.USER, Origin.MCP_TOOL}) is Origin.MCP_TOOL
    assert weakest_origin({Origin.USER, None}) is None and weakest_origin(()) is None


def test_a_hit_says_who_brought_its_lines_and_not_who_wrote_the_note_last(home: Path) -> None:
    long = "\n\n".join(f"# Part {n}\n\n" + f"Filling words of part {n}. " * 60 for n in range(3))
    with opened(home) as memory:
        memory.tools(Origin.MCP_TOOL).call("memory_save", {"content": f"{long}\n\n# Rocket\n\nBlue.", "file": NOTE})
        memory.save("# Pad\n\nThe pad is by the sea.", file=NOTE)
        assert (whose(memory, "rocket blue"), whose(memory, "pad sea")) == (Origin.MCP_TOOL, Origin.USER)
        note = home / NOTE
        note.write_text(note.read_text(encoding="utf-8") + "\n# Crew\n\nThe crew is small.\n", encoding="utf-8")
        assert (whose(memory, "crew small"), whose(memory, "rocket blue")) == (Origin.OUTSIDE, Origin.MCP_TOOL)


def test_who_puts_a_note_back_does_not_become_its_author(home: Path) -> None:
    with opened(home) as memory:
        memory.tools(Origin.MCP_TOOL).call("memory_save", {"content": "The rocket is blue.", "file": NOTE})
        gone = memory.delete(NOTE, delete_file=True).checkpoint_id
        memory.restore(gone)
        assert whose(memory, "rocket") is Origin.MCP_TOOL


def test_a_note_that_holdfast_never_wrote_is_from_outside_and_one_whose_checkpoints_are_gone_from_nobody_known(
    home: Path,
) -> None:
    with opened(home) as memory:
        (home / "memory").mkdir()
        (home / "memory/hand.md").write_text("The lighthouse is white.\n", encoding="utf-8")
        memory.save("The rocket is blue.", file=NOTE)
        assert whose(memory, "lighthouse") is Origin.OUTSIDE
        memory.purge(NOTE)
        assert whose(memory, "rocket") is None
        assert not memory.search("rocket", min_trust="import").results, "what is not known does not pass"


@pytest.mark.parametrize("least", list(Origin))
def test_a_search_for_what_is_trusted_leaves_out_everything_below(home: Path, least: Origin) -> None:
    with opened(home) as memory:
        for origin in Origin:
            if origin is Origin.OUTSIDE:
                (home / f"memory/{origin}.md").write_text(f"The rocket of {origin} is blue.\n", encoding="utf-8")
            else:
                memory.tools(origin).call(
                    "memory_save", {"content": f"The rocket of {origin} is blue.", "file": f"memory/{origin}.md"}
                )
        found = {hit.origin for hit in memory.search("rocket blue", max_results=20, min_trust=least).results}
        told = memory.tools().call("memory_search", {"query": "rocket blue", "limit": 20, "min_trust": least.value})
    # In a note that holds no facts, what was captured are a model's words.
    expected = origins_at_least(least) - (
        {Origin.AUTO_CAPTURE} if Origin.AGENT not in origins_at_least(least) else set()
    )
    assert found == expected == {Origin(hit["origin"]) for hit in told["results"]}


def test_facts_are_trusted_by_their_marks(home: Path) -> None:
    with opened(home) as memory:
        memory.facts.store("I like green tea", category="preference")
        memory.tools(Origin.MCP_TOOL).call("store", {"text": "I like black tea", "category": "preference"})
        assert len(memory.search("tea").results) == 2
        (hit,) = memory.search("tea", min_trust="user").results
        assert "green" in hit.snippet
        with pytest.raises(BadArgument, match="min_trust"):
            memory.search("tea", min_trust="friends")
