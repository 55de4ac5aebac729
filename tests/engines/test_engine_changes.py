"""What every engine promises of changes: history, undo, groups, forgetting, and a request that is sent twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from engines.engine import Engine

from holdfast.checkpoints.batch import apply_batch
from holdfast.checkpoints.blame import BlameReader
from holdfast.checkpoints.change import Authorship, Change, change_unrecorded
from holdfast.checkpoints.change_history import after_bytes, before_bytes, diff, find_change, history
from holdfast.checkpoints.change_id import use_change_id
from holdfast.checkpoints.checkpoint_store import journal_stamp, open_for_reading
from holdfast.checkpoints.group import Step, apply_group
from holdfast.checkpoints.integrity import verify
from holdfast.checkpoints.note_change import change_note, locked_store
from holdfast.checkpoints.profile_change import change_profile, erase_profile, profile_changes, undo_profile
from holdfast.checkpoints.retention import erase, prune, purge
from holdfast.checkpoints.rollback import restore_together, undo, undo_together
from holdfast.clock import Clock, FakeClock
from holdfast.errors import BadArgument, CheckpointNotFound, KeyUsed, NoteChangedOutside, NoteNotFound, TooLarge
from holdfast.guard.origin import Origin
from holdfast.guard.paths import readable_path, writable_path
from holdfast.guard.text_rules import MAX_NOTE_BYTES
from holdfast.notes.profile_file import read_profile
from holdfast.notes.workspace import Workspace

A, B, C = "memory/a.md", "memory/b.md", "memory/c.md"
CLOCK = FakeClock()
OWN = "c0123456789ab"


@pytest.fixture
def workspace(engine: Engine) -> Iterator[Workspace]:
    with closing(engine.workspace()) as opened:
        yield opened


def put(workspace: Workspace, path: str, data: bytes | None, *, clock: Clock = CLOCK, **more: str) -> Change:
    authorship = Authorship(Origin(more.pop("origin", "user")), "test", clock, more.pop("reason", ""))
    return change_note(workspace, writable_path(path), lambda _: data, authorship, **more)


def together(workspace: Workspace, *steps: Step) -> list[Change]:
    with locked_store(workspace) as place:
        return apply_group(place, steps, Authorship(Origin.AGENT, "test", CLOCK, "as one"))


def add(workspace: Workspace, data: bytes) -> Change:
    def edit(old: bytes | None) -> bytes:
        return (old or b"") + data

    return change_note(workspace, writable_path(A), edit, Authorship(Origin.USER, "test", CLOCK))


def replacement(data: bytes) -> Callable[[bytes | None], bytes]:
    return lambda _: data


def notes(workspace: Workspace) -> dict[str, bytes]:
    return {note.path: workspace.read(note.path).data for note in workspace.walk().found}


def test_a_change_is_told_with_its_bytes_before_and_after(workspace: Workspace) -> None:
    assert history(workspace) == [] and verify(workspace) == []
    stamp = journal_stamp(workspace)
    first = put(workspace, A, b"one\n")
    second = put(workspace, A, b"two\n", reason="because\n\0é")
    third = put(workspace, A, None)
    told = history(workspace)
    assert [change.id for change in told] == [third.id, second.id, first.id]
    assert [change.seq for change in told] == [3, 2, 1]
    assert (told[0].before, told[0].after, told[2].before) == (second.after, None, None)
    assert (told[1].tool, told[1].origin, told[1].path, told[1].at) == ("test", "user", A, CLOCK.now())
    assert (before_bytes(workspace, second), after_bytes(workspace, second)) == (b"one\n", b"two\n")
    assert "-one" in diff(workspace, second.id) and "+two" in diff(workspace, second.id)
    assert find_change(workspace, second.id[:8]) == told[1]
    with pytest.raises(CheckpointNotFound):
        find_change(workspace, "c99")
    assert history(workspace, path=B) == [] and len(history(workspace, limit=2)) == 2
    assert journal_stamp(workspace) != stamp and verify(workspace) == []


def test_a_change_that_fails_leaves_no_trace(workspace: Workspace) -> None:
    kept = put(workspace, A, b"one")
    with pytest.raises(NoteChangedOutside):
        put(workspace, A, b"two", expected_hash="")
    with pytest.raises(TooLarge):
        put(workspace, A, b"x" * (MAX_NOTE_BYTES + 1))
    with pytest.raises(ZeroDivisionError):
        change_note(workspace, writable_path(A), lambda _: b"%d" % (1 // 0), Authorship(Origin.USER, "t", CLOCK))
    assert notes(workspace) == {A: b"one"} and [one.id for one in history(workspace)] == [kept.id]
    assert verify(workspace) == []


def test_undo_steps_back_and_restore_puts_back(workspace: Workspace) -> None:
    made = [put(workspace, A, data) for data in (b"one", b"two", b"three")]
    undo(workspace, origin=Origin.USER, clock=CLOCK)
    undo(workspace, origin=Origin.USER, clock=CLOCK)
    assert notes(workspace) == {A: b"one"}
    restore_together(workspace, made[2].id, Authorship(Origin.USER, "checkpoint_restore", CLOCK), alone=True)
    assert notes(workspace) == {A: b"two"}
    restore_together(workspace, made[0].id, Authorship(Origin.USER, "checkpoint_restore", CLOCK), alone=True)
    assert notes(workspace) == {}
    with pytest.raises(CheckpointNotFound):
        undo(workspace, path=B, origin=Origin.USER, clock=CLOCK)


def test_an_undo_does_not_take_what_was_changed_since(workspace: Workspace) -> None:
    put(workspace, A, b"one")
    change_unrecorded(workspace, readable_path(A), b"by hand", expected_hash=workspace.read(A).hash)
    with pytest.raises(NoteChangedOutside):
        undo(workspace, origin=Origin.USER, clock=CLOCK)
    undo(workspace, origin=Origin.USER, clock=CLOCK, force=True)
    assert notes(workspace) == {}


def test_a_group_happens_whole_or_not_at_all_and_is_undone_as_one(workspace: Workspace) -> None:
    put(workspace, B, b"b")
    with pytest.raises(NoteChangedOutside):
        together(workspace, Step(A, b"a", ""), Step(B, b"bb", ""), Step(C, b"c", ""))
    assert notes(workspace) == {B: b"b"}
    made = together(workspace, Step(A, b"a", ""), Step(B, None, None), Step(C, b"c", ""))
    assert [(one.group, one.step, one.steps) for one in made] == [(made[0].id, step, 3) for step in (1, 2, 3)]
    assert notes(workspace) == {A: b"a", C: b"c"}
    assert len(undo_together(workspace, origin=Origin.USER, clock=CLOCK)) == 3
    assert notes(workspace) == {B: b"b"} and verify(workspace) == []


def test_many_notes_are_changed_as_one(workspace: Workspace) -> None:
    edits = {writable_path(f"memory/n{number}.md"): lambda old: (old or b"") + b"x" for number in range(40)}
    for expected in (b"x", b"xx"):
        with locked_store(workspace) as place:
            made = apply_batch(place, edits, Authorship(Origin.USER, "test", CLOCK))
        assert len(made) == 40 and set(notes(workspace).values()) == {expected}
    undo_together(workspace, origin=Origin.USER, clock=CLOCK)
    assert set(notes(workspace).values()) == {b"x"} and verify(workspace) == []


def test_a_request_that_is_sent_again_finds_what_it_did(workspace: Workspace) -> None:
    add(workspace, b"one ")
    for _ in range(3):
        with use_change_id(OWN):
            assert add(workspace, b"two ").id == OWN
    add(workspace, b"three ")
    with use_change_id(OWN):
        assert add(workspace, b"two ").id == OWN
        assert add(workspace, b"four ").id != OWN  # a second change of the same request is another
    assert workspace.read(A).data == b"one two three four "
    for _ in range(2):
        with use_change_id("c00000000000f"):
            made = together(workspace, Step(B, b"b", None), Step(C, b"c", None))
        assert made[0].id == "c00000000000f" and len(made) == 2
    assert len(history(workspace)) == 6
    with pytest.raises(BadArgument), use_change_id("mine"):
        raise AssertionError("it is no id")


def test_an_id_is_for_one_request_and_finds_what_that_undid(workspace: Workspace) -> None:
    def ask(request: str, text: bytes) -> Change:
        with use_change_id(OWN, request):
            return add(workspace, text)

    assert ask("first", b"one ") == ask("first", b"one ")
    with pytest.raises(KeyUsed, match=OWN):
        ask("other", b"two ")
    assert workspace.read(A).data == b"one " and verify(workspace) == []
    add(workspace, b"two ")
    together(workspace, Step(B, b"b", None), Step(C, b"c", None))
    undone = []
    for _ in range(2):
        with use_change_id("c00000000000f", "undo"):
            undone.append(undo_together(workspace, origin=Origin.USER, clock=CLOCK))
    assert undone[0] == undone[1] and len(undone[0]) == 2 and notes(workspace) == {A: b"one two "}
    for _ in range(2):
        with use_change_id("c000000000010", "undo"):
            undo(workspace, origin=Origin.USER, clock=CLOCK)
    assert workspace.read(A).data == b"one "
    with pytest.raises(KeyUsed), use_change_id("c000000000010", "undo more"):
        undo(workspace, origin=Origin.USER, clock=CLOCK)


def test_old_changes_are_pruned_and_the_notes_stay(workspace: Workspace) -> None:
    clock = FakeClock()
    for number in range(6):
        clock.wall += 86_400
        put(workspace, A, b"%d" % number, clock=clock)
    with closing(workspace.reopen()) as other:
        pruned = prune(other, keep_days=2, keep_count=2)
    assert (pruned.changes, pruned.objects) == (4, 3)
    assert [before_bytes(workspace, one) for one in history(workspace)] == [b"4", b"3"]
    assert notes(workspace) == {A: b"5"} and verify(workspace) == []
    prune(workspace, keep_days=0, keep_count=0)
    assert (history(workspace), notes(workspace)) == ([], {A: b"5"})
    assert put(workspace, A, b"6").seq == 7 and verify(workspace) == []


def test_the_changes_of_one_note_are_purged(workspace: Workspace) -> None:
    put(workspace, A, b"secret")
    put(workspace, A, b"clean")
    kept = put(workspace, B, b"other")
    purge(workspace, path=A)
    assert [one.id for one in history(workspace)] == [kept.id]
    assert notes(workspace) == {A: b"clean", B: b"other"}
    with open_for_reading(workspace) as place:
        assert place is not None
        assert all(b"secret" not in (place.objects.load(digest) or b"") for digest in place.objects.sizes())
    put(workspace, A, b"later")
    undo(workspace, path=A, origin=Origin.USER, clock=CLOCK)
    assert notes(workspace)[A] == b"clean" and verify(workspace) == []


def test_changes_that_hold_a_text_are_erased_and_no_other_agent_loses_its_own(
    engine: Engine, workspace: Workspace
) -> None:
    with closing(engine.workspace("ada")) as ada:
        for place in (workspace, ada):
            put(place, A, b"secret and shared")
            put(place, A, b"clean")
        erase(workspace, lambda data: b"secret" in data)
        assert history(workspace) == [] and notes(workspace) == {A: b"clean"}
        assert [before_bytes(ada, one) for one in history(ada)] == [b"secret and shared", None]
        assert verify(workspace) == verify(ada) == []
        undo(ada, origin=Origin.USER, clock=CLOCK)
        assert notes(ada) == {A: b"secret and shared"}
        put(ada, A, b"clean")
        prune(ada, keep_days=0, keep_count=0)
        erase(ada, lambda data: b"secret" in data)
        assert notes(ada) == notes(workspace) == {A: b"clean"}


def test_the_journal_tells_who_brought_each_line(workspace: Workspace) -> None:
    put(workspace, A, b"mine\n")
    put(workspace, A, b"mine\ntheirs\n", origin="agent")
    reader = BlameReader(workspace)
    note = workspace.read(A)
    assert reader.names_note(note)
    assert reader.of(note, {b"mine", b"theirs"}).lines == {b"mine": Origin.USER, b"theirs": Origin.AGENT}
    change_unrecorded(workspace, readable_path(A), b"mine\nby hand\n", expected_hash=note.hash)
    assert BlameReader(workspace).of(workspace.read(A), {b"by hand"}).lines == {b"by hand": Origin.OUTSIDE}
    put(workspace, B, b"late\n", origin="agent")  # after the journal was read: nobody from outside
    assert reader.names_note(workspace.read(B))


def test_the_profile_has_a_journal_of_its_own(engine: Engine, workspace: Workspace) -> None:
    for data in (b"Likes tea.\n", b"Likes coffee.\n"):
        change_profile(workspace, replacement(data), Authorship(Origin.USER, "user_profile", CLOCK))
    with closing(engine.workspace("ada")) as ada:
        undo_profile(ada, origin=Origin.USER, clock=CLOCK)
    assert read_profile(workspace) == b"Likes tea.\n"
    assert len(profile_changes(workspace)) == 3 and history(workspace) == []
    erase_profile(workspace, lambda data: b"coffee" in data)
    assert len(profile_changes(workspace)) == 1
    with pytest.raises(NoteNotFound):
        workspace.read("MEMORY.md")
