"""T21: the clock jumps, stands still, or lies in a file's times (P14)."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from counts import counted
from faults.rebuilding import index_rows, notes_of, of_a_rebuild, seen

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.errors import CheckpointNotFound

pytestmark = [pytest.mark.fault, pytest.mark.promise("P14")]

_DAY = 86_400.0
_YEAR = 365 * _DAY


@pytest.mark.row("T21", changes=counted(20, 200), lost=0)
def test_a_jumping_clock_changes_no_order_and_every_change_is_restored_exactly(home: Path) -> None:
    clock, chance = FakeClock(), random.Random(21)
    ids: list[str] = []
    texts: list[bytes | None] = [None]
    with Memory.open(home, clock=clock) as memory:
        for number in range(counted(20, 200)):
            clock.jump(chance.choice((-_DAY, 10 * _YEAR, -10 * _YEAR, 3_600.0, -3_600.0, 0.0, 0.001)))
            ids.append(memory.save(f"- line {number}", file="memory/log.md").checkpoint_id)
            texts.append(notes_of(home)["memory/log.md"])
        changes = memory.history(limit=1_000)
        assert [change.id for change in reversed(changes)] == ids
        assert [change.seq for change in reversed(changes)] == list(range(1, len(ids) + 1))
        for place in chance.sample(range(len(ids)), counted(10, 20)):
            memory.restore(ids[place])
            assert notes_of(home).get("memory/log.md") == texts[place]


@pytest.mark.row("T21", changes=counted(50, 1_000), lost=0)
def test_a_thousand_changes_in_one_millisecond_keep_their_order(home: Path) -> None:
    count = counted(50, 1_000)
    clock = FakeClock()
    with Memory.open(home, clock=clock) as memory:
        ids = [
            memory.save(f"- line {number}", file=f"memory/n{number % 3}.md").checkpoint_id for number in range(count)
        ]
        changes = memory.history(limit=1_000)
        assert [change.id for change in reversed(changes)] == ids
        assert len(set(ids)) == count
        assert {change.at for change in changes} == {clock.now()}
        for number in reversed(range(count - 10, count)):
            assert memory.undo().path == f"memory/n{number % 3}.md"
            assert f"line {number}\n" not in notes_of(home)[f"memory/n{number % 3}.md"].decode("utf-8")


@pytest.mark.row("T21", changes=32, lost=0)
@pytest.mark.parametrize("jump", [10 * _YEAR, -_DAY, -10 * _YEAR])
def test_a_prune_after_a_jump_drops_nothing_early(home: Path, jump: float) -> None:
    clock = FakeClock()
    keep = {"memory.checkpoints.keep_days": 30, "memory.checkpoints.keep_count": 1}
    with Memory.open(home, settings=keep, clock=clock) as memory:
        ids = [memory.save(f"- line {number}", file="memory/log.md").checkpoint_id for number in range(30)]
        clock.jump(jump)
        ids.append(memory.save("- after the jump", file="memory/log.md").checkpoint_id)
        assert memory.prune().changes == 0
        clock.jump(-jump)
        ids.append(memory.save("- back again", file="memory/log.md").checkpoint_id)
        assert memory.prune().changes == 0
        assert [change.id for change in memory.history(limit=100)] == ids[::-1]
        memory.restore(ids[1])
        assert notes_of(home)["memory/log.md"] == b"- line 0\n"


def test_days_that_really_passed_do_expire_checkpoints(home: Path) -> None:
    clock = FakeClock()
    keep = {"memory.checkpoints.keep_days": 5, "memory.checkpoints.keep_count": 2}
    with Memory.open(home, settings=keep, clock=clock) as memory:
        ids = []
        for number in range(12):
            ids.append(memory.save(f"- line {number}", file="memory/log.md").checkpoint_id)
            clock.advance(_DAY)
        assert memory.prune().changes > 0
        with pytest.raises(CheckpointNotFound):
            memory.restore(ids[0])
        memory.restore(ids[-1])


@pytest.mark.row("T21", edits=counted(30, 200), missed=0)
def test_an_edit_of_the_same_size_with_its_time_put_back_is_not_missed(home: Path, tmp_path: Path) -> None:
    chance = random.Random(22)
    clock = FakeClock()
    with Memory.open(home, clock=clock) as memory:
        memory.save("- placeholder", file="memory/log.md")
        note = home / "memory" / "log.md"
        for number in range(counted(30, 200)):
            old, new = f"before{number:05}", f"latter{number:05}"
            note.write_text(f"- {old}\n", encoding="utf-8")
            memory.sync()
            times = note.stat()
            # In place, as some editors write: even the inode stays.
            with open(note, "r+", encoding="utf-8") as file:
                file.write(f"- {new}\n")
            when = chance.choice((times.st_mtime_ns, 0, times.st_mtime_ns + 10**18))
            os.utime(note, ns=(times.st_atime_ns, when))
            clock.advance(3_600.0)  # the next search looks at the notes again
            assert seen(memory, new) == {"memory/log.md"}, f"edit {number} was missed"
            assert not any(old in hit.snippet for hit in memory.search(old).results)
        assert index_rows(memory) == of_a_rebuild(memory, tmp_path / "rebuild")


@pytest.mark.row("T21", edits=3, missed=0)
@pytest.mark.parametrize("when", [0, -(10**18), 4 * 10**18, 10**9])
def test_a_note_from_the_far_past_or_future_is_followed_as_any_other(home: Path, when: int) -> None:
    note = home / "memory" / "odd.md"
    note.parent.mkdir(parents=True)
    with Memory.open(home) as memory:
        for word in ("alder", "birch", "cedar"):
            note.write_text(f"- {word}\n", encoding="utf-8")
            os.utime(note, ns=(when, when))
            assert memory.sync().skipped == ()
            assert seen(memory, word) == {"memory/odd.md"}
        assert seen(memory, "alder") == set()
