"""What is written in front of a text, and what a tokenizer is given."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.local.model_prompts import Prompts, add_prompt, known_prompts


@pytest.mark.parametrize(
    ("name", "query", "document"),
    [
        ("embeddinggemma-300M-Q8_0.gguf", "task: search result | query: ", "title: none | text: "),
        ("nomic-embed-text-v1.5.Q8_0.gguf", "search_query: ", "search_document: "),
        ("multilingual-e5-small", "query: ", "passage: "),
        ("e5_base_v2", "query: ", "passage: "),
        ("BGE Small EN v1.5", "Represent this sentence for searching relevant passages: ", ""),
        ("bge-m3", "", ""),
        ("snowflake-arctic-embed-l-v2.0", "query: ", ""),
        ("all-MiniLM-L6-v2", "", ""),
        ("some-size5-large", "", ""),
        ("granite-embedding-30m-english", "", ""),
    ],
)
def test_a_family_is_known_by_its_name(name: str, query: str, document: str) -> None:
    assert known_prompts(name) == Prompts(query, document)


def test_an_instruction_goes_with_the_question_only() -> None:
    for name in ("Qwen3-Embedding-0.6B-Q8_0.gguf", "multilingual-e5-large-instruct"):
        found = known_prompts(name)
        assert found.of(Purpose.QUERY).startswith("Instruct: ") and found.of(Purpose.DOCUMENT) == ""


def test_the_architecture_counts_where_the_name_says_nothing() -> None:
    assert known_prompts("model.gguf", "nomic-bert") == Prompts("search_query: ", "search_document: ")


def test_an_empty_text_has_nothing_to_say_whatever_stands_in_front() -> None:
    assert add_prompt(" \n", "query: ", 512) is None
    assert add_prompt("a \ud800 b", "query: ", 512) == "query: a ? b"


@given(st.text(st.characters(exclude_categories=[])), st.integers(8, 64))
def test_what_a_tokenizer_is_given_is_short_and_can_be_encoded(text: str, tokens: int) -> None:
    found = add_prompt(text * 20, "p: ", tokens)
    if found is not None:
        assert len(found.encode("utf-8")) <= 3 + tokens * 32 * 4
