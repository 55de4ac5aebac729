from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import pytest
from checkpoints.one_note import CLOCK, NOTE, journal, objects, put, sha
from hypothesis import given
from hypothesis import strategies as st

from holdfast.checkpoints.change import Authorship, Change
from holdfast.checkpoints.change_history import after_bytes, before_bytes, history
from holdfast.checkpoints.integrity import verify
from holdfast.checkpoints.journal import Kind, Record, encode_record, next_id, parse_record
from holdfast.checkpoints.note_change import change_note
from holdfast.checkpoints.retention import Pruned, erase, prune, purge
from holdfast.checkpoints.rollback import restore_together
from holdfast.clock import FakeClock
from holdfast.errors import (
    BadArgument,
    CheckpointDamaged,
    UnsafeFile,
)
from holdfast.guard.origin import Origin
from holdfast.guard.paths import writable_path
from holdfast.notes.file_workspace import FileWorkspace


def test_missing_and_changed_objects_are_damage(workspace: FileWorkspace, home: Path) -> None:
    first = put(workspace, b"1")
    second = put(workspace, b"2")
    third = put(workspace, b"3")
    one, two = (
        home / "state" / "checkpoints" / "main" / "objects" / sha(data)[:2] / sha(data) for data in (b"1", b"2")
    )
    one.unlink()
    two.chmod(0o600)
    two.write_bytes(b"tampered")
    for made, why in ((second, "missing"), (third, "not those")):
        with pytest.raises(CheckpointDamaged) as caught:
            before_bytes(workspace, made)
        assert why in caught.value.why
        with pytest.raises(CheckpointDamaged):
            restore_together(workspace, made.id, Authorship(Origin.USER, "checkpoint_restore", CLOCK), alone=True)
    assert workspace.read(NOTE).data == b"3"
    kinds = {(problem.kind, problem.subject) for problem in verify(workspace)}
    assert ("missing", second.id) in kinds or ("missing", first.id) in kinds
    assert any(kind == "damaged" for kind, _ in kinds)
    two.unlink()
    two.symlink_to(home / "memory" / "note.md")
    with pytest.raises(CheckpointDamaged, match="plain file"):
        before_bytes(workspace, third)
    assert any(problem.kind == "damaged" for problem in verify(workspace))


def test_bytes_of_a_change_without_any_store_are_damage(workspace: FileWorkspace) -> None:
    ghost = Change("c000000000000", 1, "memory/a.md", None, sha(b""), "user", "t", "", 0.0)
    assert before_bytes(workspace, ghost) is None
    with pytest.raises(CheckpointDamaged):
        after_bytes(workspace, ghost)


def test_a_tampered_object_is_written_anew_when_its_bytes_are_stored_again(
    workspace: FileWorkspace, home: Path
) -> None:
    put(workspace, b"1")
    file = objects(home)[0]
    file.chmod(0o600)
    file.write_bytes(b"x")
    made = put(workspace, b"2")
    assert before_bytes(workspace, made) == b"1"
    assert verify(workspace) == []


def test_verify_tells_of_spare_objects_bad_lines_and_wrong_order(workspace: FileWorkspace, home: Path) -> None:
    put(workspace, b"1")
    whole = journal(home).read_bytes()
    spare = home / "state" / "checkpoints" / "main" / "objects" / sha(b"s")[:2]
    spare.mkdir(exist_ok=True)
    (spare / sha(b"s")).write_bytes(b"s")
    journal(home).write_bytes(b'{"kind":"odd"}\n[]\n\n' + whole + whole + b'{"kind":"cha')
    problems = verify(workspace)
    assert sorted(problem.kind for problem in problems) == ["line", "line", "order", "torn", "unreferenced"]
    assert len(history(workspace)) == 2


@pytest.mark.parametrize("keep", [1, 10, 40])
def test_a_torn_last_line_is_ignored_reported_and_repaired(workspace: FileWorkspace, home: Path, keep: int) -> None:
    put(workspace, b"1")
    whole = journal(home).read_bytes()
    journal(home).write_bytes(whole + whole[:keep])
    assert len(history(workspace)) == 1
    assert [problem.kind for problem in verify(workspace)] == ["torn"]
    made = put(workspace, b"2")
    assert made.seq == 2
    assert verify(workspace) == []
    assert journal(home).read_bytes().startswith(whole)


