"""Ollama's own embeddings, on this machine or another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.remote.endpoint import ollama_endpoint
from holdfast.embeddings.remote.remote_embedder import Batch, Reading, RemoteEmbedder, RemoteOptions
from holdfast.embeddings.remote.vector_rows import rows_of
from holdfast.errors import BadAnswer

__all__ = ["OllamaEmbedder"]


_MODEL = "nomic-embed-text"
_DEFAULTS = RemoteOptions()


class OllamaEmbedder(RemoteEmbedder):
    """`ollama`; `base_url` takes every form that `OLLAMA_HOST` has, and the default is this machine."""

    # on a CPU a few thousand characters take seconds, and a batch that is late is lost whole
    batch = Batch(texts=16, characters=24_000)

    def __init__(self, model: str = "", options: RemoteOptions = _DEFAULTS) -> None:
        endpoint = ollama_endpoint("ollama", options.base_url, secret=options.is_secret)
        headers = dict(options.headers)
        if options.api_key:  # Ollama itself asks for none; a proxy before it may
            headers.setdefault("Authorization", f"Bearer {options.api_key.strip()}")
        super().__init__("ollama", (model or _MODEL).removesuffix(":latest"), endpoint, options, headers)

    def question(self, texts: Sequence[str], purpose: Purpose) -> tuple[str, dict[str, Any]]:  # noqa: ARG002
        """Return the body of POST /api/embed."""
        body: dict[str, Any] = {"model": self.model, "input": list(texts), "truncate": True}
        if self.asked_dimensions is not None:
            body["dimensions"] = self.asked_dimensions
        return self.url, body

    def read_answer(self, answer: Any, count: int) -> Reading:  # noqa: ARG002 - its rows have no numbers; order is all
        """Return the rows as they come; this API has no other order."""
        if not isinstance(answer, dict) or "embeddings" not in answer:
            raise BadAnswer(self.provider, "the answer has no 'embeddings'; is this an Ollama of 0.3 or later?")
        named = answer.get("model")
        return Reading(rows_of(self.provider, answer["embeddings"]), named if isinstance(named, str) else None)
