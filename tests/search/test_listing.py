"""A time without words lists what there is of it, newest first."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from commandline import done, holdfast

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.errors import BadArgument

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
NOTES = {
    "memory/2026-11-14.md": "---\ntags: [gate]\n---\n- Repaired the gate.\n- Ida brought apples.\n",
    "memory/sessions/2026-11-14-boat.md": "- **User**: The boat needs paint.\n- **Assistant**: Blue?\n",
    "memory/2026-11-03.md": "- Sent the tax papers.\n",
    "memory/2026-09-03.md": "- Bought a tent.\n",
    "memory/plans.md": "# Plans\n\nA boat for the summer.\n",
}


@pytest.fixture
def notes(home: Path) -> Path:
    for path, text in NOTES.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(text, encoding="utf-8")
        os.utime(home / path, (NOW.timestamp() - 10 * 86_400,) * 2)  # 5 November
    return home


def paths(home: Path, **how: object) -> list[str]:
    with Memory.open(home, clock=FakeClock(NOW.timestamp())) as memory:
        return [hit.path for hit in memory.search("", **how).results]  # type: ignore[arg-type]


def test_each_note_of_the_time_is_listed_once_newest_first(notes: Path) -> None:
    assert paths(notes, since="2026-11-01") == [
        "memory/2026-11-14.md",
        "memory/sessions/2026-11-14-boat.md",
        "memory/plans.md",
        "memory/2026-11-03.md",
    ]
    assert paths(notes, until="2026-11-03") == ["memory/2026-11-03.md", "memory/2026-09-03.md"]
    assert paths(notes, since="2026-11-01", until="2026-11-04") == ["memory/2026-11-03.md"]


def test_the_limit_and_the_other_filters_hold(notes: Path) -> None:
    assert paths(notes, since="2026-01-01", max_results=2) == [
        "memory/2026-11-14.md",
        "memory/sessions/2026-11-14-boat.md",
    ]
    assert paths(notes, since="2026-01-01", source="sessions") == ["memory/sessions/2026-11-14-boat.md"]


def test_a_hit_shows_the_first_passage_and_not_the_front_matter(notes: Path) -> None:
    with Memory.open(notes, clock=FakeClock(NOW.timestamp())) as memory:
        hit = memory.search(" ", since="2026-11-14").results[0]
        assert hit.start_line == 4 and hit.snippet == "- Repaired the gate."
        assert hit.score == hit.confidence == 1.0


def test_facts_are_listed_by_their_own_days(home: Path) -> None:
    note = home / "memory/facts.md"
    note.parent.mkdir(parents=True)
    note.write_text(
        "- The cat is called Tom <!-- fact id=a observed=2026-10-01 -->\n"
        "- The dog is called Rex <!-- fact id=b observed=2026-11-10 -->\n",
        encoding="utf-8",
    )
    with Memory.open(home, clock=FakeClock(NOW.timestamp())) as memory:
        found = memory.search("", since="2026-09-01").results
        assert [hit.fact.id for hit in found if hit.fact] == ["b", "a"]


def test_without_a_time_an_empty_question_is_refused(notes: Path) -> None:
    with pytest.raises(BadArgument, match="empty"):
        paths(notes)
    with pytest.raises(BadArgument, match="empty"):
        paths(notes, source="sessions")


def test_the_command_line_needs_no_words_where_it_is_told_when(notes: Path) -> None:
    listed = done("search", "--since", "2026-11-14", "--until", "2026-11-14", "--json")
    assert [hit["path"] for hit in listed.json["results"]] == [
        "memory/2026-11-14.md",
        "memory/sessions/2026-11-14-boat.md",
    ]
    assert holdfast("search").status != 0
