"""Changes of several notes that are one to the user: all of them or none, and one undo for all."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from holdfast.checkpoints.change import Authorship, Change
from holdfast.checkpoints.change_history import history
from holdfast.checkpoints.checkpoint_store import open_for_writing
from holdfast.checkpoints.group import Step, apply_group
from holdfast.checkpoints.integrity import verify
from holdfast.checkpoints.journal import encode_record
from holdfast.checkpoints.note_change import change_note, locked_store
from holdfast.checkpoints.retention import erase, prune, purge
from holdfast.checkpoints.rollback import restore_together, undo, undo_together
from holdfast.clock import FakeClock
from holdfast.errors import NoteChangedOutside, StorageFailed
from holdfast.guard.origin import Origin
from holdfast.guard.paths import writable_path
from holdfast.notes.disk import Disk
from holdfast.notes.file_workspace import FileWorkspace

A, B, C = "memory/a.md", "memory/b.md", "memory/c.md"
CLOCK = FakeClock()


def notes(home: Path) -> dict[str, bytes]:
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in home.glob("memory/*.md")}


def put(workspace: FileWorkspace, path: str, data: bytes | None) -> Change:
    return change_note(workspace, writable_path(path), lambda _: data, Authorship(Origin.USER, "test", CLOCK))


def together(workspace: FileWorkspace, *steps: Step) -> list[Change]:
    with locked_store(workspace) as place:
        return apply_group(place, steps, Authorship(Origin.AGENT, "test", CLOCK, "as one"))


def next_writer(workspace: FileWorkspace) -> None:
    with locked_store(workspace):
        pass


def cut_after(home: Path, lines: int) -> None:
    """The journal as it was when so many lines were written."""
    journal = home / "state/checkpoints/main/journal.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:lines]))


def test_one_undo_takes_all_of_it_back_and_the_next_goes_on_before_it(workspace: FileWorkspace, home: Path) -> None:
    put(workspace, A, b"1\n")
    before = notes(home)
    made = together(workspace, Step(A, b"2\n", None), Step(B, b"new\n", ""), Step(C, b"c\n", ""))
    assert [(one.group, one.step, one.steps) for one in made] == [(made[0].id, n, 3) for n in (1, 2, 3)]
    undone = undo_together(workspace, origin=Origin.USER, clock=CLOCK)
    assert [(one.path, one.undoes) for one in undone] == [(one.path, one.id) for one in reversed(made)]
    assert notes(home) == before
    undo(workspace, origin=Origin.USER, clock=CLOCK)
    assert notes(home) == {}
    assert verify(workspace) == []


def test_who_names_a_note_takes_back_only_that_one(workspace: FileWorkspace, home: Path) -> None:
    together(workspace, Step(A, b"a\n", ""), Step(B, b"b\n", ""))
    assert [one.path for one in undo_together(workspace, path=A, origin=Origin.USER, clock=CLOCK)] == [A]
    assert notes(home) == {B: b"b\n"}
    assert [one.path for one in undo_together(workspace, origin=Origin.USER, clock=CLOCK)] == [B]
    assert notes(home) == {}


def test_a_change_of_one_note_is_no_group(workspace: FileWorkspace) -> None:
    (made,) = together(workspace, Step(A, b"a\n", ""))
    assert (made.group, made.step, made.steps) == ("", 0, 0)
    assert together(workspace) == []


def test_where_one_note_was_edited_since_nothing_is_undone_unless_forced(workspace: FileWorkspace, home: Path) -> None:
    together(workspace, Step(A, b"a\n", ""), Step(B, b"b\n", ""))
    (home / A).write_bytes(b"typed\n")
    with pytest.raises(NoteChangedOutside):
        undo_together(workspace, origin=Origin.USER, clock=CLOCK)
    assert notes(home) == {A: b"typed\n", B: b"b\n"}
    undo_together(workspace, origin=Origin.USER, clock=CLOCK, force=True)
    assert notes(home) == {}


def test_a_step_that_can_not_be_made_takes_the_others_back(workspace: FileWorkspace, home: Path) -> None:
    put(workspace, A, b"1\n")
    (home / B).write_bytes(b"typed\n")
    with pytest.raises(NoteChangedOutside):
        together(workspace, Step(A, b"2\n", None), Step(C, b"c\n", ""), Step(B, b"b\n", ""))
    assert notes(home) == {A: b"1\n", B: b"typed\n"}
    # What was taken back has not happened: the last thing to undo is the one before.
    undo(workspace, origin=Origin.USER, clock=CLOCK)
    assert notes(home) == {B: b"typed\n"}


class FullDisk(Disk):
    """Takes so many files in place of others, and then is full for good."""

    def __init__(self, left: int) -> None:
        self.left = left

    def rename(self, source: str, target: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        """Put one file in the place of another."""
        self.left -= target.endswith(".md")
        if self.left < 0:
            raise OSError(errno.ENOSPC, "full")
        super().rename(source, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)


def test_where_even_taking_back_fails_the_next_writer_does_it(home: Path) -> None:
    with FileWorkspace.open(home) as workspace:
        put(workspace, A, b"1\n")
    with FileWorkspace.open(home, disk=FullDisk(1)) as workspace, pytest.raises(StorageFailed):
        together(workspace, Step(A, b"2\n", None), Step(B, b"b\n", ""))
    assert notes(home) == {A: b"2\n"}
    with FileWorkspace.open(home) as workspace:
        put(workspace, C, b"c\n")
        assert notes(home) == {A: b"1\n", C: b"c\n"}
        assert {problem.kind for problem in verify(workspace)} <= {"unreferenced"}


@pytest.mark.parametrize("lines", [1, 2, 3, 4, 5])
def test_what_a_writer_that_died_had_done_is_taken_back_by_the_next(
    workspace: FileWorkspace, home: Path, lines: int
) -> None:
    made = together(workspace, Step(A, b"a\n", ""), Step(B, b"b\n", ""), Step(C, b"c\n", ""))
    for one in made[(lines + 1) // 2 :]:
        (home / one.path).unlink()  # it died before
    cut_after(home, lines)
    next_writer(workspace)
    # The last change was open, and its note says that it happened.
    assert notes(home) == ({A: b"a\n", B: b"b\n", C: b"c\n"} if lines == 5 else {})
    put(workspace, A, b"again\n")
    assert {problem.kind for problem in verify(workspace)} <= {"unreferenced"}


def test_who_dies_while_taking_back_is_followed_by_one_who_goes_on(workspace: FileWorkspace, home: Path) -> None:
    together(workspace, Step(A, b"a\n", ""), Step(B, b"b\n", ""), Step(C, b"c\n", ""))
    (home / C).unlink()
    cut_after(home, 4)
    next_writer(workspace)
    assert notes(home) == {}
    (home / A).write_bytes(b"a\n")
    cut_after(home, 6)  # B was taken back, A was not yet
    next_writer(workspace)
    assert notes(home) == {}
    assert len([one for one in history(workspace, limit=100) if one.undoes]) == 2


def test_half_an_undo_is_none(workspace: FileWorkspace, home: Path) -> None:
    made = together(workspace, Step(A, b"a\n", ""), Step(B, b"b\n", ""))
    undo_together(workspace, origin=Origin.USER, clock=CLOCK)
    (home / A).write_bytes(b"a\n")
    cut_after(home, 6)  # of the undo only B was done
    next_writer(workspace)
    assert notes(home) == {A: b"a\n", B: b"b\n"}
    undone = undo_together(workspace, origin=Origin.USER, clock=CLOCK)
    assert {one.undoes for one in undone} == {one.id for one in made}
    assert notes(home) == {}


def test_a_note_that_was_edited_after_the_crash_keeps_the_edit(workspace: FileWorkspace, home: Path) -> None:
    together(workspace, Step(A, b"a\n", ""), Step(B, b"b\n", ""), Step(C, b"c\n", ""))
    (home / C).unlink()
    cut_after(home, 4)
    (home / A).write_bytes(b"a\nand mine\n")
    next_writer(workspace)
    assert notes(home) == {A: b"a\nand mine\n"}


@pytest.mark.parametrize("how", ["purge the last", "erase the last", "erase another", "prune"])
def test_a_group_of_which_checkpoints_were_cleared_is_still_a_finished_one(
    workspace: FileWorkspace, home: Path, how: str
) -> None:
    after = {A: b"a\n", B: b"b\n", C: b"c\n"}
    made = together(workspace, *(Step(path, data, "") for path, data in after.items()))
    if how == "purge the last":
        purge(workspace, path=C)
    elif how == "prune":
        prune(workspace, keep_days=0, keep_count=0)
    else:
        erase(workspace, lambda data: data == (b"c\n" if how == "erase the last" else b"b\n"))
    assert len([one for one in history(workspace, limit=100) if one.group == made[0].id]) < 3
    next_writer(workspace)
    assert notes(home) == after


def test_a_restore_of_one_step_is_a_restore_of_one_note(workspace: FileWorkspace, home: Path) -> None:
    first, _ = together(workspace, Step(A, b"a\n", ""), Step(B, b"b\n", ""))
    restore_together(workspace, first.id, Authorship(Origin.USER, "checkpoint_restore", CLOCK), alone=True)
    assert notes(home) == {B: b"b\n"}


def test_the_line_of_a_change_that_stands_alone_says_nothing_of_groups(workspace: FileWorkspace, home: Path) -> None:
    put(workspace, A, b"a\n")
    line = (home / "state/checkpoints/main/journal.jsonl").read_bytes().splitlines()[0]
    assert b"group" not in line and b"step" not in line
    (made, _) = together(workspace, Step(B, b"b\n", ""), Step(C, b"c\n", ""))
    with workspace.lock(), open_for_writing(workspace) as place:
        records = [one for one in place.journal.records_backwards() if one.id == made.id and one.group]
    assert encode_record(records[0]).count(made.id.encode()) == 2
