"""Find what else could turn text into vectors here, and the command that turns it on.

Nothing is used by being found.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from holdfast.embeddings.provider_choice import KEYS, has_key
from holdfast.named_tuple import NamedTuple
from holdfast.settings.embedding_settings import Provider

__all__ = ["Possible", "ollama_answers", "possible"]

_PATIENCE = 0.3  # seconds; a service on this machine answers in a few milliseconds or not at all


class Possible(NamedTuple):
    """A provider that could be used, how that is known, and how to use it."""

    provider: str
    why: str
    command: str


def possible(
    current: str | None, environ: Mapping[str, str] | None = None, *, settled: Sequence[str] = ()
) -> list[Possible]:
    """Return every provider but the current one that has a key here, or answers here.

    `settled` are the settings that were made for the current one, and would be wrong for another.
    """
    if environ is None:
        environ = os.environ
    found: list[Possible] = []
    for provider in KEYS:
        name = has_key(provider, environ)
        if name and provider != current:
            found.append(Possible(provider.value, f"{name} is set", _command(provider, settled)))
    if current != Provider.OLLAMA and ollama_answers(environ):
        found.append(Possible("ollama", "it answers on this machine", _command(Provider.OLLAMA, settled)))
    return found


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


def _command(provider: Provider, settled: Sequence[str]) -> str:
    unset = "".join(f"holdfast config unset {name} && " for name in settled)
    return f"{unset}holdfast config set memory.provider {provider}"
