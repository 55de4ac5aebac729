"""The state of sessions in rows; which of them are kept out of sight is known by a hash of their keys."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any, Final

from holdfast.errors import DatabaseAway, StorageFailed
from holdfast.notes.staleness import tell_stale
from holdfast.postgres.agent_transactions import AgentTransactions
from holdfast.postgres.presence import AWAY
from holdfast.transcripts.hidden_sessions import digest_of
from holdfast.transcripts.session_key import Kind
from holdfast.transcripts.state import OWN_NAMESPACES, Known, Sessions, Stored, Values, check_name, encode_value
from holdfast.transcripts.state_erasure import erasures

__all__ = ["PostgresState"]

_ONE: Final = "tenant = %s AND agent = %s AND session = %s"
_VALUE: Final = f"{_ONE} AND namespace = %s AND key = %s"
_SOME: Final = f"{_ONE} AND namespace = coalesce(%s, namespace) AND NOT namespace = ANY(%s)"
_PUT: Final = """INSERT INTO holdfast.session_state (tenant, agent, session, namespace, key, value, updated)
VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT (tenant, agent, session, namespace, key)
DO UPDATE SET value = EXCLUDED.value, updated = EXCLUDED.updated"""
_HIDE: Final = """INSERT INTO holdfast.hidden_session AS h (tenant, agent, digest, forgotten) VALUES (%s, %s, %s, %s)
ON CONFLICT (tenant, agent, digest) DO UPDATE SET forgotten = h.forgotten OR EXCLUDED.forgotten"""
_SESSION: Final = "s.session, s.kind, s.channel, s.created, s.last"
_MOST_SEEN: Final = 10_000  # sessions of all tenants; one takes half a kilobyte


class _SeenSessions:
    """The sessions that this process came across lately: who takes part in one decides what it may be shown."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: dict[tuple[str, ...], Known] = {}

    def note(self, place: tuple[str, ...], known: Known | None) -> None:
        """Remember a session as it is now, or that there is none."""
        with self._lock:
            self._seen.pop(place, None)
            if known is not None:
                self._seen[place] = known
            while len(self._seen) > _MOST_SEEN:
                del self._seen[next(iter(self._seen))]

    def find(self, place: tuple[str, ...]) -> Known | None:
        """Return a session as it was last."""
        with self._lock:
            return self._seen.get(place)


_seen = _SeenSessions()


