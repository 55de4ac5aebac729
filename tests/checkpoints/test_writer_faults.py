"""Many writers (T4), damage and random restores (T9), outside editors (T10), clocks that jump (T21)."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from checkpoints.one_note import sha
from counts import counted

from holdfast.checkpoints.change import Authorship, Change
from holdfast.checkpoints.change_history import before_bytes, history
from holdfast.checkpoints.integrity import verify
from holdfast.checkpoints.note_change import change_note
from holdfast.checkpoints.retention import prune
from holdfast.checkpoints.rollback import restore_together, undo
from holdfast.clock import Clock, FakeClock
from holdfast.errors import CheckpointDamaged, NoteChangedOutside
from holdfast.guard.origin import Origin
from holdfast.guard.paths import writable_path
from holdfast.notes.disk import Disk
from holdfast.notes.file_workspace import FileWorkspace

NOTE = writable_path("memory/note.md")
DAY = 86_400

APPENDER = """
import sys
from holdfast.checkpoints.change import Authorship
from holdfast.checkpoints.note_change import change_note
from holdfast.clock import SystemClock
from holdfast.guard.origin import Origin
from holdfast.guard.paths import writable_path
from holdfast.notes.file_workspace import FileWorkspace

home, who, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
with FileWorkspace.open(home) as workspace:
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(times):
        line = f"{who} {number}\\n".encode()
        change_note(workspace, writable_path("memory/note.md"), lambda old: (old or b"") + line,
               Authorship(Origin.AGENT, "test", SystemClock()))
        print("ack", who, number, flush=True)
