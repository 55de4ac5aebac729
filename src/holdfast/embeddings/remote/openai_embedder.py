"""OpenAI's embeddings, and every service that speaks the same language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.remote.endpoint import openai_endpoint
from holdfast.embeddings.remote.remote_embedder import Batch, Reading, RemoteEmbedder, RemoteOptions
from holdfast.embeddings.remote.vector_rows import row_of
from holdfast.errors import BadAnswer, ProviderRefused

__all__ = ["OpenAIEmbedder"]

_OPENAI = "https://api.openai.com/v1"

_MODEL = "text-embedding-3-small"
_DEFAULTS = RemoteOptions()


class OpenAIEmbedder(RemoteEmbedder):
    """`openai`, or `custom` with a `base_url`: a host, its `/v1`, or the whole `/embeddings` address."""

    batch = Batch(texts=128, characters=200_000)  # the service takes 2,048 texts and 300,000 tokens

    def __init__(self, model: str = "", options: RemoteOptions = _DEFAULTS, *, provider: str = "openai") -> None:
        if not options.base_url and provider != "openai":
            raise ProviderRefused(provider, "memory.base_url is not set, and only it says where to ask")
        endpoint = openai_endpoint(provider, options.base_url or _OPENAI, secret=options.is_secret)
        headers = dict(options.headers)
        if options.api_key and not any(name.lower() == "authorization" for name in headers):
            headers["Authorization"] = f"Bearer {options.api_key.strip()}"
        if endpoint.name == _OPENAI and not options.is_secret:
            self.lacks = "there is no key; set OPENAI_API_KEY or memory.api_key"
        super().__init__(provider, model or _MODEL, endpoint, options, headers)

    def question(self, texts: Sequence[str], purpose: Purpose) -> tuple[str, dict[str, Any]]:  # noqa: ARG002
        """Return the body of POST /embeddings."""
        self.complete()
        # base64 is a third of the size; servers that only resemble OpenAI's may not know it
        if self.provider == "openai":
            encoding = "base64"
        else:
            encoding = "float"
        body: dict[str, Any] = {"model": self.model, "input": list(texts), "encoding_format": encoding}
        if self.asked_dimensions is not None and "text-embedding-3" in self.model:
            body["dimensions"] = self.asked_dimensions
        return self.url, body

    def read_answer(self, answer: Any, count: int) -> Reading:
        """Return the rows in order by their `index`; one that is missing, doubled or out of range refuses them all."""
        data = None
        if isinstance(answer, dict):
            data = answer.get("data")
        if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
            raise BadAnswer(self.provider, "the answer has no list 'data' of vectors")
        rows: dict[int, Any] = {}
        for item in data:
            index = item.get("index")
            if type(index) is not int or not 0 <= index < max(count, len(data)) or index in rows:
                raise BadAnswer(self.provider, "a vector's 'index' is missing, doubled or out of range")
            rows[index] = row_of(self.provider, item.get("embedding"))
        named = answer.get("model")
        return Reading([rows[index] for index in sorted(rows)], named if isinstance(named, str) and named else None)
