"""What of a text a note does not have yet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.markdown.novelty import below, find_novelty, only_new

_LINES = st.lists(
    st.sampled_from(
        ["# A", "## B", "- x", "  - deeper", "- y", "text", "more text", "about it:", "", "```", "code", "1. n"]
    ),
    max_size=14,
)


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        ("", "- a", "- a"),
        ("- a\n", "- a", ""),
        ("- a\n", "- a\n- b", "- b"),
        ("- a\n", "-  a \n", ""),
        ("# Day\n- a\n", "# Day\n- a\n- b\n", "# Day\n- b"),
        ("# Day\n- a\n", "# Day\n\n- a\n", ""),
        ("Some words\nover lines.\n", "Some words over\nlines.", ""),
        ("- a\n", "- a\n- a\n- c\n- c", "- c"),
        ("# Ada\n- likes tea\n", "# Bob\n- likes tea", "# Bob\n- likes tea"),
        ("Ada:\n\n- likes tea\n", "Bob:\n\n- likes tea", "Bob:\n\n- likes tea"),
        ("- Ada\n  - likes tea\n", "- Bob\n  - likes tea", "- Bob\n  - likes tea"),
        ("```\na\n\nb\n```\n", "```\na\n\nb\n```\n\nnew", "new"),
        ("# A\nx\n\n# B\ny\n", "# A\nx\n\n# B\nz", "# B\nz"),
        ("", "# Only a heading\n", "# Only a heading"),
        ("# Only a heading\n", "# Only a heading\n", ""),
        ("- a", "He said:", "He said:"),
        ("# Ada\n- likes tea\n", "- likes tea", ""),
        ("", "  - a\n  - b", "- a\n- b"),
        ("- a\r\n- b\r\n", "- b\r\n- c\r\n", "- c"),
    ],
)
def test_only_what_the_note_does_not_have_is_left(old: str, new: str, left: str) -> None:
    assert only_new(old, new) == left


@given(_LINES, _LINES)
def test_what_was_added_is_not_new_any_more_and_nothing_else_is_invented(old: list[str], new: list[str]) -> None:
    before, text = "\n".join(old), "\n".join(new)
    added = only_new(before, text)
    assert {line.strip() for line in added.split("\n")} <= {*(line.strip() for line in new), ""}
    if "```" not in before + text:  # an open block of code swallows what comes after it
        assert only_new(f"{before}\n{below(before, added)}", text) == ""


@given(_LINES)
def test_everything_is_new_to_an_empty_note(new: list[str]) -> None:
    words = {line.strip() for line in new if line.strip() and not line.startswith("#")}
    assert words <= {line.strip() for line in only_new("", "\n".join(new)).split("\n")}


@given(_LINES, _LINES)
def test_no_word_of_a_saved_text_is_lost_and_a_note_says_it_once(old: list[str], new: list[str]) -> None:
    before, text = "\n".join(old), "\n".join(new)
    found = find_novelty(before, text)
    assert set(text.split()) <= {*before.split(), *found.text.split()}
    assert all(1 <= line <= len(old) and old[line - 1].strip() for line in found.known_at)
    if not found.known_at:
        assert found.text == text
    if text.strip() and "```" not in before + text and "about it:" not in before:  # as above; what leads in tells apart
        assert find_novelty(f"{before}\n{below(before, found.text)}", text).text == ""


@pytest.mark.parametrize("text", ["Tea.", "- tea", "TEA!", "tea…", "“Tea”", "Tea.\n\nMilk."])
def test_a_sentence_is_known_whatever_its_case_bullet_and_stop(text: str) -> None:
    assert find_novelty("# Mine\n\nTea.\n- milk\n", text).text == ""
