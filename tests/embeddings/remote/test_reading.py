"""Answers of every shape, given straight to the readers: only vectors or a refusal may come out."""

from __future__ import annotations

import base64
import random
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.embeddings.remote.gemini_embedder import GeminiEmbedder
from holdfast.embeddings.remote.known_models import known_model
from holdfast.embeddings.remote.ollama_embedder import OllamaEmbedder
from holdfast.embeddings.remote.openai_embedder import OpenAIEmbedder
from holdfast.embeddings.remote.remote_embedder import RemoteOptions
from holdfast.embeddings.remote.vector_rows import row_of
from holdfast.errors import BadAnswer

KEY = RemoteOptions(api_key="k")
READERS = [OpenAIEmbedder(options=KEY), OllamaEmbedder(), GeminiEmbedder(options=KEY)]
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
KEYS = st.sampled_from(["data", "embeddings", "embedding", "values", "index", "model", "x"])
JSON = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4))


@given(JSON, st.integers(0, 4))
def test_any_json_is_rows_of_numbers_or_a_bad_answer(found: Any, count: int) -> None:
    for reader in READERS:
        try:
            reading = reader.read_answer(found, count)
        except BadAnswer:
            continue
        assert all(row.dtype == "float32" and row.ndim == 1 and len(row) for row in reading.rows)


@given(st.integers(1, 20), st.randoms(use_true_random=False))
def test_openai_rows_are_put_in_order_by_their_index(count: int, chance: random.Random) -> None:
    data = [{"index": index, "embedding": [float(index), 1.0]} for index in range(count)]
    chance.shuffle(data)
    reading = READERS[0].read_answer({"data": data, "model": "m"}, count)
    assert [row[0] for row in reading.rows] == list(range(count))
    assert reading.model == "m"


@pytest.mark.parametrize("indices", [[0, 0], [0, 2], [-1, 0], [0, None], [0, "1"], [0, True], [0, 1.0]])
def test_an_index_that_is_missing_doubled_or_out_of_range_refuses_all(indices: list[Any]) -> None:
    data = [{"index": index, "embedding": [1.0]} for index in indices]
    with pytest.raises(BadAnswer, match="'index'"):
        READERS[0].read_answer({"data": data}, 2)


@given(st.lists(st.floats(width=32, allow_nan=False), min_size=1, max_size=30))
def test_packed_and_plain_numbers_are_the_same(numbers: list[float]) -> None:
    text = base64.b64encode(struct.pack(f"<{len(numbers)}f", *numbers)).decode()
    assert row_of("x", text).tolist() == row_of("x", numbers).tolist() == numbers


@pytest.mark.parametrize(
    "vector",
    [None, [], {}, 3, "", "words", "AAA=", [True], ["1"], [[1.0]], [None], [10**400], [0.0] * 70_000, "AAAA" * 99_999],
)
def test_what_is_no_list_of_numbers_is_refused(vector: Any) -> None:
    with pytest.raises(BadAnswer, match="vector"):
        row_of("x", vector)


def test_a_number_too_large_for_32_bits_is_left_for_the_check_of_finite_ones() -> None:
    assert row_of("x", [1e300, 1.0]).tolist() == [float("inf"), 1.0]


def test_models_are_known_by_their_names_whoever_serves_them() -> None:
    assert known_model("text-embedding-3-large").dimensions == 3072
    assert known_model("nomic-ai/nomic-embed-text:v1.5").prompts == ("search_query: ", "search_document: ")
    assert known_model("intfloat/multilingual-e5-small").prompts.document == "passage: "
    assert known_model("intfloat/multilingual-e5-small").dimensions is None
    assert known_model("snowflake-arctic-embed2:568m").prompts.query == "query: "
    assert known_model("mxbai-embed-large-v2") == known_model("mxbai-embed-large")._replace(dimensions=None)
    assert known_model("something-new") == (None, 8192, ("", ""))
    assert known_model("text-embedding-3-small").prompts == ("", "")
