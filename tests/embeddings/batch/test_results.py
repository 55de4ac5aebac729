"""Result files as they should not be: whatever stands in one, only checked vectors come out of it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.embeddings.batch.batch_results import encode_lines, gather
from holdfast.embeddings.remote.openai_embedder import OpenAIEmbedder
from holdfast.embeddings.remote.remote_embedder import RemoteOptions
from holdfast.errors import BadAnswer

EMBEDDER = OpenAIEmbedder("tiny", RemoteOptions(api_key="sk-none", dimensions=2))
GOOD = [0.6, 0.8]

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("0.0"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
numbers = st.floats(allow_nan=True, allow_infinity=True) | st.integers() | st.just(0.0)
vectors = st.lists(numbers, min_size=1, max_size=3) | values
rows = st.sampled_from("xyz")


def line(row: Any, vector: Any) -> bytes:
    return json.dumps({"row": row, "vector": vector}).encode()


def answer_of(found: dict[str, Any]) -> tuple[Any, Any] | None:
    if "vector" not in found:
        return None
    return found.get("row"), {"data": [{"index": 0, "embedding": found["vector"]}], "model": "tiny"}


lines = st.one_of(
    st.builds(line, rows | values, vectors),
    st.binary(max_size=20),
    st.just(b"[" * 50_000),
    values.map(lambda value: json.dumps(value).encode()),
)


@given(file=st.lists(lines, max_size=6).map(b"\n".join), expected=st.integers(0, 4))
def test_only_vectors_of_length_one_come_out_of_any_file(file: bytes, expected: int) -> None:
    try:
        found = gather(EMBEDDER, lambda: file, answer_of, expected)
    except BadAnswer:
        return
    for row, vector in found.items():
        assert isinstance(row, str)
        assert np.isclose(np.linalg.norm(np.frombuffer(vector, "<f4")), 1.0, atol=1e-5)
        assert len(vector) == 8


@given(cut=st.integers(0, 200))
def test_a_file_that_was_cut_anywhere_keeps_its_whole_lines(cut: int) -> None:
    whole = b"".join(line(row, GOOD) + b"\n" for row in "xyz")
    part = whole[:cut]
    complete = part.count(b"}\n") + (part[-1:] == b"}")
    if not complete:
        with pytest.raises(BadAnswer):
            gather(EMBEDDER, lambda: part, answer_of, 3)
    else:
        assert sorted(gather(EMBEDDER, lambda: part, answer_of, 3)) == list("xyz"[:complete])


def test_the_better_of_two_downloads_is_taken() -> None:
    files = [line("x", GOOD) + b"\n" + line("y", GOOD), line("x", GOOD)]
    assert sorted(gather(EMBEDDER, lambda: files.pop(0), answer_of, 3)) == ["x", "y"]
    assert files == []


def test_a_good_file_is_downloaded_once() -> None:
    files = [line("x", GOOD)]
    assert list(gather(EMBEDDER, lambda: files.pop(0), answer_of, 1)) == ["x"]


@given(texts=st.lists(st.text(), max_size=5))
def test_every_text_is_one_line_of_what_is_sent(texts: list[str]) -> None:
    written = encode_lines({"input": text} for text in texts)
    assert [json.loads(one)["input"] for one in written.split(b"\n")[:-1]] == texts
