"""A provider's name and its settings in; the embedder that asks it out."""

from __future__ import annotations

from holdfast.embeddings.remote.remote_embedder import RemoteEmbedder, RemoteOptions
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
    model = ""
    options = RemoteOptions(
        api_key=key,
        caller=Caller(provider, policy=Policy(total=float(remote.timeout_seconds))),
        query_seconds=remote.query_timeout_ms / 1000,
    )
    if memory is not None:
        model = memory.model or ""
        headers = (line.partition(":") for line in remote.headers)
        options = options.replace(
            base_url=memory.base_url or "",
            api_key=memory.api_key or key,
            headers={name.strip(): value.strip() for name, _, value in headers},
            dimensions=memory.dimensions,
        )
    if provider == "ollama":
        from holdfast.embeddings.remote.ollama_embedder import OllamaEmbedder

        return OllamaEmbedder(model, options.replace(base_url=options.base_url or ollama_host))
    if provider == "gemini":
        from holdfast.embeddings.remote.gemini_embedder import GeminiEmbedder

        return GeminiEmbedder(model, options)
    from holdfast.embeddings.remote.openai_embedder import OpenAIEmbedder

    return OpenAIEmbedder(model, options, provider=provider)
