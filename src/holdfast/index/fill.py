"""Texts without a vector → the embedder → the space; never inside a transaction, never a reason to fail a sync."""

from __future__ import annotations

from typing import NamedTuple

from holdfast.embeddings.asking import ask
from holdfast.embeddings.embedder import Embedder, Purpose
from holdfast.errors import ProviderFailed
from holdfast.index.progress import Progress
from holdfast.index.sqlite.database import Database
from holdfast.settings.values import CacheSettings

__all__ = ["Filled", "fill"]

_TEXTS_A_CALL = 64
_TEXTS_A_LOOK = 4096  # finding what is pending reads the whole index, so it is done rarely


class Filled(NamedTuple):
    """How far the vectors came, and why no further."""

    embedded: int = 0
    pending: int = 0
    because: str = ""


def fill(
    database: Database,
    embedder: Embedder | None,
    cache: CacheSettings,
    *,
    limit: int | None = None,
    dirty: bool = True,
    progress: Progress | None = None,
) -> Filled:
    """Embed what is pending, at most `limit` texts; a provider that fails leaves the rest for another time."""
    if embedder is None:
        return Filled()
    vectors = database.vectors(embedder.space)
    texts, before = vectors.coverage()
    wanted = texts - before if limit is None else min(limit, texts - before)
    embedded, because = 0, ""
    try:
        while embedded < wanted and (pending := vectors.pending(min(_TEXTS_A_LOOK, wanted - embedded))):
            for start in range(0, len(pending), _TEXTS_A_CALL):
                batch = pending[start : start + _TEXTS_A_CALL]
                rows = ask(embedder, [text for _, text in batch], Purpose.DOCUMENT)
                vectors.put([(text_hash, row) for (text_hash, _), row in zip(batch, rows, strict=True)])
                embedded += len(batch)
                if progress is not None:
                    progress("Embedding", embedded, wanted)
    except ProviderFailed as failure:
        because = str(failure)
    if dirty or embedded:
        vectors.evict(cache.max_entries if cache.enabled else 0)
        vectors.tidy()
    return Filled(embedded, texts - before - embedded, because)
