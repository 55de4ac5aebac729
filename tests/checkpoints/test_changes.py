from __future__ import annotations

import stat
from pathlib import Path

import pytest
from checkpoints.one_note import CLOCK, NOTE, journal, objects, put, sha
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast.checkpoints.change import Authorship, Change
from holdfast.checkpoints.change_history import after_bytes, before_bytes, diff, find_change, history
from holdfast.checkpoints.integrity import verify
from holdfast.checkpoints.journal import Kind, Record, encode_record, next_id
from holdfast.checkpoints.note_change import change_note
from holdfast.checkpoints.rollback import restore_together, undo
from holdfast.errors import (
    BadPath,
    Busy,
    CheckpointNotFound,
    NoteChangedOutside,
    TooLarge,
    TwinPath,
    UnsafeFile,
)
from holdfast.guard.origin import Origin
from holdfast.guard.paths import NotePath, writable_path
from holdfast.guard.text_rules import MAX_NOTE_BYTES
from holdfast.guard.write_gate import WriteGate
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.settings.memory_settings import WriteMode


def test_a_change_is_journalled_with_who_did_it_and_why(workspace: FileWorkspace, home: Path) -> None:
    made = change_note(workspace, NOTE, lambda _: b"1", Authorship(Origin.MCP_TOOL, "memory_save", CLOCK, "why"))
    assert made == Change(made.id, 1, "memory/note.md", None, sha(b"1"), "mcp_tool", "memory_save", "why", CLOCK.now())
    assert made.id[0] == "c"
    assert len(made.id) == 13
    assert history(workspace) == [made]
    assert workspace.read(NOTE).data == b"1"
    assert (before_bytes(workspace, made), after_bytes(workspace, made)) == (None, b"1")
    assert [stat.S_IMODE(file.stat().st_mode) for file in objects(home)] == [0o400]
    assert verify(workspace) == []


def test_an_edit_sees_the_old_bytes_and_may_delete_or_leave_the_note(workspace: FileWorkspace, home: Path) -> None:
    put(workspace, b"1")
    seen: list[bytes | None] = []

    def look(old: bytes | None) -> bytes | None:
        seen.append(old)
        return old

    inode = (home / "memory" / "note.md").stat().st_ino
    same = change_note(workspace, NOTE, look, Authorship(Origin.USER, "test", CLOCK))
    assert (same.before, same.after) == (sha(b"1"), sha(b"1"))
    assert (home / "memory" / "note.md").stat().st_ino == inode
    gone = put(workspace, None)
    assert (gone.before, gone.after) == (sha(b"1"), None)
    assert not workspace.exists(NOTE)
    nothing = change_note(workspace, NOTE, look, Authorship(Origin.USER, "test", CLOCK))
    assert (nothing.before, nothing.after) == (None, None)
    assert seen == [b"1", None]
    assert [each.seq for each in history(workspace)] == [4, 3, 2, 1]


def test_an_edit_that_raises_changes_nothing(workspace: FileWorkspace) -> None:
    put(workspace, b"1")

    def fail(_: bytes | None) -> bytes | None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        change_note(workspace, NOTE, fail, Authorship(Origin.USER, "test", CLOCK))
    assert workspace.read(NOTE).data == b"1"
    assert len(history(workspace)) == 1
    put(workspace, b"2")


def test_an_edit_can_not_change_another_note_meanwhile(workspace: FileWorkspace) -> None:
    def nested(_: bytes | None) -> bytes | None:
        put(workspace, b"inner", writable_path("memory/other.md"))
        return b"outer"

    with pytest.raises(Busy):
        change_note(workspace, NOTE, nested, Authorship(Origin.USER, "test", CLOCK))
    assert history(workspace) == []


def test_the_expected_hash_guards_against_what_was_not_seen(workspace: FileWorkspace) -> None:
    put(workspace, b"1", expected_hash="")
    with pytest.raises(NoteChangedOutside):
        put(workspace, b"2", expected_hash="")
    put(workspace, b"2", expected_hash=sha(b"1"))
    with pytest.raises(NoteChangedOutside) as caught:
        put(workspace, b"3", expected_hash=sha(b"1"))
    assert (caught.value.expected, caught.value.found) == (sha(b"1"), sha(b"2"))
    with pytest.raises(NoteChangedOutside):
        put(workspace, b"3", writable_path("memory/none.md"), expected_hash=sha(b"1"))
    assert len(history(workspace)) == 2


def test_refusals_leave_no_line_in_the_journal(workspace: FileWorkspace, home: Path) -> None:
    put(workspace, b"1")
    with pytest.raises(TwinPath):
        put(workspace, b"2", writable_path("memory/NOTE.md"))
    with pytest.raises(TooLarge):
        put(workspace, b"x" * (MAX_NOTE_BYTES + 1))
    with pytest.raises(BadPath):
        put(workspace.with_gate(WriteGate(WriteMode.HYBRID)), b"2", NotePath("memory/deep/note.md"))
    with pytest.raises(BadPath):
        put(workspace, b"2", NotePath("memory/deep/no:te.md"))
    (home / "memory" / "link.md").symlink_to(home / "holdfast.toml")
    with pytest.raises(UnsafeFile):
        put(workspace, b"2", writable_path("memory/link.md"))
    assert len(journal(home).read_bytes().splitlines()) == 2


