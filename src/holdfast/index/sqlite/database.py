"""The index file of one agent: which edition answers, which is being built, and which spaces there are."""

from __future__ import annotations

import json
import os
import secrets
from typing import NamedTuple

import apsw

from holdfast.embeddings.embedder import SpaceKey
from holdfast.errors import IndexDamaged
from holdfast.index.sqlite.connection import Connection
from holdfast.index.sqlite.edition import Edition
from holdfast.index.sqlite.schema import create_edition, drop_edition, migrate
from holdfast.index.sqlite.vectors import Vectors
from holdfast.index.store import Identity

__all__ = ["Counts", "Database"]


class Counts(NamedTuple):
    """How much the index holds."""

    notes: int
    chunks: int
    by_source: dict[str, int]
    bytes: int


class Database:
    """Opens or creates the file; a file that can't be read is set aside and begun anew, and says so."""

    def __init__(self, path: str, *, extension_path: str | None = None) -> None:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        self.path = path
        self.set_aside: str | None = None
        self._extension_path = extension_path
        try:
            self.connection = self._open()
        except IndexDamaged as damage:
            if "newer Holdfast" in damage.why:
                raise
            self.set_aside = self._move_away()
            self.connection = self._open()
        self._editions: dict[int, Edition] = {}
        self._vectors: dict[SpaceKey, Vectors] = {}

    def _open(self) -> Connection:
        connection = Connection(self.path)
        try:
            with connection.writing() as raw:
                migrate(raw, self.path)
                raw.execute("SELECT count(*) FROM editions").fetchall()
        except BaseException:
            connection.close()
            raise
        return connection

    def _move_away(self) -> str:
        target = f"{self.path}.damaged-{secrets.token_hex(4)}"
        os.replace(self.path, target)
        for tail in ("-wal", "-shm"):
            if os.path.exists(self.path + tail):
                os.replace(self.path + tail, target + tail)
        return target

    def serving(self) -> Edition | None:
        """The edition that answers searches, if anything was ever indexed."""
        row = self.connection.one("SELECT id FROM editions WHERE state = 'serving'")
        return None if row is None else self._edition(row)

    def _edition(self, number: int) -> Edition:
        if number not in self._editions:
            self._editions = {number: Edition(self.connection, number)}
        return self._editions[number]

    def edition(self, identity: Identity, *, anew: bool = False) -> Edition:
        """The edition to write to: the serving one if its identity fits, else one built beside it.

        The very first edition serves while it fills, because there is no older one to do so.
        """
        text = json.dumps(identity)
        present = self.connection.all("SELECT id, identity FROM editions")
        if len(present) == 1 and present[0][1] == text and not anew:
            return self._edition(present[0][0])  # the usual case does not queue for the write lock
        with self.connection.writing() as raw:
            rows = raw.execute("SELECT id, identity, state FROM editions").fetchall()
            serving = next((row for row in rows if row[2] == "serving"), None)
            fits = serving is not None and serving[1] == text and not anew
            for number, of, state in rows:
                if state == "building" and (fits or anew or of != text):
                    drop_edition(raw, number)  # left over from a rebuild that nobody wants any more
                elif state == "building":
                    return self._edition(number)
            if serving is not None and fits:
                return self._edition(serving[0])
            number = max((row[0] for row in rows), default=0) + 1
            create_edition(raw, number)
            raw.execute("INSERT INTO editions VALUES (?, ?, ?)", (number, text, "building" if serving else "serving"))
        return self._edition(number)

    def publish(self, edition: Edition) -> None:
        """Let this edition answer from now on, and drop the one that did."""
        with self.connection.writing() as raw:
            state = raw.execute("SELECT state FROM editions WHERE id = ?", (edition.number,)).get
            if state != "building":
                return  # another process was faster, or it serves already
            for (number,) in raw.execute("SELECT id FROM editions WHERE state = 'serving'").fetchall():
                drop_edition(raw, number)
            raw.execute("UPDATE editions SET state = 'serving' WHERE id = ?", (edition.number,))

    def identity(self) -> Identity | None:
        """The identity of the serving edition."""
        text = self.connection.one("SELECT identity FROM editions WHERE state = 'serving'")
        return None if text is None else Identity(*json.loads(text))

    def vectors(self, space: SpaceKey) -> Vectors:
        """The vectors of one space; asking for a new one begins it."""
        if space not in self._vectors:
            self._vectors[space] = Vectors(self.connection, space, extension_path=self._extension_path)
        return self._vectors[space]

    def spaces(self) -> list[SpaceKey]:
        """Every space that has ever been begun, oldest first."""
        rows = self.connection.all("SELECT provider, model, endpoint, dimensions FROM spaces ORDER BY id")
        return [SpaceKey(*row) for row in rows]

    def counts(self) -> Counts:
        """How many notes and chunks are searchable, and what they cost on disk."""
        edition = self.serving()
        if edition is None:
            return Counts(0, 0, {}, self.connection.size())
        notes, chunks, by_source = edition.counts()
        return Counts(notes, chunks, by_source, self.connection.size())

    def check(self) -> list[str]:
        """What SQLite and FTS5 find wrong with the file; an empty list is a clean bill of health."""
        problems = [row[0] for row in self.connection.all("PRAGMA integrity_check") if row[0] != "ok"]
        edition = self.serving()
        if edition is not None:
            try:
                with self.connection.writing() as raw:
                    table = f"e{edition.number}_words"
                    raw.execute(f"INSERT INTO {table}({table}) VALUES ('integrity-check')")
            except (apsw.Error, IndexDamaged) as error:
                problems.append(f"full-text index: {error}")
        return problems

    def close(self) -> None:
        """Close the file."""
        for vectors in self._vectors.values():
            vectors.close()
        self.connection.close()