@pytest.mark.parametrize(
    "holes", [b"\0" * 40, b"\0" * 40 + b"\n", b"\0" * 9 + b"\n" + b"\0" * 9 + b'{"kind":"change"}\n']
)
def test_a_hole_that_a_power_cut_left_at_the_end_is_cut_off(workspace: FileWorkspace, home: Path, holes: bytes) -> None:
    put(workspace, b"1")
    whole = journal(home).read_bytes()
    journal(home).write_bytes(whole + holes)
    assert len(history(workspace)) == 1
    assert put(workspace, b"2").seq == 2
    assert verify(workspace) == []
    assert journal(home).read_bytes().startswith(whole)


def test_a_hole_with_records_behind_it_stays_and_is_told_of(workspace: FileWorkspace, home: Path) -> None:
    put(workspace, b"1")
    put(workspace, b"2")
    first, *others = journal(home).read_bytes().splitlines(keepends=True)
    journal(home).write_bytes(b"".join((first, b"\0" * 9 + b"\n", *others)))
    put(workspace, b"3")
    assert [problem.kind for problem in verify(workspace)] == ["line"]
    assert len(history(workspace)) == 3


def test_a_last_line_that_only_lacks_its_end_is_kept(workspace: FileWorkspace, home: Path) -> None:
    put(workspace, b"1")
    journal(home).write_bytes(journal(home).read_bytes()[:-1])
    assert len(history(workspace)) == 1
    assert put(workspace, b"2").seq == 2
    assert verify(workspace) == []
    assert len(history(workspace)) == 2


def test_a_change_left_open_is_settled_by_looking_at_the_note(workspace: FileWorkspace, home: Path) -> None:
    def leave_open(seq: int, before: bytes, after: bytes) -> None:
        last = parse_record(journal(home).read_bytes().splitlines()[-1])
        assert last is not None
        record = Record(Kind.change, seq, next_id(last.id), NOTE.text, sha(before), sha(after), "user", "test", "", 1.0)
        with journal(home).open("ab") as file:
            file.write(encode_record(record))

    put(workspace, b"1")
    leave_open(2, b"1", b"2")
    assert [each.seq for each in history(workspace)] == [1]
    (home / "memory" / "note.md").write_bytes(b"2")
    assert [each.seq for each in history(workspace)] == [2, 1]
    (home / "memory" / "note.md").write_bytes(b"1")
    assert put(workspace, b"3").seq == 3
    assert [each.seq for each in history(workspace)] == [3, 1]
    leave_open(4, b"3", b"4")
    (home / "memory" / "note.md").write_bytes(b"4")
    assert put(workspace, b"5").seq == 5
    leave_open(6, b"5", b"6")
    (home / "memory" / "note.md").write_bytes(b"outside")
    assert put(workspace, b"7").seq == 7
    assert [each.seq for each in history(workspace)] == [7, 6, 5, 4, 3, 1]
    leave_open(8, b"7", b"8")
    (home / "memory" / "note.md").unlink()
    (home / "memory" / "note.md").symlink_to(home / "x")
    assert history(workspace)[0].seq == 8


def test_a_journal_of_many_blocks_is_read_from_its_end(workspace: FileWorkspace, home: Path) -> None:
    put(workspace, b"0", reason="r" * 200_000)
    for number in range(1, 40):
        put(workspace, b"%d" % number, reason="ü\n" * 1_000)
    assert len(journal(home).read_bytes()) > 3 * 64 * 1024
    assert [each.seq for each in history(workspace, limit=100)] == list(range(40, 0, -1))
    assert history(workspace, limit=100)[-1].reason == "r" * 200_000


def test_a_journal_that_is_a_link_is_unsafe(workspace: FileWorkspace, home: Path, tmp_path: Path) -> None:
    put(workspace, b"1")
    os.link(journal(home), tmp_path / "second")
    with pytest.raises(UnsafeFile):
        put(workspace, b"2")
    with pytest.raises(UnsafeFile):
        history(workspace)
    assert workspace.read(NOTE).data == b"1"


