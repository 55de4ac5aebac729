from __future__ import annotations

import hashlib
import os
import stat
import threading
from pathlib import Path

import pytest

from holdfast.errors import (
    BadAgent,
    BadPath,
    Busy,
    NoteChangedOutside,
    NoteNotFound,
    StorageFailed,
    TooLarge,
    TwinPath,
    UnsafeFile,
)
from holdfast.guard.paths import NotePath, readable_path, writable_path
from holdfast.guard.text_rules import MAX_NOTE_BYTES
from holdfast.notes.disk import Disk
from holdfast.notes.file_workspace import FileWorkspace

NOTE = writable_path("memory/note.md")


@pytest.fixture
def tells_case_apart(tmp_path: Path) -> None:
    """For tests that need two names which differ only in case; not every system has them."""
    (tmp_path / "case").mkdir()
    if (tmp_path / "CASE").exists():
        pytest.skip("this file system folds case")


def test_opening_makes_a_private_home_with_its_state(tmp_path: Path) -> None:
    place = tmp_path / "deep" / "er" / "home"
    with FileWorkspace.open(place) as workspace:
        assert (workspace.home, workspace.agent) == (str(place), "main")
        assert workspace.state == str(place / "state")
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert stat.S_IMODE((place / "state" / "locks").stat().st_mode) == 0o700


def test_a_relative_home_starts_at_the_current_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with FileWorkspace.open("here") as workspace:
        assert workspace.home == str(tmp_path / "here")


def test_the_home_itself_may_be_a_link_but_not_its_state(tmp_path: Path, home: Path) -> None:
    (tmp_path / "real").mkdir()
    home.symlink_to(tmp_path / "real")
    FileWorkspace.open(home).close()
    assert (tmp_path / "real" / "state").is_dir()
    (tmp_path / "other").mkdir()
    (tmp_path / "second").mkdir()
    (tmp_path / "second" / "state").symlink_to(tmp_path / "other")
    with pytest.raises(UnsafeFile, match="symbolic link"):
        FileWorkspace.open(tmp_path / "second")


def test_a_home_that_is_a_file_or_a_dangling_link_is_a_storage_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("file", "link"):
        with pytest.raises(StorageFailed):
            FileWorkspace.open(tmp_path / name)


def test_a_bad_agent_is_refused_before_anything_is_made(home: Path) -> None:
    with pytest.raises(BadAgent):
        FileWorkspace.open(home, "../x")
    assert not home.exists()


def test_a_closed_workspace_fails_with_a_typed_error_and_closes_twice(home: Path) -> None:
    workspace = FileWorkspace.open(home)
    workspace.close()
    workspace.close()
    with pytest.raises(StorageFailed):
        workspace.read(NOTE)


def test_a_missing_note_or_directory_is_not_found(home: Path) -> None:
    with FileWorkspace.open(home) as workspace:
        for path in ("MEMORY.md", "memory.md", "memory/a.md", "memory/deep/er/a.md"):
            with pytest.raises(NoteNotFound) as caught:
                workspace.read(path)
            assert caught.value.path == path
        with pytest.raises(NoteNotFound):
            workspace.remove(NOTE)
        with FileWorkspace.open(home, "other") as other, pytest.raises(NoteNotFound):
            other.read("MEMORY.md")


def test_a_path_value_made_without_the_rules_is_still_refused(home: Path) -> None:
    with FileWorkspace.open(home) as workspace:
        for call in (workspace.read, workspace.exists, workspace.remove):
            with pytest.raises(BadPath):
                call(NotePath("../../etc/passwd"))
        with pytest.raises(BadPath):
            workspace.replace(NotePath("memory/../../x.md"), b"")


def test_a_note_over_the_limit_is_too_large_even_when_sparse(home: Path) -> None:
    with FileWorkspace.open(home) as workspace:
        workspace.replace(NOTE, b"x" * MAX_NOTE_BYTES)
        assert workspace.read(NOTE).size == MAX_NOTE_BYTES
        os.truncate(home / "memory" / "note.md", 10 * 1024**3)
        with pytest.raises(TooLarge) as caught:
            workspace.read(NOTE)
        assert caught.value.limit == MAX_NOTE_BYTES


