"""Asking an embedder, whoever wrote it: vectors that may be stored, or `ProviderFailed`, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.embeddings.embedder import Embedder, Purpose
from holdfast.errors import ProviderFailed

__all__ = ["ask"]


def ask(embedder: Embedder, texts: Sequence[str], purpose: Purpose) -> list[bytes]:
    """The packed vectors of the texts; b"" where the model has none."""
    from holdfast.embeddings.validate import packed

    try:
        return packed(embedder.embed(texts, purpose), len(texts), embedder.space)
    except ProviderFailed:
        raise
    except Exception as error:  # code that is not ours may raise anything, and a saved note must not look unsaved
        raise ProviderFailed(embedder.space.provider, f"{type(error).__name__}: {error}") from error
