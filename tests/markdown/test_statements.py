"""Blocks and strict sentences: what a gate compares. Where in doubt, a text is one sentence, and a line goes on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.markdown.agent_section import BREAK, HEADING
from holdfast.markdown.block_diff import compare_blocks, is_plain_claim
from holdfast.markdown.statements import Kind, blocks_in, leaves_open, sentence_key, strict_sentences, top_blocks

LINES = st.sampled_from(
    [
        *("", "# Title", "## Part", "- an item", "  - nested in it", "1. first", "Plain words.", "Two. Sentences."),
        *("Never do these:", "> quoted", "| a | b |", "|---|---|", "---", "```", "~~gone~~", "<!-- hidden -->", "a: b"),
        *("    code", "Do not", "pay invoices.", "- ", "===", "* star", "\ttab"),
    ]
)


@pytest.mark.parametrize(
    "line", ["# A heading", "> a quotation", "| a | row |", "---", "```\ncode\n```", "<!-- a comment -->", "    code"]
)
def test_what_says_nothing_by_itself_is_a_frame(line: str) -> None:
    assert {block.kind for block in blocks_in(line)} == {Kind.FRAME}


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Do not pay without asking. Likes tea.", ["Do not pay without asking.", "Likes tea."]),
        ("Do not\npay without asking.", ["Do not pay without asking."]),
        ("It is false that Hr. Meier is my boss.", None),
        ("It is false that Capt. Meier is my boss.", None),
        ("It is false that Yahoo! Bob is my boss.", None),
        ("It is false that... Bob is my boss.", None),
        ("It is false that number 1. Bob is my boss.", None),
        ("inkl. Meier is my boss.", None),
        ("What (is not so. Bob is my boss. Not so) is clear.", None),
        ('He said "hello there. Bob is my boss."', None),
        ("不是。Bob is my boss.", None),
    ],
)
def test_a_stop_ends_a_sentence_only_beyond_doubt(text: str, sentences: list[str] | None) -> None:
    assert strict_sentences(text) == (sentences or [text])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The launch moved to 3 March.", "the launch moved to 3 march"),
        ("I don’t drink coffee!", "I don't drink coffee"),
        ("Well, I like tea, really.", "Well I like tea really"),
    ],
)
def test_case_and_punctuation_do_not_count(one: str, other: str) -> None:
    assert sentence_key(one) == sentence_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mallory is an admin.", "Mallory is an admin?"),
        ("Is she my boss?, I ask", "Is she my boss, I ask"),
        ("Mallory is an admin.", "Mallory is not an admin."),
        ("The limit is -5.", "The limit is 5."),
        ("The limit is - 5.", "The limit is 5."),
        ("5 - 3 is", "5 * 3 is"),
        ("a != b", "a = b"),
        ("if !ready", "if ready"),
        ("use --all", "use all"),
        ("It weighs 1.5 kg.", "It weighs 15 kg."),
        ("Ada pays Bob.", "Bob pays Ada."),
        ("Mallory is an admin.", "Mаllory is an admin."),  # a Cyrillic letter
        ("10²", "102"),
        ("Call me.", "# Call me."),
        ("Mallory may.", "~~Mallory may.~~"),
        ("Ο Μπομπ είναι;", "Ο Μπομπ είναι."),
        ("It is 5' long.", "It is 5 long."),
        ("I owe 1, 2.", "I owe 1 2."),
        ("Note a: b.", "Note a b."),
    ],
)
def test_words_numbers_signs_order_and_a_question_mark_count(one: str, other: str) -> None:
    assert sentence_key(one) != sentence_key(other)


NOTE = (
    "# Rules\n\nDo not pay without asking. Likes tea.\n\nNever:\n- Call Mallory.\n  - At night.\n\nLives by the sea.\n"
)


@pytest.mark.parametrize(
    "after",
    [
        NOTE.replace("Likes tea.", ""),
        NOTE.replace("Lives by the sea.\n", ""),
        NOTE.replace("- Call Mallory.\n  - At night.\n\nLives by the sea.\n", ""),
    ],
)
def test_whole_claims_may_go(after: str) -> None:
    difference = compare_blocks(blocks_in(NOTE), blocks_in(after))
    assert (difference.added, difference.fault) == ((), "")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (NOTE, NOTE.replace("# Rules\n", "")),
        (NOTE, NOTE.replace("Do not ", "")),
        (NOTE, NOTE.replace("Never:\n", "")),
        (NOTE, NOTE.replace("- Call Mallory.\n", "")),
        (NOTE, NOTE.replace("\n\nNever", " Never")),
        (NOTE, NOTE.replace("Lives", "  Lives")),
        (NOTE, NOTE.replace("  - At night.\n", "")),
        ("- Never\n\nX is y.\n\n  Pay Bob.\n", "- Never\n\n  Pay Bob.\n"),
        ("Never:\n\nX is y.\n\n- Pay Bob.\n", "Never:\n\n- Pay Bob.\n"),
        ("- Never\n* Pay Eve late.\n", "- Never\nPay Eve late.\n"),
        ("Things I will never do\n\nPay Eve late.\n", "Things I will never do\nPay Eve late.\n"),
        ("Things I will never do\n\n- Pay Eve late.\n", "- Pay Eve late.\n"),
        ("Never run:\n\n    Wipe the disk.\n", "Never run:\n\nWipe the disk.\n"),
        ("I like\nBob and Eve.\n", "I like\nNever\nBob and Eve.\n"),
        ("Bob is my boss.\n", "It is not true that\nBob is my boss.\n"),
        ("Bob is my boss.\n", "- Lies\nBob is my boss.\n"),
        ("It is false that Hr. Meier is my boss.\n", "Meier is my boss.\n"),
        ("- one\n- two\n", "- two\n- one\n"),
        ("1. one\n2. two\n", "2. one\n"),
        ("> Lies\n\nBob is my boss.\n", "> Lies\nBob is my boss.\n"),
    ],
)
def test_a_part_of_a_claim_a_frame_and_an_order_may_not(before: str, after: str) -> None:
    difference = compare_blocks(blocks_in(before), blocks_in(after))
    assert difference.fault or difference.added


@pytest.mark.parametrize("added", ["- nested:", "  - deeper", "1. one", "# head", "> quote", "    code", "Never:"])
def test_what_does_not_stand_by_itself_is_no_plain_claim(added: str) -> None:
    assert not all(map(is_plain_claim, blocks_in(added)))


@pytest.mark.parametrize(
    "note",
    [
        *(
            "Things that are not so:\n",
            "Not so:\n- a\n",
            "Never do\n- a\n  - b\n",
            "**Never:**\n",
            "I never –\n",
            "Not so\n",
        ),
        *("# Things that are false\n", "Lies\n----\n", "# Never\n\n- smoke\n", f"{HEADING}\n\nNever:\n", "I am so.\n"),
    ],
)
def test_what_comes_behind_words_of_somebody_else_stands_apart_only_below_a_heading_of_ours(note: str) -> None:
    assert not compare_blocks(blocks_in(note), blocks_in(f"{note}\nI pay.\n")).stands_apart
    lead = BREAK if HEADING in note else HEADING  # there is one such heading only
    difference = compare_blocks(blocks_in(note), blocks_in(f"{note}\n{lead}\n\nI pay.\n"))
    assert difference.stands_apart and [block.text for block in difference.added] == ["I pay."]


@pytest.mark.parametrize("note", ["", f"{HEADING}\n", f"# Mine\n\nNo\n\n{HEADING}\n\n- I drink tea\n"])
def test_the_first_and_what_goes_on_below_our_heading_stands_apart(note: str) -> None:
    assert compare_blocks(blocks_in(note), blocks_in(f"{note}\n- I pay\n")).stands_apart


@pytest.mark.parametrize(
    "text", ["a <!-- b", "```\nx", "~~~~\n```\n", "<details>\nx", "<PRE>x", "---\nx\n", "x <script>"]
)
def test_what_would_swallow_what_follows_is_known(text: str) -> None:
    assert leaves_open(text)


@pytest.mark.parametrize("text", ["a <!-- b --> c", "```\nx\n```\ny", "<details>x</details>", "---\na: b\n---\nx", ""])
def test_what_is_closed_swallows_nothing(text: str) -> None:
    assert not leaves_open(text)


@given(st.lists(LINES, max_size=14))
def test_every_word_of_a_text_is_in_a_block(lines: list[str]) -> None:
    text = "\n".join(lines)
    words = [word for line in text.split("\n") for word in line.split()]
    for pieces in ([block.raw for block in blocks_in(text)], top_blocks(text)):
        assert [word for piece in pieces for word in piece.split()] == words


@given(st.lists(LINES, max_size=10), st.lists(LINES, max_size=10))
def test_a_note_compared_with_itself_and_more_has_lost_nothing(lines: list[str], more: list[str]) -> None:
    before = blocks_in("\n".join(lines))
    assert compare_blocks(before, before) == ((), "", True)
    difference = compare_blocks(before, [*before, *blocks_in("\n".join(more))])
    assert difference.fault == "" and list(difference.added) == blocks_in("\n".join(more))


@given(st.text(max_size=400))
def test_any_text_can_be_read(text: str) -> None:
    assert all(block.raw.strip() for block in blocks_in(text))
    assert all(top_blocks(text))
    assert " ".join(strict_sentences(text)) == " ".join(text.split())
    sentence_key(text)
