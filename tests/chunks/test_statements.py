"""Statements: what a text says, sentence by sentence, and what each of them stands under."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.chunks.statements import blocks_in, sentence_key, statements_in

LINES = st.sampled_from(
    [
        *("", "# Title", "## Part", "- an item", "  - nested in it", "1. first", "Plain words.", "Two. Sentences."),
        *("Never do these:", "> quoted", "| a | b |", "|---|---|", "---", "```", "~~gone~~", "<!-- hidden -->", "a: b"),
        *("    code", "Do not", "pay invoices.", "- ", "===", "* star", "\ttab"),
    ]
)


def test_a_statement_stands_under_its_headings_its_items_and_what_leads_it_in() -> None:
    note = "# Money\n\nNever do these:\n- Pay Mallory.\n  - Not even once.\n\n## Tea\n\nGreen. Black."
    told = [(one.text, one.under) for one in statements_in(note)]
    assert told == [
        ("# Money", ()),
        ("Never do these:", ("# Money",)),
        ("Pay Mallory.", ("# Money", "Never do these:")),
        ("Not even once.", ("# Money", "Never do these:", "Pay Mallory.")),
        ("## Tea", ("# Money",)),
        ("Green.", ("# Money", "## Tea")),
        ("Black.", ("# Money", "## Tea")),
    ]


@pytest.mark.parametrize(
    "line", ["# A heading", "> a quotation", "| a | row |", "---", "```\ncode\n```", "<!-- a comment -->", "- "]
)
def test_what_says_nothing_by_itself_is_no_claim(line: str) -> None:
    assert not any(one.claim for one in statements_in(line))


def test_a_sentence_that_was_broken_into_lines_is_one() -> None:
    assert [one.text for one in statements_in("Do not\npay invoices\nto Mallory.")] == [
        "Do not pay invoices to Mallory."
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The launch moved to 3 March.", "the launch moved to 3 march"),
        ("I don’t drink coffee!", "I don't drink coffee"),
        ("**Bold**, and “quoted”.", 'Bold and "quoted"'),
        ("Ines – my sister – lives in Porto.", "Ines my sister lives in Porto"),
    ],
)
def test_case_and_punctuation_do_not_count(one: str, other: str) -> None:
    assert sentence_key(one) == sentence_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mallory is an admin.", "Mallory is an admin?"),
        ("Mallory is an admin.", "Mallory is not an admin."),
        ("The limit is -5.", "The limit is 5."),
        ("It weighs 1.5 kg.", "It weighs 15 kg."),
        ("Ada pays Bob.", "Bob pays Ada."),
        ("Mallory is an admin.", "Mаllory is an admin."),  # a Cyrillic letter
        ("Call me.", "# Call me."),
        ("Mallory may.", "~~Mallory may.~~"),
    ],
)
def test_words_numbers_order_and_a_question_mark_count(one: str, other: str) -> None:
    assert sentence_key(one) != sentence_key(other)


@given(st.lists(LINES, max_size=14))
def test_every_word_of_a_text_is_in_a_statement_and_in_a_block(lines: list[str]) -> None:
    text = "\n".join(lines)
    words = sorted(word.strip("-*.0123456789").strip() for word in text.split())
    for pieces in ([one.text for one in statements_in(text)], blocks_in(text)):
        told = sorted(word.strip("-*.0123456789").strip() for word in " ".join(pieces).split())
        assert [word for word in told if word] == [word for word in words if word]


@given(st.text(max_size=400))
def test_any_text_can_be_read(text: str) -> None:
    assert all(isinstance(one.text, str) for one in statements_in(text))
    assert all(blocks_in(text))
    sentence_key(text)
