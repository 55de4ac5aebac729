"""Whatever happened to the index and to what lies beside it, a search answers, and `doctor` names the damage (P6)."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest
from counts import by_turns, counted
from faults.children import children
from faults.rebuilding import index_rows, notes_of, of_a_rebuild

from holdfast import Memory, Origin
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.operations.diagnosis import doctor

pytestmark = [pytest.mark.fault, pytest.mark.promise("P6")]

PAGE = 8192  # what the index is made with
NOTES = 12
VECTORS = 2_100  # from 2,000 on they have a file of their own beside the index
WORDS = {"heron", "Otter", "Reeds", *(f"pond{number}" for number in range(NOTES))}
Damage = Callable[[Path, random.Random], None]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with notes, vectors in a file of their own, counts and signals; each test damages a copy."""
    place = tmp_path_factory.mktemp("whole") / "home"
    with Memory.open(place, embedder=FakeEmbedder(), origin=Origin.USER) as memory:
        for number in range(NOTES):
            words = f"# Note {number}\n\nThe heron waits at pond{number}. " + "Reeds grow. " * 90
            memory.save(words, file=f"memory/n{number}.md")
        for first in range(0, VECTORS, 700):
            memory.save("".join(f"- Otter {n} swims.\n" for n in range(first, first + 700)))
        memory.sync()
        hit = memory.search("heron pond3").results[0]
        memory.get(chunk_id=hit.chunk_id)
        memory.dreams.run()
    assert {"main.sqlite", "main.sqlite.usage", "main.sqlite.signals"} <= set(os.listdir(place / "state"))
    assert len(list((place / "state").glob("main.sqlite.space1.*"))) == 1
    return place


def _bytes(index: Path, chance: random.Random) -> None:
    """A run of random bytes anywhere."""
    with open(index, "r+b") as file:
        file.seek(chance.randrange(index.stat().st_size))
        file.write(chance.randbytes(chance.choice((1, 16, 300, 5_000))))


