"""What is one to the user is one on disk: a fact and its copy in MEMORY.md, a move between notes, two sayings of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from dreaming.asking import asked_for

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.dreaming.memory_lines import own_lines
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.guard.origin import Origin

NOW = datetime(2026, 11, 13, 12, tzinfo=UTC).timestamp()
TEA = "I drink jasmine tea in the morning"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(NOW)


@pytest.fixture
def memory(home: Path, clock: FakeClock) -> Iterator[Memory]:
    with Memory.open(home, origin=Origin.USER, clock=clock) as opened:
        yield opened


def everything(home: Path) -> dict[str, bytes]:
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in home.rglob("*.md")}


def promoted(memory: Memory, home: Path, clock: FakeClock) -> str:
    """A fact that dreaming has copied into MEMORY.md, beside words of the owner's; its id."""
    memory.save("# About me\n\nI am Ada.\n")
    made = memory.facts.store(TEA, category="preference")
    memory.facts.store("I like plums", category="preference")
    asked_for(memory, clock)
    assert [one.text for one in memory.dreams.run().of("promoted")] == [TEA]
    assert [line.claim.text for line in own_lines((home / "MEMORY.md").read_bytes())] == [TEA]
    return made.id


@pytest.mark.parametrize("way", ["by id", "by words", "tool", "memory_forget"])
def test_a_forgotten_fact_leaves_memory_too_and_one_undo_brings_both_back(
    memory: Memory, home: Path, clock: FakeClock, way: str
) -> None:
    name = promoted(memory, home, clock)
    before = everything(home)
    if way == "by id":
        made = memory.facts.forget(name)
        assert "its copy in MEMORY.md is gone as well" in made.because
        assert len(made.checkpoint_ids) == 2
    elif way == "by words":
        memory.facts.forget(text=TEA.upper())
    elif way == "tool":
        assert len(memory.tools().call("forget", {"id": name})["checkpointIds"]) == 2
    else:
        gone = memory.forget(text=TEA)
        assert [(one.path, one.text) for one in gone.forgotten][1:] == [("MEMORY.md", TEA)]
    after = everything(home)
    assert after["MEMORY.md"] == b"# About me\n\nI am Ada.\n"
    assert TEA.encode() not in b"".join(after.values())
    assert "I like plums" in after["memory/preferences.md"].decode()
    assert not [hit for hit in memory.search("jasmine tea").results if "jasmine" in hit.snippet]
    memory.undo()
    assert everything(home) == before
    assert memory.search("jasmine tea").results[0].text_score is not None


def test_a_line_of_memory_that_a_person_edited_stays_and_is_named(memory: Memory, home: Path, clock: FakeClock) -> None:
    name = promoted(memory, home, clock)
    file = home / "MEMORY.md"
    file.write_text(file.read_text().replace(TEA, f"{TEA}, always") + f"\n- {TEA}\n")
    told = file.read_bytes()
    made = memory.facts.forget(name)
    assert "MEMORY.md#9 says so too" in made.because
    assert file.read_bytes() == told


def test_where_memory_may_not_be_written_the_fact_goes_and_its_copy_is_named(home: Path, clock: FakeClock) -> None:
    with Memory.open(home, origin=Origin.USER, clock=clock) as memory:
        name = promoted(memory, home, clock)
    with Memory.open(
        home, origin=Origin.API, clock=clock, settings={"memory.agent_write_mode": "search-only"}
    ) as memory:
        made = memory.facts.forget(name)
    assert "its copy stays" in made.because
    assert TEA in (home / "MEMORY.md").read_text()
    assert TEA not in (home / "memory/preferences.md").read_text()


def test_what_was_done_to_several_notes_is_undone_at_once(memory: Memory, home: Path) -> None:
    first = memory.facts.store("I live in Berlin", category="fact")
    before = everything(home)
    second = memory.facts.store("I moved to Munich", category="other")
    assert (second.replaced, len(second.checkpoint_ids)) == ((first.id,), 2)
    undone = memory.undo()
    assert {undone.path, *undone.also} == {"memory/facts.md", "memory/other.md"}
    assert everything(home) == before
    memory.facts.archive(first.id)
    assert not (home / "memory/facts.md").exists()
    memory.undo()
    assert everything(home) == before
    memory.undo()
    assert everything(home) == {}


def test_what_a_model_stores_and_the_user_said_is_one_fact_whoever_comes_first(memory: Memory) -> None:
    with memory.session() as session:
        tools = session.tools()
        session.append("user", "I live in Oslo.")
        tools.call("store", {"text": "The user lives in Oslo", "category": "fact"})
        tools.call("memory_save", {"content": "- User's favourite editor is Helix\n", "file": "memory/preferences.md"})
        assert [fact.outcome for fact in session.capture().facts] == ["reinforced"]
        session.append("user", "By the way, my favourite editor is Helix")
        assert [fact.outcome for fact in session.capture().facts] == ["reinforced"]
        session.append("user", "I prefer green tea")
        assert [fact.outcome for fact in session.capture().facts] == ["stored"]
        assert tools.call("store", {"text": "User prefers green tea"})["outcome"] == "reinforced"
    assert sorted(fact.text for fact in memory.facts.list().facts) == [
        "I prefer green tea",
        "The user lives in Oslo",
        "User's favourite editor is Helix",
    ]


def test_bullets_that_are_saved_again_in_other_words_strengthen_what_is_there(memory: Memory, home: Path) -> None:
    memory.facts.store("I prefer green tea", category="preference")
    memory.facts.store("I live in Oslo", category="fact")
    tools = memory.tools()
    content = "# More\n\n- User prefers green tea\n- The user lives in Oslo\n- User likes plums\n"
    made = tools.call("memory_save", {"content": content, "file": "memory/preferences.md"})
    assert made["because"].startswith(
        "known already, and not written twice: memory/preferences.md#1, memory/facts.md#1"
    )
    tea, plums = memory.facts.list(category="preference").facts
    assert {tea.text, plums.text} == {"I prefer green tea", "User likes plums"}
    assert {tea.reinforced, plums.reinforced} == {0, 1}
    assert memory.facts.list(category="fact").facts[0].reinforced == 0  # only the note that was named changes
    before = everything(home)
    again = tools.call("memory_save", {"content": "- The user moved to Oslo", "file": "memory/other.md"})
    assert again["saved"] is True and everything(home) == before


def test_after_a_change_of_provider_facts_are_indexed_anew_and_compared_in_the_new_space(
    home: Path, clock: FakeClock
) -> None:
    settings = {"facts.duplicate_similarity": 0.8}
    told = "the quarterly report about sales is {}always green on the cover page"
    with Memory.open(home, embedder=FakeEmbedder("one"), clock=clock, settings=settings) as memory:
        first = memory.facts.store(told.format(""))
        assert memory.facts.store(told.format("really ")).id == first.id
    other = FakeEmbedder("two", 96)
    with Memory.open(home, embedder=other, clock=clock, settings=settings) as memory:
        done = memory.facts.reindex()
        assert (done.embedded, done.pending) == (1, 0)
        assert memory.ctx.database.check() == []
        assert memory.facts.store(told.format("really ")).outcome == "reinforced"
        assert [one.fact.id for one in memory.facts.recall("the cover of the quarterly report").results] == [first.id]
        assert memory.facts.list().total == 1
