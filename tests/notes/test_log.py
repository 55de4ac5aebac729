"""The log of lines: added to durably by many, torn by a crash and read all the same, never led astray."""

from __future__ import annotations

import errno
import os
import stat
import threading
from pathlib import Path

import pytest
from counts import counted
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast.errors import BadArgument, HoldfastError, StorageFailed, TooLarge, UnsafeFile
from holdfast.notes.disk import Disk
from holdfast.notes.faulty_disk import FaultyDisk
from holdfast.notes.file_log import FileLog
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.notes.log import MAX_LINE_BYTES, LogLine

PARTS = ("sessions", "main")


def log_of(home: Path, disk: Disk | None = None) -> FileLog:
    return FileLog(FileWorkspace.open(home, disk=disk), PARTS, "talk.jsonl")


def texts(log: FileLog, start: int = 0) -> list[bytes | None]:
    return [line.data for line in log.lines(start)]


def test_lines_come_back_in_order_with_their_offsets(home: Path) -> None:
    log = log_of(home)
    first = log.append(b"one", first=b"head")
    second = log.append(b"", first=b"head")
    assert (first, second) == (LogLine(b"one", 5, 9), LogLine(b"", 9, 10))
    assert texts(log) == [b"head", b"one", b""]
    assert texts(log, first.end) == [b""]


def test_a_log_that_is_not_there_has_no_lines(home: Path) -> None:
    log = log_of(home)
    assert texts(log) == []
    assert log.status() is None
    assert log.sibling_names() == []
    with log.exclusive() as still:
        assert still is None
    assert not (home / "sessions").exists()


def test_only_the_owner_can_read_it(home: Path) -> None:
    log_of(home).append(b"one")
    file = home / "sessions" / "main" / "talk.jsonl"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == stat.S_IMODE(file.parent.parent.stat().st_mode) == 0o700


def test_half_a_line_is_not_read_and_is_ended_before_the_next(home: Path) -> None:
    log = log_of(home)
    log.append(b"one")
    file = home / "sessions" / "main" / "talk.jsonl"
    with file.open("ab") as torn:
        torn.write(b"tw")
    assert texts(log) == [b"one"]
    added = log.append(b"three")
    assert texts(log) == [b"one", b"tw", b"three"]
    assert texts(log, added.start) == [b"three"]


def test_a_line_break_and_a_line_too_long_are_refused(home: Path) -> None:
    log = log_of(home)
    with pytest.raises(BadArgument):
        log.append(b"one\ntwo")
    with pytest.raises(TooLarge):
        log.append(b"x" * (MAX_LINE_BYTES + 1))
    assert log.status() is None


def test_a_line_too_long_that_somebody_wrote_is_passed_over_without_being_held(home: Path) -> None:
    log = log_of(home)
    log.append(b"one")
    file = home / "sessions" / "main" / "talk.jsonl"
    with file.open("ab") as other:
        other.write(b"x" * (MAX_LINE_BYTES + 1) + b"\n" + b"y" * MAX_LINE_BYTES + b"\n")
    log.append(b"two")
    assert [data if data is None else data[:3] for data in texts(log)] == [b"one", None, b"yyy", b"two"]
    assert [line.end for line in log.lines()][-1] == file.stat().st_size


@pytest.mark.parametrize("kind", ["symlink", "hard link", "fifo", "directory"])
@pytest.mark.promise("P9")
def test_what_is_not_a_plain_file_is_neither_read_nor_written(home: Path, tmp_path: Path, kind: str) -> None:
    log = log_of(home)
    folder = home / "sessions" / "main"
    folder.mkdir(parents=True, mode=0o700)
    elsewhere, file = tmp_path / "elsewhere", folder / "talk.jsonl"
    elsewhere.write_bytes(b"mine\n")
    if kind == "symlink":
        file.symlink_to(elsewhere)
    elif kind == "hard link":
        os.link(elsewhere, file)
    elif kind == "fifo":
        os.mkfifo(file)
    else:
        file.mkdir()
    with pytest.raises(UnsafeFile):
        log.append(b"one")
    with pytest.raises(HoldfastError):
        texts(log)
    assert elsewhere.read_bytes() == b"mine\n"


@pytest.mark.promise("P9")
def test_a_directory_that_is_a_link_is_not_followed(home: Path, tmp_path: Path) -> None:
    log = log_of(home)
    (tmp_path / "elsewhere").mkdir()
    (home / "sessions").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnsafeFile):
        log.append(b"one")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_writer_that_waited_while_the_log_was_renamed_writes_to_the_new_one(home: Path) -> None:
    log, other = log_of(home), log_of(home)
    log.append(b"old")
    with log.exclusive() as still:
        assert still is not None
        still.rename("talk.1.jsonl")
    other.append(b"new")
    assert texts(log) == [b"new"]
    assert texts(FileLog(log.workspace, PARTS, "talk.1.jsonl")) == [b"old"]
    assert log.sibling_names() == ["talk.1.jsonl", "talk.jsonl"]


