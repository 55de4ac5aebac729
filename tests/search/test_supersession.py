"""Where a newer line says something else of the same thing, it stands first and says so; otherwise nothing moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.guard.origin import Origin
from holdfast.search.hit import CONTRIBUTIONS, Hit

NOW = 1_795_000_000.0  # 2026-11-18


def hits(home: Path, notes: dict[str, str], query: str) -> tuple[Hit, ...]:
    for path, text in notes.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(text, encoding="utf-8")
    with Memory.open(home, clock=FakeClock(NOW)) as memory:
        return memory.search(query, by_passage=True).results


def lines(found: tuple[Hit, ...]) -> list[str]:
    return [f"{hit.path}#{hit.start_line}" for hit in found]


@pytest.mark.parametrize(
    ("before", "after", "query"),
    [
        ("The launch is on Friday.", "The launch is on Monday.", "when is the launch?"),
        ("The chief executive of Tesla is Elon Musk.", "The chief executive of Tesla is Ada Low.", "chief executive?"),
        ("Colin Irwin lives in United Kingdom.", "Colin Irwin lives in Israel.", "where does Colin Irwin live?"),
    ],
)
def test_of_two_lines_of_one_note_that_differ_in_a_value_the_later_one_stands_first(
    home: Path, before: str, after: str, query: str
) -> None:
    found = hits(home, {"MEMORY.md": f"- {before}\n- Something else.\n- {after}\n"}, query)
    assert lines(found)[:2] == ["MEMORY.md#3", "MEMORY.md#1"]
    assert (found[0].older, found[0].newer) == ("MEMORY.md#1", "")
    assert (found[1].older, found[1].newer) == ("", "MEMORY.md#3")
    assert found[1].to_json()["newer"] == "MEMORY.md#3" and "newer" not in found[0].to_json()


def test_between_notes_their_days_say_which_is_newer(home: Path) -> None:
    notes = {
        "memory/2026-11-02.md": "- The door code of the office is 5512.\n",
        "memory/2026-10-02.md": "- The door code of the office is 1234, the door code of the office.\n",
        "memory/2026-09-02.md": "- The door code of the office is 9981.\n",
    }
    found = hits(home, notes, "what is the door code of the office?")
    assert [hit.newer for hit in found] == ["", "memory/2026-11-02.md#1", "memory/2026-11-02.md#1"]
    assert found[0].path == "memory/2026-11-02.md"


def test_where_no_day_tells_nothing_is_said(home: Path) -> None:
    notes = {"memory/a.md": "The door code of the office is 5512.", "memory/b.md": "The door code of the office is 1."}
    assert not any(hit.newer or hit.older for hit in hits(home, notes, "what is the door code of the office?"))


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("- The head of state of Chad is Ann.\n- The head of state of Peru is Ben.\n", "who is head of state of Chad?"),
        ("- The launch is on Friday.\n- The launch is on Friday.\n", "when is the launch?"),
        ("- The launch is on Friday.\n- The launch is on Friday at noon in the hall.\n", "when is the launch?"),
        ("- Ida likes tea.\n- Ida likes dogs.\n", "what does Ida like?"),
    ],
)
def test_other_things_the_same_thing_and_more_of_it_supersede_nothing(home: Path, text: str, query: str) -> None:
    assert not any(hit.newer or hit.older for hit in hits(home, {"MEMORY.md": text}, query))


def test_what_another_speaker_says_supersedes_nothing(home: Path) -> None:
    talk = "- **Ana**: I live in the old town of Lisbon.\n- **Ben**: I live in the old town of Riga.\n"
    found = hits(home, {"memory/sessions/2026-11-02-talk.md": talk * 2}, "who lives in the old town?")
    assert not any(hit.newer for hit in found)


def test_what_is_trusted_less_does_not_unsay_what_the_owner_wrote(home: Path) -> None:
    with Memory.open(home, clock=FakeClock(NOW), origin=Origin.USER) as memory:
        memory.save("- We pay to the account 1111 at the bank.", file="memory/2026-11-01.md")
    with Memory.open(home, clock=FakeClock(NOW), origin=Origin.MCP_TOOL) as memory:
        memory.save("- We pay to the account 6666 at the bank.", file="memory/2026-11-10.md")
        found = memory.search("which account do we pay to at the bank?", by_passage=True).results
    assert len(found) == 2
    assert not any(hit.newer or hit.older for hit in found)


def test_the_parts_still_add_up_to_the_score(home: Path) -> None:
    notes = {"MEMORY.md": "- The launch, the launch: the launch is on Friday.\n- The launch is on Friday.\n"}
    notes["memory/2026-11-02.md"] = "- The launch is on the first Monday.\n"
    notes["memory/2026-11-01.md"] = "- The launch is on the first Friday; launch.\n"
    for hit in hits(home, notes, "when is the launch?"):
        assert hit.score == pytest.approx(sum(hit.explain.get(name, 0.0) for name in CONTRIBUTIONS))


FACTS = """- ~~I live in Leipzig~~ <!-- fact id=a superseded_by=b -->
- ~~I moved to Dresden~~ <!-- fact id=b supersedes=a superseded_by=c -->
- My new home is Halle <!-- fact id=c supersedes=b -->
"""


def test_the_fact_that_took_a_place_stands_before_what_was_struck_whatever_its_words(home: Path) -> None:
    notes = {"memory/facts.md": FACTS, **{f"memory/n{at}.md": f"The boat has part {at}.\n" for at in range(30)}}
    found = hits(home, notes, "where do I live?")
    assert [hit.fact.id for hit in found[:2] if hit.fact] == ["c", "a"]
    assert found[1].newer == "memory/facts.md#3" and found[0].older == "memory/facts.md#1"
    for hit in found:
        assert sum(hit.explain.get(name, 0.0) for name in CONTRIBUTIONS) == pytest.approx(hit.score)


def test_who_names_what_was_struck_gets_it_first(home: Path) -> None:
    found = hits(home, {"memory/facts.md": FACTS}, "Leipzig")
    assert found[0].fact is not None and found[0].fact.id == "a"
