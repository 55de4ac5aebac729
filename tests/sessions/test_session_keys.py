"""What a session may be called, and that no two keys share a file on any system."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from holdfast.errors import BadArgument
from holdfast.transcripts.session_key import archive_name, archive_number, check_key, file_name, kind_of

KEYS = st.text(min_size=1, max_size=40) | st.from_regex(r"[a-zA-Z0-9][A-Za-z0-9._~-]{0,12}", fullmatch=True)


@pytest.mark.parametrize("key", ["main", "2026-03-03-a1b2c3", "work.notes_2-x"])
def test_a_plain_key_is_its_own_file(key: str) -> None:
    assert file_name(key) == f"{key}.jsonl"


@pytest.mark.parametrize(
    "key", ["Main", "agent:main:telegram/42", "../../etc/passwd", "a b", "漢字", "x" * 101, "a.1", "-x"]
)
def test_any_other_key_is_a_slug_and_a_hash(key: str) -> None:
    assert re.fullmatch(r"[a-z0-9-]{1,40}~[0-9a-f]{12}\.jsonl", file_name(key))


@pytest.mark.parametrize("key", ["", " a", "a ", "a\nb", "a\x1b[2J", "x" * 513, "a\u202eb"])
def test_a_key_that_can_not_be_shown_is_refused(key: str) -> None:
    with pytest.raises(BadArgument, match="key"):
        check_key(key)


def test_a_kind_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(BadArgument, match="direct, group, channel, subagent, cron"):
        kind_of("party")


@given(KEYS, KEYS)
def test_two_keys_never_share_a_file_where_case_and_unicode_forms_are_folded(one: str, other: str) -> None:
    try:
        check_key(one), check_key(other)
    except BadArgument:
        assume(False)
    folded = [unicodedata.normalize("NFKC", file_name(key)).casefold() for key in (one, other)]
    assert (folded[0] == folded[1]) == (one == other)


@given(KEYS, KEYS, st.integers(1, 999))
def test_an_archive_is_never_the_live_file_of_another_session(one: str, other: str, number: int) -> None:
    try:
        check_key(one), check_key(other)
    except BadArgument:
        assume(False)
    archive = archive_name(file_name(one), number)
    assert archive != file_name(other)
    assert archive_number(file_name(one), archive) == number
    assert one == other or archive_number(file_name(other), archive) is None
