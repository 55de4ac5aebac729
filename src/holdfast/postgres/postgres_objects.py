"""Stored bytes in rows, each once for a tenant: a note has them as its own, and so have the changes that knew them."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from holdfast.postgres.agent_transactions import AgentTransactions
from holdfast.postgres.note_rows import NoteRows

__all__ = ["PostgresObjects"]

# Those of this agent's changes, and those that no note and no change of anybody's needs.
_SIZES: Final = """SELECT o.hash, length(o.body) FROM holdfast.object o WHERE o.tenant = %(tenant)s AND (
  o.hash IN (SELECT unnest(ARRAY[j.before, j.after]) FROM holdfast.journal j
             WHERE j.tenant = %(tenant)s AND j.agent = %(agent)s)
  OR (NOT EXISTS (SELECT 1 FROM holdfast.note n WHERE n.tenant = o.tenant AND n.hash = o.hash)
      AND NOT EXISTS (SELECT 1 FROM holdfast.journal j WHERE j.tenant = o.tenant AND j.before = o.hash)
      AND NOT EXISTS (SELECT 1 FROM holdfast.journal j WHERE j.tenant = o.tenant AND j.after = o.hash)))"""


class PostgresObjects:
    """The stored bytes of the changes of one agent, or of the profile."""

    def __init__(self, transactions: AgentTransactions, notes: NoteRows, agent: str) -> None:
        self._transactions, self._notes, self._agent = transactions, notes, agent

    def store(
        self,
        data: bytes | None,
        durable: Collection[str | None] = (),  # noqa: ARG002 - all that is committed is
        *,
        onto: bytes | None = None,  # noqa: ARG002 - PostgreSQL compresses what is long
    ) -> str | None:
        """Store bytes and return their hash."""
        if data is None:
            return None
        digest = hashlib.sha256(data).hexdigest()
        self._notes.store({digest: data})
        return digest

    def store_all(self, blobs: Iterable[bytes], pack: str) -> None:  # noqa: ARG002 - a transaction is one
        """Store many bytes without waiting in between."""
        self._notes.store({hashlib.sha256(data).hexdigest(): data for data in blobs})

    def load(self, digest: str, pack: str = "") -> bytes | None:  # noqa: ARG002
        """Return the bytes under a hash, or None if they are missing; the caller compares the hash."""
        row = self._transactions.row(
            "SELECT body FROM holdfast.object WHERE tenant = %s AND hash = %s", self._transactions.tenant, digest
        )
        return None if row is None else bytes(row[0])

    def sizes(self) -> dict[str, int]:
        """Return the hashes of this agent's changes with the size of their bytes, and those that nobody needs."""
        values = {"tenant": self._transactions.tenant, "agent": self._agent}
        return dict(self._transactions.rows_by_name(_SIZES, values))

    def stored(self) -> Iterator[tuple[str, int]]:
        """Yield the same in the order of the hashes."""
        yield from sorted(self.sizes().items())

    def remove(self, digests: Collection[str]) -> None:
        """Remove objects that nothing refers to any more, once what refers to them no more is committed."""
        current = self._transactions.current
        assert current is not None
        current.doomed.update(digests)
