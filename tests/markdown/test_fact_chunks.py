"""The notes of facts: each bullet is a fact and a chunk, and its mark is in neither its words nor its lines."""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from holdfast.guard.origin import Origin
from holdfast.markdown.chunk_ids import chunk_ids
from holdfast.markdown.fact_mark import Mark, write
from holdfast.markdown.fact_row import Category, Fact, category_of, note_of
from holdfast.markdown.splitter import split

_NOTE = """---
kept: by hand
---
# Preferences

Some words before.

## Drinks
- I prefer green tea <!-- fact id=a importance=.8 origin=user observed=2026-11-15 -->
- ~~I prefer coffee~~ <!-- fact id=b superseded_by=a until=2026-11-15 -->
  but never after four
  - or five
- typed by hand
- ~~struck by hand~~
- <!-- fact id=c -->

<!-- fact id=orphan -->

Words between.
"""


def test_every_bullet_is_a_fact_and_what_is_no_bullet_is_not() -> None:
    chunks = split(_NOTE, category=Category.PREFERENCE).chunks
    assert [(chunk.start_line, chunk.end_line, chunk.fact is not None) for chunk in chunks] == [
        (1, 3, False),
        (4, 6, False),
        (9, 9, True),
        (10, 12, True),
        (13, 13, True),
        (14, 14, True),
        (15, 15, False),
        (19, 19, False),
    ]
    assert all("<!--" not in chunk.text for chunk in chunks)
    assert chunks[3].text == "- ~~I prefer coffee~~\n  but never after four\n  - or five"
    assert chunks[3].headings == ("Preferences", "Drinks")
    assert [chunk.fact for chunk in chunks[2:6]] == [
        Fact(Category.PREFERENCE, Origin.USER, 0.8, date(2026, 11, 15), id="a"),
        Fact(Category.PREFERENCE, valid_until=date(2026, 11, 15), superseded=True, id="b", superseded_by="a"),
        Fact(Category.PREFERENCE, Origin.OUTSIDE, 0.5),
        Fact(Category.PREFERENCE, superseded=True),
    ]


def test_a_long_fact_is_one_in_each_of_its_pieces() -> None:
    line = write("- " + "a long story about tea. " * 200, Mark("a", 0.9))
    chunks = split(f"- before\n{line}\n- after\n", category=Category.FACT).chunks
    assert len(chunks) > 4
    assert {chunk.fact.id for chunk in chunks if chunk.fact is not None and chunk.start_line == 2} == {"a"}
    assert not any("fact id" in chunk.text for chunk in chunks)


def test_a_mark_changes_no_id() -> None:
    bare, marked = "- tea\n- coffee\n", "- tea <!-- fact id=a -->\n- coffee <!-- fact id=b importance=1 -->\n"
    ids = [chunk_ids("memory/facts.md", split(note, category=Category.FACT).chunks) for note in (bare, marked)]
    assert ids[0] == ids[1]


def test_each_category_has_a_note_and_no_other_note_has_one() -> None:
    for category in Category:
        assert category_of(note_of(category)) is category
    for path in ("MEMORY.md", "facts.md", "memory/x/facts.md", "/srv/memory/facts.md", "memory/Facts.md"):
        assert category_of(path) is None


_LINES = st.sampled_from(
    [
        *("- tea", "- ~~old~~", "* x", "1. one", "  nested", "", "text", "# H", "## I", "```", "---", "- ", "~~~"),
        *(
            "- tea <!-- fact id=a -->",
            "<!-- fact id=b -->",
            "- <!-- fact -->",
            "  <!-- fact",
            "id=c -->",
            "- a <!-- b -->",
        ),
    ]
)


@given(st.lists(_LINES, max_size=25))
def test_the_lines_of_a_fact_are_those_of_the_note(lines: list[str]) -> None:
    chunks = split("\n".join(lines), tokens=20, category=Category.OTHER).chunks
    last = 0
    for chunk in chunks:
        assert last < chunk.start_line <= chunk.end_line <= max(1, len(lines))
        last = chunk.end_line
        assert chunk.text.strip()
        told = chunk.text.split("\n")
        assert len(told) == chunk.end_line - chunk.start_line + 1
        for number, line in enumerate(told, chunk.start_line - 1):
            assert lines[number].startswith(line) or line in lines[number]
    shown = {number for chunk in chunks for number in range(chunk.start_line - 1, chunk.end_line)}
    for number, line in enumerate(lines):
        if line.startswith(("- tea", "* x", "1. one")):
            assert number in shown
