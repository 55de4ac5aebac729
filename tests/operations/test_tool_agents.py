"""Agents: their own notes, no fall-back, and agents/main/MEMORY.md wins."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.errors import BadAgent
from holdfast.guard.origin import Origin
from holdfast.operations.agents_list import agents_list


def test_another_agent_lives_in_a_directory_of_its_own(home: Path) -> None:
    with Memory.open(origin=Origin.USER, agent="scout") as memory:
        memory.save("mine")
        memory.save("also mine", file="memory/a.md")
    assert (home / "agents/scout/MEMORY.md").read_text(encoding="utf-8") == "mine\n"
    assert (home / "agents/scout/memory/a.md").exists()
    assert (home / "state/scout.sqlite").exists()
    assert not (home / "MEMORY.md").exists()


def test_agents_never_see_each_others_notes(home: Path) -> None:
    with Memory.open(origin=Origin.USER) as main, Memory.open(origin=Origin.USER, agent="scout") as scout:
        main.save("the main giraffe")
        assert scout.get("MEMORY.md").status == "not_found"
        assert not scout.search("giraffe").results
        assert scout.history() == []
        scout.save("the scout walrus", file="memory/w.md")
        assert [hit.path for hit in main.search("walrus").results] == ["MEMORY.md"]
        assert main.get("memory/w.md").status == "not_found"
        assert main.get("memory/w.md").status == "not_found"
        with pytest.raises(Exception, match="no checkpoint"):
            main.restore(scout.history()[0].id)


def test_agents_main_memory_md_wins(home: Path) -> None:
    (home / "agents/main").mkdir(parents=True)
    (home / "agents/main/MEMORY.md").write_text("the winner\n", encoding="utf-8")
    (home / "MEMORY.md").write_text("the loser\n", encoding="utf-8")
    with Memory.open(origin=Origin.USER) as memory:
        assert memory.get("MEMORY.md").text == "the winner"
        assert [hit.path for hit in memory.search("winner").results] == ["MEMORY.md"]
        assert [hit.snippet for hit in memory.search("loser").results] == ["the winner"]
        assert any("agents/main/MEMORY.md" in why for _, why in memory.status().skipped)
        memory.save("more")
        memory.undo()
        memory.save("more")
        memory.save("named notes stay where they were", file="memory/a.md")
    assert (home / "agents/main/MEMORY.md").read_text(encoding="utf-8") == "the winner\n\nmore\n"
    assert (home / "MEMORY.md").read_text(encoding="utf-8") == "the loser\n"
    assert (home / "memory/a.md").exists()


@pytest.mark.parametrize("agent", ["", "..", "Main", "a/b", "a b", "x" * 65, "con", "../main", "é"])
def test_a_bad_agent_id_is_refused_and_makes_nothing(home: Path, agent: str) -> None:
    with pytest.raises(BadAgent):
        Memory.open(agent=agent)
    assert not home.exists()


def test_the_home_is_the_one_named_or_of_the_environment(home: Path, tmp_path: Path) -> None:
    with Memory.open() as memory:
        assert (memory.home, memory.agent) == (str(home), "main")
    with Memory.open(tmp_path / "other") as memory:
        assert memory.home == str(tmp_path / "other")
        assert repr(memory) == f"Memory(home={str(tmp_path / 'other')!r}, agent='main')"
    with Memory.open("~/mine") as memory:
        assert memory.home == str(tmp_path / "mine")


@pytest.mark.parametrize("wrong", ["", "a\0b", "a\udcff"])
def test_a_home_that_is_no_path_is_refused(wrong: str) -> None:
    with pytest.raises(Exception, match="'home' can't be used"):
        Memory.open(wrong)


def test_a_linked_note_counts_nowhere(home: Path) -> None:
    with Memory.open(origin=Origin.USER) as memory:
        memory.save("mine", file="memory/a.md")
        (home / "memory/b.md").symlink_to(home / "memory/a.md")
        (home / "MEMORY.md").symlink_to(home / "memory/a.md")
        assert [agent.notes for agent in agents_list(memory.ctx.workspace)] == [memory.status().notes_on_disk] == [1]
