"""Ids of chunks and keys of vectors."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.markdown.chunk import Chunk
from holdfast.markdown.chunk_ids import chunk_ids, text_hash
from holdfast.markdown.splitter import split_passages

_BULLETS = st.lists(st.sampled_from(["- a", "- b", "- c", "- same", "- d\n  more"]), max_size=12).map("\n".join)


def test_an_id_stays_when_lines_above_move() -> None:
    note = "# M\n\n- one\n- two\n"
    before = chunk_ids("MEMORY.md", split_passages(note, by_hand=True).chunks)
    moved = chunk_ids("MEMORY.md", split_passages("# M\n\n- new\n\n\n- one\n- two\n", by_hand=True).chunks)
    assert moved[1:] == before
    assert len(set(moved)) == 3


@given(_BULLETS)
@settings(deadline=None)
def test_ids_are_unique_within_a_note(note: str) -> None:
    ids = chunk_ids("memory/a.md", split_passages(note, by_hand=True).chunks)
    assert len(set(ids)) == len(ids)
    assert all(len(name) == 16 and int(name, 16) >= 0 for name in ids)


@given(_BULLETS, st.integers(0, 5))
@settings(deadline=None)
def test_ids_do_not_depend_on_line_numbers(note: str, blanks: int) -> None:
    shifted = split_passages("\n" * blanks + note, by_hand=True).chunks
    assert chunk_ids("p", shifted) == chunk_ids("p", split_passages(note, by_hand=True).chunks)


def test_an_id_depends_on_path_text_and_how_many_came_before() -> None:
    chunk = Chunk(1, 1, "text", ())
    first, second = chunk_ids("a.md", [chunk, chunk])
    other_path = chunk_ids("b.md", [chunk])[0]
    other_text = chunk_ids("a.md", [chunk._replace(text="texts")])[0]
    assert len({first, second, other_path, other_text}) == 4
    assert chunk_ids("a.md", [chunk._replace(start_line=9, end_line=9, headings=("x",))]) == [first]


def test_vectors_are_kept_by_text_alone() -> None:
    assert text_hash("text") == "982d9e3eb996f559e633f4d194def376"
    assert len(text_hash("\ud800")) == 32
