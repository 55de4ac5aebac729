"""What somebody wrote can't pass for a part of the prompt that it is put into."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.guard.fence import bar_lines, bound_nonce, fence, fence_texts, strip_invisible
from holdfast.notes.nonce import new_nonce

NASTY = st.text(
    alphabet=st.sampled_from("ab <>/&|#`\n\r\u2028\u2029\x85\x0b\x0c\x1b\u200b\u202e\ufeff\U000e0041\ud800-\"'0f=[]:"),
    max_size=60,
)


@pytest.mark.row("fences")
@pytest.mark.promise("P11")
@given(NASTY | st.text(max_size=60))
def test_every_line_of_a_barred_text_is_behind_a_bar_and_opens_no_tag(text: str) -> None:
    lines = bar_lines(text).split("\n")
    assert all(line.startswith("| ") for line in lines)
    assert "\n".join(lines).splitlines() == lines or lines == ["| "]
    assert not re.search("[<>\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202e\ufeff\U000e0041\ud800]", "\n".join(lines))


@pytest.mark.row("fences")
@pytest.mark.promise("P11")
@given(NASTY, st.sampled_from(["path", "origin"]), NASTY)
def test_what_is_said_of_a_text_stays_in_the_first_line_of_its_fence(body: str, name: str, said: str) -> None:
    nonce = new_nonce()
    block = fence(bar_lines(body, nonce), nonce, {"id": 1, name: said})
    first, *_, last = block.split("\n")
    quoted = r'(?: id=1)(?: (?:path|origin)="[^"<>]*")?'
    assert re.fullmatch(f"<memory-{nonce}{quoted}>", first) and last == f"</memory-{nonce}>"
    assert block.count(nonce) == 2 + first.count(nonce) - 1


@pytest.mark.promise("P11")
@given(st.text(max_size=200))
def test_the_name_of_a_fence_that_is_bound_to_its_text_is_not_in_that_text(text: str) -> None:
    nonce = bound_nonce(text, "key of the session")
    assert nonce not in text and nonce == bound_nonce(text, "key of the session")
    assert re.fullmatch("[0-9a-f]{12}", nonce)


def test_the_name_of_a_fence_depends_on_the_text_and_on_the_key() -> None:
    assert len({bound_nonce("a", "k"), bound_nonce("b", "k"), bound_nonce("a", "l")}) == 3


def test_a_name_that_stands_in_a_text_twice_inside_itself_does_not_come_out_of_it() -> None:
    nonce = "0123456789ab"
    assert nonce not in bar_lines(f"012345{nonce}6789ab", nonce)
    assert nonce not in fence_texts([f"012345{nonce}6789ab"], nonce, characters=100).split("\n")[1]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a\r\nb\rc", "a\nb\nc"),
        ("\x1b[2Jred\x07", "[2Jred"),
        ("vis\u200bib\U000e0041le\u202e", "visible"),
        ("سلام می\u200cخواهم", "سلام می\u200cخواهم"),
        ("👩\u200d👩\u200d👧 ❤\ufe0f", "👩\u200d👩\u200d👧 ❤\ufe0f"),
        ("x" + "\ufe01" * 8 + "y", "xy"),
        ("tab\tstays", "tab\tstays"),
    ],
)
def test_what_is_seen_stays_and_what_nobody_sees_goes(text: str, left: str) -> None:
    assert strip_invisible(text) == left
