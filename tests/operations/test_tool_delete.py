"""memory_delete, through Memory and through the dispatcher."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.errors import BadArgument, BadPath, NoteNotFound, TextNotFound
from holdfast.markdown.text_removal import remove_text


def put(home: Path, path: str, data: bytes) -> Path:
    file = home / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return file


def test_only_the_first_match_goes_by_default(home: Path) -> None:
    file = put(home, "memory/a.md", b"x one\nx two\nx\n")
    with Memory.open() as memory:
        done = memory.tools().call("memory_delete", {"file": "memory/a.md", "text": "x "})
        assert done == {
            "deleted": True,
            "path": "memory/a.md",
            "file_deleted": False,
            "matches_removed": 1,
            "checkpointId": memory.history()[0].id,
        }
    assert file.read_bytes() == b"one\nx two\nx\n"


def test_all_matches_go_when_asked(home: Path) -> None:
    file = put(home, "memory/a.md", b"x one\nx two\nx\n")
    with Memory.open() as memory:
        memory.delete("memory/a.md", text="x", all_matches=True)
    assert file.read_bytes() == b" one\n two\n\n"


def test_a_note_with_nothing_left_is_deleted_unless_told_otherwise(home: Path) -> None:
    file = put(home, "memory/a.md", b"\n word \n\n")
    with Memory.open() as memory:
        memory.delete("memory/a.md", text="word", delete_if_empty=False)
        assert file.read_bytes() == b"\n  \n\n"
        memory.undo()
        done = memory.tools().call("memory_delete", {"file": "memory/a.md", "text": "word"})
        assert done["file_deleted"] is True
    assert not file.exists()


def test_a_whole_note_is_deleted_and_brought_back(home: Path) -> None:
    file = put(home, "memory/a.md", b"precious\r\nbytes")
    with Memory.open() as memory:
        checkpoint = memory.delete("memory/a.md", delete_file=True).checkpoint_id
        assert not file.exists()
        memory.restore(checkpoint)
    assert file.read_bytes() == b"precious\r\nbytes"


def test_deleted_text_is_not_found_any_more(home: Path) -> None:
    with Memory.open() as memory:
        memory.save("The password hint is giraffe.\n\nUnrelated.", file="memory/a.md")
        assert "giraffe" in memory.search("giraffe").results[0].snippet
        memory.delete("memory/a.md", text="The password hint is giraffe.\n")
        assert [hit.snippet for hit in memory.search("giraffe").results] == ["Unrelated."]
        memory.delete("memory/a.md", delete_file=True)
        assert memory.get("memory/a.md").status == "not_found"
        assert not memory.search("unrelated").results


@pytest.mark.parametrize("note", [b"a\r\nb\r\nc\r\n", b"a\nb\nc\n", b"a\rb\rc\r", b"a\r\nb\nc\r"])
@pytest.mark.parametrize("text", ["a\nb\n", "a\r\nb\r\n", "a\r\nb\n"])
def test_line_ends_of_any_kind_match(home: Path, note: bytes, text: str) -> None:
    file = put(home, "memory/a.md", note)
    with Memory.open() as memory:
        memory.delete("memory/a.md", text=text)
    assert file.read_bytes() == note[note.index(b"c") :]


def test_wrong_arguments_are_refused_and_nothing_changes(home: Path) -> None:
    file = put(home, "memory/a.md", b"x\n")
    with Memory.open() as memory:
        with pytest.raises(BadArgument):
            memory.delete("memory/a.md")
        with pytest.raises(BadArgument):
            memory.delete("memory/a.md", text="")
        with pytest.raises(BadArgument):
            memory.delete("memory/a.md", text="x", delete_file=True)
        with pytest.raises(TextNotFound):
            memory.delete("memory/a.md", text="X")
        with pytest.raises(TextNotFound):
            memory.delete("memory/a.md", text="\ud800")
        with pytest.raises(NoteNotFound):
            memory.delete("memory/b.md", text="x")
        with pytest.raises(NoteNotFound):
            memory.delete("memory/b.md", delete_file=True)
        with pytest.raises(BadPath):
            memory.delete("memory/sessions/a.md", delete_file=True)
        assert memory.history() == []
    assert file.read_bytes() == b"x\n"


LINES = st.lists(st.sampled_from([b"a", b"b", b"", b"\r\n", b"\n", b"\r", b"ab"]), max_size=12).map(b"".join)


@given(LINES, LINES.filter(bool), st.booleans())
def test_removal_agrees_with_removal_from_the_note_with_plain_line_ends(note: bytes, text: bytes, every: bool) -> None:
    def plain(data: bytes) -> bytes:
        return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")

    new, removed = remove_text(note, text.decode(), every=every)
    count = plain(note).count(plain(text))
    assert removed == (count if every else min(count, 1))
    # Taking text out can join a CR and a LF that stood apart, so ends are compared by their number of bytes.
    gone = plain(note).replace(plain(text), b"", -1 if every else 1)
    assert new.replace(b"\r", b"").replace(b"\n", b"") == gone.replace(b"\n", b"")
