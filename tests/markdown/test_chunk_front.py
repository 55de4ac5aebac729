"""Front matter: read flat, capped, kept apart and still findable."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdfast.markdown.chunk import Chunk
from holdfast.markdown.front_matter import FRONT_BYTES, front_end, read_front
from holdfast.markdown.lines import split_lines
from holdfast.markdown.splitter import split

_FULL = """---
title: "The plan: first part"   # said aloud
short: 'it is'
date: 2026-11-15
url: https://example.com/#top
tags: [memory, "search", ]
people:
  - Ada
  - 'Grace'
topics:
- a
- b
author:
  name: Ada
  deeper:
    lost: yes
text: |
  first line
  second line
anchor: &a value
alias: *a
tag: !!python/object x
map: {a: b}
empty:
"quoted key": kept
---
body
"""


def test_values_are_read_flat() -> None:
    result = split(_FULL)
    assert result.front == {
        "title": "The plan: first part",
        "short": "it is",
        "date": "2026-11-15",
        "url": "https://example.com/#top",
        "tags": "memory, search",
        "people": "Ada, Grace",
        "topics": "a, b",
        "author.name": "Ada",
        "text": "first line second line",
        "quoted key": "kept",
    }


def test_its_lines_are_a_chunk_of_their_own() -> None:
    first, second = split(_FULL).chunks
    assert first == Chunk(1, 26, _FULL[: _FULL.index("\nbody")], ())
    assert second == Chunk(27, 27, "body", ())


def test_it_may_end_with_dots_and_come_after_a_bom_with_crlf() -> None:
    result = split("\ufeff---\r\ntitle: T\r\n...\r\nbody")
    assert (result.title, dict(result.front)) == ("T", {"title": "T"})
    assert [chunk.text for chunk in result.chunks] == ["---\ntitle: T\n...", "body"]


def test_nothing_between_the_rules_is_no_chunk() -> None:
    assert split("---\n---\nbody").chunks == (Chunk(3, 3, "body", ()),)


def test_front_matter_without_an_end_is_ordinary_text() -> None:
    result = split("---\ntitle: T\n\nbody")
    assert result.front == {}
    assert result.chunks == (Chunk(1, 4, "---\ntitle: T\n\nbody", ()),)


def test_front_matter_that_is_too_long_is_ordinary_text() -> None:
    fits = "---\nk: " + "x" * (FRONT_BYTES - 11) + "\n---"
    assert len(fits) == FRONT_BYTES
    assert split(fits).chunks == (Chunk(1, 3, fits, ()),)
    assert split(fits.replace("k", "kk")).front == {}
    # Bytes are counted, not characters.
    assert split(fits.replace("xxx", "漢xx")).front == {}


def test_it_must_be_the_first_line() -> None:
    assert split("\n---\na: b\n---\n").front == {}
    assert split("----\na: b\n---\n").front == {}


def test_prose_between_two_thematic_breaks_is_not_front_matter() -> None:
    assert front_end(split_lines("---\nA day in the life of my dog\n---\nmore")) == 0
    assert front_end(split_lines("---\n# Monday\n\nsaid: hello\n---\nmore")) == 0
    assert front_end(split_lines("---\n# a comment\nkey: value\n---\nmore")) == 4


@given(
    st.lists(st.one_of(st.text(max_size=20), st.sampled_from(["a: b", "- x", "  c: d", "'", '"k": v', "a: [", ":"])))
)
def test_no_front_matter_can_do_harm(inner: list[str]) -> None:
    lines = split_lines("\n".join(["---", *inner, "---"]))
    values = read_front(lines, len(lines))
    assert all(isinstance(key, str) and isinstance(value, str) for key, value in values.items())
    split("\n".join([*lines, "body"]))
