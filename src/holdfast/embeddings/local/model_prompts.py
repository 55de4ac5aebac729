"""Prompts that some models want in front of a text: they were trained with them, and lose much without.

Taken from the model cards. A model directory that says its prompts itself is believed before this table.
"""

from __future__ import annotations

import re

from holdfast.embeddings.embedder import Purpose
from holdfast.named_tuple import NamedTuple

__all__ = ["Prompts", "add_prompt", "known_prompts"]

_SEARCH = "Given a web search query, retrieve relevant passages that answer the query"
_BGE = "Represent this sentence for searching relevant passages: "
_LONGEST_PIECE = 32  # characters a token on average, at the very most; it bounds what a tokenizer is given


class Prompts(NamedTuple):
    """The words in front of a question, and in front of a note."""

    query: str = ""
    document: str = ""

    def of(self, purpose: Purpose) -> str:
        """Return the one for this purpose."""
        if purpose is Purpose.QUERY:
            return self.query
        return self.document


# The first that matches a name wins, so an exception stands before its rule.
_FAMILIES: tuple[tuple[str, Prompts], ...] = (
    (r"embedding-?gemma|gemma-embedding", Prompts("task: search result | query: ", "title: none | text: ")),
    (r"nomic-(embed|bert)", Prompts("search_query: ", "search_document: ")),
    (r"qwen3-embedding", Prompts(f"Instruct: {_SEARCH}\nQuery:")),
    (r"(?<![a-z0-9])e5-.*instruct", Prompts(f"Instruct: {_SEARCH}\nQuery: ")),
    (r"(?<![a-z0-9])e5-(small|base|large)", Prompts("query: ", "passage: ")),
    (r"bge-m3", Prompts()),
    (r"bge-(small|base|large)-zh", Prompts("为这个句子生成表示以用于检索相关文章：")),
    (r"bge-(small|base|large)-en|bge-(micro|small|base|large)", Prompts(_BGE)),
    (r"mxbai-embed", Prompts(_BGE)),
    (r"arctic-embed-.*v2", Prompts("query: ")),
    (r"arctic-embed", Prompts(_BGE)),
)


def known_prompts(*names: str) -> Prompts:
    """Return the prompts of the first family that one of the names belongs to; none for the rest."""
    plain = [re.sub(r"[\s_]+", "-", name.lower()) for name in names]
    for pattern, prompts in _FAMILIES:
        if any(re.search(pattern, name) for name in plain):
            return prompts
    return Prompts()


def add_prompt(text: str, prompt: str, tokens: int) -> str | None:
    """Return prompt and text as the model is given them, no longer than it could ever use.

    It is None when there is nothing to say.
    """
    if not text.strip():
        return None
    # Half of a surrogate pair is no text to any tokenizer.
    whole = text[: tokens * _LONGEST_PIECE].encode("utf-8", "replace").decode("utf-8")
    if not whole.strip():
        return None
    return prompt + whole
