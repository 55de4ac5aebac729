"""A note that changes line by line: what is stored of each change is that line, and every state comes back exactly."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from checkpoints.one_note import CLOCK, NOTE, put
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast.checkpoints.change import Authorship
from holdfast.checkpoints.change_history import after_bytes, before_bytes
from holdfast.checkpoints.deltas import Splice
from holdfast.checkpoints.integrity import verify
from holdfast.checkpoints.retention import erase, prune
from holdfast.checkpoints.rollback import restore_together, undo
from holdfast.errors import CheckpointDamaged
from holdfast.guard.origin import Origin
from holdfast.notes.file_workspace import FileWorkspace

LINE = b"- a line of some sixty bytes, as a person or a program adds one\n"


def grown(workspace: FileWorkspace, lines: int) -> list[bytes]:
    """The states of a note to which a line at a time is added."""
    states = [LINE * 100 + b"".join(b"- %d\n" % number for number in range(many)) for many in range(lines)]
    for data in states:
        put(workspace, data)
    return states


def folder(home: Path) -> Path:
    return home / "state" / "checkpoints" / "main" / "objects"


def stored(home: Path) -> dict[str, int]:
    return {file.name: file.stat().st_size for file in folder(home).glob("*/*")}


def file_of(home: Path, data: bytes) -> Path:
    digest = hashlib.sha256(data).hexdigest()
    return folder(home) / digest[:2] / digest


def test_what_is_stored_of_an_added_line_is_that_line(workspace: FileWorkspace, home: Path) -> None:
    put(workspace, LINE * 100)
    before = stored(home)
    made = put(workspace, LINE * 101)
    (size,) = [size for name, size in stored(home).items() if name not in before]
    assert size < len(LINE) * 4
    assert (before_bytes(workspace, made), after_bytes(workspace, made)) == (LINE * 100, LINE * 101)
    assert verify(workspace) == []


def test_what_is_stored_of_a_changed_line_is_that_line(workspace: FileWorkspace, home: Path) -> None:
    lines = [b"- line %d of many, in words\n" % number for number in range(200)]
    put(workspace, b"".join(lines))
    before = stored(home)
    struck = b"".join((*lines[:70], b"- ~~line 70~~\n", *lines[71:]))
    made = put(workspace, struck)
    shorter = put(workspace, b"".join((*lines[:70], *lines[71:])))
    assert [size < 200 for name, size in stored(home).items() if name not in before] == [True, True]
    assert (after_bytes(workspace, made), before_bytes(workspace, shorter)) == (struck, struck)
    assert verify(workspace) == []


def test_the_disk_grows_with_the_lines_and_not_with_their_square(workspace: FileWorkspace, home: Path) -> None:
    states = grown(workspace, 65)
    assert sum(stored(home).values()) * 8 < sum(map(len, states))
    assert verify(workspace) == []


def test_every_step_of_a_note_that_grew_can_be_taken_back(workspace: FileWorkspace) -> None:
    states = grown(workspace, 40)
    for data in reversed(states[:-1]):
        undo(workspace, origin=Origin.USER, clock=CLOCK)
        assert workspace.read(NOTE).data == data


def test_no_state_hangs_on_a_long_row_of_others(workspace: FileWorkspace, home: Path) -> None:
    states = grown(workspace, 65)
    whole = [data for data in states if file_of(home, data).read_bytes() == data]
    assert 4 <= len(whole) <= 8


def test_prune_makes_whole_what_is_made_from_what_it_removes(workspace: FileWorkspace, home: Path) -> None:
    states = grown(workspace, 12)
    pruned = prune(workspace, keep_days=0, keep_count=3)
    assert pruned.objects == 8
    assert verify(workspace) == []
    for data in reversed(states[-4:-1]):
        undo(workspace, origin=Origin.USER, clock=CLOCK)
        assert workspace.read(NOTE).data == data
    assert len(stored(home)) == 4


def test_erased_bytes_are_in_no_file_and_what_lacks_them_is_left(workspace: FileWorkspace, home: Path) -> None:
    put(workspace, LINE * 100)
    put(workspace, LINE * 100 + b"- the code is 4711\n")
    put(workspace, LINE * 100 + b"- the code is 4711\n- more\n")
    put(workspace, LINE * 100 + b"- more\n")
    last = put(workspace, LINE * 100 + b"- more\n- and more\n")
    erase(workspace, lambda data: b"4711" in data)
    assert not any(b"4711" in file.read_bytes() for file in folder(home).glob("*/*"))
    assert after_bytes(workspace, last) == LINE * 100 + b"- more\n- and more\n"
    assert before_bytes(workspace, last) == LINE * 100 + b"- more\n"
    assert verify(workspace) == []


def test_a_damaged_splice_is_damage_and_is_written_anew_with_the_next_change(
    workspace: FileWorkspace, home: Path
) -> None:
    put(workspace, LINE * 100)
    made = put(workspace, LINE * 101)
    file = file_of(home, LINE * 101)
    file.chmod(0o600)
    file.write_bytes(file.read_bytes() + b"!")
    with pytest.raises(CheckpointDamaged):
        after_bytes(workspace, made)
    assert [problem.kind for problem in verify(workspace)] == ["damaged"]
    put(workspace, LINE * 102)
    assert after_bytes(workspace, made) == LINE * 101
    assert verify(workspace) == []


def test_splices_that_are_made_from_each_other_are_damage_and_no_endless_row(
    workspace: FileWorkspace, home: Path
) -> None:
    put(workspace, LINE * 100)
    made = put(workspace, LINE * 101)
    file = file_of(home, LINE * 101)
    file.chmod(0o600)
    file.write_bytes(Splice(file.name, 3, 1, 0, b"").encode())
    with pytest.raises(CheckpointDamaged):
        after_bytes(workspace, made)


def test_a_note_that_reads_like_a_splice_is_kept_as_it_is(workspace: FileWorkspace) -> None:
    data = Splice("0" * 64, 1, 2, 0, b"words\n").encode()
    made = put(workspace, data)
    put(workspace, b"others\n")
    restored = restore_together(workspace, made.id, Authorship(Origin.USER, "checkpoint_restore", CLOCK), alone=True)[0]
    undo(workspace, origin=Origin.USER, clock=CLOCK)
    assert after_bytes(workspace, made) == data
    assert restored.after is None


@given(
    steps=st.lists(st.tuples(st.integers(0, 200), st.integers(0, 12), st.binary(max_size=8)), min_size=1, max_size=40)
)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_row_of_edits_can_be_walked_back_exactly(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, int, bytes]]
) -> None:
    data, states = b"ab" * 60, []
    with FileWorkspace.open(tmp_path_factory.mktemp("home")) as workspace:
        for at, gone, more in steps:
            data = data[:at] + more + data[at + gone :]
            states.append((put(workspace, data), data))
        for made, state in states:
            assert after_bytes(workspace, made) == state
        assert verify(workspace) == []
