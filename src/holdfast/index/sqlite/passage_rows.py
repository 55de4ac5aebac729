"""Tell where the chunks of an edition stand, and what kind each is: asked by every search, of hundreds of them at once.

A process that answers many searches holds it in memory (`row_cache.py`); one that asks once reads the tables.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from holdfast.index.sqlite.row_cache import Layout, Resident
from holdfast.index.store_contract import Places
from holdfast.markdown.note_kinds import ITEM_NOTES
from holdfast.markdown.speakers import Voice

if TYPE_CHECKING:
    from holdfast.index.sqlite.connection import Connection
    from holdfast.index.sqlite.lexicon import Lexicon
    from holdfast.index.sqlite.origin_rows import Origins

__all__ = ["PassageRows"]

_MOST_PLACES = 4_000  # chunks that are looked at around the best candidates
_SPOKEN, _ENTRY = 1, 2
_IS_SPOKEN = f"c.voice = {int(Voice.ASSISTANT)}"


class PassageRows:
    """The places of one edition's chunks; statements name their tables by the edition's number."""

    def __init__(self, connection: Connection, number: int, lexicon: Lexicon, origins: Origins) -> None:
        self._connection = connection
        self._number = number
        self._origins = origins
        self._layout = Resident(connection, lexicon.total, self._read_layout)

    def places(self, rows: Iterable[int]) -> Places:
        """Return every chunk of the notes that these rows are in, in their order."""
        layout = self._layout.get()
        if layout is not None:
            return layout.places(rows, _MOST_PLACES)
        found = self._connection.all(
            f"SELECT c.id, c.note, octet_length(c.text) FROM e{self._number}_chunks c WHERE c.note IN "
            f"(SELECT note FROM e{self._number}_chunks WHERE id IN (SELECT value FROM json_each(?))) "
            "ORDER BY c.note, c.start_line, c.id LIMIT ?",
            (json.dumps(list(rows)), _MOST_PLACES),
        )
        if found:
            return Places(*(list(column) for column in zip(*found, strict=True)))
        return Places((), (), ())

    def openings(self, notes: Sequence[int]) -> list[int]:
        """Return the first chunk of each of these notes."""
        layout = self._layout.get()
        if layout is not None:
            return layout.openings(notes)
        sql = (
            f"SELECT (SELECT c.id FROM e{self._number}_chunks c WHERE c.note = j.value "
            "ORDER BY c.start_line, c.id LIMIT 1) FROM json_each(?) j"
        )
        return [row for (row,) in self._connection.all(sql, (json.dumps(list(notes)),)) if row is not None]

    def lengths(self, notes: Sequence[int]) -> list[int]:
        """Return how many chunks each of these notes has."""
        layout = self._layout.get()
        if layout is not None:
            return layout.lengths(notes)
        count = f"SELECT count(*) FROM e{self._number}_chunks c WHERE c.note = j.value"
        sql = f"SELECT ({count}) FROM json_each(?) j"
        return [length for (length,) in self._connection.all(sql, (json.dumps(list(notes)),))]

    def notes_of(self, rows: Collection[int]) -> dict[int, int]:
        """Return the notes that these chunks stand in."""
        layout = self._layout.get()
        if layout is not None:
            return layout.notes_of(rows)
        sql = f"SELECT c.id, c.note FROM json_each(?) j CROSS JOIN e{self._number}_chunks c ON c.id = j.value"
        if not rows:
            return {}
        return dict(self._connection.all(sql, (json.dumps(list(rows)),)))

    def sizes_of(self, rows: Collection[int]) -> dict[int, int]:
        """Return how many bytes each of these chunks has."""
        layout = self._layout.get()
        if layout is not None:
            return layout.sizes_of(rows)
        table = f"e{self._number}_chunks"
        sql = f"SELECT c.id, octet_length(c.text) FROM json_each(?) j CROSS JOIN {table} c ON c.id = j.value"
        if not rows:
            return {}
        return dict(self._connection.all(sql, (json.dumps(list(rows)),)))

    def notes_matching(self, match: str) -> Mapping[int, int]:
        """Return the notes that hold what FTS5 is asked for, each with how many of its chunks do."""
        table, layout = f"e{self._number}_words", self._layout.get()
        if layout is not None:
            known = layout.holders.get(match)
            if known is None:
                rows = self._connection.all(f"SELECT rowid FROM {table} WHERE {table} MATCH ?", (match,))
                known = layout.times_by_note(chain.from_iterable(rows))
                layout.remember(match, known)
            return known
        return dict(
            self._connection.all(
                f"SELECT c.note, count(*) FROM {table} w CROSS JOIN e{self._number}_chunks c ON c.id = w.rowid "
                f"WHERE {table} MATCH ? GROUP BY c.note",
                (match,),
            )
        )

    def spoken_by_assistant(self, rows: Collection[int]) -> frozenset[int]:
        """Return those of the chunks that are an assistant's turns, as far as the edition knows."""
        return self._rows_of_kind(rows, _SPOKEN, _IS_SPOKEN)

    def list_entries(self, rows: Collection[int]) -> frozenset[int]:
        """Return those of the chunks that are an entry of a list and nobody's turn, as far as the edition knows."""
        return self._rows_of_kind(rows, _ENTRY, self._is_entry)

    @property
    def _is_entry(self) -> str:
        """The condition that tells an entry of a list, or of a store, from text whose neighbours have to do with it."""
        items = f"SELECT n.id FROM e{self._number}_notes n WHERE n.path GLOB '{ITEM_NOTES}'"
        return f"c.voice = {int(Voice.UNKNOWN)} AND (c.text GLOB '[-*+] *' OR c.note IN ({items}))"

    def _rows_of_kind(self, rows: Collection[int], kind: int, where: str) -> frozenset[int]:
        layout = self._layout.get()
        if layout is not None:
            return layout.of_kind(rows, kind)
        if "voice" not in self._origins.columns:
            return frozenset()
        sql = f"SELECT c.id FROM json_each(?) j CROSS JOIN e{self._number}_chunks c ON c.id = j.value WHERE {where}"
        return frozenset(row for (row,) in self._connection.all(sql, (json.dumps(list(rows)),)))

    def _read_layout(self) -> Layout:
        kind = "0"
        if "voice" in self._origins.columns:
            kind = f"iif({_IS_SPOKEN}, {_SPOKEN}, 0) + iif({self._is_entry}, {_ENTRY}, 0)"
        return Layout(
            self._connection.all(
                f"SELECT c.id, c.note, octet_length(c.text), {kind} FROM e{self._number}_chunks c "
                "ORDER BY c.note, c.start_line, c.id"
            )
        )
