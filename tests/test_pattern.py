"""A pattern that is compiled late does what one that is compiled at once does."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.pattern import compile_late

TEXT = st.text(alphabet="abAB12 .-")


@given(TEXT, st.sampled_from([r"[ab]+", r"(?P<day>\d)-", r"a|\.", ""]), st.sampled_from([0, re.IGNORECASE]))
def test_it_finds_what_a_compiled_one_finds(text: str, pattern: str, flags: int) -> None:
    late, now = compile_late(pattern, flags), re.compile(pattern, flags)
    assert late.findall(text) == now.findall(text)
    assert late.sub("x", text) == now.sub("x", text)
    assert late.split(text) == now.split(text)
    assert [found.span() for found in late.finditer(text)] == [found.span() for found in now.finditer(text)]
    for one, other in zip(
        (late.match, late.fullmatch, late.search), (now.match, now.fullmatch, now.search), strict=True
    ):
        assert str(one(text)) == str(other(text))
    assert (late.pattern, late.flags, late.groups) == (now.pattern, now.flags, now.groups)
    assert late.groupindex == now.groupindex


def test_it_takes_bytes_as_well() -> None:
    assert compile_late(rb"\d+").findall(b"1 and 23") == [b"1", b"23"]


def test_a_mistake_in_it_is_told_when_it_is_used() -> None:
    broken = compile_late("(")
    with pytest.raises(re.error):
        broken.match("x")


def test_it_has_nothing_that_a_pattern_has_not() -> None:
    with pytest.raises(AttributeError):
        compile_late("a").matches  # type: ignore[attr-defined]  # noqa: B018