def test_the_legacy_name_is_the_one_in_the_history(workspace: FileWorkspace, home: Path) -> None:
    (home / "memory.md").write_bytes(b"old")
    made = put(workspace, b"new", writable_path("MEMORY.md"))
    assert made.path == "memory.md"
    assert (home / "memory.md").read_bytes() == b"new"
    restore_together(workspace, made.id, Authorship(Origin.USER, "checkpoint_restore", CLOCK), alone=True)
    assert (home / "memory.md").read_bytes() == b"old"


def test_agents_have_histories_of_their_own(workspace: FileWorkspace, home: Path) -> None:
    put(workspace, b"main")
    with FileWorkspace.open(home, "nova") as nova:
        assert history(nova) == []
        assert verify(nova) == []
        put(nova, b"nova")
        assert len(history(nova)) == len(history(workspace)) == 1
        with pytest.raises(CheckpointNotFound):
            find_change(nova, history(workspace)[0].id)


def test_history_is_newest_first_and_can_be_narrowed(workspace: FileWorkspace) -> None:
    other = writable_path("memory/other.md")
    for number in range(6):
        put(workspace, b"%d" % number, (NOTE, other)[number % 2])
    assert [each.seq for each in history(workspace, limit=3)] == [6, 5, 4]
    assert [each.seq for each in history(workspace, path="memory/other.md", limit=2)] == [6, 4]
    assert history(workspace, path="memory/none.md") == []
    assert history(workspace, limit=0) == []


def test_a_checkpoint_is_found_by_its_id_or_a_unique_prefix(workspace: FileWorkspace) -> None:
    with pytest.raises(CheckpointNotFound):
        find_change(workspace, "c000")
    made = [put(workspace, b"%d" % number) for number in range(30)]
    assert len({each.id for each in made}) == 30
    for each in made:
        assert find_change(workspace, each.id) == each
        if sum(other.id.startswith(each.id[:5]) for other in made) == 1:
            assert find_change(workspace, each.id[:5]) == each
    for bad in ("", made[0].id[:3], "c00000000000", made[0].id + "0"):
        with pytest.raises(CheckpointNotFound):
            find_change(workspace, bad)


def test_a_prefix_of_several_ids_is_not_found(workspace: FileWorkspace, home: Path) -> None:
    put(workspace, b"1")
    lines = [Record(Kind.change, seq, f"cabc{seq:09x}", "memory/note.md", None, None, "user", "test") for seq in (5, 6)]
    with journal(home).open("ab") as file:
        for line in lines:
            file.write(encode_record(line))
            file.write(encode_record(Record(Kind.done, line.seq, line.id)))
    with pytest.raises(CheckpointNotFound, match="several"):
        find_change(workspace, "cabc")


def test_ids_do_not_repeat_and_spread_their_first_digits() -> None:
    seen = ["c000000000000"]
    for _ in range(5_000):
        seen.append(next_id(seen[-1]))
    assert len(set(seen)) == len(seen)
    assert len({each[:4] for each in seen[:1_000]}) == 1_000


def test_restore_puts_the_bytes_back_and_is_itself_a_change(workspace: FileWorkspace) -> None:
    first = put(workspace, b"one\r\n")
    second = put(workspace, b"two")
    back = restore_together(workspace, second.id[:8], Authorship(Origin.USER, "checkpoint_restore", CLOCK), alone=True)[
        0
    ]
    assert workspace.read(NOTE).data == b"one\r\n"
    assert (back.tool, back.before, back.after) == ("checkpoint_restore", sha(b"two"), sha(b"one\r\n"))
    assert second.id in back.reason
    restore_together(workspace, back.id, Authorship(Origin.USER, "cli", CLOCK, "again"), alone=True)
    assert workspace.read(NOTE).data == b"two"
    restore_together(workspace, first.id, Authorship(Origin.USER, "checkpoint_restore", CLOCK), alone=True)
    assert not workspace.exists(NOTE)
    with pytest.raises(NoteChangedOutside):
        restore_together(
            workspace,
            second.id,
            Authorship(Origin.USER, "checkpoint_restore", CLOCK),
            expected_hash=sha(b"x"),
            alone=True,
        )
    with pytest.raises(CheckpointNotFound):
        restore_together(workspace, "cffffffffffff", Authorship(Origin.USER, "checkpoint_restore", CLOCK), alone=True)


