"""The table of origins: whose words each chunk of an edition is, and up to which line of the journal that is known.

Most chunks were typed into a file, so what is not from outside has an index of its own, and the rest is not in it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from holdfast.guard.origin import Origin
from holdfast.index.sqlite.connection import Connection
from holdfast.index.store_contract import NoteRows
from holdfast.named_tuple import NamedTuple

__all__ = ["COLUMNS", "Origins", "StoredOrigins", "origin_named"]

COLUMNS = ("origin", "by_line", "voice", "block")
"""In the order of the table; an older version has made fewer of them."""
_NAMED: Mapping[str | None, Origin] = {origin.value: origin for origin in Origin}


class StoredOrigins(NamedTuple):
    """The stored origins of a note.

    They are the number of the last line of the journal about it, and the text, the origin and the origins by line of
    its chunks that are no facts.
    """

    journal_seq: int
    chunks: Sequence[tuple[str, Origin | None, str | None]]


def origin_named(stored: str | None) -> Origin | None:
    """Return the origin that a column names; one of a later version is none that we know."""
    return _NAMED.get(stored)


class Origins:
    """The columns of one edition; statements name their tables by the edition's number."""

    def __init__(self, connection: Connection, number: int) -> None:
        self._connection = connection
        self._number = number
        self._columns: tuple[str, ...] = ()

    @property
    def kept(self) -> bool:
        """Say whether the edition has the column: one of an older version has none, and serves until its rebuild."""
        return bool(self.columns)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a chunk that tell whose words it is and what they are sent with, where there are any."""
        if self._columns != COLUMNS:  # asked again each time: an edition of ours may get the number of an older one
            sql = f"SELECT name FROM pragma_table_info('e{self._number}_chunks')"
            there = {name for (name,) in self._connection.all(sql)}
            self._columns = tuple(name for name in COLUMNS if name in there)
        return self._columns

    def put(self, raw: Any, notes: Iterable[tuple[int, NoteRows]]) -> None:
        """Remember up to where the journal was read for these notes, which are stored by now."""
        if self.kept:
            raw.executemany(
                f"UPDATE e{self._number}_notes SET told = ?1 WHERE id = ?2 AND told != ?1",
                [(note.journal_seq, number) for number, note in notes],
            )

    def known(self, path: str) -> StoredOrigins | None:
        """Return what is stored of one note; None where there is no such note, or the edition is gone meanwhile."""
        with self._connection.reading() as raw:
            if not self.kept or not raw.execute("SELECT 1 FROM editions WHERE id = ?", (self._number,)).get:
                return None
            seq = raw.execute(f"SELECT told FROM e{self._number}_notes WHERE path = ?", (path,)).get
            if seq is None:
                return None
            rows = raw.execute(
                f"SELECT c.text, c.origin, c.by_line FROM e{self._number}_notes n "
                f"JOIN e{self._number}_chunks c ON c.note = n.id WHERE n.path = ? "
                f"AND NOT EXISTS (SELECT 1 FROM e{self._number}_facts f WHERE f.chunk = c.id)",
                (path,),
            ).fetchall()
        return StoredOrigins(seq, [(text, origin_named(origin), by_line) for text, origin, by_line in rows])

    def by_note(self) -> dict[int, set[str | None]]:
        """Return the origins in each note that is not all from outside, "outside" itself left out."""
        found: dict[int, set[str | None]] = {}
        rows = self._connection.all(
            f"SELECT DISTINCT note, origin FROM e{self._number}_chunks INDEXED BY e{self._number}_by_origin "
            "WHERE origin IS NOT 'outside'"
        )
        for note, origin in rows:
            found.setdefault(note, set()).add(origin)
        return found

    def in_notes(self, notes: Collection[int], origins: Collection[str]) -> list[int]:
        """Return the chunks of these notes that are of one of these origins."""
        index = ""
        if Origin.OUTSIDE not in origins:
            index = f"INDEXED BY e{self._number}_by_origin"
        if Origin.OUTSIDE in origins:
            also = ""
        else:
            also = "AND origin IS NOT 'outside'"
        return self._rows(
            f"SELECT id FROM e{self._number}_chunks {index} WHERE note IN (SELECT value FROM json_each(?)) {also} "
            "AND origin IN (SELECT value FROM json_each(?))",
            list(notes),
            origins,
        )

    def among(self, chunks: Collection[int], origins: Collection[str]) -> list[int]:
        """Return those of these chunks that are of one of these origins."""
        return self._rows(
            f"SELECT id FROM e{self._number}_chunks WHERE id IN (SELECT value FROM json_each(?)) "
            "AND origin IN (SELECT value FROM json_each(?))",
            list(chunks),
            origins,
        )

    def _rows(self, sql: str, chosen: Sequence[int], origins: Collection[str]) -> list[int]:
        if not chosen or not origins:
            return []
        wanted = json.dumps(sorted(map(str, origins)))
        return [row for (row,) in self._connection.all(sql, (json.dumps(chosen), wanted))]