class PostgresState:
    """The state of every session of a tenant."""

    set_aside = ""

    def __init__(self, transactions: AgentTransactions) -> None:
        self._transactions = transactions
        self._tenant = transactions.tenant

    def close(self) -> None:
        """Do nothing: the connections are the workspace's."""

    def check(self) -> list[str]:
        """Return nothing: what a database stores, it checks itself."""
        return []

    # Values

    def get(self, agent: str, session: str, namespace: str, key: str, default: Any = None) -> Any:
        """Return a value, or the default where there is none."""
        place = self._place(agent, session, namespace, key)
        row = self._transactions.row(f"SELECT value FROM holdfast.session_state WHERE {_VALUE}", *place)
        return default if row is None else _decode_value(row[0])

    def set(self, agent: str, session: str, namespace: str, key: str, value: Any, now: float) -> None:
        """Keep a value under a key, over what was there."""
        place, text = self._place(agent, session, namespace, key), encode_value(value)
        with self._transactions.writing() as run:
            run(_PUT, *place, text, now)

    def compare_and_set(
        self, agent: str, session: str, namespace: str, key: str, expected: Any, new: Any, now: float
    ) -> bool:
        """Keep a value if what is there is still what was expected; None expects nothing, or null."""
        place = self._place(agent, session, namespace, key)
        wanted, text = encode_value(expected), encode_value(new)
        with self._transactions.writing() as run:
            statement = f"{_PUT} WHERE holdfast.session_state.value = %s RETURNING 1"
            if wanted != "null":
                changed = f"UPDATE holdfast.session_state SET value = %s, updated = %s WHERE {_VALUE} AND value = %s"
                return run(changed, text, now, *place, wanted).rowcount == 1
            return run(statement, *place, text, now, wanted).fetchone() is not None

    def delete(self, agent: str, session: str, namespace: str, key: str) -> bool:
        """Remove a value; says whether there was one."""
        place = self._place(agent, session, namespace, key)
        with self._transactions.writing() as run:
            return run(f"DELETE FROM holdfast.session_state WHERE {_VALUE}", *place).rowcount > 0

    def list(self, agent: str, session: str, namespace: str | None = None, *, own: bool = True) -> Values:
        """Return the values of a session, of one namespace or of all, with or without our own, in order."""
        rows = self._transactions.rows(
            f"SELECT namespace, key, value, updated FROM holdfast.session_state WHERE {_SOME} "
            'ORDER BY namespace COLLATE "C", key COLLATE "C"',
            *self._some(agent, session, namespace, own),
        )
        return [Stored(space, key, _decode_value(value), updated) for space, key, value, updated in rows]

    def clear(self, agent: str, session: str, namespace: str | None = None, *, own: bool = True) -> int:
        """Remove the values of one namespace or of all, with or without our own; says how many."""
        some = self._some(agent, session, namespace, own)
        with self._transactions.writing() as run:
            return int(run(f"DELETE FROM holdfast.session_state WHERE {_SOME}", *some).rowcount)

    def erase(self, agent: str, cleared: Callable[[bytes], bytes], *, dry_run: bool = False) -> int:
        """Change every value of an agent's sessions, and its name, to what `cleared` makes of it; says how many."""
        with self._transactions.writing() as run:
            rows = run(
                "SELECT session, namespace, key, value FROM holdfast.session_state WHERE tenant = %s AND agent = %s",
                *(self._tenant, agent),
            ).fetchall()
            found = list(erasures(rows, cleared))
            for old, new, value in [] if dry_run else found:
                deleted = f"DELETE FROM holdfast.session_state WHERE {_VALUE} RETURNING updated"
                row = run(deleted, self._tenant, agent, *old).fetchone()
                if value is not None and row is not None:
                    run(_PUT, self._tenant, agent, old[0], *new, value, row[0])
        return len(found)

    # Sessions

    def register(self, agent: str, session: str, kind: Kind, channel: str, now: float) -> Kind:
        """Put a session into the list, or note that it was used; gives the kind that it has from its first use on."""
        with self._transactions.writing() as run:
            row = run(
                "INSERT INTO holdfast.session AS s (tenant, agent, session, kind, channel, created, last) "
                "VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT (tenant, agent, session) DO UPDATE "
                "SET last = greatest(s.last, EXCLUDED.last), "
                "channel = CASE s.kind WHEN EXCLUDED.kind THEN EXCLUDED.channel ELSE s.channel END RETURNING s.kind",
                *(self._tenant, agent, session, kind.value, channel, now, now),
            ).fetchone()
        return kind if row is None else Kind(row[0])

    def sessions(self, agent: str) -> Sessions:
        """Return the sessions of an agent, the one used last first."""
        rows = self._transactions.rows(
            f"SELECT {_SESSION} FROM holdfast.session s WHERE tenant = %s AND agent = %s "
            'ORDER BY last DESC, session COLLATE "C"',
            *(self._tenant, agent),
        )
        statement = "SELECT digest FROM holdfast.hidden_session WHERE tenant = %s AND agent = %s"
        hidden = {digest for (digest,) in self._transactions.rows(statement, self._tenant, agent)}
        return [_known(agent, row, digest_of(row[0]) in hidden) for row in rows]

    def known(self, agent: str, session: str) -> Known | None:
        """Return one session as the list has it, or None; for a reader while the database is away, as it was last."""
        place = (self._transactions.pool.where, self._tenant, agent, session)
        try:
            row = self._transactions.row(f"SELECT {_SESSION} FROM holdfast.session s WHERE {_ONE}", *place[1:])
            known = None if row is None else _known(agent, row, self.hidden(agent, session))
        except DatabaseAway:
            known = _seen.find(place)
            if known is None or not tell_stale(AWAY):
                raise
            return known
        _seen.note(place, known)
        return known

    def exclude(self, agent: str, session: str, excluded: bool) -> None:
        """Keep a registered session out of search and exports; to let it in again also lifts `forget`."""
        with self._transactions.writing() as run:
            if excluded:
                run(_HIDE, *self._hidden(agent, session), False)
            else:
                self._show(run, agent, session)

    def forget(self, agent: str, session: str, now: float) -> None:  # noqa: ARG002 - of the contract
        """Remove a session's rows, and keep a hash of its key by which it stays forgotten."""
        with self._transactions.writing() as run:
            run(_HIDE, *self._hidden(agent, session), True)
            self._drop(run, agent, session)

    def delete_session(self, agent: str, session: str) -> None:
        """Remove a session's rows; one that was forgotten stays so."""
        with self._transactions.writing() as run:
            self._drop(run, agent, session)
            self._show(run, agent, session, " AND NOT forgotten")

    def rename(self, agent: str, session: str, new: str) -> None:
        """Give a session another key, under which it is as hidden as it was."""
        is_hidden = self.hidden(agent, session)
        with self._transactions.writing() as run:
            if is_hidden:
                run(_HIDE, *self._hidden(agent, new), False)
            for table, rest in (
                ("session_state", " AND (namespace, key) IN (SELECT namespace, key FROM old)"),
                ("session", ""),
            ):
                # What was kept under the new key gives way.
                run(
                    f"WITH old AS (SELECT * FROM holdfast.{table} WHERE {_ONE}) "
                    f"DELETE FROM holdfast.{table} WHERE {_ONE}{rest} AND EXISTS (SELECT 1 FROM old)",
                    *(self._tenant, agent, session, self._tenant, agent, new),
                )
                run(f"UPDATE holdfast.{table} SET session = %s WHERE {_ONE}", new, self._tenant, agent, session)

    def hidden(self, agent: str, session: str) -> bool:
        """Say whether a session was excluded or forgotten."""
        return self._mark(agent, session) is not None

    def forgotten(self, agent: str, session: str) -> bool:
        """Say whether a session was forgotten."""
        return bool(self._mark(agent, session))

    def _mark(self, agent: str, session: str) -> bool | None:
        row = self._transactions.row(
            "SELECT forgotten FROM holdfast.hidden_session WHERE tenant = %s AND agent = %s AND digest = %s",
            *self._hidden(agent, session),
        )
        return None if row is None else bool(row[0])

    def _hidden(self, agent: str, session: str) -> tuple[str, str, str]:
        return self._tenant, agent, digest_of(session)

    def _show(self, run: Any, agent: str, session: str, more: str = "") -> None:
        statement = "DELETE FROM holdfast.hidden_session WHERE tenant = %s AND agent = %s AND digest = %s"
        run(statement + more, *self._hidden(agent, session))

    def _drop(self, run: Any, agent: str, session: str) -> None:
        for table in ("session_state", "session"):
            run(f"DELETE FROM holdfast.{table} WHERE {_ONE}", self._tenant, agent, session)

    def _place(self, agent: str, session: str, namespace: str, key: str) -> tuple[str, ...]:
        return self._tenant, agent, session, check_name(namespace, "namespace"), check_name(key, "key")

    def _some(self, agent: str, session: str, namespace: str | None, own: bool) -> tuple[object, ...]:
        named = None if namespace is None else check_name(namespace, "namespace")
        return self._tenant, agent, session, named, [] if own else sorted(OWN_NAMESPACES)


def _known(agent: str, row: Any, is_hidden: bool) -> Known:
    session, kind, channel, created, last = row
    return Known(agent, session, Kind(kind), channel, created, last, is_hidden)


def _decode_value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        why = f"a value in it is damaged ({error}); set it anew, or delete it"
        raise StorageFailed("the session state", "read", why) from error
