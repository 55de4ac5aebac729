"""The weight of a text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdfast.markdown.token_estimate import weight


def _one(char: str) -> int:
    code = ord(char)
    narrow = code < 0x800 or 0x1E00 <= code < 0x3000
    return 1 if narrow else 4


@given(st.text())
def test_a_wide_character_weighs_as_much_as_a_token(text: str) -> None:
    assert weight(text) == sum(map(_one, text))


@given(st.text(), st.text())
def test_weights_add_up(left: str, right: str) -> None:
    assert weight(left + right) == weight(left) + weight(right)


def test_scripts_weigh_what_their_tokens_cost() -> None:
    assert weight("plain text") == 10
    assert weight("Čeština – ‘ok’ … → Tiếng Việt привет") == 36
    assert weight("漢字") == weight("かな") == weight("한글") == weight("ไท") == 8
    assert weight("😀") == 4
    assert weight("\ud800") == 4
