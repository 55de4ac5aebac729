"""`Notes`: whole notes for programs, each change with a checkpoint, and nothing lost to somebody faster."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.errors import (
    BadArgument,
    BadPath,
    BadText,
    NoteChangedOutside,
    NoteNotFound,
    NotPermitted,
    SecretFound,
    TooLarge,
    WriteModeRefused,
)
from holdfast.guard.origin import Origin
from holdfast.operations.note_access import Notes, _becomes


@pytest.fixture
def notes(home: Path) -> Iterator[Notes]:
    with Memory.open(home, origin=Origin.AGENT) as memory:
        yield Notes(memory.ctx)


def test_a_note_is_written_read_and_removed_whole(home: Path, notes: Notes) -> None:
    made = notes.write("memory/a.md", "one\ntwo", expected_hash="")
    assert (made.existed, made.bytes) == (False, 7)
    assert (home / "memory" / "a.md").read_bytes() == b"one\ntwo"
    read = notes.read("memory/a.md")
    assert (read.text, read.hash, read.bytes) == ("one\ntwo", made.hash, 7)
    again = notes.write("memory/a.md", "", expected_hash=read.hash)
    assert again.existed
    assert notes.read("memory/a.md").text == ""
    gone = notes.delete("memory/a.md", expected_hash=again.hash)
    assert gone.file_deleted
    with pytest.raises(NoteNotFound):
        notes.read("memory/a.md")
    with pytest.raises(NoteNotFound):
        notes.delete("memory/a.md")


def test_what_was_not_read_is_not_overwritten_nor_removed(home: Path, notes: Notes) -> None:
    made = notes.write("memory/a.md", "one")
    (home / "memory" / "a.md").write_text("the owner's")
    with pytest.raises(NoteChangedOutside):
        notes.write("memory/a.md", "two", expected_hash=made.hash)
    with pytest.raises(NoteChangedOutside):
        notes.write("memory/a.md", "two", expected_hash="")
    with pytest.raises(NoteChangedOutside):
        notes.delete("memory/a.md", expected_hash=made.hash)
    assert (home / "memory" / "a.md").read_text() == "the owner's"


def test_line_ends_and_a_byte_order_mark_stay_as_they_are_on_disk(home: Path, notes: Notes) -> None:
    (home / "memory").mkdir(exist_ok=True)
    (home / "memory" / "a.md").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    read = notes.read("memory/a.md")
    assert read.text == "one\ntwo\n"
    made = notes.write("memory/a.md", "one\nthree\n", expected_hash=read.hash)
    assert (home / "memory" / "a.md").read_bytes() == b"\xef\xbb\xbfone\r\nthree\r\n"
    assert made.hash == notes.read("memory/a.md").hash


def test_the_list_shows_the_notes_of_the_workspace_page_by_page(home: Path, notes: Notes) -> None:
    (home / "memory" / "work").mkdir(parents=True)
    for name in ("MEMORY.md", "memory/a.md", "memory/b.md", "memory/work/c.md"):
        (home / name).write_text("x")
    assert [seen.path for seen in notes.list()] == ["MEMORY.md", "memory/a.md", "memory/b.md", "memory/work/c.md"]
    assert [seen.path for seen in notes.list("memory/w")] == ["memory/work/c.md"]
    first = notes.list(limit=2)
    assert [seen.path for seen in notes.list(after=first[-1].path)] == ["memory/b.md", "memory/work/c.md"]
    assert first[0].bytes == 1
    with pytest.raises(BadArgument):
        notes.list(limit=0)


def test_a_page_has_hashes_a_total_and_the_notes_of_other_folders(home: Path, tmp_path: Path) -> None:
    (tmp_path / "wiki").mkdir()
    (tmp_path / "wiki" / "page.md").write_text("x")
    (home / "memory").mkdir(parents=True)
    for name in ("MEMORY.md", "memory/a.md", "memory/b.md"):
        (home / name).write_text(name)
    with Memory.open(home, settings={"memory.extra_paths": [str(tmp_path / "wiki")]}) as memory:
        notes = memory.notes
        everything = notes.page()
        assert sorted(one.source for one in everything.notes) == ["extra", "memory", "memory", "memory"]
        assert all(one.hash == notes.hash_of(one.path) for one in everything.notes if one.source == "memory")
        assert notes.hash_of("memory/none.md") == ""
        second = notes.page("memory/", limit=1, offset=1)
        assert ([one.path for one in second.notes], second.total) == (["memory/b.md"], 2)
        shown = second.to_json()
        assert (shown["total"], shown["offset"], shown["count"]) == (2, 1, 1)
        assert shown["notes"][0]["modified"].endswith("+00:00")
        assert notes.read("memory/a.md").to_json()["modified"].endswith("+00:00")
        for limit, offset in ((0, 0), (1001, 0), (1, -1)):
            with pytest.raises(BadArgument):
                notes.page(limit=limit, offset=offset)


def test_a_change_is_in_the_name_of_whoever_is_named(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.notes.write("memory/a.md", "one")
        memory.notes.by(Origin.AGENT).write("memory/a.md", "two")
        assert [change.origin for change in memory.history()] == ["agent", "api"]


def test_a_rename_keeps_the_words_and_is_undone_as_one(home: Path) -> None:
    with Memory.open(home) as memory:
        notes = Notes(memory.ctx)
        notes.write("memory/a.md", "words about the heron")
        moved = notes.rename("memory/a.md", "memory/b.md")
        assert moved.path == "memory/b.md"
        assert [hit.path for hit in memory.search("heron").results] == ["memory/b.md"]
        notes.write("memory/a.md", "in the way")
        with pytest.raises(NoteChangedOutside):
            notes.rename("memory/b.md", "memory/a.md")
        with pytest.raises(NoteNotFound):
            notes.rename("memory/none.md", "memory/c.md")
        notes.delete("memory/a.md")
        memory.undo()
        memory.undo()
        memory.undo()
        assert (home / "memory" / "a.md").read_text() == "words about the heron"
        assert not (home / "memory" / "b.md").exists()


def test_only_what_is_new_is_held_against_the_limit_and_the_secrets(home: Path, notes: Notes) -> None:
    (home / "memory").mkdir(exist_ok=True)
    old = "key AKIAIOSFODNN7EXAMPLA\n" + "a line\n" * 20_000
    (home / "memory" / "a.md").write_text(old)
    notes.write("memory/a.md", f"{old}one more\n")
    assert (home / "memory" / "a.md").read_text() == f"{old}one more\n"
    with pytest.raises(SecretFound):
        notes.write("memory/a.md", f"{old}key AKIAIOSFODNN7EXAMPLB\n")
    with pytest.raises(TooLarge):
        notes.write("memory/a.md", old + "another line\n" * 5_000)
    with pytest.raises(BadText):
        notes.write("memory/a.md", f"{old}\x1b[2J")


def test_the_rules_of_every_writer_hold(home: Path) -> None:
    with Memory.open(home, settings={"memory.agent_write_mode": "search-only"}) as memory:
        notes = Notes(memory.ctx)
        for path in ("memory/work/a.md", "../a.md", "/etc/passwd", "memory/a.txt", "state/token.md"):
            with pytest.raises(BadPath):
                notes.write(path, "x")
            with pytest.raises(BadPath):
                notes.delete(path)
        with pytest.raises(WriteModeRefused):
            notes.write("MEMORY.md", "x")
        with pytest.raises(WriteModeRefused):
            notes.rename("memory/a.md", "MEMORY.md")


def test_a_group_neither_lists_nor_reads_nor_writes_what_is_private(home: Path) -> None:
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.save("Private.", file="MEMORY.md")
        memory.save("Shared.", file="memory/shared.md")
        with memory.session("group", kind="group") as session:
            notes = Notes(memory.ctx.for_origin(Origin.AGENT, session))
            with pytest.raises(NotPermitted):
                notes.read("MEMORY.md")
            with pytest.raises(NotPermitted):
                notes.write("MEMORY.md", "forged")


def test_a_mark_of_a_fact_can_t_be_brought_along(home: Path, notes: Notes) -> None:
    notes.write("memory/preferences.md", "- Likes tea. <!-- fact id=abc origin=user importance=1 -->\n")
    assert "origin=user" not in (home / "memory" / "preferences.md").read_text()


LINES = st.lists(st.sampled_from(["a", "b", "", "é", "- c"]), max_size=6)


@given(old=st.none() | LINES, new=LINES)
def test_any_text_becomes_exactly_what_was_given(old: list[str] | None, new: list[str]) -> None:
    with Memory.open() as memory:
        before = None if old is None else "\n".join(old).encode()
        assert _becomes(memory.ctx, "memory/a.md", before, "\n".join(new)) == "\n".join(new).encode()