@given(
    st.builds(
        Record,
        st.sampled_from(Kind),
        st.integers(1, 2**40),
        st.integers(0, 2**48 - 1).map(lambda number: f"c{number:012x}"),
        st.text(),
        st.none() | st.just("0" * 64),
        st.none() | st.just("f" * 64),
        st.text(),
        st.text(),
        st.text(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.none() | st.just("c000000000000"),
        st.text(),
        st.integers(0, 3),
        st.integers(3, 9),
    )
)
def test_a_record_comes_back_from_its_line(record: Record) -> None:
    line = encode_record(record)
    assert line.count(b"\n") == 1
    assert parse_record(line) == record
    assert parse_record(line[:-2]) is None


@given(st.binary(max_size=100) | st.from_regex(rb'\{"kind":"(change|done)","seq":.{0,20}\}', fullmatch=True))
def test_any_line_is_a_record_or_nothing(line: bytes) -> None:
    assert parse_record(line) is None or isinstance(parse_record(line), Record)


@pytest.mark.parametrize(
    "fields",
    [
        '"seq":true,"id":"c000000000000"',
        '"seq":0,"id":"c000000000000"',
        '"seq":1,"id":"x"',
        '"seq":1,"id":7',
        '"seq":1,"id":"c000000000000","path":1',
        '"seq":1,"id":"c000000000000","at":"x"',
        '"seq":1,"id":"c000000000000","before":"../../x"',
        '"seq":1,"id":"c000000000000","after":1',
        '"seq":1,"id":"c000000000000","undoes":1',
        '"seq":1,"id":"c000000000000","odd":1',
        '"id":"c000000000000"',
    ],
)
def test_lines_with_fields_that_do_not_fit_are_no_records(fields: str) -> None:
    assert parse_record(f'{{"kind":"change",{fields}}}'.encode()) is None


def test_prune_keeps_the_newest_of_each_note_and_the_objects_they_need(workspace: FileWorkspace, home: Path) -> None:
    other = writable_path("memory/other.md")
    put(workspace, b"shared", other)
    for number in range(10):
        put(workspace, b"%d" % number)
    pruned = prune(workspace, keep_days=0, keep_count=3)
    assert pruned.changes == 7
    assert [each.seq for each in history(workspace)] == [11, 10, 9, 1]
    assert verify(workspace) == []
    assert {sha(data) for data in (b"shared", b"6", b"7", b"8", b"9")} == {file.name for file in objects(home)}
    assert (pruned.objects, pruned.bytes) == (6, 6)
    assert prune(workspace, keep_days=0, keep_count=3) == Pruned(0, 0, 0)
    assert (
        restore_together(
            workspace, history(workspace)[2].id, Authorship(Origin.USER, "checkpoint_restore", CLOCK), alone=True
        )[0].seq
        == 12
    )


def test_prune_of_everything_goes_on_counting(workspace: FileWorkspace) -> None:
    assert prune(workspace, keep_days=0, keep_count=0) == Pruned(0, 0, 0)
    first = put(workspace, b"1")
    assert prune(workspace, keep_days=0, keep_count=0).changes == 1
    assert history(workspace) == []
    assert prune(workspace, keep_days=0, keep_count=0) == Pruned(0, 0, 0)
    second = put(workspace, b"2")
    assert (second.seq, second.id) == (2, next_id(first.id))
    assert prune(workspace, keep_days=0, keep_count=0).changes == 1
    assert put(workspace, b"3").seq == 3
    for wrong in ({"keep_days": -1, "keep_count": 0}, {"keep_days": 0, "keep_count": -1}):
        with pytest.raises(BadArgument):
            prune(workspace, **wrong)


def test_prune_and_purge_keep_lines_that_they_can_not_read(workspace: FileWorkspace, home: Path) -> None:
    put(workspace, b"1")
    whole = journal(home).read_bytes()
    later = whole.splitlines()[0].replace(b'"change"', b'"from a later version"').replace(b"note.md", b"kept.md")
    put(workspace, b"2", writable_path("memory/other.md"))
    journal(home).write_bytes(whole.replace(b'"seq"', b'"SEQ"') + later + b"\n" + journal(home).read_bytes())
    assert prune(workspace, keep_days=0, keep_count=0).changes == 2
    assert journal(home).read_bytes().count(b"SEQ") == 2
    assert {file.name for file in objects(home)} == {sha(b"1")}
    put(workspace, b"3")
    purge(workspace, path="memory/note.md")
    assert b"from a later version" in journal(home).read_bytes()
    assert journal(home).read_bytes().count(b"memory/note.md") == 1


def test_prune_drops_what_was_abandoned_with_its_bytes(workspace: FileWorkspace, home: Path) -> None:
    first = put(workspace, b"1")
    second = put(workspace, b"2")
    third = put(workspace, b"3")
    lines = journal(home).read_bytes().splitlines(keepends=True)
    lines[3] = encode_record(Record(Kind.abandoned, second.seq, second.id))
    journal(home).write_bytes(b"".join(lines))
    assert prune(workspace, keep_days=9, keep_count=9).changes == 0
    assert [each.id for each in history(workspace)] == [third.id, first.id]
    assert journal(home).read_bytes() == b"".join((*lines[:2], *lines[4:]))


@pytest.mark.fault
def test_prune_takes_no_memory_for_each_change(workspace: FileWorkspace, home: Path) -> None:
    put(workspace, b"1")
    change, _ = journal(home).read_bytes().splitlines(keepends=True)
    record = parse_record(change)
    assert record is not None

    def peak(changes: int) -> int:
        """Return the bytes that a pruning of so many changes takes for a moment."""
        numbered = (record._replace(seq=seq, id=f"c{seq:012x}") for seq in range(1, changes + 1))
        journal(home).write_bytes(b"".join(map(encode_record, numbered)))
        tracemalloc.start()
        try:
            assert prune(workspace, keep_days=30, keep_count=1) == Pruned(0, 0, 0)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(100)  # loads what it imports
    # Of a hash 32 bytes are kept; with all records in memory it was some 800 for each change.
    assert peak(4_000) - peak(1_000) < 3_000 * 150


def test_prune_by_days_counts_the_dates_that_occur(workspace: FileWorkspace) -> None:
    clock = FakeClock()
    for number in range(5):
        for part in range(2):
            change_note(
                workspace,
                NOTE,
                lambda _, data=b"%d.%d" % (number, part): data,  # type: ignore[misc]
                Authorship(Origin.USER, "test", clock),
            )
        clock.advance(86_400)
    assert prune(workspace, keep_days=5, keep_count=1).changes == 0
    assert prune(workspace, keep_days=3, keep_count=1).changes == 4
    assert prune(workspace, keep_days=3, keep_count=1).changes == 0
    assert [each.seq for each in history(workspace)] == [10, 9, 8, 7, 6, 5]


def test_purge_removes_every_trace_of_one_note_and_says_so(workspace: FileWorkspace, home: Path) -> None:
    other = writable_path("memory/other.md")
    put(workspace, b"shared", other)
    put(workspace, b"shared")
    put(workspace, b"my secret")
    put(workspace, None)
    pruned = purge(workspace, path="memory/note.md")
    assert pruned == Pruned(3, 1, len(b"my secret"))
    assert [each.path for each in history(workspace)] == ["memory/other.md"]
    text = journal(home).read_bytes()
    assert text.count(b"memory/note.md") == 1
    assert b'"purged"' in text
    assert not any(b"secret" in file.read_bytes() for file in objects(home))
    assert verify(workspace) == []
    assert purge(workspace, path="memory/none.md") == Pruned(0, 0, 0)
    assert put(workspace, b"new").seq == 6


def test_erase_removes_the_changes_that_hold_something_and_no_others(workspace: FileWorkspace, home: Path) -> None:
    other = writable_path("memory/other.md")
    kept = [put(workspace, b"one").id, put(workspace, b"other", other).id]
    put(workspace, b"my secret")
    put(workspace, b"two")
    kept.append(put(workspace, b"three").id)
    with journal(home).open("ab") as file:
        digest = next(one.name for one in objects(home) if b"secret" in one.read_bytes())
        file.write(b'{"kind":"from a later version","before":"' + digest.encode() + b'"}\n')
    assert erase(workspace, lambda data: b"secret" in data).changes == 2
    assert [each.id for each in history(workspace)] == kept[::-1]
    assert not any(b"secret" in one.read_bytes() for one in objects(home))
    assert digest.encode() not in journal(home).read_bytes()
    assert verify(workspace) == []
    assert erase(workspace, lambda data: b"secret" in data) == Pruned(0, 0, 0)
    assert erase(workspace, lambda _: False, paths=["memory/other.md"]).changes == 1
    assert b"other.md" not in journal(home).read_bytes()
    assert put(workspace, b"four").seq == 6
