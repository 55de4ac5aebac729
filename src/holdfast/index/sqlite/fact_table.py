"""The table of facts of an edition: a row for each chunk that is a fact, written in the transaction of its note.

Only notes of facts have such rows, and a memory without facts pays nothing: no query comes here before a path calls for
it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from functools import cached_property
from typing import Any

from holdfast.guard.origin import Origin
from holdfast.index.sqlite.connection import Connection
from holdfast.index.store_contract import NoteRows, StoredChunk
from holdfast.markdown.fact_row import Category, Fact, category_of, note_patterns
from holdfast.named_tuple import NamedTuple

__all__ = ["FactRow", "Facts"]

_COLUMNS = (
    "category, origin, importance, observed, valid_from, valid_until, reinforced_on, superseded, id, superseded_by"
)


class FactRow(NamedTuple):
    """A chunk of a note of facts: its row and its note; `fact` is None for what stands between the facts."""

    chunk: int
    note: int
    fact: Fact | None


class Facts:
    """The rows of one edition; statements name their table by the edition's number."""

    def __init__(self, connection: Connection, number: int) -> None:
        self._connection = connection
        self._number = number

    @cached_property
    def kept(self) -> bool:
        """Say whether the edition has the table: one of an older version has none, and serves until its rebuild."""
        table = self._connection.one("SELECT 1 FROM sqlite_schema WHERE name = ?", (f"e{self._number}_facts",))
        return table is not None

    def put(self, raw: Any, notes: Sequence[tuple[int, NoteRows]]) -> None:
        """Replace what is known of these notes, whose chunks are stored by now."""
        notes = [(number, note) for number, note in notes if category_of(note.path) is not None]
        if not notes or not self.kept:
            return
        # All of them before any: a chunk of one note may have the row that a chunk of another had until now.
        for number, note in notes:
            if not note.grows_at:
                self.drop(raw, number, note.path)
        for number, note in notes:
            # A chunk keeps its row when only its mark changed, so the rows are asked for, not remembered.
            sql = f"SELECT chunk_id, id FROM e{self._number}_chunks WHERE note = ? AND start_line >= ?"
            rows = dict(raw.execute(sql, (number, note.grows_at)).fetchall())
            raw.executemany(
                f"INSERT INTO e{self._number}_facts(chunk, note, {_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
                [
                    (rows[chunk.chunk_id], number, *_columns_of(chunk.fact))
                    for chunk in note.chunks
                    if chunk.fact is not None
                ],
            )

    def drop(self, raw: Any, number: int, path: str) -> None:
        """Forget what is known of one note."""
        if category_of(path) is not None and self.kept:
            raw.execute(f"DELETE FROM e{self._number}_facts WHERE note = ?", (number,))

    def with_facts(self, chunks: list[StoredChunk]) -> list[StoredChunk]:
        """Return the same chunks, with the facts that they are."""
        wanted = [chunk.row for chunk in chunks if category_of(chunk.path) is not None]
        if not wanted or not self.kept:
            return chunks
        found = {
            row: _fact(columns)
            for row, *columns in self._connection.all(
                f"SELECT chunk, {_COLUMNS} FROM e{self._number}_facts WHERE chunk IN (SELECT value FROM json_each(?))",
                (json.dumps(wanted),),
            )
        }
        return [chunk._replace(fact=found[chunk.row]) if chunk.row in found else chunk for chunk in chunks]

    def matching(
        self,
        categories: Collection[str] | None = None,
        origins: Collection[str] | None = None,
        min_importance: float | None = None,
    ) -> list[FactRow]:
        """Return every fact of one of these categories and origins that is at least so important.

        None asks for nothing.
        """
        found = self._where(f"chunk, note, {_COLUMNS}", categories, origins, min_importance)
        return [FactRow(chunk, note, _fact(columns)) for chunk, note, *columns in found]

    def chunks(
        self, categories: Collection[str] | None, origins: Collection[str] | None, min_importance: float | None
    ) -> list[tuple[int, int]]:
        """Return the same as pairs of a chunk and its note.

        That is a tenth of the work, and enough for a caller that only chooses among them.
        """
        return self._where("chunk, note", categories, origins, min_importance)

    def rows_of(self, ids: Collection[str]) -> dict[str, int]:
        """Return the chunks of the facts that have these ids."""
        if not ids or not self.kept:
            return {}
        sql = f"SELECT id, chunk FROM e{self._number}_facts WHERE id IN (SELECT value FROM json_each(?))"
        return dict(self._connection.all(sql, (json.dumps(sorted(ids)),)))

    def count(self) -> int:
        """Return the number of chunks that are facts outside the archive; a long fact has several."""
        sql = f"SELECT count(*) FROM e{self._number}_facts WHERE category != ?"
        if not self.kept:
            return 0
        return int(self._connection.one(sql, (Category.ARCHIVE.value,)))

    def in_pieces(self, ids: Collection[str]) -> set[str]:
        """Return those of the ids whose facts are so long that several chunks hold each."""
        sql = (
            f"SELECT f.id FROM json_each(?) j CROSS JOIN e{self._number}_facts f ON f.id = j.value "
            "GROUP BY f.note, f.id HAVING count(*) > 1"
        )
        return {name for (name,) in self._connection.all(sql, (json.dumps(sorted(ids)),))}

    def times_in(self, path: str, texts: Collection[str]) -> dict[str, int]:
        """Return how many chunks of a note have these texts, of those that any has."""
        from holdfast.markdown.chunk_ids import text_hash  # not above: it loads OpenSSL, which no search needs

        sql = (
            f"SELECT c.text, count(*) FROM json_each(?) j CROSS JOIN e{self._number}_chunks c "
            f"ON c.text_hash = j.value WHERE c.note = (SELECT id FROM e{self._number}_notes WHERE path = ?) "
            "GROUP BY c.text"
        )
        return dict(self._connection.all(sql, (json.dumps(sorted({text_hash(text) for text in texts})), path)))

    def some(self, limit: int) -> list[int]:
        """Return at most `limit` of the chunks that are facts, the archive's too."""
        if not self.kept:
            return []
        rows = self._connection.all(f"SELECT chunk FROM e{self._number}_facts LIMIT ?", (limit,))
        return [row for (row,) in rows]

    def holding(self, match: str, weights: str, limit: int) -> list[int]:
        """Return the facts that an expression of the full-text index finds, by BM25, best first."""
        table = f"e{self._number}_words"
        rows = self._connection.all(
            f"SELECT rowid FROM {table} WHERE {table} MATCH ? "
            f"AND EXISTS (SELECT 1 FROM e{self._number}_facts f WHERE f.chunk = {table}.rowid) "
            f"ORDER BY bm25({table}, {weights}), rowid LIMIT ?",
            (match, limit),
        )
        return [row for (row,) in rows]

    def _where(
        self,
        columns: str,
        categories: Collection[str] | None,
        origins: Collection[str] | None,
        min_importance: float | None,
    ) -> list[Any]:
        if not self.kept:
            return []
        where, values = ["1"], []
        for column, wanted in (("category", categories), ("origin", origins)):
            if wanted is not None:
                where.append(f"{column} IN (SELECT value FROM json_each(?))")
                values.append(json.dumps(sorted(wanted)))
        if min_importance is not None:
            where.append("importance >= CAST(? AS REAL)")
            values.append(repr(min_importance))
        sql = f"SELECT {columns} FROM e{self._number}_facts WHERE {' AND '.join(where)}"
        return self._connection.all(sql, tuple(values))

    def _notes(self) -> list[int]:
        """Return the notes of facts."""
        stems = [pattern.removesuffix("*") for pattern in note_patterns(*Category)]
        where = " OR ".join(["(path >= ? AND path < ?)"] * len(stems))
        sql = f"SELECT id, path FROM e{self._number}_notes WHERE {where}"
        found = self._connection.all(sql, tuple(end for stem in stems for end in (stem, f"{stem}\U0010ffff")))
        return [number for number, path in found if category_of(path) is not None]

    def in_notes(self) -> list[FactRow]:
        """Return every chunk of the notes of facts, whether it is one or not."""
        if not self.kept:
            return []
        rows = self._connection.all(
            f"SELECT c.id, c.note, {', '.join(f'f.{name}' for name in _COLUMNS.split(', '))} "
            f"FROM e{self._number}_notes n JOIN e{self._number}_chunks c ON c.note = n.id "
            f"LEFT JOIN e{self._number}_facts f ON f.chunk = c.id WHERE n.id IN (SELECT value FROM json_each(?))",
            (json.dumps(self._notes()),),
        )
        return [FactRow(chunk, note, _fact(columns) if columns[0] else None) for chunk, note, *columns in rows]


def _columns_of(fact: Fact) -> Iterable[object]:
    return [value.isoformat() if isinstance(value, date) else value for value in fact]


def _fact(columns: Sequence[Any]) -> Fact:
    category, origin, importance, *days, superseded, fact_id, superseded_by = columns
    dates = [None if day is None else date.fromisoformat(day) for day in days]
    return Fact._make(
        (Category(category), Origin(origin), importance, *dates, bool(superseded), fact_id, superseded_by)
    )
