from __future__ import annotations

import errno
import hashlib
import os
from pathlib import Path

import pytest
from counts import counted
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast.errors import (
    BadArgument,
    BadPath,
    NoteNotFound,
    StorageFailed,
    TwinPath,
    UnsafeFile,
)
from holdfast.guard.paths import writable_path
from holdfast.notes.disk import Disk
from holdfast.notes.faulty_disk import FaultyDisk
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.notes.note import NoteFile

NOTE = writable_path("memory/note.md")


def test_a_note_is_read_whole_with_its_hash_and_times(home: Path) -> None:
    with FileWorkspace.open(home) as workspace:
        workspace.replace(NOTE, b"hello\r\n")
        note = workspace.read("memory/note.md")
        status = (home / "memory" / "note.md").stat()
        assert note.data == b"hello\r\n"
        assert note.hash == hashlib.sha256(note.data).hexdigest()
        assert (note.size, note.mtime_ns, note.ctime_ns, note.inode) == (
            7,
            status.st_mtime_ns,
            status.st_ctime_ns,
            status.st_ino,
        )
        assert workspace.exists(NOTE)
        assert not workspace.exists("memory/other.md")


def test_own_files_are_replaced_and_read(home: Path) -> None:
    with FileWorkspace.open(home) as workspace:
        assert workspace.read_file("holdfast.toml") is None
        workspace.replace_file("holdfast.toml", b"[memory]\n")
        workspace.replace_file("state/usage/main.json", b"{}")
        assert workspace.read_file("holdfast.toml") == b"[memory]\n"
        assert workspace.read_file("state/usage/main.json") == b"{}"
        for name in ("MEMORY.md", "state", "state/../x", "/etc/passwd", "state//x", "other.toml", ""):
            with pytest.raises(BadPath):
                workspace.read_file(name)
            with pytest.raises(BadPath):
                workspace.replace_file(name, b"")


def test_reading_through_the_reader_equals_reading_one_by_one(home: Path, tmp_path: Path) -> None:
    extra = tmp_path / "extra"
    (extra / "deep").mkdir(parents=True)
    (extra / "deep" / "a b.md").write_bytes(b"extra")
    with FileWorkspace.open(home, extra_paths=[str(extra)]) as workspace:
        (home / "memory" / "deep").mkdir(parents=True)
        for name in ("MEMORY.md", "memory/a.md", "memory/b.md", "memory/deep/c.md"):
            (home / name).write_bytes(name.encode())
        walk = workspace.walk()
        assert len(walk.found) == 5
        with workspace.reader() as read:
            assert [read(found) for found in walk.found] == [workspace.read(found.path) for found in walk.found]
            (home / "memory" / "a.md").unlink()
            with pytest.raises(NoteNotFound):
                read(next(found for found in walk.found if found.path == "memory/a.md"))
            (home / "memory" / "b.md").unlink()
            os.mkfifo(home / "memory" / "b.md")
            with pytest.raises(UnsafeFile):
                read(next(found for found in walk.found if found.path == "memory/b.md"))


def test_extra_paths_are_read_by_absolute_path_and_nothing_beside_them(home: Path, tmp_path: Path) -> None:
    extra = tmp_path / "docs"
    extra.mkdir()
    (extra / "a.md").write_bytes(b"a")
    (tmp_path / "single.md").write_bytes(b"s")
    (tmp_path / "docs-other.md").write_bytes(b"no")
    (extra / "link.md").symlink_to(tmp_path / "docs-other.md")
    (extra / "up").symlink_to(tmp_path)
    with FileWorkspace.open(home, extra_paths=[str(extra), str(tmp_path / "single.md"), "own"]) as workspace:
        (home / "own").mkdir()
        (home / "own" / "x.md").write_bytes(b"x")
        assert workspace.read(str(extra / "a.md")).data == b"a"
        assert workspace.read(str(tmp_path / "single.md")).data == b"s"
        assert workspace.read(str(home / "own" / "x.md")).data == b"x"
        assert not workspace.exists(str(extra / "none.md"))
        for bad in ("docs-other.md", "docs/../docs-other.md", "docs//a.md", "docs/./a.md", "docs/a.txt", "docs/a\n.md"):
            with pytest.raises(BadPath):
                workspace.read(f"{tmp_path}/{bad}")
        with pytest.raises(BadPath, match="UTF-8"):
            workspace.read(f"{extra}/\udcff.md")
        for bad in ("link.md", "up/single.md"):
            with pytest.raises(UnsafeFile):
                workspace.read(f"{extra}/{bad}")
    for root in ("", "/", "a\0b"):
        with pytest.raises(BadArgument):
            FileWorkspace.open(home, extra_paths=[root])


