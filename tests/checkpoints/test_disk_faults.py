"""T2: the Nth call to the file system fails, for every N; and a kill at every call (T1 and T9 at this level)."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import signal
from pathlib import Path

import pytest
from checkpoints.disk_operations import NEW, NOTE, OLD, OPERATIONS, Operation, append, put
from counts import counted
from fork_server import start
from open_files import open_files

from holdfast.checkpoints.change_history import history
from holdfast.checkpoints.integrity import verify
from holdfast.checkpoints.retention import prune
from holdfast.errors import Busy, StorageFailed, UnsafeFile
from holdfast.guard.paths import NotePath
from holdfast.notes.faulty_disk import FaultyDisk
from holdfast.notes.file_workspace import FileWorkspace

CODES = (errno.EIO, errno.ENOSPC, errno.EINTR, errno.EACCES)


@pytest.fixture
def template(tmp_path: Path) -> Path:
    """A home with two changes behind it."""
    place = tmp_path / "template"
    with FileWorkspace.open(place) as workspace:
        put(workspace, b"one\n")
        put(workspace, OLD)
    return place


def fresh(template: Path, home: Path) -> Path:
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(template, home)
    return home


def contents(home: Path) -> tuple[bytes | None, bytes | None]:
    def read(path: NotePath) -> bytes | None:
        file = home / path.text
        return file.read_bytes() if file.exists() else None

    return read(NOTE), read(NEW)


def temps(home: Path) -> list[Path]:
    return [file for file in home.rglob("*") if file.name.endswith(".hf-tmp")]


def check_all_is_well(home: Path) -> None:
    with FileWorkspace.open(home) as workspace:
        assert [each.kind for each in verify(workspace) if each.kind not in ("unreferenced", "torn")] == []
        assert temps(home) == []


@pytest.mark.row("T2")
@pytest.mark.fault
@pytest.mark.promise("P1")
@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_whichever_call_fails_the_note_is_whole_and_a_retry_succeeds(template: Path, home: Path, name: str) -> None:
    operation, *after = OPERATIONS[name]
    before = (OLD, None)
    step = counted(5, 1)
    number = sorted(OPERATIONS).index(name) % step + 1 - step
    while True:
        number += step
        reached = False
        # In the short run the other codes take turns.
        for code in CODES if counted(0, 1) else {errno.EIO, CODES[max(0, number % 16 - 12)]}:
            fresh(template, home)
            open_before = open_files(home)
            disk = FaultyDisk()
            with FileWorkspace.open(home, disk=disk) as workspace:
                disk.fail_at, disk.code = len(disk.log) + number, code
                failed = False
                try:
                    operation(workspace)
                except (StorageFailed, UnsafeFile, Busy) as error:
                    failed = True
                    assert isinstance(error, StorageFailed), f"call {number}: {disk.log[disk.fail_at - 1]}"
                    assert isinstance(error.__cause__, OSError)
                    assert code != errno.EINTR, f"{disk.log[disk.fail_at - 1]} was not retried"
            reached = disk.failed > 0
            disk.fail_at = 0
            assert open_files(home) == open_before, f"call {number}: {disk.log[-3:]}"
            found = contents(home)
            # One fault alone never leaves an error with the new bytes: what was done is taken back.
            assert found == (before if failed else tuple(after)), f"call {number} of {name}"
            with FileWorkspace.open(home) as workspace:
                if failed:
                    operation(workspace)
            assert contents(home) == tuple(after), f"retry after call {number} of {name}"
            check_all_is_well(home)
        if not reached:
            break
    assert number > 15


@pytest.mark.row("T2")
@pytest.mark.fault
@pytest.mark.promise("P1")
@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_a_disk_that_stays_broken_leaves_old_or_new_bytes(template: Path, home: Path, name: str) -> None:
    operation, *after = OPERATIONS[name]
    for number in range(1, 200, counted(15, 1)):
        fresh(template, home)
        disk = FaultyDisk()
        with FileWorkspace.open(home, disk=disk) as workspace:
            disk.fail_at, disk.code, disk.lasting = len(disk.log) + number, errno.EIO, True
            try:
                operation(workspace)
                failed = False
            except StorageFailed:
                failed = True
        assert contents(home) in ((OLD, None), tuple(after))
        check_all_is_well(home)
        with FileWorkspace.open(home) as workspace:
            put(workspace, b"it works again")
        assert contents(home)[0] == b"it works again"
        if not failed and not disk.failed:
            break


def kill_at(home: Path, number: int, name: str) -> bool:
    """Do it in a process that kills itself before its Nth call; says whether it came to that."""
    program = "import sys; from checkpoints.disk_operations import be_killed; be_killed(*sys.argv[1:])"
    child = start(program, str(home), name, str(number), env=os.environ)
    _, complaint = child.communicate(timeout=60)
    assert child.wait() in (0, -signal.SIGKILL), complaint.decode()
    return child.wait() == -signal.SIGKILL


@pytest.mark.row("T2")
@pytest.mark.row("T9")
@pytest.mark.fault
@pytest.mark.promise("P2")
@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_a_kill_at_any_call_leaves_old_or_new_bytes_and_every_checkpoint(template: Path, home: Path, name: str) -> None:
    _, *after = OPERATIONS[name]
    number = 1 - (step := counted(10, 1))
    while True:
        number += step
        fresh(template, home)
        killed = kill_at(home, number, name)
        found = contents(home)
        assert found in ((OLD, None), tuple(after)), f"call {number}"
        check_all_is_well(home)
        with FileWorkspace.open(home) as workspace:
            newest = history(workspace, limit=1)
            if newest and name not in ("prune", "purge"):
                # The journal and the note tell the same story.
                note = contents(home)[1 if newest[0].path == NEW.text else 0]
                assert newest[0].after == (None if note is None else hashlib.sha256(note).hexdigest())
            put(workspace, b"it works again")
            assert verify(workspace) == [] or {each.kind for each in verify(workspace)} == {"unreferenced"}
            prune(workspace, keep_days=10, keep_count=1_000)
            assert verify(workspace) == []
        if not killed:
            break
    assert number > 15


@pytest.mark.fault
@pytest.mark.promise("P5")
def test_bytes_are_synced_before_a_rename_and_the_directory_after_it(template: Path, home: Path) -> None:
    fresh(template, home)
    disk = FaultyDisk()
    with FileWorkspace.open(home, disk=disk) as workspace:
        start = len(disk.log)
        append(workspace)
    log = [
        (call.name, _kind(call.subject))
        for call in disk.log[start:]
        if call.name in ("write", "fsync", "rename", "unlink", "ftruncate", "mkdir", "fchmod")
    ]
    shelf = [("mkdir", "shelf"), ("fsync", "objects")]
    steps = [
        ("write", "object temp"),
        ("fchmod", "object temp"),
        ("fsync", "object temp"),
        ("rename", "object temp"),
        ("fsync", "shelf"),
        ("write", "journal"),
        ("fsync", "journal"),
        ("write", "note temp"),
        ("fsync", "note temp"),
        ("rename", "note temp"),
        ("fsync", "memory"),
        ("write", "journal"),
    ]
    # The shelf of the new object may be there already.
    assert log in (steps, shelf + steps)


def _kind(subject: str) -> str:
    if subject.endswith(".hf-tmp"):
        return "note temp" if ".md." in subject else "object temp"
    if len(subject) == 2:
        return "shelf"
    return "journal" if subject == "journal.jsonl" else subject


@pytest.mark.fault
@pytest.mark.parametrize("code", CODES[: counted(1, 4)])
def test_opening_a_home_on_a_failing_disk_is_a_typed_error_or_works(
    template: Path, home: Path, tmp_path: Path, code: int
) -> None:
    open_before = open_files(tmp_path)
    for place in (home, tmp_path / "new" / "home"):
        number = 0
        while True:
            number += 1
            shutil.rmtree(place.parent if place != home else place, ignore_errors=True)
            if place == home:
                fresh(template, home)
            disk = FaultyDisk(number, code)
            try:
                FileWorkspace.open(place, disk=disk).close()
            except StorageFailed as error:
                assert isinstance(error.__cause__, OSError)
                assert code != errno.EINTR
            assert open_files(tmp_path) == open_before
            FileWorkspace.open(place).close()
            if not disk.failed:
                break


@pytest.mark.fault
def test_reading_on_a_failing_disk_is_a_typed_error_or_works(template: Path, home: Path) -> None:
    fresh(template, home)
    readers: list[Operation] = [
        lambda workspace: workspace.read(NOTE),
        lambda workspace: workspace.exists(NOTE),
        lambda workspace: workspace.walk(),
        lambda workspace: history(workspace),
        lambda workspace: verify(workspace),
        lambda workspace: workspace.replace_file("state/x.json", b"{}"),
        lambda workspace: workspace.read_file("state/x.json"),
        read_found,
    ]
    for operation in readers:
        for code in CODES:
            number = 0
            while True:
                number += 1
                disk = FaultyDisk()
                with FileWorkspace.open(home, disk=disk) as workspace:
                    disk.fail_at, disk.code = len(disk.log) + number, code
                    try:
                        operation(workspace)
                    except StorageFailed as error:
                        assert isinstance(error.__cause__, OSError)
                        assert code != errno.EINTR
                    disk.fail_at = 0
                if not disk.failed:
                    break


def read_found(workspace: FileWorkspace) -> None:
    with workspace.reader() as read:
        for found in workspace.walk().found:
            read(found)
