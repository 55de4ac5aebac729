"""The vectors of one space in an index of their own, without notes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from holdfast.embeddings.embedder import SpaceKey
from holdfast.index.sqlite.connection import Connection
from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.vector_files import IN_FILE
from holdfast.index.sqlite.vector_storage import VectorStorage

__all__ = ["MANY", "PAID", "SPACE", "Shelf", "made"]

SPACE = SpaceKey("local", "holdfast-static-2", "", 64)
PAID = SpaceKey("custom", "some-model", "https://example.org", 64)
MANY = 2_100


def made(first: int, count: int = MANY) -> dict[str, bytes]:
    """So many vectors as they are kept, each by the hash of a text."""
    rows = np.random.default_rng(first).integers(-127, 128, (count, 64), dtype=np.int8)
    return {f"h{number}": row.tobytes() for number, row in enumerate(rows, first)}


class Shelf:
    """The vectors of one space in an index of their own."""

    def __init__(self, path: Path, space: SpaceKey = SPACE) -> None:
        self.database = Database(str(path))
        self.vectors = self.database.vectors(space)
        uid = self.connection.one("SELECT uid FROM spaces")
        self.storage = VectorStorage(
            self.connection, self.vectors.number, uid, 64, alone=space.is_packaged, exact_up_to=4_000
        )

    @property
    def connection(self) -> Connection:
        """The one that the index is open by."""
        return self.database.connection

    def put(self, *parts: Mapping[str, bytes]) -> None:
        """Store some, part by part."""
        for part in parts:
            self.vectors.put(list(part.items()))

    def held(self) -> dict[str, bytes]:
        """Return all vectors by the hash of their text."""
        rows = self.connection.all("SELECT id, hash, vector FROM vectors")
        found = self.storage.with_vectors([(row, vector) for row, _, vector in rows])
        return {text_hash: found[row] for row, text_hash, _ in rows if row in found}

    def in_sqlite(self) -> int:
        """Return how many are in SQLite itself."""
        return int(self.connection.one("SELECT count(*) FROM vectors WHERE vector NOT IN (x'', ?)", (IN_FILE,)))

    def files(self) -> list[Path]:
        """Return the files of vectors beside the index."""
        path = Path(self.connection.path)
        return sorted(path.parent.glob(f"{path.name}.space*"))
