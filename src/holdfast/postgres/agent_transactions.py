"""The transactions of one open workspace: reads are short ones, and all that a thread does under the lock is one.

One save is one transaction: it waits for the lock of its agent, which all servers share, and is committed when that is
let go. What was under way when a connection broke off is looked for afterwards by the ids of its changes.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakValueDictionary

from holdfast.errors import Busy, DatabaseAway, HoldfastError

if TYPE_CHECKING:
    import psycopg

    from holdfast.checkpoints.journal import JournalEnd
    from holdfast.notes.note import NoteFile
    from holdfast.postgres.note_rows import NoteRow
    from holdfast.postgres.postgres_pool import PostgresPool

__all__ = ["AgentTransactions", "OpenTransaction", "lock_key"]

_QUESTION_SECONDS: Final = 20.0
_LOOK_SECONDS: Final = 10.0  # how long is looked for what may have been saved
_LOOK_AGAIN: Final = 0.2
_LOCK_SECONDS: Final = 24 * 3600.0  # the longest that a lock of a job is held


class _Turn:
    """The threads of this process that want one agent's lock wait here: one of them waits at the database."""

    def __init__(self) -> None:
        self.lock = threading.Lock()


_turns: WeakValueDictionary[tuple[str, str, str], _Turn] = WeakValueDictionary()


class OpenTransaction:
    """Holds what a thread does under the lock, and what it knows by it: nobody else changes this agent's notes."""

    def __init__(self, connection: psycopg.Connection[Any], agent: str) -> None:
        self.connection, self.agent = connection, agent
        self.notes: dict[str, NoteRow | None] = {}
        self.base: dict[str, NoteFile] | None = None
        """All notes as they were when this began."""
        self.changed: dict[str, NoteFile | None] = {}
        self.stored: set[str] = set()
        """Hashes of objects that are there, or will be."""
        self.ends: dict[str, JournalEnd] = {}
        self.ids: list[str] = []
        """The changes that are made here."""
        self.doomed: set[str] = set()
        """Hashes of objects that nothing of this agent needs any more."""
        self.has_written = False
        self.failure: HoldfastError | None = None
        self.after: list[Callable[[], None]] = []
        """Called once it is committed."""


