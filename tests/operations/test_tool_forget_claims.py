"""How a note is cut into claims, and a paragraph into sentences."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.forgetting.forget_plan import parse_choice
from holdfast.forgetting.note_claims import bare, claims_in
from holdfast.markdown.fact_mark import read
from holdfast.markdown.lines import split_lines
from holdfast.markdown.sentences import sentences

PIECES = st.sampled_from(
    [
        *("- a", "  - b", "    text", "* c\n", "1. one", "2) two", "# H", "## I\n", "Word one. Word two.", "Label: x"),
        *("> q", "```", "~~~", "| a | b |", "|---|---|", "---", "***", "===", "", "\t", " ", "\r\n"),
        *("a<!-- fact id=1 -->", "。你好！"),
    ]
)
NOTES = st.one_of(st.lists(PIECES, max_size=30).map("\n".join), st.text(max_size=200))


@given(NOTES)
def test_every_claim_is_exact_text_of_the_note_and_inside_what_is_cut(note: str) -> None:
    flat = "\n".join(split_lines(note))
    for claim in claims_in(note):
        assert flat[claim.start : claim.end] == claim.text == claim.text.strip()
        assert flat[claim.left : claim.left + len(claim.cut)] == claim.cut
        assert claim.left <= claim.start
        assert claim.end <= claim.left + len(claim.cut)
        assert claim.text
        assert claim.line == flat.count("\n", 0, claim.start) + 1
        assert bare(claim.text) in claim.text


@given(NOTES)
def test_cutting_a_claim_takes_nothing_else_but_blanks(note: str) -> None:
    flat = "\n".join(split_lines(note))
    for claim in claims_in(note):
        over = claim.cut.replace(claim.text, "", 1)
        assert read(over).words.strip() == ""  # the mark of a fact goes with its words
        left = flat[: claim.left] + flat[claim.left + len(claim.cut) :]
        below = flat[claim.end :].replace(over.strip(), "", 1)
        assert "".join(left.split()) == "".join((flat[: claim.start] + below).split())


@given(st.text(alphabet="aB .!?\n。\"')1é", max_size=80))
def test_sentences_cover_all_words_in_order(text: str) -> None:
    spans = sentences(text)
    assert "".join("".join(text[left:right].split()) for left, right in spans) == "".join(text.split())
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        (
            "Dr. Smith of Acme Inc. met J. Doe at 5 p.m. Monday.",
            ["Dr. Smith of Acme Inc. met J. Doe at 5 p.m. Monday."],
        ),
        ("It weighs 3.5 kg. It is e.g. blue.", ["It weighs 3.5 kg.", "It is e.g. blue."]),
        ('She said "Go." Then she left.', ['She said "Go."', "Then she left."]),
        ("我住在北京。我喜欢茶！", ["我住在北京。", "我喜欢茶！"]),
        ("Name: Ana\nCity: Lima", ["Name: Ana", "City: Lima"]),
        ("a line that was broken because it was as wide as an editor\nlets it be, and goes on", None),
        ("Likes tea\nLikes coffee", ["Likes tea", "Likes coffee"]),
        ("likes tea\nzebra crossing fact\nworks at night", ["likes tea", "zebra crossing fact", "works at night"]),
        ("likes tea\nmore than coffee", None),
        ("likes tea,\nbread\nsoup", None),
        ("wants tea\nin the morning\nrather early", None),
        ("moved to the\nolder house\nlast spring", None),
        ("was broken by hand at a width\nthat nobody else would choose\nand goes on. here", None),
    ],
)
def test_a_sentence_ends_where_a_reader_says_so(text: str, expected: list[str] | None) -> None:
    assert [text[left:right] for left, right in sentences(text)] == (expected or [text])


def test_headings_with_something_below_and_heads_of_tables_are_no_claims() -> None:
    note = "---\ntitle: x\n---\n# A\n\n## B\n\ntext here\n\n## Empty\n\n| h | i |\n|---|---|\n| 1 | 2 |\n\n# End\n"
    assert [one.text for one in claims_in(note)] == ["text here", "| 1 | 2 |", "# End"]


def test_code_and_quotes_are_one_claim_each() -> None:
    note = "intro here\n\n```sh\n- not a bullet\n# not a heading\n```\n\n> one. Two.\n> three\n"
    texts = [one.text for one in claims_in(note)]
    assert texts == ["intro here", "```sh\n- not a bullet\n# not a heading\n```", "> one. Two.\n> three"]


def test_cutting_leaves_neither_two_blank_lines_nor_an_open_end() -> None:
    note = "# A\n\n- one\n\n# B\n\n- two"
    cut = [note.replace(one.cut, "") for one in claims_in(note)]
    assert cut == ["# A\n\n# B\n\n- two", "# A\n\n- one\n\n# B\n"]


@pytest.mark.parametrize(
    "note",
    [
        *("A b. " * 40_000, "5. A " * 40_000, "!" * 200_000, "a" + " " * 200_000 + "b", "- a <!--" * 20_000 + "-->"),
        *("| a |\n|" + "-" * 200_000 + "x", "* " * 100_000 + "x", "> " * 100_000),
        "".join(" " * (i % 60) + "- a\n" for i in range(6000)),
    ],
    ids=range(9),
)
def test_no_note_takes_more_than_its_length(note: str) -> None:
    assert len(claims_in(note)) <= len(note)


@given(st.text(max_size=300))
def test_no_answer_of_a_model_makes_the_reader_fail(text: str) -> None:
    read = parse_choice(text)
    assert read is None or all(isinstance(number, int) for number in read[0])
