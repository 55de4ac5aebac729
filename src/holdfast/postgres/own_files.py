"""The files of a tenant that are no notes: settings, USER.md and state/. The first two are copied to this machine.

Whoever loads settings reads files, and the profile is read while the database is away too. What is copied is what the
database has, and nobody writes there by hand.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from holdfast.errors import DatabaseAway, HoldfastError, NoteChangedOutside, TooLarge
from holdfast.notes.file_workspace import FileWorkspace, own_parts
from holdfast.notes.profile_file import PROFILE
from holdfast.notes.staleness import tell_stale
from holdfast.postgres.agent_transactions import AgentTransactions, lock_key
from holdfast.postgres.presence import AWAY

__all__ = ["OwnFiles"]

_SETTINGS: Final = "holdfast.toml"
_ROW: Final = "tenant = %s AND agent = '' AND name = %s"


class OwnFiles:
    """The files of one tenant, as one agent may name them."""

    def __init__(self, transactions: AgentTransactions, local: FileWorkspace) -> None:
        self._transactions, self._local = transactions, local

    def read(self, name: str, most: int) -> bytes | None:
        """Return the bytes of a file; None when there is none."""
        own_parts(name, self._local.agent)
        statement = f"SELECT body FROM holdfast.file WHERE {_ROW}"
        try:
            row = self._transactions.row(statement, self._transactions.tenant, name)
        except DatabaseAway as away:
            return self._read_copy(name, most, away)
        if row is not None and len(row[0]) > most:
            raise TooLarge(f"file {name!r}", len(row[0]), most)
        data = None if row is None else bytes(row[0])
        if name == PROFILE and self._transactions.current is None:
            self._copy(name, data)
        return data

    def _read_copy(self, name: str, most: int, away: DatabaseAway) -> bytes | None:
        """Return the profile as it was last, for those who may be told of an old one."""
        if name != PROFILE or self._transactions.current is not None or not tell_stale(AWAY):
            raise away
        return self._local.read_file(name, most)

    def replace(self, name: str, data: bytes | None, expected_hash: str | None) -> None:
        """Replace a file, if it still has the expected hash; None removes it."""
        own_parts(name, self._local.agent)
        place = (self._transactions.tenant, name)
        with self._transactions.writing() as run:
            # Also where there is no row to hold: of two who make the file, the second sees the first one's.
            run("SELECT pg_catalog.pg_advisory_xact_lock(%s)", lock_key(place[0], "file", name))
            row = run(f"SELECT body FROM holdfast.file WHERE {_ROW}", *place).fetchone()
            found = "" if row is None else hashlib.sha256(row[0]).hexdigest()
            if expected_hash is not None and found != expected_hash:
                raise NoteChangedOutside(name, expected_hash, found)
            if data is None:
                run(f"DELETE FROM holdfast.file WHERE {_ROW}", *place)
            else:
                run(
                    "INSERT INTO holdfast.file AS f (tenant, agent, name, body) VALUES (%s, '', %s, %s) "
                    "ON CONFLICT (tenant, agent, name) DO UPDATE SET body = EXCLUDED.body, version = f.version + 1",
                    *(*place, data),
                )
        if name == PROFILE or name.endswith(_SETTINGS):
            current = self._transactions.current
            if current is None:
                self._copy(name, data)
            else:
                current.after.append(lambda: self._copy(name, data))

    def copy_all(self, names: Sequence[str]) -> None:
        """Make these files on this machine those of the database."""
        statement = "SELECT name, body FROM holdfast.file WHERE tenant = %s AND agent = '' AND name = ANY(%s)"
        found = dict(self._transactions.rows(statement, self._transactions.tenant, list(names)))
        for name in names:
            body = found.get(name)
            self._copy(name, None if body is None else bytes(body))

    def _copy(self, name: str, data: bytes | None) -> None:
        with suppress(HoldfastError):  # a disk that is full: what was copied before holds
            if self._local.read_file(name) != data:
                self._local.replace_file(name, data)
