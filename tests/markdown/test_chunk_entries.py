"""A note of facts: one chunk for each entry."""

from __future__ import annotations

from itertools import pairwise

from holdfast.markdown.fact_row import Category
from holdfast.markdown.splitter import split

_MEMORY = """# Memory

Kept by hand.

## Preferences

- Likes short answers.
  And tea.

  Never coffee.
* Uses `vim`.
+ Lives in UTC+1

## Ways of working
1. Test first.
2. Then write:
   ```sh
- not an entry
   # not a heading
   ```

A word at the margin.
Which goes on.

---

- Last one

## Empty
"""


def _texts(note: str) -> list[str]:
    return [chunk.text for chunk in split(note, category=Category.OTHER).chunks]


def test_every_bullet_and_every_headed_text_is_a_chunk() -> None:
    chunks = split(_MEMORY.replace("- not an entry", "   - not an entry"), category=Category.OTHER).chunks
    assert [(chunk.start_line, chunk.end_line) for chunk in chunks] == [
        (1, 3),
        (7, 10),
        (11, 11),
        (12, 12),
        (15, 15),
        (16, 20),
        (22, 25),
        (27, 27),
        (29, 29),
    ]
    assert chunks[0].headings == ("Memory",)
    assert chunks[1].headings == chunks[3].headings == ("Memory", "Preferences")
    assert chunks[6].headings == ("Memory", "Ways of working")
    assert chunks[-1].text == "## Empty"


def test_a_heading_over_bullets_is_in_their_path_and_no_chunk() -> None:
    chunks = split("# M\n\n## P\n\n- a\n- b\n", category=Category.OTHER).chunks
    assert [chunk.text for chunk in chunks] == ["- a", "- b"]
    assert {chunk.headings for chunk in chunks} == {("M", "P")}


def test_a_heading_with_nothing_below_it_stays_findable() -> None:
    assert _texts("# M\n## Alone\n# N\n- n\n## Also alone") == ["## Alone", "- n", "## Also alone"]


def test_a_bullet_keeps_its_continuation_lines_and_nested_bullets() -> None:
    assert _texts("- a\n  more\n  - nested\n\n  still a\nlazy\n- b") == [
        "- a\n  more\n  - nested\n\n  still a\nlazy",
        "- b",
    ]


def test_text_before_the_first_bullet_is_an_entry() -> None:
    assert _texts("intro\nmore\n- a") == ["intro\nmore", "- a"]


def test_a_dash_without_a_space_or_inside_a_fence_begins_no_entry() -> None:
    assert _texts("-x\n**bold** text\n```\n- code\n```") == ["-x\n**bold** text\n```\n- code\n```"]


def test_no_entry_repeats_another() -> None:
    chunks = split(
        "\n".join(f"- entry {number} " + "word " * 20 for number in range(50)), category=Category.OTHER
    ).chunks
    assert len(chunks) == 50
    assert all(chunk.start_line == chunk.end_line == at for at, chunk in enumerate(chunks, 1))


def test_an_entry_over_the_limit_is_cut_as_usual() -> None:
    long = "- start\n" + "\n".join("  more words of the same entry." for _ in range(200))
    chunks = split(f"## H\n- short\n{long}\n- end", category=Category.OTHER).chunks
    assert chunks[0].text == "- short"
    assert chunks[-1].text == "- end"
    assert len(chunks) >= 5
    assert all(len(chunk.text) <= 2080 and chunk.headings == ("H",) for chunk in chunks)
    assert all(before.end_line < after.start_line for before, after in pairwise(chunks))


def test_front_matter_is_kept_apart_here_too() -> None:
    result = split("---\nname: Ada\n---\n- a\n", category=Category.OTHER)
    assert result.front == {"name": "Ada"}
    assert [chunk.start_line for chunk in result.chunks] == [1, 4]
