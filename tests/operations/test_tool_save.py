"""memory_save, through Memory and through the dispatcher."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.clock import SystemClock
from holdfast.errors import BadArgument, BadPath, BadText, NoteChangedOutside, TooLarge, TwinPath
from holdfast.guard.origin import Origin
from holdfast.guard.text_rules import MAX_WRITE_BYTES


def text_of(home: Path, path: str) -> str:
    return (home / path).read_bytes().decode("utf-8")


def test_save_appends_to_memory_md_by_default(home: Path) -> None:
    with Memory.open(origin=Origin.USER) as memory:
        memory.save("User prefers dark mode.")
        memory.save("User likes Vim.")
    assert text_of(home, "MEMORY.md") == "User prefers dark mode.\n\nUser likes Vim.\n"


def test_save_replaces_the_whole_note_when_append_is_false(home: Path) -> None:
    with Memory.open() as memory:
        memory.save("old", file="memory/plan.md")
        memory.save("new", file="memory/plan.md", append=False)
    assert text_of(home, "memory/plan.md") == "new\n"


@pytest.mark.parametrize("data", [b"\xff\xfeH\0i\0", b"a\0b\n", b"caf\xe9\n"], ids=["UTF-16", "NUL", "Latin-1"])
def test_nothing_is_added_to_a_file_that_no_search_could_read(home: Path, data: bytes) -> None:
    (home / "memory").mkdir(parents=True, exist_ok=True)
    (home / "memory/odd.md").write_bytes(data)
    with Memory.open() as memory:
        with pytest.raises(BadArgument, match=r"'memory/odd\.md' is no note that could be added to"):
            memory.save("The harbour opens at nine.", file="memory/odd.md")
        assert (home / "memory/odd.md").read_bytes() == data
        memory.save("The harbour opens at nine.", file="memory/odd.md", append=False)
        assert memory.search("harbour").results[0].path == "memory/odd.md"


class _EditorAtWork(SystemClock):
    """Asked for the time of a change, which is between its look at the note and its write, an editor saves the note."""

    def __init__(self, note: Path, times: int) -> None:
        self.note, self.left = note, times

    def now(self) -> float:
        if self.left and self.note.exists():
            self.left -= 1
            self.note.write_text(self.note.read_text() + f"typed {self.left}\n")
        return super().now()


def test_what_is_added_while_an_editor_saves_goes_below_what_the_editor_wrote(home: Path) -> None:
    note = home / "memory/plan.md"
    with Memory.open(origin=Origin.USER) as memory:
        memory.save("begun", file="memory/plan.md")
    with Memory.open(origin=Origin.USER, clock=_EditorAtWork(note, 2)) as memory:
        memory.save("added", file="memory/plan.md")
        with pytest.raises(NoteChangedOutside):  # whoever says which note is meant is told that it is another
            memory.save("no", file="memory/plan.md", expected_hash="0" * 64)
    assert text_of(home, "memory/plan.md") == "begun\ntyped 1\ntyped 0\n\nadded\n"


def test_the_result_names_note_bytes_and_checkpoint(home: Path) -> None:
    with Memory.open() as memory:
        done = memory.tools().call("memory_save", {"content": "café", "file": "memory/a.md", "append": True})
        assert done == {
            "saved": True,
            "path": "memory/a.md",
            "bytes_written": 5,
            "checkpointId": memory.history()[0].id,
        }


def test_what_was_saved_is_found_at_once(home: Path) -> None:
    with Memory.open() as memory:
        tools = memory.tools()
        for number in range(5):
            word = f"zebra{number}"
            tools.call("memory_save", {"content": f"The animal is {word}.", "file": "memory/zoo.md"})
            assert [hit["path"] for hit in tools.call("memory_search", {"query": word})["results"]] == ["memory/zoo.md"]
        tools.call("memory_save", {"content": "All gone.", "file": "memory/zoo.md", "append": False})
        (left,) = tools.call("memory_search", {"query": "zebra3"})["results"]
        assert left["snippet"] == "All gone."


def test_the_checkpoint_of_a_save_takes_it_back(home: Path) -> None:
    with Memory.open() as memory:
        memory.save("one", file="memory/a.md")
        checkpoint = memory.save("two", file="memory/a.md").checkpoint_id
        memory.restore(checkpoint)
        assert text_of(home, "memory/a.md") == "one\n"
        memory.restore(memory.history()[-1].id)
        assert not (home / "memory/a.md").exists()


@pytest.mark.parametrize("file", ["MEMORY.md", "memory.md", "memory/a.md", "memory/2026-11-15.md", "memory/日記.md"])
def test_the_three_kinds_of_target_are_accepted(home: Path, file: str) -> None:
    with Memory.open() as memory, memory.session() as session:
        session.append("user", "I drink tea.")
        assert session.tools().call("memory_save", {"content": "I drink tea.", "file": file})["path"] == file
    assert text_of(home, file) == "I drink tea.\n"


@pytest.mark.parametrize(
    "file", ["/etc/a.md", "../a.md", "memory/../a.md", "memory/a.txt", "memory/a b.md", "memory/a/b.md", "USER.md", ""]
)
def test_other_targets_are_refused_and_nothing_is_written(home: Path, file: str) -> None:
    with Memory.open() as memory:
        with pytest.raises(BadPath):
            memory.save("x", file=file)
        assert memory.tools().call("memory_save", {"content": "x", "file": file})["error"]["type"] == "BadPath"
        assert memory.history() == []
    assert not list(home.rglob("*.md"))


def test_a_lone_memory_md_stands_in_for_the_prompt_memory(home: Path) -> None:
    home.mkdir()
    (home / "memory.md").write_text("old\n", encoding="utf-8")
    with Memory.open(origin=Origin.USER) as memory:
        assert memory.tools(Origin.USER).call("memory_save", {"content": "new"})["path"] == "memory.md"
        assert [change.path for change in memory.history("MEMORY.md")] == ["memory.md"]
    assert text_of(home, "memory.md") == "old\n\nnew\n"
    assert "MEMORY.md" not in [entry.name for entry in home.iterdir()]


def test_a_twin_of_an_existing_note_is_refused(home: Path) -> None:
    with Memory.open(origin=Origin.USER) as memory:
        memory.save("x", file="memory/plan.md")
        with pytest.raises(TwinPath):
            memory.save("y", file="memory/Plan.md")
        memory.save("x")
        with pytest.raises(TwinPath):
            memory.save("y", file="memory.md")


def test_fifty_kilobytes_are_saved_and_one_byte_more_is_refused(home: Path) -> None:
    with Memory.open() as memory:
        memory.save("é" * (MAX_WRITE_BYTES // 2), file="memory/big.md")
        with pytest.raises(TooLarge) as caught:
            memory.save("é" * (MAX_WRITE_BYTES // 2) + "x", file="memory/big.md")
        assert (caught.value.size, caught.value.limit) == (MAX_WRITE_BYTES + 1, 51_200)
        assert len(memory.history()) == 1


@pytest.mark.parametrize("content", ["", "  \n\t "])
def test_empty_content_is_refused(content: str) -> None:
    with Memory.open() as memory, pytest.raises(BadArgument):
        memory.save(content)


@pytest.mark.parametrize("content", ["a\x1b[2Jb", "a\0b", "a\ud800b", "a\u202eb", "a\U000e0041b"])
def test_characters_that_must_not_reach_disk_are_refused(home: Path, content: str) -> None:
    with Memory.open() as memory:
        with pytest.raises(BadText):
            memory.save(content)
        assert memory.tools().call("memory_save", {"content": content})["error"]["type"] == "BadText"
    assert not list(home.rglob("*.md"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"a\r\nb", b"a\r\nb\r\n\r\nx\r\ny\r\n"),
        (b"a", b"a\n\nx\ny\n"),
        (b"a\n", b"a\n\nx\ny\n"),
        (b"", b"x\ny\n"),
        (b"\xef\xbb\xbfa\r\n", b"\xef\xbb\xbfa\r\n\r\nx\r\ny\r\n"),
    ],
)
def test_an_appended_text_takes_on_the_notes_line_ends(home: Path, old: bytes, new: bytes) -> None:
    (home / "memory").mkdir(parents=True)
    (home / "memory/a.md").write_bytes(old)
    with Memory.open() as memory:
        memory.save("x\ny", file="memory/a.md")
    assert (home / "memory/a.md").read_bytes() == new


def test_a_save_with_a_stale_hash_overwrites_nothing(home: Path) -> None:
    with Memory.open() as memory:
        memory.save("one", file="memory/a.md", expected_hash="")
        seen = memory.get("memory/a.md").hash
        (home / "memory/a.md").write_text("edited\n", encoding="utf-8")
        with pytest.raises(NoteChangedOutside):
            memory.save("two", file="memory/a.md", append=False, expected_hash=seen)
        with pytest.raises(NoteChangedOutside):
            memory.save("two", file="memory/a.md", expected_hash="")
    assert text_of(home, "memory/a.md") == "edited\n"


def test_a_broken_index_does_not_make_a_save_look_failed(home: Path) -> None:
    (home / "state/main.sqlite").mkdir(parents=True)
    with Memory.open(origin=Origin.USER) as memory:
        done = memory.tools(Origin.USER).call("memory_save", {"content": "once"})
        assert done["saved"] is True
        assert "index" in done["because"]
        memory.delete("MEMORY.md", text="once")
        memory.undo()
    assert text_of(home, "MEMORY.md") == "once\n"
    (home / "state/main.sqlite").rmdir()
    with Memory.open(origin=Origin.USER) as memory:
        assert len(memory.search("once").results) == 1