def test_prompt_memory_of_main_prefers_its_agent_directory(home: Path) -> None:
    with FileWorkspace.open(home) as workspace:
        workspace.replace(writable_path("MEMORY.md"), b"root")
        (home / "agents" / "main").mkdir(parents=True)
        assert workspace.read("MEMORY.md").data == b"root"
        (home / "agents" / "main" / "MEMORY.md").write_bytes(b"agent")
        assert workspace.read("MEMORY.md").data == b"agent"
        workspace.replace(writable_path("MEMORY.md"), b"new")
        assert (home / "agents" / "main" / "MEMORY.md").read_bytes() == b"new"
        walk = workspace.walk()
        assert [found.path for found in walk.found] == ["MEMORY.md"]
        assert [path for path, _ in walk.skipped] == [str(home / "MEMORY.md")]


def test_other_agents_never_fall_back_to_the_files_of_main(home: Path) -> None:
    with FileWorkspace.open(home) as main, FileWorkspace.open(home, "nova") as nova:
        main.replace(writable_path("MEMORY.md"), b"main")
        main.replace(NOTE, b"main")
        assert not nova.exists("MEMORY.md")
        assert nova.walk().found == []
        nova.replace(NOTE, b"nova")
        assert (home / "agents" / "nova" / "memory" / "note.md").read_bytes() == b"nova"
        assert main.read(NOTE).data == b"main"


@pytest.mark.usefixtures("tells_case_apart")
def test_a_lone_memory_of_old_stands_in_for_prompt_memory(home: Path) -> None:
    with FileWorkspace.open(home) as workspace:
        (home / "memory.md").write_bytes(b"old")
        assert workspace.read("MEMORY.md").data == b"old"
        workspace.replace(writable_path("MEMORY.md"), b"new")
        assert (home / "memory.md").read_bytes() == b"new"
        assert not (home / "MEMORY.md").exists()
        assert workspace.spot(readable_path("MEMORY.md")).path == "memory.md"
        assert [found.path for found in workspace.walk().found] == ["memory.md"]
        (home / "MEMORY.md").write_bytes(b"both")
        assert workspace.read("MEMORY.md").data == b"both"
        assert workspace.read("memory.md").data == b"new"
        walk = workspace.walk()
        assert [found.path for found in walk.found] == ["MEMORY.md"]
        assert walk.skipped == [("memory.md", "MEMORY.md is used instead")]


def test_a_replace_keeps_the_mode_and_a_new_note_is_private(home: Path) -> None:
    with FileWorkspace.open(home) as workspace:
        workspace.replace(NOTE, b"1")
        file = home / "memory" / "note.md"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        file.chmod(0o644)
        workspace.replace(NOTE, b"2")
        assert stat.S_IMODE(file.stat().st_mode) == 0o644
        assert os.listdir(file.parent) == ["note.md"]


@pytest.mark.usefixtures("tells_case_apart")
@pytest.mark.parametrize(
    ("first", "second"),
    [("memory/Note.md", "memory/note.md"), ("memory/é.md", "memory/É.md"), ("MEMORY.md", "memory.md")],
)
def test_twins_are_refused_and_the_note_is_kept(home: Path, first: str, second: str) -> None:
    with FileWorkspace.open(home) as workspace:
        workspace.replace(writable_path(first), b"first")
        with pytest.raises(TwinPath) as caught:
            workspace.replace(writable_path(second), b"second")
        assert caught.value.twin == first
        with pytest.raises(TwinPath):
            workspace.refuse_unsafe(writable_path(second))
        assert workspace.read(first).data == b"first"
        assert not workspace.exists(second)


def test_a_twin_in_another_unicode_form_or_of_the_directory_is_refused(home: Path) -> None:
    with FileWorkspace.open(home) as workspace:
        (home / "Memory").mkdir()
        with pytest.raises(TwinPath):
            workspace.replace(NOTE, b"")
        (home / "Memory").rename(home / "memory")
        (home / "memory" / "e\u0301.md").write_bytes(b"")
        with pytest.raises(TwinPath):
            workspace.replace(writable_path("memory/é.md"), b"")


