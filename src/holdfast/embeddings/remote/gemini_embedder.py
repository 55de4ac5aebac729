"""Gemini's embeddings through Google's own API, which tells questions from documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.remote.endpoint import plain_endpoint
from holdfast.embeddings.remote.remote_embedder import Batch, Reading, RemoteEmbedder, is_secret
from holdfast.embeddings.remote.vector_rows import rows_of
from holdfast.errors import BadAnswer
from holdfast.remote.provider_calls import Caller

__all__ = ["TASKS", "GeminiEmbedder"]

_GEMINI = "https://generativelanguage.googleapis.com/v1beta"
TASKS = {Purpose.DOCUMENT: "RETRIEVAL_DOCUMENT", Purpose.QUERY: "RETRIEVAL_QUERY"}


class GeminiEmbedder(RemoteEmbedder):
    """`gemini`; the key travels in a header, never in the address."""

    batch = Batch(texts=100, characters=100_000)  # the service takes 100 texts

    def __init__(
        self,
        model: str = "gemini-embedding-001",
        *,
        base_url: str = "",
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        dimensions: int | None = None,
        caller: Caller | None = None,
        query_seconds: float = 8.0,
    ) -> None:
        sent = dict(headers or {})
        endpoint = plain_endpoint("gemini", base_url or _GEMINI, secret=is_secret(api_key, sent))
        if endpoint.url.count("/") == 2:  # a host alone
            endpoint = plain_endpoint("gemini", f"{endpoint.url}/v1beta", secret=is_secret(api_key, sent))
        if api_key:
            sent.setdefault("x-goog-api-key", api_key.strip())
        if endpoint.name == _GEMINI and not is_secret(api_key, sent):
            self.lacks = "there is no key; set GEMINI_API_KEY or memory.api_key"
        super().__init__(
            "gemini",
            model.removeprefix("models/"),
            endpoint,
            headers=sent,
            dimensions=dimensions,
            caller=caller,
            query_seconds=query_seconds,
        )

    def question(self, texts: Sequence[str], purpose: Purpose) -> tuple[str, dict[str, Any]]:
        """The body of `:batchEmbedContents`."""
        self.complete()
        requests = [self.request(text, purpose) for text in texts]
        base, mark, query = self.url.partition("?")
        return f"{base}/models/{quote(self.model, safe='')}:batchEmbedContents{mark}{query}", {"requests": requests}

    def request(self, text: str, purpose: Purpose) -> dict[str, Any]:
        """One EmbedContentRequest; a batch job is made of the same."""
        one: dict[str, Any] = {"model": f"models/{self.model}", "content": {"parts": [{"text": text}]}}
        if not self.known.prompts.query:  # a model that is told its task in the text takes no task type
            one["taskType"] = TASKS[purpose]
        if self.asked_dimensions is not None:
            one["outputDimensionality"] = self.asked_dimensions
        return one

    def reading(self, answer: Any, count: int) -> Reading:  # noqa: ARG002 - its rows have no numbers; order is all
        """The rows as they come; the answer does not name its model."""
        found = answer.get("embeddings") if isinstance(answer, dict) else None
        if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
            raise BadAnswer(self.provider, "the answer has no list 'embeddings'")
        return Reading(rows_of(self.provider, [item.get("values") for item in found]), None)
