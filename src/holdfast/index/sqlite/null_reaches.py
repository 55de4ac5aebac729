"""The table of null scores: what questions that have no answer here reach all the same, by edition and space."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from holdfast.index.sqlite.connection import Connection
from holdfast.named_tuple import NamedTuple

__all__ = ["KEYWORDS_ONLY", "NullReaches", "Reach", "is_stale"]

_Made = TypeVar("_Made")
KEYWORDS_ONLY = 0
"""Stands for a space where no vectors had a part in it."""
_CHANGED_ENOUGH = 0.2  # of the passages: by less, no level moves that anybody would see


class Reach(NamedTuple):
    """The evidence that a question reached at best, without and with a closer look, among so many passages."""

    plain: float
    looked: float
    passages: int


def is_stale(reach: Reach, passages: int) -> bool:
    """Say whether the index has changed enough since to ask again."""
    return abs(passages - reach.passages) > _CHANGED_ENOUGH * reach.passages


class NullReaches:
    """The rows of the table; remembers what it read while nothing changes."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._read: dict[tuple[int, int, int], tuple[tuple[int, int], Mapping[str, Reach]]] = {}
        self._made: dict[tuple[int, int, int], tuple[Mapping[str, Reach], Any]] = {}

    def of(self, edition: int, space: int, scale: int) -> Mapping[str, Reach]:
        """Return what is stored on this scale of evidence, by question."""
        version = self._connection.version()
        known = self._read.get((edition, space, scale))
        if known is None or known[0] != version:
            rows = self._rows(edition, space, scale)
            known = self._read[edition, space, scale] = version, {row[0]: Reach._make(row[1:]) for row in rows}
        return known[1]

    def summary(self, edition: int, space: int, scale: int, make: Callable[[Mapping[str, Reach]], _Made]) -> _Made:
        """Return what is made of all that is stored; made once while nothing changes, by whoever asks first."""
        stored, key = self.of(edition, space, scale), (edition, space, scale)
        known = self._made.get(key)
        if known is None or known[0] is not stored:
            known = self._made[key] = stored, make(stored)
        summary_before: _Made = known[1]
        return summary_before

    def _rows(self, edition: int, space: int, scale: int) -> Sequence[tuple[Any, ...]]:
        if self._connection.read_only and not self._is_there():
            return ()
        return self._connection.all(
            "SELECT question, plain, looked, passages FROM null_reaches WHERE edition = ? AND space = ? AND scale = ?",
            (edition, space, scale),
        )

    def _is_there(self) -> bool:
        """Say whether the file has the table: one that may only be read can be older."""
        return bool(self._connection.one("SELECT 1 FROM sqlite_schema WHERE name = 'null_reaches'"))

    def put(self, edition: int, scale: int, rows: Iterable[tuple[int, str, Reach]]) -> None:
        """Store what questions reached on a scale of evidence: (space, question, reach)."""
        with self._connection.writing() as raw:
            if raw.execute("SELECT 1 FROM editions WHERE id = ?", (edition,)).get is None:
                return  # another process has published a newer one
            raw.executemany(
                "INSERT OR REPLACE INTO null_reaches VALUES (?,?,?,?,?,?,?)",
                [(edition, space, question, *reach, scale) for space, question, reach in rows],
            )
