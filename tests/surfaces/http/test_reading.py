"""Bodies, queries and paths from anybody: read, or refused with BadArgument; nothing else comes out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.errors import BadArgument
from holdfast.surfaces.http.request_body import read_json, read_query, read_segment

BOMBS = {
    "nested arrays": b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "nested objects": b'{"a":' * 5000 + b"1" + b"}" * 5000,
    "deeper than is sensible": b'{"a":' * 70 + b"1" + b"}" * 70,
    "a number of a million digits": b'{"a":' + b"9" * 1_000_000 + b"}",
    "a number beyond all": b'{"a":1e999}',
    "a negative one": b'{"a":-1e999}',
    "no number": b'{"a":NaN}',
    "infinity": b'{"a":Infinity}',
    "half a character": b'{"a":"\\ud800"}',
    "half a character as a name": b'{"\\udfff":1}',
    "the same name twice": b'{"a":1,"a":2}',
    "no object": b"[1]",
    "a bare text": b'"a"',
    "no UTF-8": b'{"a":"\xff"}',
    "half of it": b'{"a":',
    "more behind it": b'{"a":1}{"b":2}',
    "not JSON": b"a=1&b=2",
}


@pytest.mark.parametrize("data", BOMBS.values(), ids=BOMBS)
def test_what_could_hurt_is_refused(data: bytes) -> None:
    with pytest.raises(BadArgument) as refused:
        read_json(data)
    assert len(str(refused.value)) < 300


def test_no_body_is_an_empty_object() -> None:
    assert read_json(b"") == read_json(b" \n") == read_json(b"{}") == {}


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.text(), plain, max_size=5))
def test_any_object_comes_back_as_it_was(value: dict[str, Any]) -> None:
    try:
        data = json.dumps(value).encode()
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return
    assert read_json(data) == value


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for read in (read_json, read_query):
        try:
            assert isinstance(read(data), dict)
        except BadArgument:
            continue


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        (b"", {}),
        (b"a=1&b=two+words", {"a": "1", "b": "two words"}),
        (b"a=%C3%A9%2F", {"a": "é/"}),
        (b"a", {"a": ""}),
        (b"&&a=1&", {"a": "1"}),
        (b"a=b=c", {"a": "b=c"}),
    ],
)
def test_a_query_is_read(query: bytes, fields: dict[str, str]) -> None:
    assert read_query(query) == fields


@pytest.mark.parametrize("query", [b"a=1&a=2", b"a=%FF", b"%FF=1", b"&".join(b"a%d=1" % n for n in range(65))])
def test_a_query_that_says_two_things_is_refused(query: bytes) -> None:
    with pytest.raises(BadArgument):
        read_query(query)


def test_a_segment_of_the_path_is_what_the_caller_meant() -> None:
    assert read_segment("a%2Fb%20c", "key") == "a/b c"
    with pytest.raises(BadArgument):
        read_segment("%ff", "key")
