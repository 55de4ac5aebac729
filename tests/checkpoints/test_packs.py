"""Bytes of many notes changed as one are in one file: found, verified, dropped and forgotten as those of one note."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.checkpoints.integrity import verify
from holdfast.checkpoints.retention import erase, prune
from holdfast.clock import SystemClock
from holdfast.context.context import Context
from holdfast.errors import CheckpointDamaged
from holdfast.guard.origin import Origin
from holdfast.notes.faulty_disk import Call, FaultyDisk
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.settings.loader import load

WORDS = {"memory.disable_rag": True}
MANY = {f"memory/n{number}.md": f"The heron number {number} nests in March.\n" for number in range(12)}


def packs(home: Path) -> list[Path]:
    return sorted((home / "state/checkpoints/main/objects/packs").glob("*"))


def problems(home: Path) -> list[str]:
    with FileWorkspace.open(home) as workspace:
        return [problem.kind for problem in verify(workspace)]


def test_a_batch_stores_the_bytes_of_all_its_notes_in_one_read_only_file(home: Path) -> None:
    with Memory.open(home, settings=WORDS) as memory:
        memory.notes.write_all(MANY)
        (pack,) = packs(home)
        assert pack.name == memory.history(limit=12)[-1].id
    assert stat.S_IMODE(pack.stat().st_mode) == 0o400
    assert all(text.encode() in pack.read_bytes() for text in MANY.values())
    assert problems(home) == []


def test_a_batch_waits_for_the_disk_no_more_often_for_its_checkpoints_however_many_notes_it_has(home: Path) -> None:
    waits = []
    for count in (4, 12):
        log: list[Call] = []
        disk = FaultyDisk(before=lambda _, call, log=log: log.append(call))  # type: ignore[misc]
        place = home / str(count)
        opened = FileWorkspace.open(place, disk=disk)
        with Memory(Context(load(str(place)).settings, opened, SystemClock(), Origin.API)) as memory:
            memory.save("made before", file="memory/first.md")
            log.clear()
            memory.notes.write_all(dict(list(MANY.items())[:count]))
        notes = [call for call in log if call.name == "fsync" and ".md" in call.subject]
        assert len(notes) == count
        waits.append(sum(call.name == "fsync" for call in log) - count)
    assert waits[0] == waits[1]


def test_the_notes_of_a_batch_are_on_their_way_to_the_disk_before_the_first_of_them_is_waited_for(home: Path) -> None:
    disk = FaultyDisk()
    with Memory(
        Context(load(str(home)).settings, FileWorkspace.open(home, disk=disk), SystemClock(), Origin.API)
    ) as memory:
        memory.save("made before", file="memory/first.md")
        disk.log.clear()
        memory.notes.write_all(MANY)
    notes = [call.name for call in disk.log if call.subject.endswith(".hf-tmp") and ".md." in call.subject]
    steps = [name for name in notes if name in ("write", "start_writing_back", "fsync", "rename")]
    assert steps == [
        *(["write", "start_writing_back"] * len(MANY)),
        *(["fsync"] * len(MANY)),
        *(["rename"] * len(MANY)),
    ]


def test_pruning_leaves_of_a_pack_what_some_change_still_needs(home: Path) -> None:
    with Memory.open(home, settings=WORDS) as memory:
        made = memory.notes.write_all(MANY)
        memory.save("later", file="memory/n0.md")
        memory.save("later still", file="memory/n0.md")
    with FileWorkspace.open(home) as workspace:
        assert prune(workspace, keep_days=0, keep_count=1).changes == 2
    assert problems(home) == []
    assert b"number 0 nests" not in packs(home)[0].read_bytes()
    with Memory.open(home, settings=WORDS) as memory:
        memory.restore(made[3].checkpoint_id)
        assert not (home / "memory/n3.md").exists()
    with FileWorkspace.open(home) as workspace:
        prune(workspace, keep_days=0, keep_count=0)
    assert packs(home) == []
    assert problems(home) == []


def test_what_must_be_forgotten_is_gone_from_a_pack_and_the_rest_of_it_stays(home: Path) -> None:
    with Memory.open(home, settings=WORDS) as memory:
        memory.notes.write_all(MANY)
    with FileWorkspace.open(home) as workspace:
        assert erase(workspace, lambda data: b"number 7 " in data).changes == 1
    (pack,) = packs(home)
    assert b"number 7 " not in pack.read_bytes()
    assert b"number 8 " in pack.read_bytes()
    assert problems(home) == []


def test_forget_everywhere_reaches_into_packs(home: Path) -> None:
    with Memory.open(home, settings=WORDS, origin=Origin.USER) as memory:
        memory.notes.write_all(MANY)
        memory.notes.write_all({path: f"{text}\nIt is grey.\n" for path, text in MANY.items()})
        memory.forget(text="The heron number 7 nests in March.", everywhere=True)
    held = [path for path in home.rglob("*") if path.is_file() and b"heron number 7 nests" in path.read_bytes()]
    assert held == []


@pytest.mark.parametrize("damage", [b"", b"[]\n", b'{"x":1}\n', b"not json\n"])
def test_a_damaged_pack_is_told_of_and_nothing_else_suffers(home: Path, damage: bytes) -> None:
    with Memory.open(home, settings=WORDS) as memory:
        kept = memory.notes.write_all({"memory/a.md": "a\n", "memory/b.md": "b\n"})
        made = memory.notes.write_all(MANY)
        pack = next(pack for pack in packs(home) if pack.name == made[0].checkpoint_id)
        pack.chmod(0o600)
        pack.write_bytes(damage)
        with pytest.raises(CheckpointDamaged):
            memory.diff(made[0].checkpoint_id)
        assert "+a" in memory.diff(kept[0].checkpoint_id)
        memory.notes.write_all({path: f"{text}More.\n" for path, text in MANY.items()})
        assert MANY["memory/n0.md"].strip() in memory.diff(made[0].checkpoint_id)  # the next pack has the same bytes
    assert problems(home) == []
