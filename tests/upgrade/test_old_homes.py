"""Homes that earlier versions wrote: they open, nothing in them is lost, and what they promised is kept."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from holdfast import Memory, Origin

HOMES = Path(__file__).parents[1] / "data" / "homes"
NAMES = ["first", "facts", "images"]
WITH_FACTS = NAMES[1:]


def unpacked(name: str, place: Path) -> Path:
    with tarfile.open(HOMES / f"{name}.tar.xz") as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Debian's Python has none yet
        archive.extractall(place)
    return place / name


def notes_of(home: Path) -> dict[str, bytes]:
    paths = [*home.glob("*.md"), *home.glob("memory/**/*.md")]
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.parametrize("name", NAMES)
def test_a_search_finds_what_the_old_version_saved(name: str, tmp_path: Path) -> None:
    with Memory.open(unpacked(name, tmp_path)) as memory:
        assert memory.search("when do we launch?").results[0].path == "memory/launch.md"
        assert memory.status().notes >= 3


@pytest.mark.parametrize("name", NAMES)
def test_opening_asking_and_looking_changes_no_note_and_no_line_of_the_journal(name: str, tmp_path: Path) -> None:
    home = unpacked(name, tmp_path)
    journal = home / "state/checkpoints/main/journal.jsonl"
    notes, lines = notes_of(home), journal.read_bytes()
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.sync()
        memory.search("which database did we choose?")
        memory.history()
        assert notes_of(home) == notes
        memory.save("A line of today.", file="memory/today.md")
    # What the old version wrote stays in front, so that it can still read its own part.
    assert journal.read_bytes().startswith(lines)


@pytest.mark.parametrize("name", NAMES)
def test_the_first_thing_that_is_done_may_be_a_save(name: str, tmp_path: Path) -> None:
    with Memory.open(unpacked(name, tmp_path), origin=Origin.USER) as memory:
        memory.save("The heron nests at kilometre 12.", file="memory/birds.md")
        assert memory.search("heron").results[0].path == "memory/birds.md"
        assert memory.search("when do we launch?").results[0].path == "memory/launch.md"


@pytest.mark.parametrize("name", NAMES)
def test_every_change_of_the_old_version_can_be_taken_back(name: str, tmp_path: Path) -> None:
    home = unpacked(name, tmp_path)
    with Memory.open(home, origin=Origin.USER) as memory:
        changes = [change for change in memory.history() if change.path == "memory/decisions.md"]
        memory.restore(changes[-1].id)
        assert not (home / "memory/decisions.md").exists()


@pytest.mark.parametrize("name", NAMES)
def test_its_settings_hold(name: str, tmp_path: Path) -> None:
    with Memory.open(unpacked(name, tmp_path)) as memory:
        assert memory.settings.search.max_results == 7


@pytest.mark.parametrize("name", WITH_FACTS)
def test_facts_are_read_shown_and_superseded_as_before(name: str, tmp_path: Path) -> None:
    with Memory.open(unpacked(name, tmp_path), origin=Origin.USER) as memory:
        assert memory.facts.recall("where do I live?").results[0].fact.text == "I've moved to Munich"
        assert {fact.text for fact in memory.facts.history("where do I live").facts} >= {"I live in Berlin"}
        made = memory.facts.store("I've moved to Oslo", category="fact")
        assert made.outcome == "superseded"


@pytest.mark.parametrize("name", WITH_FACTS)
def test_a_conversation_goes_on(name: str, tmp_path: Path) -> None:
    with Memory.open(unpacked(name, tmp_path)) as memory, memory.session("work") as session:
        assert [entry.text for entry in session.messages()] == ["When do we launch the Kestrel?", "On 3 March."]
        assert session.state.get("build", "step") == 3
        session.append("user", "And the second one?")
        assert len(session.messages()) == 3
