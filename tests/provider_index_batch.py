"""An index whose texts have no vectors yet, and what became of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from provider_kinds_batch import BatchKind
from provider_server import ProviderServer

from holdfast.embeddings.embedder import SpaceKey
from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.job_rows import Jobs
from holdfast.index.sqlite.quantization import ByteVectors
from holdfast.index.store_contract import Batch, ChunkRow, Identity, NoteRows, NoteState
from holdfast.markdown.chunk_ids import text_hash

__all__ = ["all_embedded", "indexed", "paid_once", "some_texts"]


def some_texts(count: int) -> list[str]:
    """So many different texts."""
    return [f"Entry {number} of the log: the heron came back." for number in range(count)]


def indexed(path: Path, texts: Sequence[str], note: str = "memory/log.md") -> Database:
    """An index at this path, with one note that has a chunk for each text."""
    database = Database(str(path))
    rows = [
        ChunkRow(f"{number:016x}", text_hash(text), number, number, (), text) for number, text in enumerate(texts, 1)
    ]
    state = NoteState("0" * 64, 1, 1, 1, 1, True)
    database.edition(Identity(400, 80, 1)).write(Batch(puts=[NoteRows(note, "memory", state, "Log", rows)]))
    return database


def all_embedded(kind: BatchKind, database: Database, space: SpaceKey, texts: Sequence[str]) -> bool:
    """Whether each text has the vector that the server gives for it, and no job is left on record."""
    stored = dict(database.connection.all("SELECT hash, vector FROM vectors"))
    hashes = [text_hash(text) for text in texts]
    assert sorted(stored) == sorted(set(hashes))
    found = ByteVectors.of([stored[one] for one in hashes], space.dimensions).floats()
    assert np.allclose(found, kind.expected(texts), atol=0.01)
    assert Jobs(database.connection, space).open_jobs() == []
    assert database.connection.all("SELECT * FROM job_rows") == []
    return True


def paid_once(provider: ProviderServer, texts: Sequence[str]) -> bool:
    """Whether the server has computed each text exactly once."""
    assert provider.paid == dict.fromkeys(texts, 1)
    return True
