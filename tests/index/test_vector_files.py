"""Vectors that cost nothing are in a file alone, once they are many; whatever becomes of the file, none is wrong."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
import sqlite_vec
from vector_shelf import MANY, PAID, SPACE, Shelf, made

from holdfast import Memory
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.errors import StorageFailed
from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.side_files import check_side_files
from holdfast.index.sqlite.vector_storage import VectorStorage


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.sqlite"


def test_many_vectors_are_in_files_alone_and_come_back_as_they_were(path: Path) -> None:
    parts = [made(0), made(10_000, 7), made(20_000), made(30_000, 3)]
    shelf = Shelf(path)
    shelf.put(*parts, {"none": b""})
    everything = {text_hash: vector for part in parts for text_hash, vector in part.items()}
    assert (shelf.held(), shelf.in_sqlite(), len(shelf.files())) == (everything, 10, 2)
    shelf.vectors.tidy()
    assert (shelf.held(), shelf.in_sqlite(), len(shelf.files())) == (everything, 0, 1)
    shelf.database.close()
    again = Shelf(path)
    assert again.held() == everything
    assert (again.vectors.missing([*everything, "none", "new"])) == ["new"]
    assert again.database.check() == check_side_files(again.connection) == []


def test_where_there_are_as_many_files_as_may_be_the_next_vectors_wait_in_sqlite_for_the_one_file(path: Path) -> None:
    shelf = Shelf(path)
    uid = shelf.connection.one("SELECT uid FROM spaces")
    storage = VectorStorage(shelf.connection, shelf.vectors.number, uid, 64, alone=True, most_files=2)
    parts = [made(0), made(10_000), made(20_000), made(30_000)]
    for part in parts:
        with shelf.connection.writing() as raw:
            storage.insert(raw, 0, part)
    everything = {text_hash: vector for part in parts for text_hash, vector in part.items()}
    assert (shelf.held(), shelf.in_sqlite(), len(shelf.files())) == (everything, 2 * MANY, 2)
    storage.tidy(len(everything))
    assert (shelf.held(), shelf.in_sqlite(), len(shelf.files())) == (everything, 0, 1)
    with shelf.connection.writing() as raw:
        storage.insert(raw, 0, made(40_000))
    assert (shelf.in_sqlite(), len(shelf.files())) == (0, 2)


def test_the_size_of_an_index_is_that_of_all_its_files(path: Path) -> None:
    shelf = Shelf(path)
    before = shelf.database.counts().bytes
    shelf.put(made(0))
    (file,) = shelf.files()
    on_disk = sum(Path(f"{path}{ending}").stat().st_size for ending in ("", "-wal"))
    assert shelf.database.counts().bytes == on_disk + file.stat().st_size > before + MANY * 64
    path.with_suffix(".sqlite.usage").write_bytes(bytes(1_000_000))  # what was counted is not of the index
    assert shelf.database.counts().bytes < 1_000_000 + on_disk


def test_what_a_provider_was_paid_for_stays_in_sqlite(path: Path) -> None:
    shelf = Shelf(path, PAID)
    shelf.put(made(0))
    shelf.vectors.tidy()
    assert (shelf.in_sqlite(), len(shelf.files())) == (MANY, 1)
    shelf.files()[0].unlink()
    shelf.database.close()
    again = Shelf(path, PAID)
    assert (again.held(), again.vectors.missing(list(made(0)))) == (made(0), [])
    again.vectors.tidy()
    assert len(again.files()) == 1


def test_a_text_that_has_its_vector_keeps_it(path: Path) -> None:
    shelf = Shelf(path)
    shelf.put(made(0))
    shelf.put(dict(zip(made(0), made(5_000).values(), strict=True)))
    shelf.put(made(0) | made(50_000))
    assert shelf.held() == made(0) | made(50_000)


def _cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size - 1)


def _overwrite_header(file: Path) -> None:
    with open(file, "r+b") as raw:
        raw.write(bytes(64))


def _make_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize("damage", [Path.unlink, _cut, _overwrite_header, _make_folder])
@pytest.mark.parametrize("tidied", [True, False])
def test_a_file_that_is_lost_takes_its_own_rows_along_and_they_are_made_again(
    path: Path, damage: Callable[[Path], None], *, tidied: bool
) -> None:
    shelf = Shelf(path)
    shelf.put(made(0))
    if tidied:
        shelf.vectors.tidy()
    (file,) = shelf.files()
    shelf.put(made(10_000, 5), made(20_000))
    shelf.database.close()
    damage(file)
    again = Shelf(path)
    assert check_side_files(again.connection) or damage is not _overwrite_header
    again.vectors.level()
    assert again.held() == made(10_000, 5) | made(20_000)
    assert again.vectors.missing(list(made(0))) == list(made(0))
    assert again.database.check() == []
    again.put(made(0))
    again.vectors.tidy()
    assert again.held() == made(0) | made(10_000, 5) | made(20_000)
    assert len([one for one in again.files() if one.is_file()]) == 1


def test_damage_inside_a_file_is_told(path: Path) -> None:
    shelf = Shelf(path)
    shelf.put(made(0))
    (file,) = shelf.files()
    with open(file, "r+b") as raw:
        raw.seek(4_000)
        raw.write(b"\x11")
    assert check_side_files(shelf.connection) == [f"{file}: it is not as it was written"]


def test_files_of_transactions_that_a_power_cut_took_back_are_nobodys(path: Path) -> None:
    first = Shelf(path)
    first.put(made(0, 5))
    first.database.close()
    shutil.copy(path, path.with_suffix(".before"))
    second = Shelf(path)
    second.put(made(10_000))
    second.vectors.tidy()
    second.database.close()
    shutil.move(path.with_suffix(".before"), path)
    third = Shelf(path)
    third.put(made(20_000, 40))  # their rows have the numbers that others had
    assert third.held() == made(0, 5) | made(20_000, 40)
    third.vectors.tidy()
    assert third.files() == []


def test_who_has_the_files_mapped_follows_another_process(path: Path) -> None:
    one, other = Shelf(path), Shelf(path)
    one.put(made(0))
    assert other.held() == made(0)
    one.put(made(10_000), made(20_000, 3))
    one.vectors.tidy()
    other.vectors.level()
    assert other.held() == made(0) | made(10_000) | made(20_000, 3)
    other.put(made(30_000))
    other.vectors.tidy()
    assert one.held() == other.held() == made(0) | made(10_000) | made(20_000, 3) | made(30_000)


def test_where_no_file_can_be_written_vectors_are_in_sqlite(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / f"{'x' * 220}.sqlite")  # with what is put behind it, longer than a name may be
    shelf.put(made(0))
    shelf.vectors.tidy()
    assert (shelf.held(), shelf.in_sqlite(), shelf.files()) == (made(0), MANY, [])


def test_scrubbing_leaves_no_vector_of_a_text_that_is_gone(path: Path) -> None:
    shelf = Shelf(path)
    shelf.put(made(0), made(10_000, 4))
    shelf.vectors.tidy()
    with shelf.connection.writing() as raw:
        raw.execute("DELETE FROM vectors WHERE hash IN ('h7', 'h10002')")
    shelf.database.scrub()
    gone = {"h7", "h10002"}
    everything = made(0) | made(10_000, 4)
    assert shelf.held() == {text_hash: vector for text_hash, vector in everything.items() if text_hash not in gone}
    left = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert everything["h8"] in left
    assert all(everything[text_hash] not in left for text_hash in gone)


def test_scrubbing_says_where_a_file_can_not_be_removed(path: Path) -> None:
    shelf = Shelf(path)
    shelf.put(made(0))
    path.with_name(f"{path.name}.space1.other").mkdir()
    with pytest.raises(StorageFailed):
        shelf.database.scrub()
    assert shelf.held() == made(0)


def test_a_space_that_is_dropped_leaves_no_file(path: Path) -> None:
    shelf = Shelf(path)
    shelf.put(made(0))
    assert shelf.database.drop_space(SPACE) == MANY
    assert shelf.files() == []


def birds(home: Path) -> None:
    """Many lines, each a passage."""
    (home / "memory").mkdir(parents=True)
    for day in range(7):
        numbers = range(day * MANY, day * MANY + MANY // 7)
        lines = [f"- The heron number {number} stands at pond {number % 7}.\n" for number in numbers]
        (home / f"memory/2026-03-0{day + 1}.md").write_text("".join(lines), encoding="utf-8")


def answers(memory: Memory) -> list[tuple[str, int, float | None]]:
    """What a question finds, and how near it is."""
    found = memory.search("which heron stands at pond 3", max_results=20)
    assert found.mode == "hybrid"
    return [(hit.path, hit.start_line, hit.vector_score) for hit in found.results]


def answers_of_lost_file(home: Path) -> list[tuple[str, int, float | None]]:
    """What a home of many birds answered before its file of vectors was lost."""
    birds(home)
    with Memory.open(home) as memory:
        memory.sync()
        before = answers(memory)
    (file,) = (home / "state").glob("main.sqlite.space*")
    file.unlink()
    return before


def test_a_home_whose_file_of_vectors_is_gone_answers_as_before_after_a_sync(home: Path) -> None:
    before = answers_of_lost_file(home)
    with Memory.open(home) as memory:
        assert memory.sync().embedded >= MANY
        assert answers(memory) == before
    assert len(list((home / "state").glob("main.sqlite.space*"))) == 1


def test_a_search_makes_vectors_again_that_were_lost(home: Path) -> None:
    before = answers_of_lost_file(home)
    with Memory.open(home) as memory:
        assert answers(memory) == before


def test_sqlite_vec_is_given_vectors_that_a_file_alone_has(home: Path) -> None:
    birds(home)
    with Memory.open(home) as memory:
        memory.sync()
        before = answers(memory)
    settings = {"memory.store.vector.extension_path": sqlite_vec.loadable_path()}
    with Memory.open(home, settings=settings) as memory:
        found = answers(memory)
        assert memory.status().engine == "sqlite-vec"
        memory.purge("memory/2026-03-01.md")  # which clears the files too
    assert {hit[:2]: round(hit[2] or 0, 3) for hit in found} == {hit[:2]: round(hit[2] or 0, 3) for hit in before}
    with Memory.open(home) as memory:
        assert memory.sync().embedded == 0
        assert memory.search("which heron stands at pond 3").mode == "hybrid"


@pytest.mark.parametrize("embedder", [None, FakeEmbedder()])
def test_the_index_of_an_older_version_keeps_its_vectors(home: Path, embedder: FakeEmbedder | None) -> None:
    birds(home)
    with Memory.open(home, embedder=embedder) as memory:
        memory.sync()
        before = answers(memory)
        database = memory.ctx.database
        (space,) = database.spaces()
        _make_old(database, database.vectors(space).number, space.dimensions)
    stray = home / "state" / "main.sqlite.space1"
    stray.write_bytes(b"as an older version left it")
    with Memory.open(home, embedder=embedder) as memory:
        assert memory.sync().embedded == 0
        assert answers(memory) == before
        assert memory.status(deep=True).problems == ()
        in_sqlite = memory.ctx.database.connection.one("SELECT count(*) FROM vectors WHERE length(vector) > 1")
    assert bool(in_sqlite) == (embedder is not None)
    assert not stray.exists()


def _make_old(database: Database, space: int, dimensions: int) -> None:
    """Leave an index as version 6 had it: every vector in SQLite, and no list of files."""
    (uid,) = database.connection.all("SELECT uid FROM spaces")[0]
    storage = VectorStorage(database.connection, space, uid, dimensions, alone=False)
    rows = database.connection.all("SELECT id, vector FROM vectors")
    found = storage.with_vectors(rows)
    with database.connection.writing() as raw:
        raw.executemany("UPDATE vectors SET vector = ? WHERE id = ?", [(vector, row) for row, vector in found.items()])
        raw.execute("DROP TABLE vector_files; PRAGMA user_version=6")
    for file in Path(database.path).parent.glob("main.sqlite.space*"):
        file.unlink()


def test_an_index_with_files_is_refused_by_nobody_who_reads_it_alone(path: Path) -> None:
    shelf = Shelf(path)
    shelf.put(made(0))
    shelf.database.close()
    reader = Database(str(path), unwritable="for this test")
    rows = reader.connection.all("SELECT id, vector FROM vectors")
    assert len(reader.connection.all("SELECT 1 FROM vector_files")) == 1
    (uid,) = reader.connection.all("SELECT uid FROM spaces")[0]
    storage = VectorStorage(reader.connection, 1, uid, 64, alone=True)
    assert sorted(storage.with_vectors(rows).values()) == sorted(made(0).values())
    reader.close()
    raw = apsw.Connection(str(path))
    raw.execute("DROP TABLE vector_files")
    raw.close()
    old = Database(str(path), unwritable="for this test")
    assert VectorStorage(old.connection, 1, uid, 64, alone=True).matrix().count == 0
