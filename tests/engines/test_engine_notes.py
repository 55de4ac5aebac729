"""What every engine promises of notes, of the files beside them, and of locks."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import closing, suppress

import pytest
from engines.engine import Engine

from holdfast.errors import BadPath, Busy, NoteChangedOutside, NoteNotFound, TooLarge, TwinPath
from holdfast.guard.paths import NotePath, readable_path
from holdfast.notes.workspace import Workspace

A, B = readable_path("memory/a.md"), readable_path("memory/b.md")


@pytest.fixture
def workspace(engine: Engine) -> Iterator[Workspace]:
    with closing(engine.workspace()) as opened:
        yield opened


def put(workspace: Workspace, path: NotePath, data: bytes, expected: str | None = None) -> None:
    with workspace.lock():
        workspace.refuse_unsafe(path)
        workspace.replace(path, data, expected_hash=expected)


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_a_note_is_read_as_it_was_put_there(workspace: Workspace) -> None:
    with pytest.raises(NoteNotFound):
        workspace.read(A)
    for data in (b"", b"one\n", b"\xef\xbb\xbf\xff\x00 any bytes\r\n", b"x" * 300_000):
        put(workspace, A, data)
        note = workspace.read("memory/a.md")
        assert (note.path, note.data, note.hash, note.size) == ("memory/a.md", data, digest(data), len(data))
    assert workspace.exists(A) and not workspace.exists(B)


def test_what_somebody_else_changed_is_not_overwritten_and_not_removed(workspace: Workspace) -> None:
    put(workspace, A, b"one", "")
    for wrong in ("", digest(b"two")):
        with pytest.raises(NoteChangedOutside):
            put(workspace, A, b"three", wrong)
        with pytest.raises(NoteChangedOutside), workspace.lock():
            workspace.remove(A, expected_hash=wrong)
    with pytest.raises(NoteChangedOutside), workspace.lock():
        workspace.remove(B, expected_hash=digest(b"one"))
    assert workspace.read(A).data == b"one"
    put(workspace, A, b"two", digest(b"one"))
    with workspace.lock():
        workspace.remove(A, expected_hash=digest(b"two"))
    with pytest.raises(NoteNotFound), workspace.lock():
        workspace.remove(A)
    assert workspace.walk().found == []


def test_a_name_that_differs_only_in_case_or_form_is_refused(workspace: Workspace) -> None:
    put(workspace, readable_path("memory/Straße.md"), b"x")
    for twin in ("memory/straße.md", "memory/STRASSE.md"):
        with pytest.raises(TwinPath):
            put(workspace, readable_path(twin), b"y")
    put(workspace, readable_path("memory/deep/strasse.md"), b"z")  # in another folder it is another note
    with (
        pytest.raises(TwinPath),
        workspace.lock(),
        workspace.replacement([(readable_path("memory/STRASSE.md"), b"", "")]),
    ):
        raise AssertionError("it was prepared")


def test_memory_md_of_old_stands_in_until_there_is_a_new_one(workspace: Workspace) -> None:
    main = readable_path("MEMORY.md")
    assert workspace.spot(main).path == "MEMORY.md"
    put(workspace, readable_path("memory.md"), b"old")
    assert (workspace.spot(main).path, workspace.read(main).data) == ("memory.md", b"old")


def test_a_walk_tells_every_note_in_order_and_each_change_of_one(workspace: Workspace) -> None:
    paths = ["MEMORY.md", "memory/a.md", "memory/b c.md", "memory/deep/a.md", "memory/é.md"]
    for path in reversed(paths):
        put(workspace, readable_path(path), path.encode())
    before = workspace.walk()
    assert [(note.path, note.size, note.source) for note in before.found] == [
        (path, len(path.encode()), "memory") for path in paths
    ]
    put(workspace, A, b"other bytes")
    with workspace.lock():
        workspace.remove(readable_path("MEMORY.md"))
    changed = {note.path for note in set(before.found) ^ set(workspace.walk().found)}
    assert changed == {"MEMORY.md", "memory/a.md"}
    assert {
        note.path for note in workspace.notes_in("memory", lambda path: path > "memory/b" and path.endswith(".md"))
    } == {
        "memory/b c.md",
        "memory/é.md",
    }


def test_many_notes_are_read_by_a_walk_or_by_their_paths(workspace: Workspace) -> None:
    for number in range(30):
        put(workspace, readable_path(f"memory/{number:02}.md"), b"%d" % number)
    found = workspace.walk().found
    with workspace.reader() as read:
        assert [read(note).data for note in found] == [b"%d" % number for number in range(30)]
        assert [read(note).path for note in (found[20], found[3], found[4])] == [
            f"memory/{n}.md" for n in ("20", "03", "04")
        ]
        assert read(readable_path("memory/07.md")).data == b"7"
    with workspace.lock():
        workspace.remove(readable_path("memory/29.md"))
    with workspace.reader() as read, pytest.raises(NoteNotFound):
        read(found[29])


def test_a_part_of_a_note_is_its_beginning_or_its_end(workspace: Workspace) -> None:
    put(workspace, A, b"0123456789")
    assert workspace.read_part(A, 4) == ("memory/a.md", b"0123", 10)
    assert workspace.read_part(A, 4, end=True) == ("memory/a.md", b"6789", 10)
    assert workspace.read_part(A, 40, end=True).data == b"0123456789"
    with pytest.raises(NoteNotFound):
        workspace.read_part(B, 4)


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "/etc/a.md", "../a.md", "memory/../a.md", "state/x.md", "memory/a\0.md"]
)
def test_a_path_that_leads_elsewhere_is_refused(workspace: Workspace, path: str) -> None:
    with pytest.raises(BadPath):
        workspace.read(path)


def test_many_notes_are_put_in_place_together_or_not_at_all(workspace: Workspace) -> None:
    put(workspace, A, b"a")
    with workspace.lock(), workspace.replacement([(B, b"b", ""), (A, None, digest(b"a"))]) as put_in_place:
        assert not workspace.exists(B)
        put_in_place()
    assert [note.path for note in workspace.walk().found] == ["memory/b.md"]


def test_an_agent_sees_its_own_notes_only(engine: Engine, workspace: Workspace) -> None:
    put(workspace, A, b"of main")
    with closing(engine.workspace("ada")) as ada:
        assert ada.walk().found == []
        put(ada, A, b"of ada")
        assert ada.spot(A).parts == ("agents", "ada", "memory")
    assert workspace.read(A).data == b"of main"


def test_a_file_of_the_home_is_replaced_if_it_is_what_was_read(workspace: Workspace) -> None:
    assert workspace.read_file("USER.md") is None
    workspace.replace_file("USER.md", b"one", expected_hash="")
    with pytest.raises(NoteChangedOutside):
        workspace.replace_file("USER.md", b"two", expected_hash="")
    workspace.replace_file("state/deep/x.json", b"{}")
    workspace.replace_file("state/deep/x.json", None)
    workspace.replace_file("state/deep/x.json", None)
    assert (workspace.read_file("USER.md"), workspace.read_file("state/deep/x.json")) == (b"one", None)
    with pytest.raises(TooLarge):
        workspace.read_file("USER.md", 2)
    for name in ("MEMORY.md", "state/../x", "agents/other/holdfast.toml"):
        with pytest.raises(BadPath):
            workspace.replace_file(name, b"")


def test_settings_that_are_replaced_can_be_loaded(workspace: Workspace) -> None:
    from holdfast.settings.loader import load

    workspace.replace_file("holdfast.toml", b'[memory]\ncitations = "off"\n')
    assert load(workspace.home).settings.memory.citations.value == "off"


def test_one_writer_at_a_time_in_whichever_thread_and_workspace(engine: Engine, workspace: Workspace) -> None:
    held, done, refused = threading.Event(), threading.Event(), []

    def hold() -> None:
        with workspace.lock():
            held.set()
            done.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(30)
    with closing(engine.workspace()) as other, closing(engine.workspace("ada")) as ada:
        for place in (workspace, other):
            with suppress(Busy), place.lock(0.05):
                refused.append(place)
        with ada.lock(0.05):  # another agent's notes are others
            assert ada.walk().found == []
    done.set()
    thread.join()
    assert refused == []
    with workspace.lock(), pytest.raises(Busy), workspace.lock():
        raise AssertionError("one waited for oneself")


def test_a_lock_by_its_name_is_held_once_and_beside_the_lock_of_notes(engine: Engine, workspace: Workspace) -> None:
    with closing(engine.workspace()) as other:
        with workspace.job_lock("dreaming"):
            with pytest.raises(Busy, match="dreaming of agent main"), other.job_lock("dreaming"):
                raise AssertionError("two at once")
            with other.named_lock("another", "Another", 0.0), other.lock():
                put_here = other.exists(A)
        with pytest.raises(ValueError, match="told"), other.job_lock("dreaming"):
            raise ValueError("told")
        with workspace.job_lock("dreaming"):
            assert not put_here


def test_nothing_that_was_done_under_the_lock_is_lost_for_an_error_that_somebody_handled(workspace: Workspace) -> None:
    with workspace.lock():
        workspace.replace(A, b"kept", expected_hash="")
        with pytest.raises(NoteChangedOutside):
            workspace.replace(A, b"not", expected_hash="")
    assert workspace.read(A).data == b"kept"