def test_a_young_or_future_note_is_not_settled(home: Path) -> None:
    class Later(Disk):
        ahead = 0

        def now_ns(self) -> int:
            return super().now_ns() + self.ahead

    disk = Later()
    with FileWorkspace.open(home, disk=disk) as workspace:
        workspace.replace(NOTE, b"x")
        assert not workspace.read(NOTE).settled
        disk.ahead = 3_000_000_000
        assert workspace.read(NOTE).settled
        file = home / "memory" / "note.md"
        os.utime(file, ns=(0, 4_000_000_000_000_000_000))
        disk.ahead += 3_000_000_000
        assert not workspace.read(NOTE).settled
        os.utime(file, ns=(0, 0))
        # Old by its mtime, but its ctime says that it was touched just now.
        disk.ahead = 0
        assert not workspace.read(NOTE).settled


def test_a_read_that_meets_a_rename_starts_over_and_gives_up_in_the_end(home: Path) -> None:
    rounds = [3]
    file = home / "memory" / "note.md"

    class Saving(Disk):
        def read(self, fd: int, size: int) -> bytes:
            if rounds[0] > 0 and file.exists():
                rounds[0] -= 1
                temp = home / "memory" / "save"
                temp.write_bytes(b"saved")
                temp.rename(file)
            return super().read(fd, min(size, 2))

    with FileWorkspace.open(home, disk=Saving()) as workspace:
        workspace.replace(NOTE, b"first")
        assert workspace.read(NOTE).data == b"saved"
        assert rounds == [0]
        rounds[0] = 1_000
        with pytest.raises(StorageFailed, match="changes all the time"):
            workspace.read(NOTE)


def test_a_file_cut_short_or_removed_while_it_is_read_is_read_again(home: Path) -> None:
    file = home / "memory" / "note.md"
    acts = [lambda: file.unlink(), lambda: os.truncate(file, 1)]

    class Meddling(Disk):
        def read(self, fd: int, size: int) -> bytes:
            if acts and file.exists():
                acts.pop()()
            return super().read(fd, size)

    with FileWorkspace.open(home, disk=Meddling()) as workspace:
        workspace.replace(NOTE, b"first")
        with pytest.raises(NoteNotFound):
            workspace.read(NOTE)
    assert acts == []


def test_a_hard_link_removed_between_open_and_look_is_not_read(home: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"secret")
    (home / "memory").mkdir(parents=True)
    os.link(secret, home / "memory" / "note.md")

    class Unlinking(Disk):
        def fstat(self, fd: int) -> os.stat_result:
            if (home / "memory" / "note.md").exists() and super().fstat(fd).st_ino == secret.stat().st_ino:
                (home / "memory" / "note.md").unlink()
            return super().fstat(fd)

    with FileWorkspace.open(home, disk=Unlinking()) as workspace, workspace.reader() as read:
        found = [each for each in workspace.walk().found if each.path == "memory/note.md"]
        assert found == []
        with pytest.raises(NoteNotFound):
            read(NoteFile("memory/note.md", "memory", 6, 0, 0, 0))


@pytest.mark.parametrize("code", [errno.ELOOP, errno.ENXIO])
def test_a_link_or_socket_swapped_in_at_the_last_moment_is_unsafe(home: Path, code: int) -> None:
    class Swapped(Disk):
        def open(self, name: str, flags: int, mode: int = 0o600, *, dir_fd: int | None = None) -> int:
            if name == "note.md":
                raise OSError(code, os.strerror(code))
            return super().open(name, flags, mode, dir_fd=dir_fd)

    with FileWorkspace.open(home) as workspace:
        workspace.replace(NOTE, b"x")
    with FileWorkspace.open(home, disk=Swapped()) as workspace, pytest.raises(UnsafeFile):
        workspace.read(NOTE)


def test_a_disk_that_takes_one_byte_at_a_time_still_gets_them_all(home: Path) -> None:
    with FileWorkspace.open(home, disk=FaultyDisk(short_writes=True)) as workspace:
        workspace.replace(NOTE, b"every byte")
        assert workspace.read(NOTE).data == b"every byte"


def test_a_disk_that_takes_no_bytes_or_is_interrupted_for_ever_is_a_storage_failure(home: Path) -> None:
    class Stuck(Disk):
        def write(self, fd: int, data: bytes | memoryview) -> int:
            return 0

    class Interrupted(Disk):
        def write(self, fd: int, data: bytes | memoryview) -> int:
            raise InterruptedError(errno.EINTR, "interrupted")

    for disk in (Stuck(), Interrupted()):
        with FileWorkspace.open(home, disk=disk) as workspace:
            with pytest.raises(StorageFailed) as caught:
                workspace.replace(NOTE, b"x")
            assert isinstance(caught.value.__cause__, OSError)
            assert os.listdir(home / "memory") == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=counted(5, 160))
@given(data=st.binary(max_size=2_000), name=st.text(min_size=1, max_size=20))
def test_any_bytes_come_back_as_they_were_written(home: Path, data: bytes, name: str) -> None:
    try:
        path = writable_path(f"memory/{name}.md")
    except BadPath:
        path = NOTE
    with FileWorkspace.open(home) as workspace:
        try:
            workspace.replace(path, data)
        except TwinPath:
            return
        assert workspace.read(path).data == data
