"""Find out whether Ollama answers on this machine."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["ollama_answers"]

_PATIENCE = 0.3  # seconds; a service on this machine answers in a few milliseconds or not at all


def ollama_answers(environ: Mapping[str, str]) -> bool:
    """Say whether Ollama is there; only asked where it runs on this machine."""
    from holdfast.embeddings.remote.endpoint import is_here, ollama_endpoint
    from holdfast.errors import ProviderFailed
    from holdfast.remote.provider_calls import Caller
    from holdfast.remote.retry_policy import Policy

    try:
        endpoint = ollama_endpoint("ollama", environ.get("OLLAMA_HOST", ""))
        if not is_here(endpoint.name) or not _listens(endpoint.name):
            return False
        policy = Policy(connect=_PATIENCE, read=_PATIENCE, total=_PATIENCE, attempts=1, body=65_536)
        with Caller("ollama", policy=policy) as caller:
            return "version" in caller.send("GET", f"{endpoint.name}/api/version")
    except ProviderFailed:
        return False


def _listens(url: str) -> bool:
    """Say whether anybody listens there; a refusal takes microseconds, and spares a command the HTTP client."""
    import socket
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
        socket.create_connection((parts.hostname or "", port), _PATIENCE).close()
    except OSError:
        return False
    return True