def _zeros(index: Path, chance: random.Random) -> None:
    """Pages that are nothing but zeros."""
    with open(index, "r+b") as file:
        file.seek(chance.randrange(index.stat().st_size // PAGE) * PAGE)
        file.write(bytes(PAGE * chance.choice((1, 2, 5))))


def _cut(index: Path, chance: random.Random) -> None:
    os.truncate(index, chance.randrange(index.stat().st_size))


def _bad_text(index: Path, chance: random.Random) -> None:
    """A text that is not UTF-8."""
    table, column = chance.choice(
        [("e1_chunks", "text"), ("e1_chunks", "headings"), ("e1_notes", "path"), ("e1_notes", "title")]
    )
    raw = apsw.Connection(str(index))
    raw.execute(
        f"UPDATE {table} SET {column} = CAST(x'ff68657266ff' AS TEXT) WHERE id = (SELECT id FROM {table} "
        f"ORDER BY id LIMIT 1 OFFSET {chance.randrange(5)})"
    )
    raw.close()


def _tables(index: Path, chance: random.Random) -> None:
    """Tables that are not those of an index."""
    raw = apsw.Connection(str(index))
    raw.execute(
        chance.choice(
            [
                "DROP TABLE e1_chunks",
                "DROP TABLE e1_notes",
                "DROP TABLE editions",
                "DROP TABLE vectors",
                "DROP TABLE e1_words",
                "ALTER TABLE e1_chunks RENAME COLUMN text TO words",
                "ALTER TABLE spaces RENAME COLUMN dimensions TO sizes",
                "DROP TABLE spaces; CREATE TABLE spaces(x)",
                "PRAGMA user_version=0",
            ]
        )
    )
    raw.close()


def _folder(index: Path, _: random.Random) -> None:
    index.unlink()
    index.mkdir()


def _foreign(index: Path, chance: random.Random) -> None:
    """A file of somebody else: a database of another program, a newer index, or no database at all."""
    index.unlink()
    kind = chance.randrange(3)
    if kind == 0:
        index.write_text("Dear diary, ...\n" * 500)
        return
    raw = apsw.Connection(str(index))
    raw.execute("CREATE TABLE albums(name TEXT)" if kind == 1 else "PRAGMA user_version=999")
    raw.close()


def _side_file(name: str) -> Damage:
    def damage(index: Path, chance: random.Random) -> None:
        (path,) = index.parent.glob(f"{index.name}.{name}")
        how = chance.randrange(3)
        if how == 0:
            path.write_bytes(chance.randbytes(9_000))
        elif how == 1:
            os.truncate(path, path.stat().st_size // 2 + 7)
        else:
            with open(path, "r+b") as file:
                file.seek(64 if name.startswith("space") else 0)
                file.write(b"\xff" * 4_000)

    return damage


# What each does can be seen; `_bytes` may also hit what nobody reads.
ALWAYS: dict[str, Damage] = {
    "zeros": _zeros,
    "cut": _cut,
    "bad text": _bad_text,
    "tables": _tables,
    "folder": _folder,
    "foreign": _foreign,
    "usage": _side_file("usage"),
    "signals": _side_file("signals"),
    "vectors": _side_file("space1.*"),
}


def damages() -> Iterator[tuple[str, int]]:
    """Which damage, and the seed of its details."""
    each = counted(1, 8)
    for name in ALWAYS:
        yield from ((name, seed) for seed in range(each))
    yield from (("bytes", seed) for seed in range(counted(2, 40)))


OTHER = ("zeros", "bad text", "tables", "bytes")
"""Damages that calls meet which are no search; by turns each call meets one."""


@pytest.mark.parametrize(("name", "seed"), list(damages()))
def test_a_search_answers_and_doctor_names_the_damage(
    home: Path, whole: Path, tmp_path: Path, name: str, seed: int
) -> None:
    shutil.copytree(whole, home)
    index = home / "state/main.sqlite"
    (ALWAYS | {"bytes": _bytes})[name](index, random.Random(seed))
    looked = tmp_path / "looked"
    shutil.copytree(home, looked)
    said = [check for check in doctor(str(looked), "main") if not check.ok]
    with Memory.open(home, embedder=FakeEmbedder(), origin=Origin.USER) as memory:
        found = memory.search("heron", max_results=100, path="memory")
        if name == "bytes" and not said:
            # What nobody reads was hit: free space in a page, say.
            assert index_rows(memory, WORDS) == of_a_rebuild(memory, tmp_path / "rebuild", WORDS)
            return
        assert {hit.path for hit in found.results} >= set(notes_of(home)) - {"MEMORY.md"}
        assert memory.search("pond7").results[0].path == "memory/n7.md"
        assert memory.get(chunk_id=found.results[0].chunk_id).status == "ok"
        memory.save("- A bittern booms.\n", file="memory/late.md")
        assert "bittern" in memory.search("bittern").results[0].snippet
    assert said, f"doctor saw nothing of {name}"


@pytest.mark.parametrize("seed", range(counted(1, 20)))
def test_a_damaged_index_is_as_a_rebuild_would_make_it_after_a_search(
    home: Path, whole: Path, tmp_path: Path, seed: int
) -> None:
    shutil.copytree(whole, home)
    _zeros(home / "state/main.sqlite", random.Random(seed))
    with Memory.open(home, embedder=FakeEmbedder(), origin=Origin.USER) as memory:
        memory.search("heron")
        memory.status(deep=True)
        memory.sync()
        assert index_rows(memory, WORDS) == of_a_rebuild(memory, tmp_path / "rebuild", WORDS)
        assert memory.ctx.database.check() == []


@pytest.mark.parametrize("name", OTHER)
@pytest.mark.parametrize("seed", range(counted(1, 10)))
def test_what_is_no_search_works_with_a_damaged_index_as_well(home: Path, whole: Path, name: str, seed: int) -> None:
    calls: list[Callable[[Memory], object]] = [
        lambda memory: memory.sync(),
        lambda memory: memory.status(deep=True),
        lambda memory: memory.facts.store("Prefers tea to coffee."),
        lambda memory: memory.facts.recall("tea"),
        lambda memory: memory.spaces(),
        lambda memory: memory.purge("memory/n1.md"),
        lambda memory: memory.forget(text="Otter 7 swims."),
        lambda memory: memory.forget(text="Otter 8 swims.", everywhere=True),
    ]
    for call in by_turns(calls, OTHER.index(name), 2):
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(whole, home)
        (ALWAYS | {"bytes": _bytes})[name](home / "state/main.sqlite", random.Random(seed))
        with Memory.open(home, embedder=FakeEmbedder(), origin=Origin.USER) as memory:
            call(memory)


def test_a_log_that_is_missing_after_a_kill_costs_nothing(home: Path) -> None:
    with children("_child_says.py", [(home, "a", 3, home.parent / "log")]) as (child,):
        child.go()
        child.line()
        child.kill_after(0.0)
    with Memory.open(home) as memory:
        memory.save("- The heron waits.\n")
    raw = apsw.Connection(str(home / "state/main.sqlite"))
    raw.execute("PRAGMA wal_autocheckpoint=0")
    raw.execute("CREATE TABLE extra(x)")
    copy = home.parent / "copy"
    shutil.copytree(home, copy)  # as a kill leaves it: the log holds what the file does not
    raw.close()
    (copy / "state/main.sqlite-wal").unlink()
    with Memory.open(copy) as memory:
        assert "heron" in memory.search("heron").results[0].snippet


def test_an_answer_from_the_notes_alone_says_so_and_is_kept_up_to_date(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.save("- The heron waits.\n")
    index = home / "state/main.sqlite"
    _folder(index, random.Random(0))
    with Memory.open(home, embedder=FakeEmbedder(), origin=Origin.USER) as memory:
        found = memory.search("heron")
        assert found.results and found.mode == "keyword"
        assert "the index can't be used" in found.because and "notes" in found.because
        memory.save("- A bittern booms.\n")
        assert "bittern" in memory.search("bittern").results[0].snippet
        index.rmdir()
        again = memory.search("bittern")
        assert again.results and again.mode == "hybrid", "the index is used as soon as it can be"


def test_a_session_that_may_not_see_private_notes_does_not_see_them_in_the_notes_alone(home: Path) -> None:
    settings = {"memory.scope.default": "allow", "memory.scope.rules": []}
    with Memory.open(home, settings=settings) as memory:
        memory.save("- The heron waits.\n")
        memory.save("The heron sleeps.\n", file="memory/open.md")
        (home / "state/main.sqlite").unlink()
        for tail in ("-wal", "-shm"):
            (home / f"state/main.sqlite{tail}").unlink()
        (home / "state/main.sqlite").mkdir()
        found = memory.session("team", kind="group").tools().call("memory_search", {"query": "heron"})
        assert "the index can't be used" in found["because"]
        assert {hit["path"] for hit in found["results"]} == {"memory/open.md"}


def test_two_processes_that_find_the_damage_at_once_move_one_file_aside(home: Path, whole: Path) -> None:
    for round_ in range(counted(1, 10)):
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(whole, home)
        raw = apsw.Connection(str(home / "state/main.sqlite"))
        raw.execute("UPDATE e1_chunks SET text = CAST(x'ff00ff' AS TEXT)")
        raw.close()
        with children("_child_searches.py", [(home, "heron") for _ in range(4)]) as started:
            for child in started:
                child.go()
            answers = [child.answer() for child in started]
        assert answers == [NOTES] * 4, f"round {round_}"
        copies = (path.name for path in (home / "state").glob("main.sqlite.damaged-*"))
        assert len([name for name in copies if not name.endswith(("-wal", "-shm"))]) == 1
        with Memory.open(home) as memory:
            assert memory.ctx.database.check() == []


@pytest.mark.parametrize("kind", ["full", "sealed"])
def test_a_disk_that_takes_nothing_more_is_searched(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "disk"
    place.mkdir()
    if os.geteuid() != 0 or os.system(f"mount -t tmpfs -o size=16m tmpfs {place} 2>/dev/null"):
        pytest.skip("only root can mount a small disk")
    try:
        home = place / "home"
        with Memory.open(home, embedder=FakeEmbedder(), origin=Origin.USER) as memory:
            for number in range(NOTES):
                memory.save(f"The heron waits at pond{number}.\n", file=f"memory/n{number}.md")
            memory.sync()
        (home / "memory/outside.md").write_text("A heron that nobody has indexed.\n")
        if kind == "full":
            with open(place / "filling", "wb", buffering=0) as file:
                try:
                    while file.write(b"x" * 512):
                        pass
                except OSError:
                    pass
        else:
            assert os.system(f"mount -o remount,ro {place}") == 0
        with Memory.open(home, embedder=FakeEmbedder(), origin=Origin.USER) as memory:
            found = memory.search("heron", max_results=100, path="memory")
            assert {hit.path for hit in found.results} == set(notes_of(home))
            assert found.because, sorted(os.listdir(home / "state"))
        wrong = {check.name: check.remedy for check in doctor(str(home), "main") if not check.ok}
        assert wrong.pop("disk")
        assert set(wrong.values()) <= {"see to the disk first, and delete nothing"}
        assert wrong or kind == "full"
        if kind == "full":
            (place / "filling").unlink()
            assert all(check.ok for check in doctor(str(home), "main")), (
                "what was begun on a full disk needs no mending"
            )
    finally:
        os.system(f"umount -l {place}")
