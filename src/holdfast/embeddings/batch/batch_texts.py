"""The texts of a job as they leave this machine: without secrets, cut to the model's window, none of them blank."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.remote.remote_embedder import RemoteEmbedder

__all__ = ["outbound_rows"]


def outbound_rows(embedder: RemoteEmbedder, texts: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the rows that are sent, exactly as a direct call would send them: the vectors must be the same."""
    from holdfast.embeddings.remote.outbound_text import remove_secrets

    for row, text in texts:
        outbound = remove_secrets(text)
        if outbound.strip():
            yield row, embedder.prepare_text(outbound, Purpose.DOCUMENT)
