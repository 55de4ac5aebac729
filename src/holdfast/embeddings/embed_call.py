"""Asking an embedder, whoever wrote it: vectors that may be stored, or `ProviderFailed`, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.embeddings.embedder import Embedder, Purpose
from holdfast.errors import ProviderFailed

__all__ = ["ask"]


def ask(embedder: Embedder, texts: Sequence[str], purpose: Purpose, seconds: float | None = None) -> list[bytes]:
    """Return the packed vectors of the texts; b"" where the model has none.

    `seconds` are for one that knows deadlines.
    """
    from holdfast.embeddings.vector_check import pack_vectors

    if seconds is None:
        limit = {}
    else:
        limit = {"seconds": seconds}
    try:
        return pack_vectors(embedder.embed(texts, purpose, **limit), len(texts), embedder.space)
    except ProviderFailed:
        raise
    except Exception as error:  # code that is not ours may raise anything, and a saved note must not look unsaved
        raise ProviderFailed(embedder.space.provider, f"{type(error).__name__}: {error}") from error