def test_links_and_odd_files_are_neither_read_nor_replaced_nor_removed(home: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_bytes(b"secret")
    with FileWorkspace.open(home) as workspace:
        workspace.replace(writable_path("memory/x.md"), b"x")
        file = home / "memory" / "note.md"

        def fifo() -> None:
            os.mkfifo(file)

        makers = {
            "symbolic link": lambda: file.symlink_to(outside),
            "hard link": lambda: os.link(outside, file),
            "FIFO": fifo,
            "directory": file.mkdir,
        }
        if os.geteuid() == 0:
            makers["device"] = lambda: os.mknod(file, stat.S_IFCHR | 0o600, os.makedev(1, 3))
        for why, make in makers.items():
            make()
            for call in (
                lambda: workspace.read(NOTE),
                lambda: workspace.replace(NOTE, b"y"),
                lambda: workspace.remove(NOTE),
            ):
                with pytest.raises(UnsafeFile) as caught:
                    call()
                assert why in caught.value.why
            assert [skipped.path for skipped in workspace.walk().skipped] in (["memory/note.md"], [])
            if why == "directory":
                file.rmdir()
            else:
                file.unlink()
        assert outside.read_bytes() == b"secret"


def test_a_file_where_the_directory_should_be_is_unsafe(home: Path) -> None:
    with FileWorkspace.open(home) as workspace:
        (home / "memory").write_bytes(b"")
        with pytest.raises(UnsafeFile, match="not a directory"):
            workspace.read(NOTE)
        with pytest.raises(UnsafeFile):
            workspace.replace(NOTE, b"")
        assert workspace.walk().skipped[0].path == "memory"


def test_a_replace_or_remove_with_another_hash_touches_nothing(home: Path) -> None:
    with FileWorkspace.open(home) as workspace:
        workspace.replace(NOTE, b"1", expected_hash="")
        one = workspace.read(NOTE).hash
        workspace.replace(NOTE, b"2", expected_hash=one)
        with pytest.raises(NoteChangedOutside) as caught:
            workspace.replace(NOTE, b"3", expected_hash=one)
        assert caught.value.found == hashlib.sha256(b"2").hexdigest()
        with pytest.raises(NoteChangedOutside):
            workspace.remove(NOTE, expected_hash=one)
        assert workspace.read(NOTE).data == b"2"
        (home / "memory" / "note.md").unlink()
        with pytest.raises(NoteChangedOutside):
            workspace.remove(NOTE, expected_hash=one)
        with pytest.raises(NoteChangedOutside):
            workspace.replace(NOTE, b"3", expected_hash=one)
        assert os.listdir(home / "memory") == []


def test_the_lock_excludes_another_thread_another_handle_and_itself(home: Path) -> None:
    with FileWorkspace.open(home) as one, FileWorkspace.open(home) as two, FileWorkspace.open(home, "nova") as nova:
        with one.lock():
            with pytest.raises(Busy), two.lock(timeout=0):
                pass
            with pytest.raises(Busy), one.lock():
                pass
            with nova.lock(timeout=0):
                pass
            seen: list[str] = []

            def try_it() -> None:
                try:
                    with one.lock(timeout=0.01):
                        seen.append("held")
                except Busy:
                    seen.append("busy")

            thread = threading.Thread(target=try_it)
            thread.start()
            thread.join()
            assert seen == ["busy"]
        with two.lock(timeout=0):
            pass
        with one.lock(timeout=0):
            pass


def test_a_lock_file_that_was_removed_while_we_took_it_is_taken_anew(home: Path) -> None:
    lock = home / "state" / "locks" / "main.lock"
    removed: list[int] = []

    class Removing(Disk):
        def flock(self, fd: int, operation: int) -> None:
            super().flock(fd, operation)
            if not removed:
                removed.append(1)
                lock.unlink()

    FileWorkspace.open(home).close()
    with FileWorkspace.open(home, disk=Removing()) as workspace:
        removed.clear()
        with workspace.lock(), FileWorkspace.open(home) as other, pytest.raises(Busy), other.lock(timeout=0):
            pass
    assert lock.exists()


def test_orphan_temps_are_swept_at_open_and_nothing_else_is(home: Path) -> None:
    with FileWorkspace.open(home) as workspace:
        workspace.replace(NOTE, b"x")
        (home / "state" / "checkpoints" / "main").mkdir(parents=True)
        (home / "state" / "forgotten").mkdir()
        tail = ".0123456789abcdef.hf-tmp"
        orphans = [
            home / f".MEMORY.md{tail}",
            home / f".holdfast.toml{tail}",
            home / "memory" / f".note.md{tail}",
            home / "state" / f".x{tail}",
            home / "state" / "forgotten" / f".main{tail}",
            home / "state" / "checkpoints" / "main" / f".{'0' * 64}{tail}",
        ]
        kept = [home / "memory" / ".note.md.tmp", home / "memory" / f"note.md{tail}", home / "memory" / "a.hf-tmp"]
        for file in (*orphans, *kept):
            file.write_bytes(b"")
        directory = home / "memory" / f".dir.md{tail}"
        directory.mkdir()
        with workspace.lock():
            FileWorkspace.open(home).close()
            assert orphans[2].exists()
        FileWorkspace.open(home).close()
    assert [file for file in orphans if file.exists()] == []
    assert all(file.exists() for file in kept)
    assert directory.exists()
