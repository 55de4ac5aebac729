"""A provider's name and its settings in; the embedder that asks it out."""

from __future__ import annotations

from typing import Any

from holdfast.embeddings.remote.remote_embedder import RemoteEmbedder
from holdfast.remote.provider_calls import Caller
from holdfast.remote.retry_policy import Policy
from holdfast.settings.embedding_settings import RemoteSettings
from holdfast.settings.memory_settings import MemorySettings

__all__ = ["make_remote"]


def make_remote(
    provider: str, *, memory: MemorySettings | None, remote: RemoteSettings, key: str | None, ollama_host: str
) -> RemoteEmbedder:
    """Return the embedder of a provider.

    `memory` is what the owner set for this one; a spare one goes by its own defaults, because another provider's key,
    address and headers are none of its business.
    """
    given: dict[str, Any] = {
        "caller": Caller(provider, policy=Policy(total=float(remote.timeout_seconds))),
        "query_seconds": remote.query_timeout_ms / 1000,
    }
    if memory is not None:
        headers = (line.partition(":") for line in remote.headers)
        given |= {"headers": {name.strip(): value.strip() for name, _, value in headers}}
        given |= {"dimensions": memory.dimensions, "base_url": memory.base_url or ""}
        if memory.model:
            given |= {"model": memory.model}
        else:
            given |= {}
        key = memory.api_key or key
    if provider == "ollama":
        from holdfast.embeddings.remote.ollama_embedder import OllamaEmbedder

        given["base_url"] = given.get("base_url") or ollama_host
        return OllamaEmbedder(**given, api_key=key)
    if provider == "gemini":
        from holdfast.embeddings.remote.gemini_embedder import GeminiEmbedder

        return GeminiEmbedder(**given, api_key=key)
    from holdfast.embeddings.remote.openai_embedder import OpenAIEmbedder

    return OpenAIEmbedder(**given, api_key=key, provider=provider)
