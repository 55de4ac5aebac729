"""T3: no file may grow any more: a save is refused with a reason, nothing is lost, and search answers (P1)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
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


@pytest.mark.row("T3")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
def test_a_file_system_that_fills_up_loses_no_note_and_goes_on_once_there_is_room(tmp_path: Path, tally: Count) -> None:
    place = tmp_path / "disk"
    place.mkdir()
    if os.system(f"mount -t tmpfs -o size=4m tmpfs {place} 2>/dev/null"):
        pytest.skip("a small disk can't be mounted here")
    try:
        home, kept, refused = place / "home", list[str](), 0
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
        assert os.system(f"mount -o remount,size=64m {place}") == 0
        with Memory.open(home, origin=Origin.USER) as memory:
            memory.save("- There is room again.\n", file="memory/room.md")
            assert memory.search("room").results[0].path == "memory/room.md"
        _nothing_is_left_over(home, tmp_path)
        tally(saves=len(kept) + refused, lost=0, torn=0)
    finally:
        os.system(f"umount -l {place}")


def _nothing_is_left_over(home: Path, tmp_path: Path) -> None:
    """Hold that the next writer has nothing to mend, and that the index is as a rebuild makes it."""
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.save("- next", file="memory/next.md")
        assert {problem.kind for problem in verify(memory.ctx.workspace)} <= {"unreferenced"}
        memory.sync()
        assert [path.name for path in home.rglob("*.hf-tmp")] == []
        assert memory.ctx.database.check() == []
        assert index_rows(memory, set()) == of_a_rebuild(memory, tmp_path / "rebuild", set())