class AgentTransactions:
    """The transactions of a workspace of one tenant, in any number of threads."""

    def __init__(self, pool: PostgresPool, tenant: str) -> None:
        self.pool, self.tenant = pool, tenant
        self._own = threading.local()

    @property
    def current(self) -> OpenTransaction | None:
        """Return what this thread does under a lock, if it does."""
        opened: list[OpenTransaction] = getattr(self._own, "opened", [])
        return opened[-1] if opened else None

    def rows(self, statement: str, *values: object) -> list[Any]:
        """Return the rows of a question: as they are, or as this thread has made them under its lock."""
        return self.rows_by_name(statement, values)

    def rows_by_name(
        self, statement: str, values: Sequence[object] | Mapping[str, object], *, seconds: float = _QUESTION_SECONDS
    ) -> list[Any]:
        """Do the same with values that have names; outside of a lock it may take so many seconds."""
        current = self.current
        if current is not None:
            return self._run(current, statement, values).fetchall()
        return self.pool.ask(self.tenant, statement, values, seconds=seconds)

    def row(self, statement: str, *values: object) -> Any:
        """Return the first row, or None."""
        return next(iter(self.rows(statement, *values)), None)

    @contextmanager
    def writing(self) -> Iterator[Callable[..., psycopg.Cursor[Any]]]:
        """Yield what runs a statement: in this thread's transaction, or in one of its own that ends with the block."""
        current = self.current
        if current is not None:
            current.has_written = True
            yield lambda statement, *values: self._run(current, statement, values)
            return
        with self.pool.transaction(self.tenant) as connection:
            yield lambda statement, *values: connection.execute(statement.encode(), values)

    def write_many(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        """Run a statement for each of these rows under this thread's lock, without waiting in between."""
        current = self._required()
        current.has_written = True
        with self._told(current), current.connection.cursor() as cursor:
            cursor.executemany(statement.encode(), rows)

    @contextmanager
    def locked(self, agent: str, what: str, timeout: float) -> Iterator[OpenTransaction]:
        """Be the only writer of an agent, in the whole cluster; what is done inside is one transaction."""
        began = time.monotonic()
        turn = _turns.setdefault((self.pool.where, self.tenant, agent), _Turn())
        if not turn.lock.acquire(timeout=max(0.0, timeout)):
            raise Busy(what, time.monotonic() - began)
        try:
            opened: OpenTransaction | None = None
            try:
                with self.pool.transaction(self.tenant) as connection:
                    self._take(connection, agent, what, timeout - (time.monotonic() - began))
                    opened = OpenTransaction(connection, agent)
                    with self._entered(opened):
                        yield opened
                    if opened.failure is not None:
                        raise opened.failure
            except DatabaseAway as away:
                if opened is None or not away.unsure or not self._has_arrived(opened, away):
                    raise
            self._collect(opened.doomed)
            for call in opened.after:
                call()
        finally:
            turn.lock.release()

    @contextmanager
    def lock(self, name: str, what: str, timeout: float) -> Iterator[None]:
        """Hold a lock of this tenant by its name, beside whatever is done meanwhile; it ends with the connection."""
        import psycopg

        key, began = lock_key(self.tenant, "lock", name), time.monotonic()
        stack = ExitStack()
        connection = stack.enter_context(self.pool.for_locks.transaction(self.tenant, seconds=_LOCK_SECONDS))
        connection.limit = timeout + _LOOK_SECONDS  # not for as long as it may be held
        try:
            try:
                is_held = _try_lock(connection, key, timeout)
            except psycopg.Error as error:
                raise self.pool.error_of(error, self.tenant) or error from error
            if not is_held:
                raise Busy(what, time.monotonic() - began if timeout else 0.0)
            yield
        finally:
            with suppress(DatabaseAway, psycopg.Error):  # who is done has nothing to lose with the connection
                stack.close()

    def _required(self) -> OpenTransaction:
        current = self.current
        assert current is not None, "this is done under the lock"
        return current

    @contextmanager
    def _entered(self, opened: OpenTransaction) -> Iterator[None]:
        stack: list[OpenTransaction] = getattr(self._own, "opened", [])
        self._own.opened = [*stack, opened]
        try:
            yield
        finally:
            self._own.opened = stack

    def _run(
        self, current: OpenTransaction, statement: str, values: Sequence[object] | Mapping[str, object]
    ) -> psycopg.Cursor[Any]:
        with self._told(current):
            return current.connection.execute(statement.encode(), values)

    @contextmanager
    def _told(self, current: OpenTransaction) -> Iterator[None]:
        """Turn an error of the database into one of ours; what comes after the first one only repeats that."""
        import psycopg

        if current.failure is not None:
            raise current.failure
        try:
            yield
        except psycopg.Error as error:
            current.failure = self.pool.error_of(error, self.tenant)
            if current.failure is None:
                raise
            raise current.failure from error

    def _take(self, connection: psycopg.Connection[Any], agent: str, what: str, timeout: float) -> None:
        """Wait for the lock of an agent, and keep whoever removes objects of this tenant waiting."""
        from psycopg.errors import LockNotAvailable

        began = time.monotonic()
        # Who has a transaction open keeps them waiting already, and would wait behind them for ever.
        shared = "pg_catalog.pg_advisory_xact_lock_shared(%s)" if self.current is None else "%s::bigint"
        try:
            connection.execute(
                f"SELECT pg_catalog.set_config('lock_timeout', %s, true), {shared}, "
                f"pg_catalog.pg_advisory_xact_lock(%s)".encode(),
                [f"{max(1, int(timeout * 1000))}", lock_key(self.tenant, "objects"), _agent_key(self.tenant, agent)],
            )
        except LockNotAvailable as error:
            raise Busy(what, time.monotonic() - began) from error

    def _has_arrived(self, opened: OpenTransaction, away: DatabaseAway) -> bool:
        """Say whether a transaction was committed although its answer was lost; raise where nobody can say."""
        if not opened.ids:
            raise away
        until = time.monotonic() + _LOOK_SECONDS
        while True:
            with suppress(DatabaseAway, Busy):
                if self._is_stored(opened.agent, opened.ids[0]):
                    return True
                break
            if time.monotonic() > until:
                raise away
            time.sleep(_LOOK_AGAIN)
        raise DatabaseAway(self.pool.where, away.why) from away

    def _is_stored(self, agent: str, change: str) -> bool:
        with self.pool.transaction(self.tenant, read_only=True) as connection:
            # Under the lock: what is still being committed holds that.
            connection.execute("SELECT pg_catalog.pg_advisory_xact_lock(%s)", [_agent_key(self.tenant, agent)])
            found = connection.execute(
                "SELECT 1 FROM holdfast.journal WHERE tenant = %s AND id = %s LIMIT 1", [self.tenant, change]
            ).fetchone()
        return found is not None

    def _collect(self, doomed: set[str]) -> None:
        """Remove objects that no note and no change of any agent needs, while nobody can begin to need them."""
        if not doomed:
            return
        with self.pool.transaction(self.tenant) as connection:
            connection.execute("SELECT pg_catalog.pg_advisory_xact_lock(%s)", [lock_key(self.tenant, "objects")])
            connection.execute(
                "DELETE FROM holdfast.object o WHERE o.tenant = %(tenant)s AND o.hash = ANY(%(hashes)s) "
                "AND NOT EXISTS (SELECT 1 FROM holdfast.note n WHERE n.tenant = o.tenant AND n.hash = o.hash) "
                "AND NOT EXISTS (SELECT 1 FROM holdfast.journal j WHERE j.tenant = o.tenant AND j.before = o.hash) "
                "AND NOT EXISTS (SELECT 1 FROM holdfast.journal j WHERE j.tenant = o.tenant AND j.after = o.hash)",
                {"tenant": self.tenant, "hashes": sorted(doomed)},
            )


def _try_lock(connection: psycopg.Connection[Any], key: int, timeout: float) -> bool:
    from psycopg.errors import LockNotAvailable

    if timeout <= 0:
        row = connection.execute("SELECT pg_catalog.pg_try_advisory_xact_lock(%s)", [key]).fetchone()
        return bool(row and row[0])
    try:
        connection.execute(
            "SELECT pg_catalog.set_config('lock_timeout', %s, true), pg_catalog.pg_advisory_xact_lock(%s)",
            [f"{max(1, int(timeout * 1000))}", key],
        )
    except LockNotAvailable:
        return False
    return True


def _agent_key(tenant: str, agent: str) -> int:
    return lock_key(tenant, "agent", agent)


def lock_key(*names: str) -> int:
    """Return the number of a lock: 64 bits of a hash of what it is of."""
    return int.from_bytes(hashlib.sha256("\0".join(names).encode()).digest()[:8], signed=True)