def test_a_line_that_is_added_under_a_name_while_a_log_takes_it_is_added_to_that_log(home: Path) -> None:
    class Meddling(Disk):
        writer: threading.Thread | None = None

        def rename(self, source: str, target: str, **places: int) -> None:
            self.writer = threading.Thread(target=log_of(home).append, args=(b"two",))
            self.writer.start()
            super().rename(source, target, **places)

    disk = Meddling()
    log = log_of(home, disk)
    aside = log.sibling("talk.1.jsonl")
    aside.append(b"one")
    with aside.exclusive() as still:
        assert still is not None
        still.rename("talk.jsonl")
    assert disk.writer is not None
    disk.writer.join()
    assert texts(log_of(home)) == [b"one", b"two"]


def test_a_rename_never_goes_over_another_file(home: Path) -> None:
    log = log_of(home)
    log.append(b"old")
    (home / "sessions" / "main" / "talk.1.jsonl").write_bytes(b"older\n")
    with log.exclusive() as still, pytest.raises(UnsafeFile):
        assert still is not None
        still.rename("talk.1.jsonl")
    assert texts(log) == [b"old"]
    assert texts(FileLog(log.workspace, PARTS, "talk.1.jsonl")) == [b"older"]


@pytest.mark.promise("P2")
@pytest.mark.parametrize("log_is_there", [True, False])
def test_a_temp_that_a_dead_writer_left_goes_when_the_logs_are_listed(home: Path, log_is_there: bool) -> None:
    log = log_of(home)
    log.append(b"one")
    temp = home / "sessions" / "main" / ".talk.jsonl.0123456789abcdef.hf-tmp"
    temp.write_bytes(b"what was said\n")
    if not log_is_there:
        (home / "sessions" / "main" / "talk.jsonl").unlink()
    assert log.sibling_names() == (["talk.jsonl"] if log_is_there else [])
    assert not temp.exists()


def test_a_temp_of_a_writer_that_lives_stays(home: Path) -> None:
    class Listing(Disk):
        seen: tuple[str, ...] = ()

        def rename(self, source: str, target: str, **places: int) -> None:
            self.seen = tuple(log_of(home).sibling_names())
            super().rename(source, target, **places)

    disk = Listing()
    log = log_of(home, disk)
    log.append(b"one")
    with log.exclusive() as still:
        assert still is not None
        still.rewrite(b"two\n")
    assert len(disk.seen) == 2
    assert (texts(log), log.sibling_names()) == ([b"two"], ["talk.jsonl"])


def test_removing_leaves_nothing(home: Path) -> None:
    log = log_of(home)
    log.append(b"old")
    with log.exclusive() as still:
        assert still is not None
        still.remove()
    assert log.status() is None


@pytest.mark.fault
@pytest.mark.promise("P2")
@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC, errno.EINTR])
def test_whichever_call_fails_a_line_is_there_or_was_refused(tmp_path: Path, code: int) -> None:
    number = 0
    while True:
        number += 1
        home = tmp_path / f"home{number}"
        log_of(home).append(b"before")
        disk = FaultyDisk()
        log = log_of(home, disk)
        disk.fail_at, disk.code = len(disk.log) + number, code
        try:
            log.append(b"line")
            told = True
        except StorageFailed:
            told = False
        disk.fail_at = 0
        assert texts(log) == ([b"before", b"line"] if told else [b"before"])
        log.append(b"after")
        assert texts(log)[-1] == b"after"
        if not disk.failed:
            assert told
            break
    assert number > 10


@pytest.mark.fault
def test_writes_that_take_one_byte_at_a_time_make_whole_lines(home: Path) -> None:
    log = log_of(home, FaultyDisk(short_writes=True))
    log.append(b"one line", first=b"head")
    log.append(b"another")
    assert texts(log) == [b"head", b"one line", b"another"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=counted(5, 200))
@given(st.lists(st.binary(max_size=30).map(lambda data: data.replace(b"\n", b"")), max_size=8), st.binary(max_size=20))
def test_whatever_bytes_are_there_what_is_added_comes_back(tmp_path: Path, lines: list[bytes], rubbish: bytes) -> None:
    home = tmp_path / os.urandom(6).hex()
    log = log_of(home)
    (home / "sessions" / "main").mkdir(parents=True)
    (home / "sessions" / "main" / "talk.jsonl").write_bytes(rubbish)
    added = [log.append(line) for line in lines]
    assert texts(log)[len(texts(log)) - len(lines) :] == lines
    for line in added:
        assert next(log.lines(line.start)) == line


def test_adding_costs_the_same_however_long_the_log_is(home: Path) -> None:
    disk = FaultyDisk()
    log = log_of(home, disk)

    def calls() -> list[str]:
        before = len(disk.log)
        log.append(b"line")
        return [call.name for call in disk.log[before:]]

    log.append(b"line")
    short = calls()
    with (home / "sessions" / "main" / "talk.jsonl").open("ab") as file:
        file.write(b"a long line\n" * 200_000)
    assert calls() == short
    assert "read" not in short
