"""The texts of a job as they leave this machine: without secrets, cut to the model's window, none of them blank."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.remote.remote_embedder import RemoteEmbedder

__all__ = ["prepared"]


def prepared(embedder: RemoteEmbedder, texts: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The rows that are sent, exactly as a direct call would send them: the vectors must be the same."""
    from holdfast.embeddings.remote.outbound_text import leaving

    for row, text in texts:
        told = leaving(text)
        if told.strip():
            yield row, embedder.prepared(told, Purpose.DOCUMENT)