def test_undo_steps_back_once_for_each_call(workspace: FileWorkspace) -> None:
    for number in range(4):
        put(workspace, b"%d" % number)
    for expected in (b"2", b"1", b"0", None):
        done = undo(workspace, origin=Origin.USER, clock=CLOCK)
        assert done.undoes is not None
        assert (workspace.read(NOTE).data if workspace.exists(NOTE) else None) == expected
    with pytest.raises(CheckpointNotFound, match="no change to take back"):
        undo(workspace, origin=Origin.USER, clock=CLOCK)


def test_undo_skips_what_changed_nothing_and_goes_on_after_new_changes(workspace: FileWorkspace) -> None:
    put(workspace, b"1")
    put(workspace, b"2")
    put(workspace, b"2")
    undo(workspace, origin=Origin.USER, clock=CLOCK)
    assert workspace.read(NOTE).data == b"1"
    put(workspace, b"3")
    undo(workspace, origin=Origin.USER, clock=CLOCK)
    assert workspace.read(NOTE).data == b"1"
    undo(workspace, origin=Origin.USER, clock=CLOCK)
    assert not workspace.exists(NOTE)


def test_undo_of_one_note_leaves_the_others(workspace: FileWorkspace) -> None:
    other = writable_path("memory/other.md")
    put(workspace, b"1")
    put(workspace, b"1", other)
    undo(workspace, path="memory/note.md", origin=Origin.USER, clock=CLOCK)
    assert not workspace.exists(NOTE)
    assert workspace.exists(other)
    with pytest.raises(CheckpointNotFound, match=r"memory/note\.md"):
        undo(workspace, path="memory/note.md", origin=Origin.USER, clock=CLOCK)


def test_undo_refuses_to_overwrite_an_outside_edit_unless_forced(workspace: FileWorkspace, home: Path) -> None:
    put(workspace, b"1")
    put(workspace, b"2")
    (home / "memory" / "note.md").write_bytes(b"mine")
    with pytest.raises(NoteChangedOutside):
        undo(workspace, origin=Origin.USER, clock=CLOCK)
    assert workspace.read(NOTE).data == b"mine"
    forced = undo(workspace, origin=Origin.USER, clock=CLOCK, force=True)
    assert workspace.read(NOTE).data == b"1"
    assert before_bytes(workspace, forced) == b"mine"


def test_undo_of_a_delete_brings_the_note_back(workspace: FileWorkspace) -> None:
    put(workspace, b"1")
    put(workspace, None)
    undo(workspace, origin=Origin.USER, clock=CLOCK)
    assert workspace.read(NOTE).data == b"1"


def test_a_diff_shows_lines_and_what_is_special_about_them(workspace: FileWorkspace, home: Path) -> None:
    first = put(workspace, b"a\nb\n")
    second = put(workspace, b"a\r\nb")
    assert diff(workspace, first.id).splitlines() == [
        "--- /dev/null",
        f"+++ memory/note.md after {first.id}",
        "@@ -0,0 +1,2 @@",
        "+a",
        "+b",
    ]
    assert diff(workspace, second.id).splitlines()[2:] == [
        "@@ -1,2 +1,2 @@",
        "-a",
        "-b",
        "+a␍",
        "+b",
        "\\ No newline at end of file",
    ]
    (home / "memory" / "note.md").write_bytes(b"a\nb\nc \xff\n")
    now = diff(workspace, second.id, against_now=True).splitlines()
    assert now[1] == "+++ memory/note.md now"
    assert now[-1] == "+c \\xff"
    (home / "memory" / "note.md").unlink()
    assert diff(workspace, second.id, against_now=True).splitlines()[1] == "+++ /dev/null"
    same = put(workspace, None)
    assert diff(workspace, same.id) == ""


def test_a_diff_of_two_crlf_versions_is_as_readable_as_any(workspace: FileWorkspace) -> None:
    put(workspace, b"a\r\nb\r\n")
    made = put(workspace, b"a\r\nc\r\n")
    assert diff(workspace, made.id).splitlines()[3:] == [" a", "-b", "+c"]


def test_a_diff_of_very_many_lines_shows_the_changed_middle(workspace: FileWorkspace) -> None:
    put(workspace, b"x\n" * 30_000)
    made = put(workspace, b"x\n" * 10_000 + b"y\n" + b"x\n" * 20_000)
    assert diff(workspace, made.id).splitlines()[2:] == ["@@ -10000,0 +10001,1 @@", "+y"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=25)
@given(versions=st.lists(st.none() | st.binary(max_size=20), min_size=1, max_size=8), data=st.data())
def test_any_state_of_any_history_can_be_restored_exactly(
    workspace: FileWorkspace, versions: list[bytes | None], data: st.DataObject
) -> None:
    previous = workspace.read(NOTE).data if workspace.exists(NOTE) else None
    made = []
    for version in versions:
        made.append((put(workspace, version), previous))
        previous = version
    chosen, expected = data.draw(st.sampled_from(made))
    restore_together(workspace, chosen.id, Authorship(Origin.USER, "checkpoint_restore", CLOCK), alone=True)
    assert (workspace.read(NOTE).data if workspace.exists(NOTE) else None) == expected
