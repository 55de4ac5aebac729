"""The address that the owner wrote as `llm.base_url` → the URL that is called.

The rules are those of the embedding providers, so that one address serves both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from holdfast.embeddings.remote.endpoint import Endpoint, ollama_endpoint, openai_endpoint, plain_endpoint
from holdfast.embeddings.remote.remote_embedder import is_secret
from holdfast.errors import ProviderRefused

__all__ = ["anthropic_url", "beside_url", "gemini_url", "headers_with", "is_secret", "ollama_url", "openai_url"]


def openai_url(provider: str, written: str, *, secret: bool) -> str:
    """A host, a base that ends in a version, or the whole `…/chat/completions`."""
    url = _read(openai_endpoint, provider, _without_ending(written, "/chat/completions"), secret)
    return _replace_path(url, lambda base: base.removesuffix("/embeddings") + "/chat/completions")


def ollama_url(provider: str, written: str, *, secret: bool) -> str:
    """Whatever `OLLAMA_HOST` may hold."""
    url = _read(ollama_endpoint, provider, _without_ending(written, "/api/chat"), secret)
    return _replace_path(url, lambda base: base.removesuffix("/api/embed") + "/api/chat")


def anthropic_url(provider: str, written: str, *, secret: bool) -> str:
    """A host, a proxy's path, a base that ends in `/v1`, or the whole `/v1/messages`."""
    url = _read(plain_endpoint, provider, _without_ending(_without_ending(written, "/messages"), "/v1"), secret)
    return _replace_path(url, lambda base: base + "/v1/messages")


def gemini_url(provider: str, written: str, *, secret: bool) -> str:
    """A host, or a base that ends in a version; the model and the method are added by the caller."""
    url = _read(plain_endpoint, provider, written, secret)
    return _replace_path(url, lambda base: base + "/v1beta" if base.count("/") == 2 else base)


def beside_url(url: str, ending: str, other: str) -> str:
    """The address of another method of the same server, with `other` in place of the ending of the path."""
    return _replace_path(url, lambda base: base.removesuffix(ending) + other)


def headers_with(headers: Mapping[str, str] | None, name: str, value: str | None) -> dict[str, str]:
    """The owner's headers, and the key in one of them, unless the owner set that one."""
    sent = dict(headers or {})
    if value and not any(given.lower() == name.lower() for given in sent):
        sent[name] = value
    return sent


def _read(reader: Callable[..., Endpoint], provider: str, written: str, secret: bool) -> str:
    try:
        return reader(provider, written, secret=secret).url
    except ProviderRefused as refusal:
        why = refusal.why.replace("memory.base_url", "llm.base_url")
        raise ProviderRefused(provider, why, "Mend llm.base_url.") from None


def _without_ending(written: str, ending: str) -> str:
    return _replace_path(written.strip(), lambda base: base.rstrip("/").removesuffix(ending))


def _replace_path(url: str, change: Callable[[str], str]) -> str:
    """The same with another path; a query, such as Azure's `api-version`, stays."""
    base, mark, query = url.partition("?")
    return change(base) + mark + query
