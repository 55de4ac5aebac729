"""Hashes are quick to look up once a sync has ended: the indexes by them are made when the rows are there."""

from __future__ import annotations

from pathlib import Path

from holdfast import Memory
from holdfast.embeddings.embedder import SpaceKey
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.index.store_contract import Batch, ChunkRow, NoteRows, NoteState
from holdfast.index.sync import identity_of
from holdfast.settings.index_settings import ChunkingSettings


class Hosted(FakeEmbedder):
    """A model that is asked over HTTP, as far as the index can tell."""

    def __init__(self) -> None:
        super().__init__()
        self.space = SpaceKey("fake", "fake-64", "https://embeddings.internal", 64)


def write_note(home: Path, name: str, text: str) -> None:
    path = home / "memory" / f"{name}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def indexes_of(memory: Memory) -> set[str]:
    rows = memory.ctx.database.connection.all("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL")
    return {name.partition("_")[2] for (name,) in rows if name.startswith("e")}


def test_a_sync_leaves_the_hashes_indexed(tmp_path: Path) -> None:
    write_note(tmp_path, "kettle", "The kettle of room 27 leaks.\n")
    with Memory.open(tmp_path) as memory:
        memory.sync()
        assert {"by_id", "by_text"} <= indexes_of(memory)


def test_a_save_into_an_empty_home_leaves_the_hashes_indexed(tmp_path: Path) -> None:
    with Memory.open(tmp_path) as memory:
        memory.save("The kettle of room 27 leaks.")
        assert {"by_id", "by_text"} <= indexes_of(memory)


def test_what_is_written_before_more_to_come_is_indexed_when_it_is_completed(tmp_path: Path) -> None:
    with Memory.open(tmp_path) as memory:
        edition = memory.ctx.database.edition(identity_of(ChunkingSettings()))
        chunk = ChunkRow("a1", "b2", 1, 1, (), "The kettle of room 27 leaks.")
        state = NoteState("c3", 29, 1, 1, 1, settled=True)
        edition.write(Batch([NoteRows("memory/kettle.md", "memory", state, "", [chunk])], more_to_come=True))
        assert indexes_of(memory).isdisjoint({"by_id", "by_text"})
        edition.complete()
        assert {"by_id", "by_text"} <= indexes_of(memory)


def test_a_sync_completes_what_one_that_was_killed_left_without_indexes(tmp_path: Path) -> None:
    write_note(tmp_path, "kettle", "The kettle of room 27 leaks.\n")
    with Memory.open(tmp_path) as memory:
        memory.sync()
        edition = memory.ctx.database.serving()
        assert edition is not None
        with memory.ctx.database.connection.writing() as raw:
            for name in ("by_id", "by_text"):
                raw.execute(f"DROP INDEX e{edition.number}_{name}")
    with Memory.open(tmp_path) as memory:
        assert memory.search("kettle").results[0].path == "memory/kettle.md"
        assert memory.sync().unchanged == 1
        assert {"by_id", "by_text"} <= indexes_of(memory)


def test_blocks_are_indexed_once_there_is_a_space_that_goes_by_them(tmp_path: Path) -> None:
    write_note(tmp_path, "kettle", "The kettle of room 27 leaks.\n")
    with Memory.open(tmp_path, embedder=FakeEmbedder()) as memory:
        memory.sync()
        assert "by_block" not in indexes_of(memory)
    with Memory.open(tmp_path, embedder=Hosted()) as memory:
        memory.sync()
        assert "by_block" in indexes_of(memory)
        memory.sync(force=True)
        assert "by_block" in indexes_of(memory)
