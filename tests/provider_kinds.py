"""Each remote embedder, made for the test server, with what the tests must know about its API."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from provider_server import ProviderServer
from provider_vectors import vector

from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.remote.gemini_embedder import TASKS, GeminiEmbedder
from holdfast.embeddings.remote.ollama_embedder import OllamaEmbedder
from holdfast.embeddings.remote.openai_embedder import OpenAIEmbedder
from holdfast.embeddings.remote.remote_embedder import RemoteEmbedder, RemoteOptions
from holdfast.remote.provider_calls import Caller

__all__ = ["CUSTOM", "GEMINI", "KINDS", "OLLAMA", "OPENAI", "Kind"]


class Kind(NamedTuple):
    """One kind of embedder; `dimensions` is what its default model has at the server."""

    name: str
    build: Callable[[str, RemoteOptions], RemoteEmbedder]
    path: str
    dimensions: int
    names_its_model: bool = True
    document: str = ""
    query: str = ""

    def __str__(self) -> str:
        return self.name

    def make(self, server: ProviderServer, caller: Caller | None = None, **more: Any) -> RemoteEmbedder:
        """An embedder with the server's key; `caller` lets a test count what it would sleep."""
        model = more.pop("model", "")
        options = RemoteOptions(**{"base_url": server.url, "api_key": server.key, "caller": caller, **more})
        return self.build(model, options)

    def expected(self, texts: Sequence[str], purpose: Purpose, model: str, dimensions: int) -> list[list[float]]:
        """The vectors that the server gives for these texts."""
        prefix = self.query if purpose is Purpose.QUERY else self.document
        task = TASKS[purpose] if self.name == "gemini" else ""
        return [vector(model, prefix + text, task, dimensions) for text in texts]


def _custom(model: str, options: RemoteOptions) -> RemoteEmbedder:
    return OpenAIEmbedder(model or "tiny", options, provider="custom")


OPENAI = Kind("openai", OpenAIEmbedder, "/v1/embeddings", 1536)
CUSTOM = Kind("custom", _custom, "/v1/embeddings", 8)
OLLAMA = Kind("ollama", OllamaEmbedder, "/api/embed", 768, document="search_document: ", query="search_query: ")
GEMINI = Kind(
    "gemini", GeminiEmbedder, r"/v1beta/models/gemini-embedding-001:batchEmbedContents", 3072, names_its_model=False
)
KINDS = [OPENAI, CUSTOM, OLLAMA, GEMINI]
