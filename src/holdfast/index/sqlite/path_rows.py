"""Look notes up by their paths: all, those of some folders, those of a day."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.index.sqlite.connection import Connection
from holdfast.index.sqlite.scope_clause import lies_in

__all__ = ["PathRows"]


class PathRows:
    """Reads the notes of one edition by their paths."""

    def __init__(self, connection: Connection, number: int) -> None:
        self._connection = connection
        self._number = number
        self._held: tuple[tuple[int, int] | None, dict[str, bool]] = (None, {})

    def holds(self, first: str, after: str) -> bool:
        """Say whether the path of some note lies from `first` on and before `after`; asked in every search."""
        version = self._connection.version()
        if self._held[0] != version:
            self._held = version, {}
        if first not in self._held[1]:
            sql = f"SELECT EXISTS (SELECT 1 FROM e{self._number}_notes WHERE path >= ? AND path < ?)"
            self._held[1][first] = bool(self._connection.one(sql, (first, after)))
        return self._held[1][first]

    def newest_between(self, first: str, after: str, limit: int) -> list[tuple[int, str]]:
        """Return numbers and paths of the notes whose paths lie from `first` on and before `after`, the last first."""
        sql = f"SELECT id, path FROM e{self._number}_notes WHERE path >= ? AND path < ? ORDER BY path DESC LIMIT ?"
        return [(number, path) for number, path in self._connection.all(sql, (first, after, limit))]

    def holding(self, text: str) -> list[tuple[int, str]]:
        """Return numbers and paths of the notes with this anywhere in their paths; all paths are looked through."""
        return [
            (number, path)
            for number, path in self._connection.all(
                f"SELECT id, path FROM e{self._number}_notes WHERE instr(path, ?)", (text,)
            )
        ]

    def within(
        self, paths: Sequence[tuple[str, str]] | None = None, without: Sequence[tuple[str, str]] = ()
    ) -> list[tuple[int, str, str, int]]:
        """Return every note, or those whose paths lie in one of some ranges, and in none of those `without`.

        Each is given by its number, path, source and time of change.
        """
        where = "1"
        if paths is not None:
            where = lies_in(paths)
        where = f"({where}) AND NOT ({lies_in(without)})"
        values = [end for bounds in (*(paths or ()), *without) for end in bounds]
        return [
            (number, path, source, mtime)
            for number, path, source, mtime in self._connection.all(
                f"SELECT id, path, source, mtime_ns FROM e{self._number}_notes WHERE {where}", values
            )
        ]
