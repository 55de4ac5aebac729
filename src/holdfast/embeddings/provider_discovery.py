"""Find what else could turn text into vectors here, and the command that turns it on.

Nothing is used by being found.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from holdfast.embeddings.ollama_probe import ollama_answers
from holdfast.embeddings.provider_choice import KEYS, has_key
from holdfast.named_tuple import NamedTuple
from holdfast.settings.embedding_settings import Provider

__all__ = ["Possible", "possible"]


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


def _command(provider: Provider, settled: Sequence[str]) -> str:
    unset = "".join(f"holdfast config unset {name} && " for name in settled)
    return f"{unset}holdfast config set memory.provider {provider}"