"""


def put(workspace: FileWorkspace, data: bytes | None, clock: Clock | None = None) -> Change:
    return change_note(workspace, NOTE, lambda _: data, Authorship(Origin.USER, "test", clock or FakeClock()))


def start(home: Path, who: str, times: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", APPENDER, str(home), who, str(times)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def release(child: subprocess.Popen[str]) -> None:
    assert child.stdin is not None
    child.stdin.write("go\n")
    child.stdin.flush()


@pytest.mark.row("T4", saves=8 * counted(12, 100), lost=0, doubled=0)
@pytest.mark.fault
@pytest.mark.promise("P3")
def test_eight_processes_lose_no_update_of_each_other(home: Path) -> None:
    times = counted(12, 100)
    children = [start(home, str(who), times) for who in range(8)]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
    for child in children:
        release(child)
    for child in children:
        _, errors = child.communicate()
        assert (child.returncode, errors) == (0, "")
    with FileWorkspace.open(home) as workspace:
        lines = workspace.read(NOTE).data.decode().splitlines()
        assert sorted(lines) == sorted(f"{who} {number}" for who in range(8) for number in range(times))
        made = history(workspace, limit=10_000)
        assert [each.seq for each in made] == list(range(8 * times, 0, -1))
        assert len({each.id for each in made}) == 8 * times
        assert verify(workspace) == []


@pytest.mark.row("T1", kills=counted(6, 60), lost=0, torn=0)
@pytest.mark.fault
@pytest.mark.promise("P2")
def test_a_killed_writer_loses_nothing_that_it_acknowledged(home: Path) -> None:
    chance = random.Random(1)
    acknowledged: list[str] = []
    for round_ in range(counted(6, 60)):
        child = start(home, str(round_), 1_000)
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        release(child)
        for _ in range(chance.randrange(1, 15)):
            acknowledged.append(child.stdout.readline().removeprefix("ack ").strip())
        child.kill()
        rest, _ = child.communicate()
        acknowledged += [line.removeprefix("ack ") for line in rest.split("\n")[:-1]]
        with FileWorkspace.open(home) as workspace:
            lines = workspace.read(NOTE).data.decode().splitlines()
            assert set(acknowledged) <= set(lines)
            assert len(set(lines)) == len(lines)
            assert [each.kind for each in verify(workspace) if each.kind not in ("unreferenced", "torn")] == []
            assert [file for file in home.rglob("*.hf-tmp") if file.is_file()] == []


@pytest.mark.row("T9", restores=100, wrong=0)
@pytest.mark.fault
@pytest.mark.promise("P5")
def test_a_hundred_checkpoints_restore_exactly_in_any_order(home: Path) -> None:
    chance = random.Random(2)
    with FileWorkspace.open(home) as workspace:
        states: list[tuple[str, bytes | None]] = []
        now: bytes | None = None
        for number in range(100):
            new = None if number % 9 == 8 else chance.randbytes(chance.randrange(200))
            states.append((put(workspace, new).id, now))
            now = new
        chance.shuffle(states)
        for number, (checkpoint, expected) in enumerate(states):
            back = restore_together(
                workspace, checkpoint, Authorship(Origin.USER, "checkpoint_restore", FakeClock()), alone=True
            )[0]
            found = workspace.read(NOTE).data if workspace.exists(NOTE) else None
            assert found == expected
            assert before_bytes(workspace, back) == now
            now = expected
            if number % 10 == 0 and back.before != back.after:
                undo(workspace, origin=Origin.USER, clock=FakeClock())
                assert (workspace.read(NOTE).data if workspace.exists(NOTE) else None) == before_bytes(workspace, back)
                now = before_bytes(workspace, back)
        assert verify(workspace) == []


@pytest.mark.row("T9", damages=9, unnoticed=0)
@pytest.mark.fault
@pytest.mark.promise("P5")
@pytest.mark.parametrize("kind", ["missing", "tampered", "empty", "longer"])
def test_every_damage_to_a_checkpoint_is_noticed(home: Path, kind: str) -> None:
    with FileWorkspace.open(home) as workspace:
        made = [put(workspace, b"version %d" % number) for number in range(10)]
        for number, each in enumerate(made[1:]):
            content = b"version %d" % number
            digest = sha(content)
            file = home / "state" / "checkpoints" / "main" / "objects" / digest[:2] / digest
            file.chmod(0o600)
            if kind == "missing":
                file.unlink()
            else:
                file.write_bytes({"tampered": b"Version %d" % number, "empty": b"", "longer": content + b"x"}[kind])
            with pytest.raises(CheckpointDamaged):
                restore_together(
                    workspace, each.id, Authorship(Origin.USER, "checkpoint_restore", FakeClock()), alone=True
                )
            with pytest.raises(CheckpointDamaged):
                before_bytes(workspace, each)
            assert workspace.read(NOTE).data == b"version 9"
        found = [each for each in verify(workspace) if each.kind in ("missing", "damaged")]
        assert len(found) == 9


def rewrite(file: Path) -> bytes:
    file.write_bytes(b"outside, in place")
    return b"outside, in place"


def rename_save(file: Path) -> bytes:
    temp = file.with_name("4913")
    temp.write_bytes(b"outside, by rename")
    temp.rename(file)
    return b"outside, by rename"


def same_size(file: Path) -> bytes:
    """Same size, same times: only the bytes tell."""
    status = file.stat()
    new = b"X" + file.read_bytes()[1:]
    with file.open("r+b") as opened:
        opened.write(new)
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    return new


def delete(file: Path) -> None:
    file.unlink()


EDITORS: list[Callable[[Path], bytes | None]] = [rewrite, rename_save, same_size, delete]


@pytest.mark.row("T10", edits=counted(10, 50), overwritten=0)
@pytest.mark.fault
@pytest.mark.promise("P4")
@pytest.mark.parametrize("editor", EDITORS)
def test_an_outside_edit_while_we_work_is_never_overwritten(home: Path, editor: Callable[[Path], bytes | None]) -> None:
    file = home / "memory" / "note.md"
    with FileWorkspace.open(home) as workspace:
        for number in range(counted(10, 50)):
            put(workspace, b"ours %d" % number)
            left: list[bytes | None] = []

            def edit(old: bytes | None, left: list[bytes | None] = left) -> bytes | None:
                left.append(editor(file))
                return (old or b"") + b" and more"

            with pytest.raises(NoteChangedOutside):
                change_note(workspace, NOTE, edit, Authorship(Origin.USER, "test", FakeClock()))
            assert (file.read_bytes() if file.exists() else None) == left[0]
            seen = workspace.read(NOTE).hash if workspace.exists(NOTE) else ""
            # The caller that read before the edit is told; one that has read again may write.
            with pytest.raises(NoteChangedOutside):
                change_note(
                    workspace,
                    NOTE,
                    lambda _: b"blind",
                    Authorship(Origin.USER, "test", FakeClock()),
                    expected_hash=sha(b"ours %d" % number),
                )
            change_note(
                workspace, NOTE, lambda _: b"seen", Authorship(Origin.USER, "test", FakeClock()), expected_hash=seen
            )
        assert [each.path for each in history(workspace, limit=1_000)] == [NOTE.text] * 2 * counted(10, 50)
        assert [each.kind for each in verify(workspace) if each.kind != "unreferenced"] == []


@pytest.mark.fault
@pytest.mark.promise("P4")
def test_a_note_made_outside_while_we_make_it_is_kept(home: Path) -> None:
    file = home / "memory" / "note.md"

    def edit(_: bytes | None) -> bytes | None:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"theirs")
        return b"ours"

    with FileWorkspace.open(home) as workspace:
        with pytest.raises(NoteChangedOutside):
            change_note(workspace, NOTE, edit, Authorship(Origin.USER, "test", FakeClock()))
        assert file.read_bytes() == b"theirs"
        assert history(workspace) == []


@pytest.mark.fault
@pytest.mark.promise("P4")
def test_a_delete_of_a_note_edited_meanwhile_keeps_the_edit(home: Path) -> None:
    file = home / "memory" / "note.md"

    def edit(_: bytes | None) -> None:
        file.write_bytes(b"theirs")

    with FileWorkspace.open(home) as workspace:
        put(workspace, b"ours")
        with pytest.raises(NoteChangedOutside):
            change_note(workspace, NOTE, edit, Authorship(Origin.USER, "test", FakeClock()))
        assert file.read_bytes() == b"theirs"
        assert len(history(workspace)) == 1


@pytest.mark.row("T10", conflict_copies=8)
@pytest.mark.fault
@pytest.mark.promise("P4")
def test_conflict_copies_of_other_programs_are_never_walked(home: Path) -> None:
    (home / "memory").mkdir(parents=True)
    for name in (
        "note.sync-conflict-20260101-101010-ABCDEFG.md",
        "note (conflicted copy 2026-01-01).md",
        "note (Ann's Conflicted Copy).md",
        ".#note.md",
        "#note.md#",
        "note.md~",
        ".note.md.swp",
        ".note.md.0123456789abcdef.hf-tmp",
    ):
        (home / "memory" / name).write_bytes(b"copy")
    (home / "memory" / "note.md").write_bytes(b"note")
    with FileWorkspace.open(home) as workspace:
        walk = workspace.walk()
    assert [found.path for found in walk.found] == ["memory/note.md"]
    assert len(walk.skipped) == 4


JUMPS = {"back a day": -DAY, "ten years ahead": 3_652 * DAY, "summer time": 3_600, "none": 0, "to 1970": -1_700_000_000}


@pytest.mark.row("T21", changes=40, lost=0)
@pytest.mark.fault
@pytest.mark.promise("P14")
@pytest.mark.parametrize("jump", sorted(JUMPS))
def test_a_jump_of_the_clock_changes_no_order_and_expires_nothing(home: Path, jump: str) -> None:
    clock = FakeClock()
    with FileWorkspace.open(home) as workspace:
        made = [put(workspace, b"%d" % number, clock) for number in range(20)]
        clock.jump(JUMPS[jump])
        made += [put(workspace, b"after %d" % number, clock) for number in range(20)]
        assert history(workspace, limit=100) == made[::-1]
        assert prune(workspace, keep_days=30, keep_count=1).changes == 0
        assert prune(workspace, keep_days=2, keep_count=1).changes == 0
        assert history(workspace, limit=100) == made[::-1]
        undo(workspace, origin=Origin.USER, clock=clock)
        assert workspace.read(NOTE).data == b"after 18"


@pytest.mark.row("T21", changes=counted(60, 200), lost=0)
@pytest.mark.fault
@pytest.mark.promise("P14")
def test_a_clock_that_swings_for_years_keeps_every_young_checkpoint(home: Path) -> None:
    clock = FakeClock()
    chance = random.Random(3)
    with FileWorkspace.open(home) as workspace:
        for number in range(counted(60, 200)):
            clock.jump(chance.choice((-DAY, 3_652 * DAY, -3_652 * DAY, 0, 1e18, -1e18)))
            put(workspace, b"%d" % number, clock)
            clock.wall = 1_700_000_000.0
        count = counted(60, 200)
        assert prune(workspace, keep_days=30, keep_count=1).changes == 0
        assert [each.seq for each in history(workspace, limit=count)] == list(range(count, 0, -1))


@pytest.mark.row("T21", edits=counted(50, 200), missed=0)
@pytest.mark.fault
@pytest.mark.promise("P14")
def test_an_edit_of_the_same_size_within_one_tick_is_never_taken_as_settled(home: Path) -> None:
    class Ticking(Disk):
        now = 0

        def now_ns(self) -> int:
            return self.now

    disk = Ticking()
    file = home / "memory" / "note.md"
    with FileWorkspace.open(home, disk=disk) as workspace:
        put(workspace, b"aaaa")
        missed = 0
        for number in range(counted(50, 200)):
            stamp = file.stat().st_ctime_ns
            # We read within the tick in which the file was written, or up to two seconds later.
            disk.now = stamp + (number % 20) * 100_000_000
            first = workspace.read(NOTE)
            known = (first.size, first.mtime_ns, first.inode)
            with file.open("r+b") as opened:
                opened.write(b"%04d" % number)
            os.utime(file, ns=(first.mtime_ns, first.mtime_ns))
            status = file.stat()
            looks_the_same = known == (status.st_size, status.st_mtime_ns, status.st_ino)
            missed += looks_the_same and first.settled
        assert missed == 0
        for wrong in (0, 4_000_000_000_000_000_000):
            os.utime(file, ns=(wrong, wrong))
            disk.now = file.stat().st_ctime_ns
            note = workspace.read(NOTE)
            assert note.mtime_ns == wrong
            assert not note.settled
        disk.now += 10_000_000_000
        assert not workspace.read(NOTE).settled
        os.utime(file, ns=(0, 0))
        disk.now = file.stat().st_ctime_ns + 10_000_000_000
        assert workspace.read(NOTE).settled
