"""What each question of the null reached in the index, by edition and space."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from holdfast.index.sqlite.connection import Connection

__all__ = ["KEYWORDS_ONLY", "NullReaches", "Reach", "is_stale"]

KEYWORDS_ONLY = 0
"""Stands for a space where no vectors had a part in it."""
_CHANGED_ENOUGH = 0.2  # of the passages: by less, no level moves that anybody would see


class Reach(NamedTuple):
    """The evidence that a question reached at best, without and with a closer look, among so many passages."""

    plain: float
    looked: float
    passages: int


def is_stale(reach: Reach, passages: int) -> bool:
    """Whether the index has changed enough since to ask again."""
    return abs(passages - reach.passages) > _CHANGED_ENOUGH * reach.passages


class NullReaches:
    """The rows of the table; remembers what it read while nothing changes."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._read: dict[tuple[int, int], tuple[tuple[int, int], Mapping[str, Reach]]] = {}

    def of(self, edition: int, space: int) -> Mapping[str, Reach]:
        """What is stored, by question; nothing in a file that is read only and older than the table."""
        version = self._connection.version()
        known = self._read.get((edition, space))
        if known is None or known[0] != version:
            rows = self._connection.all(
                "SELECT question, plain, looked, passages FROM null_reaches WHERE edition = ? AND space = ?",
                (edition, space),
            )
            known = self._read[edition, space] = version, {row[0]: Reach._make(row[1:]) for row in rows}
        return known[1]

    def put(self, edition: int, rows: Iterable[tuple[int, str, Reach]]) -> None:
        """Store what questions reached: (space, question, reach)."""
        with self._connection.writing() as raw:
            if raw.execute("SELECT 1 FROM editions WHERE id = ?", (edition,)).get is None:
                return  # another process has published a newer one
            raw.executemany(
                "INSERT OR REPLACE INTO null_reaches VALUES (?,?,?,?,?,?)",
                [(edition, space, question, *reach) for space, question, reach in rows],
            )
