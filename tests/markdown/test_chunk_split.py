"""What holds for every note, whatever is in it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from counts import counted
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.errors import BadArgument
from holdfast.markdown.chunk import Chunk
from holdfast.markdown.front_matter import front_end
from holdfast.markdown.lines import split_lines
from holdfast.markdown.splitter import split
from holdfast.markdown.token_estimate import weight

_LINE = st.one_of(
    st.sampled_from(
        [
            "",
            "",
            "",
            "  ",
            "# One",
            "## Two ##",
            "### Three",
            "###### Six",
            "#no heading",
            "===",
            "---",
            "- a point",
            "* another",
            "1. first",
            "12) twelfth",
            "  - nested",
            "    deep",
            "```",
            "```python",
            "~~~",
            "~~~~",
            "````",
            "   ```",
            "> quoted",
            "\tcode",
            "...",
            "title: x",
            "<div>",
            "漢字かな交じり文。次の文。",
            "A sentence ends. Another does not",
            "word " * 12,
            "x" * 90,
        ]
    ),
    st.text(max_size=30),
)
_NOTE = st.tuples(st.lists(_LINE, max_size=40), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans()).map(
    lambda parts: parts[1].join(parts[0]) + (parts[1] if parts[2] else "")
)
_TOKENS = st.integers(1, 60)


def _is_slice(chunk: Chunk, lines: list[str]) -> bool:
    return chunk.start_line == chunk.end_line and chunk.text != lines[chunk.start_line - 1]


@given(_NOTE, _TOKENS, st.integers(0, 20))
@settings(max_examples=counted(12, 1_200), deadline=None)
def test_a_chunk_is_exactly_the_lines_it_claims(note: str, tokens: int, overlap: int) -> None:
    lines = split_lines(note)
    for chunk in split(note, tokens=tokens, overlap=overlap).chunks:
        if _is_slice(chunk, lines):
            assert chunk.text in lines[chunk.start_line - 1]
        else:
            assert chunk.text == "\n".join(lines[chunk.start_line - 1 : chunk.end_line])
        assert chunk.text.strip()
        assert lines[chunk.start_line - 1].strip()
        assert lines[chunk.end_line - 1].strip()


@given(_NOTE, _TOKENS, st.integers(0, 20))
@settings(max_examples=counted(12, 1_200), deadline=None)
def test_every_line_with_text_is_in_a_chunk(note: str, tokens: int, overlap: int) -> None:
    lines = split_lines(note)
    result = split(note, tokens=tokens, overlap=overlap)
    covered = {at for chunk in result.chunks for at in range(chunk.start_line, chunk.end_line + 1)}
    missing = {at for at, line in enumerate(lines, 1) if line.strip()} - covered
    # Two rules with nothing between them are front matter without a word in it.
    assert all(lines[at - 1].strip() in ("---", "...") for at in missing) and len(missing) in (0, 2)


@given(_NOTE, _TOKENS, st.integers(0, 20))
@settings(max_examples=counted(10, 800), deadline=None)
def test_ranges_ascend(note: str, tokens: int, overlap: int) -> None:
    lines = split_lines(note)
    chunks = split(note, tokens=tokens, overlap=overlap).chunks
    for before, after in pairwise(chunks):
        both_slices = _is_slice(before, lines) and _is_slice(after, lines)
        assert before.start_line < after.start_line or (both_slices and before.start_line == after.start_line)
        assert before.end_line <= after.end_line


@given(_NOTE, _TOKENS, st.integers(0, 20))
@settings(max_examples=counted(12, 1_200), deadline=None)
def test_no_chunk_is_over_the_limit_by_more_than_one_unit_and_the_overlap(note: str, tokens: int, overlap: int) -> None:
    limit = tokens * 4 * 13 // 10
    fronted = front_end(split_lines(note))
    for chunk in split(note, tokens=tokens, overlap=overlap).chunks:
        if chunk.start_line > fronted:
            # The unit is a block that stays whole, itself within the limit: a fence under its heading, say.
            assert weight(chunk.text) <= 2 * limit + overlap * 4 + 2


@given(_NOTE, _TOKENS)
@settings(max_examples=counted(6, 400), deadline=None)
def test_the_same_note_always_gives_the_same_chunks(note: str, tokens: int) -> None:
    assert split(note, tokens=tokens) == split(note, tokens=tokens)


@given(_NOTE)
@settings(max_examples=counted(6, 400), deadline=None)
def test_line_ends_and_a_bom_change_no_chunk(note: str) -> None:
    plain = "\n".join(split_lines(note))
    want = split(plain, tokens=20)
    assert split(plain.replace("\n", "\r\n"), tokens=20) == want
    assert split(plain.replace("\n", "\r"), tokens=20) == want
    assert split("\ufeff" + plain, tokens=20) == want


@given(st.text())
@settings(max_examples=counted(10, 800), deadline=None)
def test_any_text_can_be_split(note: str) -> None:
    assert bool(split(note).chunks) == any(line.strip() for line in split_lines(note)) or note.startswith("---")


@given(st.text(alphabet=st.sampled_from("ab é漢. \t😀\u3000"), min_size=1, max_size=400), st.integers(1, 20))
@settings(max_examples=counted(12, 1_200), deadline=None)
def test_the_slices_of_a_long_line_cover_it_in_full(line: str, tokens: int) -> None:
    chunks = split(line, tokens=tokens).chunks
    assert "".join("".join(chunk.text.split()) for chunk in chunks) == "".join(line.split())
    assert all((chunk.start_line, chunk.end_line) == (1, 1) for chunk in chunks)
    assert all(weight(chunk.text) <= tokens * 4 * 13 // 10 for chunk in chunks)


@pytest.mark.parametrize("note", ["", "\n", " \n\t\r\n", "\ufeff", "\ufeff\n\n", "\x0c\n\u2028"])
def test_blank_text_gives_no_chunks(note: str) -> None:
    result = split(note)
    assert (result.title, result.front, result.chunks) == ("", {}, ())


def test_a_note_without_a_last_line_end_keeps_its_last_line() -> None:
    assert split("one\ntwo").chunks == split("one\ntwo\n").chunks == (Chunk(1, 2, "one\ntwo", ()),)


def test_line_ends_may_be_mixed_and_are_counted_as_an_editor_does() -> None:
    note = "# Top\r\n\r\nform\x0cfeed\rseparator\u2028here\n\u000bend"
    (chunk,) = split(note).chunks
    assert (chunk.start_line, chunk.end_line) == (1, 5)
    assert chunk.text == "# Top\n\nform\x0cfeed\nseparator\u2028here\n\u000bend"


def test_blank_lines_around_a_chunk_are_trimmed() -> None:
    assert split("\n\n  \nbody\n\n\n").chunks == (Chunk(4, 4, "body", ()),)


def test_a_long_line_breaks_at_a_sentence_then_at_white_space() -> None:
    chunks = split("One sentence is here. " * 40, tokens=25).chunks
    assert len(chunks) > 5
    assert all(chunk.text.endswith(". ") for chunk in chunks)
    words = split("word " * 200, tokens=25).chunks
    assert all(chunk.text.endswith("word ") for chunk in words)


def test_a_chinese_note_gives_as_many_chunks_as_its_tokens_demand() -> None:
    lines = ["记忆" * 24 + "结束。" for _ in range(40)]
    chunks = split("\n".join(lines), overlap=0).chunks
    assert sum(map(len, lines)) == 2040
    assert 5 <= len(chunks) <= 6
    assert len(split("x" * 50 + "\n" + "\n".join(["y" * 50] * 39), overlap=0).chunks) == 1


def test_half_a_surrogate_pair_does_no_harm() -> None:
    assert split("\ud800 broken " * 300, tokens=50).chunks


@pytest.mark.parametrize(("tokens", "overlap", "name"), [(0, 0, "tokens"), (-1, 0, "tokens"), (10, -1, "overlap")])
def test_sizes_out_of_range_are_refused(tokens: int, overlap: int, name: str) -> None:
    with pytest.raises(BadArgument) as error:
        split("text", tokens=tokens, overlap=overlap)
    assert error.value.name == name


@pytest.mark.parametrize(
    "note",
    [
        "word " * 200_000,
        "x" * 1_000_000,
        "漢" * 300_000,
        "# h\n" * 100_000,
        "```a\n" * 10_000,
        "> " * 100_000 + "x",
        "- " * 100_000 + "x",
        "#" * 1_000_000,
        "`" * 1_000_000,
        "a\n---\n" * 50_000,
    ],
    ids=["line", "no-space", "han", "headings", "fences", "quotes", "lists", "hashes", "backticks", "setext"],
)
def test_a_hostile_note_is_cut_like_any_other(note: str) -> None:
    limit = 400 * 4 * 13 // 10
    result = split(note)
    assert len(result.chunks) > 5
    assert all(weight(chunk.text) <= limit + 320 + 2 for chunk in result.chunks)
    assert len(result.title) <= 200
