"""sqlite-vec, for those who ask for it: the same vectors in a virtual table of the database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from holdfast.index.sqlite.connection import Connection
from holdfast.index.sqlite.quantization import ByteVectors

__all__ = ["VectorTable"]

_MOST = 4096  # sqlite-vec refuses to look for more neighbours than this
_ROWS_A_READ = 8_192


class VectorTable:
    """A `vec0` table that follows the vectors of one space; raises apsw.Error where it can't be had."""

    engine = "sqlite-vec"

    def __init__(
        self,
        connection: Connection,
        space: int,
        dimensions: int,
        extension_path: str,
        with_vectors: Callable[[Sequence[Sequence[Any]]], dict[int, bytes]],
    ) -> None:
        """`with_vectors` gives the vectors of rows of SQLite."""
        self._connection = connection
        self._with_vectors = with_vectors
        self._space = space
        self._dimensions = dimensions
        self._table = f"near_{space}"
        self._level_at: tuple[int, int] | None = None
        connection.raw.enable_load_extension(True)
        try:
            connection.raw.load_extension(extension_path)
        finally:
            connection.raw.enable_load_extension(False)
        with connection.writing() as raw:
            raw.execute(
                f"CREATE VIRTUAL TABLE IF NOT EXISTS {self._table} USING vec0("
                f"embedding float[{int(dimensions)}] distance_metric=cosine)"
            )

    def catch_up(self) -> None:
        """Bring the table level with the vectors: add what is new, remove what is gone."""
        if self._connection.version() == self._level_at:
            return
        with self._connection.writing() as raw:
            last = raw.execute(f"SELECT ifnull(max(rowid), 0) FROM {self._table}").get
            while new := raw.execute(
                "SELECT id, vector FROM vectors WHERE space = ? AND id > ? AND vector != x'' ORDER BY id LIMIT ?",
                (self._space, last, _ROWS_A_READ),
            ).fetchall():
                found = self._with_vectors(new)
                floats = ByteVectors.of(list(found.values()), self._dimensions).floats()
                raw.executemany(
                    f"INSERT INTO {self._table}(rowid, embedding) VALUES (?,?)",
                    [(row, vector.tobytes()) for row, vector in zip(found, floats, strict=True)],
                )
                last = new[-1][0]
            gone = raw.execute(f"SELECT rowid FROM {self._table} WHERE rowid NOT IN (SELECT id FROM vectors)")
            raw.executemany(f"DELETE FROM {self._table} WHERE rowid = ?", gone.fetchall())
        self._level_at = self._connection.version()

    def nearest(self, vector: bytes, limit: int) -> list[tuple[int, float]]:
        """Return row numbers by cosine similarity, best first; ties by row number."""
        rows = self._connection.all(
            f"SELECT rowid, distance FROM {self._table} WHERE embedding MATCH ? AND k = ?",
            (vector, min(limit, _MOST)),
        )
        return sorted(((row, round(1.0 - distance, 6)) for row, distance in rows), key=lambda r: (-r[1], r[0]))

    def drop(self, raw: Any) -> None:
        """Remove the table with its space; call it inside a write transaction."""
        raw.execute(f"DROP TABLE IF EXISTS {self._table}")
