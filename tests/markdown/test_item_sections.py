"""A note of a store's items is cut by item: each is a chunk with exact lines, without what only the store needs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdfast.markdown.item_sections import item_sections, split_items

HEAD = '# users / anna\n\n```json\n{"namespace": ["users", "anna"]}\n```\n'
TEA = '\n## tea\n\nAnna takes tea.\n\n```json\n{"value": {"kind": "habit"},\n "item": {"key": "tea", "at": 1}}\n```\n'
CAR = '\n## car\n\nIn the garage.\n\n```json\n{"item": {"key": "car", "at": 1}}\n```\n'
PARTS = st.sampled_from(
    [HEAD, TEA, CAR, "\nSeen from the bridge.\n", "```json\n", "\r\n", "## tea\n", "word " * 900 + "\n"]
)


def test_each_item_is_a_chunk_without_what_only_the_store_needs() -> None:
    cut = split_items(HEAD + TEA + CAR)
    assert cut.title == "users / anna"
    assert [chunk.text for chunk in cut.chunks] == [
        '## tea\n\nAnna takes tea.\n\n```json\n{"value": {"kind": "habit"},',
        "## car\n\nIn the garage.",
    ]
    assert [chunk.headings for chunk in cut.chunks] == [("users / anna", "tea"), ("users / anna", "car")]


def test_what_the_owner_wrote_around_the_items_is_found_too() -> None:
    cut = split_items(HEAD.replace("\n\n", "\n\nAbout Anna.\n\n") + "\nBetween.\n" + CAR + "\nBelow.\n")
    assert [chunk.text for chunk in cut.chunks] == ["About Anna.", "Between.\n\n## car\n\nIn the garage.", "Below."]
    assert [chunk.text for chunk in split_items("The owner's own words.\n").chunks] == ["The owner's own words."]
    assert [chunk.text for chunk in split_items(CAR).chunks] == ["## car\n\nIn the garage."]


@given(parts=st.lists(PARTS, max_size=6))
def test_the_lines_of_a_chunk_are_those_of_the_note(parts: list[str]) -> None:
    text = "".join(parts)
    lines = text.replace("\r\n", "\n").split("\n")
    for chunk in split_items(text, tokens=100, overlap=0).chunks:
        held = "\n".join(lines[chunk.start_line - 1 : chunk.end_line])
        assert held.rstrip() == chunk.text or chunk.text in held
    for before, after in zip(sections := item_sections(text), sections[1:], strict=False):
        assert before.start <= before.block < before.end == after.start
