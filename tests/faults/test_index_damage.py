"""The index is a cache (P6): whatever happens to its file, the next open heals it or says why not."""

from __future__ import annotations

import os
import random
from pathlib import Path

import apsw
import pytest
from counts import counted
from faults.rebuilding import index_rows, notes_of, of_a_rebuild, seen

from holdfast import Memory
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.errors import IndexDamaged

pytestmark = [pytest.mark.fault, pytest.mark.promise("P6")]

_PAGE = 4096


@pytest.fixture
def index(home: Path) -> Path:
    """The index of a home with some notes and vectors, closed and whole in one file."""
    with Memory.open(home, embedder=FakeEmbedder()) as memory:
        for number in range(12):
            memory.save(
                f"# Note {number}\n\nThe heron waits at pond{number}. " + "Reeds grow. " * 90, file=_name(number)
            )
        memory.sync()
        path = Path(memory.ctx.index_path)
    assert not path.with_name(path.name + "-wal").exists()
    return path


def _name(number: int) -> str:
    return f"memory/n{number}.md"


def _healed(home: Path, tmp_path: Path) -> Memory:
    """Open, search, sync: no error, every note found, the index as a rebuild would make it; the caller closes."""
    notes, before = notes_of(home), _history(home)
    memory = Memory.open(home, embedder=FakeEmbedder())
    assert len(seen(memory, "heron")) == len(notes)
    memory.sync()
    assert index_rows(memory) == of_a_rebuild(memory, tmp_path / "rebuild")
    assert memory.ctx.database.check() == []
    assert notes_of(home) == notes
    assert _history(home) == before
    return memory


def _history(home: Path) -> list[str]:
    with Memory.open(home) as memory:
        return [change.id for change in memory.history(limit=1_000)]


def test_an_index_that_was_deleted_is_built_again(home: Path, index: Path, tmp_path: Path) -> None:
    index.unlink()
    memory = _healed(home, tmp_path)
    assert memory.ctx.database.set_aside is None
    memory.close()


def test_an_index_that_was_emptied_is_built_again(home: Path, index: Path, tmp_path: Path) -> None:
    os.truncate(index, 0)
    _healed(home, tmp_path).close()


def test_an_index_of_garbage_is_set_aside_and_built_again(home: Path, index: Path, tmp_path: Path) -> None:
    index.write_bytes(random.Random(1).randbytes(50_000))
    memory = _healed(home, tmp_path)
    kept = memory.ctx.database.set_aside
    assert kept is not None and Path(kept).read_bytes() == random.Random(1).randbytes(50_000)
    assert any("set aside" in problem for problem in memory.status(deep=True).problems or ())
    memory.close()


def test_an_index_with_a_strangers_write_ahead_log_is_healed(home: Path, index: Path, tmp_path: Path) -> None:
    index.with_name(index.name + "-wal").write_bytes(random.Random(2).randbytes(30_000))
    _healed(home, tmp_path).close()


def test_an_index_that_was_cut_short_anywhere_is_built_again(home: Path, index: Path, tmp_path: Path) -> None:
    whole = index.read_bytes()
    sizes = random.Random(3).sample(range(1, len(whole)), counted(3, 60))
    for size in [100, _PAGE, 2 * _PAGE, len(whole) - _PAGE, *sizes]:
        _overwrite(index, whole[:size])
        _healed(home, tmp_path).close()


def test_an_index_with_garbage_in_any_page_answers_and_force_heals_it(home: Path, index: Path, tmp_path: Path) -> None:
    whole = index.read_bytes()
    chance = random.Random(4)
    pages = range(len(whole) // _PAGE)
    for page in chance.sample(pages, min(len(pages), counted(4, 100))):
        start = page * _PAGE
        _overwrite(index, whole[:start] + chance.randbytes(_PAGE) + whole[start + _PAGE :])
        with Memory.open(home, embedder=FakeEmbedder()) as memory:
            memory.search("heron")
            memory.sync(force=True)
            assert len(seen(memory, "heron")) == 12, f"page {page}"
        _healed(home, tmp_path).close()


def _overwrite(index: Path, data: bytes) -> None:
    for tail in ("-wal", "-shm"):
        index.with_name(index.name + tail).unlink(missing_ok=True)
    index.write_bytes(data)


def test_an_index_of_a_newer_version_is_left_alone_and_named(home: Path, index: Path) -> None:
    raw = apsw.Connection(str(index))
    raw.execute("PRAGMA user_version=999")
    raw.close()
    notes, before = notes_of(home), _history(home)
    with Memory.open(home) as memory:
        found = memory.search("heron", max_results=100)
        assert {hit.path for hit in found.results} == set(notes)
        assert "newer Holdfast" in found.because
        with pytest.raises(IndexDamaged, match="newer Holdfast"):
            memory.sync()
        assert "heron" in memory.get(_name(3)).text, "reading needs no index"
    raw = apsw.Connection(str(index))
    assert raw.execute("PRAGMA user_version").get == 999
    raw.close()
    assert (notes_of(home), _history(home)) == (notes, before)


def test_an_index_deleted_under_an_open_memory_loses_nothing(home: Path, index: Path, tmp_path: Path) -> None:
    with Memory.open(home) as memory:
        assert len(seen(memory, "heron")) == 12
        for path in index.parent.glob(index.name + "*"):
            path.unlink()
        memory.save("A bittern booms, no heron.", file="memory/late.md")
        assert seen(memory, "bittern") == {"memory/late.md"}
    with Memory.open(home) as memory:
        assert seen(memory, "bittern") == {"memory/late.md"}
    _healed(home, tmp_path).close()
