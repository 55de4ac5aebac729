"""The table of what was read in images, by the hash of their bytes and by the reader; it outlives a rebuild."""

from __future__ import annotations

from collections.abc import Collection

from holdfast.index.sqlite.database import Database

__all__ = ["ImageTable"]


class ImageTable:
    """The rows of the table."""

    def __init__(self, database: Database) -> None:
        self._connection = database.connection

    def get(self, digest: str, reader: str) -> str | None:
        """Return what this reader made of an image, if it has."""
        rows = self._connection.all(
            "SELECT reading FROM image_readings WHERE hash = ? AND reader = ?", (digest, reader)
        )
        if not rows:
            return None
        return str(rows[0][0])

    def put(self, digest: str, reader: str, reading: str) -> None:
        """Keep it."""
        with self._connection.writing() as raw:
            raw.execute("INSERT OR REPLACE INTO image_readings VALUES (?,?,?)", (digest, reader, reading))

    def all_of(self, reader: str) -> dict[str, str]:
        """Return everything that a reader made of images, by their hashes."""
        return dict(self._connection.all("SELECT hash, reading FROM image_readings WHERE reader = ?", (reader,)))

    def keep_only(self, digests: Collection[str]) -> None:
        """Forget all other images: what they said is to be found nowhere."""
        gone = [row for (row,) in self._connection.all("SELECT DISTINCT hash FROM image_readings")]
        gone = [digest for digest in gone if digest not in digests]
        if gone:
            with self._connection.writing() as raw:
                raw.executemany("DELETE FROM image_readings WHERE hash = ?", [(digest,) for digest in gone])
