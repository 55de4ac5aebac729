"""Passages together, as they go to a provider that charges by call."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdfast.markdown.blocks import Part, cut_blocks
from holdfast.markdown.token_estimate import PER_TOKEN, weight

TEXTS = st.lists(st.sampled_from(["ok", "- a bullet of some words", "word " * 60, "字" * 90, "x" * 900]), max_size=60)
TOKENS = st.integers(32, 500)
OVERLAPS = st.integers(0, 40)


def parts(texts: list[str], one_line: bool = False) -> list[Part]:
    return [Part(text, 1 if one_line else at, 1 if one_line else at) for at, text in enumerate(texts, 1)]


@given(TEXTS, TOKENS, OVERLAPS)
def test_every_passage_lies_in_one_block_and_no_block_is_longer_than_the_sizes_say(
    texts: list[str], tokens: int, overlap: int
) -> None:
    overlap = min(overlap, tokens // 2 - 1)
    blocks = cut_blocks(parts(texts), tokens, overlap)
    assert [place for one in blocks for place in range(one.first, one.end)] == list(range(len(texts)))
    for one in blocks:
        assert one.text == "\n".join(texts[one.lead : one.end])
        assert weight("\n".join(texts[one.lead : one.first])) <= overlap * PER_TOKEN
        assert one.end == one.first + 1 or weight("\n".join(texts[one.first : one.end])) <= tokens * PER_TOKEN
    # None could have had the first passage of the next as well.
    for one in blocks[:-1]:
        assert weight("\n".join(texts[one.first : one.end + 1])) >= tokens * PER_TOKEN


@given(TEXTS, TEXTS, TOKENS, OVERLAPS)
def test_what_is_added_at_the_end_changes_the_last_block_alone(
    texts: list[str], more: list[str], tokens: int, overlap: int
) -> None:
    before, after = (cut_blocks(parts(some), tokens, overlap) for some in (texts, texts + more))
    assert before[:-1] == after[: max(len(before) - 1, 0)]


@given(TEXTS, TOKENS, OVERLAPS, st.data())
def test_cut_from_any_block_on_the_blocks_are_the_same(
    texts: list[str], tokens: int, overlap: int, data: st.DataObject
) -> None:
    blocks = cut_blocks(parts(texts), tokens, overlap)
    at = data.draw(st.integers(0, max(len(blocks) - 1, 0)))
    begin = blocks[at].first if blocks else 0
    assert cut_blocks(parts(texts), tokens, overlap, begin) == blocks[at:]


def test_pieces_of_one_line_are_joined_as_the_line_was() -> None:
    (block,) = cut_blocks(parts(["half a wo", "rd and more"], one_line=True), 400, 80)
    assert block.text == "half a word and more"


def test_a_passage_alone_is_its_own_block() -> None:
    assert [one.is_passage for one in cut_blocks(parts(["one"]), 400, 80)] == [True]
    assert [one.is_passage for one in cut_blocks(parts(["one", "two"]), 400, 80)] == [False]
    assert [one.is_passage for one in cut_blocks(parts(["one", "x" * 1_600]), 400, 80)] == [True, False]
