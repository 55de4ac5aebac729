"""T3: no file may grow any more: a save is refused with a reason, nothing is lost, and search answers (P1)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from commandline import done, holdfast
from counts import counted
from faults.children import Child
from faults.rebuilding import index_rows, notes_of, of_a_rebuild
from tally import Count

from holdfast import Memory
from holdfast.checkpoints.integrity import verify
from holdfast.errors import StorageFailed
from holdfast.guard.origin import Origin

pytestmark = [pytest.mark.fault, pytest.mark.promise("P1")]


@pytest.mark.row("T3")
def test_a_limit_on_the_size_of_files_loses_no_note_and_search_answers(
    home: Path, tmp_path: Path, tally: Count
) -> None:
    rounds = counted(5, 100)
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.save("- The heron waits.\n" * 200, file="memory/n0.md")
    child = Child("_child_fills.py", home, rounds)
    try:
        told = child.answer()
    finally:
        child.close()
    assert (told["unfound"], told["untyped"]) == ([], [])
    assert told["refused"] and told["kept"]
    tokens = [word for data in notes_of(home).values() for word in data.decode("utf-8").split() if word[0] == "w"]
    assert sorted(token for token in tokens if token.endswith("z")) == sorted(told["kept"])
    _nothing_is_left_over(home, tmp_path)
    with Memory.open(home) as memory:
        for token in told["kept"]:
            assert any(token in hit.snippet for hit in memory.search(token, by_passage=True).results), token
    tally(saves=rounds, lost=0, torn=0)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of 4 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    if os.geteuid() != 0 or os.system(f"mount -t tmpfs -o size=4m tmpfs {place} 2>/dev/null"):
        pytest.skip("a small disk can't be mounted here")
    try:
        yield place
    finally:
        os.system(f"umount -l {place}")


@pytest.mark.row("T3")
def test_a_file_system_that_fills_up_loses_no_note_and_goes_on_once_there_is_room(
    small_disk: Path, tmp_path: Path, tally: Count
) -> None:
    home, kept, refused = small_disk / "home", list[str](), 0
    with Memory.open(home, origin=Origin.USER) as memory:
        for number in range(counted(60, 400)):
            try:
                memory.save(f"- the token w{number}z {'stands here ' * 900}", file=f"memory/n{number}.md")
                kept.append(f"w{number}z")
            except StorageFailed:
                refused += 1
            if refused > 10:
                break
        assert refused and kept
        assert {f"memory/{path.name}" for path in (home / "memory").glob("*.md")} == set(notes_of(home))
        assert sorted(data.split()[3].decode() for data in notes_of(home).values()) == sorted(kept)
        assert memory.search(kept[0]).results[0].text_score is not None
    assert os.system(f"mount -o remount,size=64m {small_disk}") == 0
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.save("- There is room again.\n", file="memory/room.md")
        assert memory.search("room").results[0].path == "memory/room.md"
    _nothing_is_left_over(home, tmp_path)
    tally(saves=len(kept) + refused, lost=0, torn=0)


def test_a_search_on_a_full_disk_answers_from_the_index_and_says_that_there_is_no_room(small_disk: Path) -> None:
    home = small_disk / "home"
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.save("The heron waits at the weir.", file="memory/birds.md")
        assert memory.search("heron").results
    with (home / "memory" / "birds.md").open("a") as note:
        note.write("- An otter came by.\n")
    _fill(small_disk)
    ran = done("search", "heron", "--home", str(home), "--json").json
    assert [hit["path"] for hit in ran["results"]] == ["memory/birds.md"]
    assert ran["because"] == "the index could not be brought up to date: no space is left on the disk; make room"
    refused = holdfast("index", "--home", str(home))
    assert refused.status != 0
    assert "no space is left on the disk; make room" in refused.err


def test_an_index_that_could_only_be_begun_is_said_to_lack_room_and_not_to_be_damaged(small_disk: Path) -> None:
    assert os.system(f"mount -o remount,size=64k {small_disk}") == 0
    home = str(small_disk / "home")
    done("init", "--home", home)
    saved = done("save", "The heron waits at the weir.", "--file", "memory/birds.md", "--home", home)
    assert saved.err == "the index could not be updated yet: no space is left on the disk; make room\n"
    found = done("search", "heron", "--home", home, "--json").json
    assert [hit["path"] for hit in found["results"]] == ["memory/birds.md"]
    assert "no space is left on the disk; make room" in found["because"]
    refused = holdfast("index", "--home", home)
    assert refused.status == 8
    assert "no space is left on the disk; make room" in refused.err
    assert os.system(f"mount -o remount,size=4m {small_disk}") == 0
    assert done("search", "heron", "--home", home, "--json").json["because"] == ""


def _fill(disk: Path) -> None:
    with (disk / "ballast").open("wb", buffering=0) as ballast, suppress(OSError):
        while True:
            ballast.write(bytes(4096))


def _nothing_is_left_over(home: Path, tmp_path: Path) -> None:
    """Hold that the next writer has nothing to mend, and that the index is as a rebuild makes it."""
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.save("- next", file="memory/next.md")
        assert {problem.kind for problem in verify(memory.ctx.workspace)} <= {"unreferenced"}
        memory.sync()
        assert [path.name for path in home.rglob("*.hf-tmp")] == []
        assert memory.ctx.database.check() == []
        assert index_rows(memory, set()) == of_a_rebuild(memory, tmp_path / "rebuild", set())
