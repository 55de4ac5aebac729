from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path

import apsw
import pytest
from open_files import open_files

from holdfast import Memory
from holdfast.embeddings.embedder import Embedded, Purpose, SpaceKey
from holdfast.errors import BadArgument, BadSetting, IndexNotOurs, MemoryClosed


def test_a_closed_memory_says_so_and_touches_nothing(home: Path) -> None:
    memory = Memory.open(home)
    memory.save("zebra")
    tools = memory.tools()
    memory.close()
    memory.close()
    for use in (
        lambda: memory.search("zebra"),
        lambda: memory.save("more"),
        lambda: memory.get("MEMORY.md"),
        memory.status,
        memory.sync,
        memory.history,
        memory.undo,
    ):
        with pytest.raises(MemoryClosed):
            use()
    assert tools.call("memory_search", {"query": "zebra"})["error"]["type"] == "MemoryClosed"
    with Memory.open(home) as again:
        assert again.status().notes == 1
        assert "zebra" in again.search("zebra").results[0].snippet


def test_opening_and_closing_leaks_no_descriptor(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.save("warm up")
    before = open_files(home)
    for _ in range(20):
        with Memory.open(home) as memory:
            memory.search("warm")
    assert open_files(home) == before


class Rude:
    """An embedder that keeps no contract."""

    space = SpaceKey("rude", "m", "", 4)

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Embedded:
        raise ConnectionError("the line is dead")


def test_an_embedder_that_raises_anything_makes_no_save_look_failed(home: Path) -> None:
    with Memory.open(home, embedder=Rude()) as memory:
        assert memory.save("kept").checkpoint_id
        found = memory.search("kept")
        assert (found.mode, len(found.results)) == ("keyword", 1)
        assert "the line is dead" in found.because
        assert "error" not in memory.tools().call("memory_save", {"content": "kept too"})


def test_the_index_is_for_its_owner_alone(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.save("private")
        for file in (home / "state").glob("main.sqlite*"):
            assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file


def test_the_database_of_another_program_is_left_alone(home: Path) -> None:
    (home / "state").mkdir(parents=True)
    path = home / "state/main.sqlite"
    raw = apsw.Connection(str(path))
    raw.execute("CREATE TABLE theirs(x); INSERT INTO theirs VALUES (1)")
    raw.close()
    before = path.read_bytes()
    with Memory.open(home) as memory:
        memory.save("a walrus")
        found = memory.search("walrus")
        assert found.results and "another program" in found.because
        with pytest.raises(IndexNotOurs, match="another program"):
            memory.sync()
    assert path.read_bytes() == before


@pytest.mark.parametrize("path", ["MEMORY.md", "state/shared.sqlite", "state/checkpoints/{agentId}/journal.jsonl"])
def test_an_index_path_that_would_swallow_something_is_refused(home: Path, path: str) -> None:
    with pytest.raises(BadSetting, match=r"store\.path"):
        Memory.open(home, settings={"memory.store.path": path})


@pytest.mark.row("T22")
@pytest.mark.promise("P15")
def test_a_purge_leaves_no_trace_of_deleted_text(home: Path) -> None:
    with Memory.open(home) as memory:
        for i in range(30):
            memory.save(f"ordinary words number {i}", file=f"memory/n{i}.md")
        memory.save("TOPSECRETWORD xyzzy42", file="memory/s.md")
        memory.delete("memory/s.md", delete_file=True)
        assert memory.purge("memory/s.md").changes == 2
        assert "ordinary" in memory.search("ordinary").results[0].snippet
    for file in (home / "state").rglob("*"):
        if file.is_file():
            data = file.read_bytes().lower()
            assert b"topsecretword" not in data, file
            assert b"xyzzy42" not in data, file


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_home_that_can_not_be_written_to_can_be_searched(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.save("readable all the same")
    places = [home, home / "state", home / "state/locks"]
    for place in places:
        place.chmod(0o500)
    try:
        with Memory.open(home) as memory:
            assert "readable" in memory.search("readable").results[0].snippet
    finally:
        for place in places:
            place.chmod(0o700)


def test_settings_may_be_nested_as_in_the_file(home: Path) -> None:
    with Memory.open(home, settings={"memory": {"citations": "on", "search": {"max_results": 3}}}) as memory:
        assert (memory.settings.memory.citations, memory.settings.search.max_results) == ("on", 3)


@pytest.mark.parametrize("settings", [5, "memory.citations", ["x"]])
def test_settings_of_another_kind_are_refused(home: Path, settings: object) -> None:
    with pytest.raises(BadArgument, match="settings"):
        Memory.open(home, settings=settings)  # type: ignore[arg-type]


def test_values_of_another_kind_are_refused(home: Path) -> None:
    with Memory.open(home) as memory:
        with pytest.raises(BadArgument, match="max_results"):
            memory.search("x", max_results=1.5)  # type: ignore[arg-type]
        with pytest.raises(BadArgument, match="content"):
            memory.save(None)  # type: ignore[arg-type]


def test_every_word_of_a_long_question_counts(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.save("the answer stands under INC-10007-QJV", file="memory/a.md")
        memory.save("something else", file="memory/b.md")
        question = " ".join(f"filler{i}" for i in range(200)) + " and what about INC-10007-QJV?"
        assert memory.search(question).results[0].path == "memory/a.md"
