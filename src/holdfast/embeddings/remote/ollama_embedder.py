"""Ollama's own embeddings, on this machine or another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.remote.endpoint import ollama_endpoint
from holdfast.embeddings.remote.remote_embedder import Batch, Reading, RemoteEmbedder, is_secret
from holdfast.embeddings.remote.vector_rows import rows_of
from holdfast.errors import BadAnswer
from holdfast.remote.provider_calls import Caller

__all__ = ["OllamaEmbedder"]


class OllamaEmbedder(RemoteEmbedder):
    """`ollama`; `base_url` takes every form that `OLLAMA_HOST` has, and the default is this machine."""

    # on a CPU a few thousand characters take seconds, and a batch that is late is lost whole
    batch = Batch(texts=16, characters=24_000)

    def __init__(
        self,
        model: str = "nomic-embed-text",
        *,
        base_url: str = "",
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        dimensions: int | None = None,
        caller: Caller | None = None,
        query_seconds: float = 8.0,
    ) -> None:
        sent = dict(headers or {})
        endpoint = ollama_endpoint("ollama", base_url, secret=is_secret(api_key, sent))
        if api_key:  # Ollama itself asks for none; a proxy before it may
            sent.setdefault("Authorization", f"Bearer {api_key.strip()}")
        super().__init__(
            "ollama",
            model.removesuffix(":latest"),
            endpoint,
            headers=sent,
            dimensions=dimensions,
            caller=caller,
            query_seconds=query_seconds,
        )

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
