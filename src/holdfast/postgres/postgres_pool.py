"""Connections to PostgreSQL, and the only way to a transaction: of one tenant, or of whoever administers.

What decides whose rows are seen is set inside each transaction, by the statement that begins it, so that a pooler which
lends a connection for one transaction (PgBouncer, a cloud's proxy) may stand between.
"""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from holdfast.errors import Busy, DatabaseAway, DatabaseUnfit, HoldfastError, QuotaReached, TenantNotFound
from holdfast.postgres.connection_words import READ_ONLY, connection_place, first_line
from holdfast.postgres.presence import Presence, has_no_room

if TYPE_CHECKING:
    import psycopg
    from psycopg_pool import ConnectionPool

    from holdfast.postgres.postgres_connection import PostgresConnection

__all__ = ["ADMIN_ROLE", "APP_ROLE", "SCHEMA", "PostgresPool"]

_Answer = TypeVar("_Answer")

SCHEMA: Final = "holdfast"
APP_ROLE: Final = "holdfast_app"
"""What a server acts as: it sees the rows of the tenant that the transaction names, and owns nothing."""
ADMIN_ROLE: Final = "holdfast_admin"
"""What `holdfast db` acts as: it sees all rows."""

_WAIT_SECONDS = 10.0  # for a connection of the pool, and for a lock
_LOOK_SECONDS = 0.1  # how often one who waits looks whether the server refuses
_STATEMENT_SECONDS = 60
_ADMIN_SECONDS = 3600.0  # a migration or a count of all tenants may take long
_MOST_CONNECTIONS = 10
_MOST_LOCKS = 100
_ENDED = frozenset({"57P01", "57P02", "57P05"})  # PostgreSQL's last words on a connection that it ends
_QUOTA = "HF001"  # raised by holdfast.hold_quota


class PostgresPool:
    """A pool of connections to one database."""

    def __init__(
        self, pool: ConnectionPool[PostgresConnection], where: str, dsn: str, presence: Presence, *, owner: bool = True
    ) -> None:
        self._pool, self.where, self._dsn, self._presence, self._owner = pool, where, dsn, presence, owner
        self._for_locks: PostgresPool | None = None
        self._making = threading.Lock()

    @classmethod
    def open(
        cls,
        dsn: str,
        *,
        application: str = "holdfast",
        most: int = _MOST_CONNECTIONS,
        tell: Callable[[str], None] = lambda _: None,
    ) -> Self:
        """Open a pool for the address of a database; nobody is asked before the first transaction.

        Several hosts may stand in it (`host=a,b target_session_attrs=read-write`): the one that takes writes is used.
        `tell` is called once when the database goes away, and once when it is back. `connect_timeout` of the address
        is how long a connection may take, and how long who waits for an answer waits until somebody looks whether
        there are any.
        """
        where = connection_place(dsn)
        try:
            from holdfast.postgres.postgres_connection import find_silence, patience_of
        except ImportError as error:
            from holdfast.settings.installation import missing_extra

            raise missing_extra(error.name or "psycopg", "postgres", error) from error
        presence = Presence(tell, lambda: find_silence(dsn), patience_of(dsn))
        return cls(_open_pool(dsn, application, most, presence), where, dsn, presence)

    def counts(self) -> dict[str, int]:
        """Return how many connections there are, lent and idle, and how many callers wait for one."""
        stats = self._pool.get_stats()
        size, idle = stats.get("pool_size", 0), stats.get("pool_available", 0)
        return {"lent": size - idle, "idle": idle, "waiting": stats.get("requests_waiting", 0)}

    def close(self) -> None:
        """Give all connections back."""
        if self._owner:
            self._presence.close()
        self._pool.close()
        if self._for_locks is not None:
            self._for_locks.close()

    @property
    def for_locks(self) -> PostgresPool:
        """The connections that hold a lock while something else is done.

        They are others: who holds a lock and wants to save must not wait for those who do the same.
        """
        with self._making:
            if self._for_locks is None:
                pool = _open_pool(self._dsn, "holdfast locks", _MOST_LOCKS, self._presence)
                self._for_locks = PostgresPool(pool, self.where, self._dsn, self._presence, owner=False)
            return self._for_locks

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(
        self,
        tenant: str,
        statement: str,
        values: Sequence[object] | Mapping[str, object] = (),
        *,
        seconds: float = _STATEMENT_SECONDS,
    ) -> list[Any]:
        """Return the rows of one question about a tenant, in one trip: it begins and ends its transaction itself."""
        import psycopg

        opening = _begin_statement(APP_ROLE, tenant, True, seconds).replace("%", "%%")

        def asked(connection: PostgresConnection) -> list[Any]:
            connection.limit = seconds + self._presence.patience
            cursor = psycopg.ClientCursor(connection)
            cursor.execute(f"{opening}; {statement}; COMMIT".encode(), values)
            cursor.nextset()  # what was set
            cursor.nextset()
            return cursor.fetchall()

        try:
            rows, connection = self._on_a_line(asked)
        except psycopg.Error as error:
            raise self.error_of(error, tenant) or error from error
        self._pool.putconn(connection)
        return rows

    @contextmanager
    def transaction(
        self, tenant: str, *, read_only: bool = False, seconds: float = _STATEMENT_SECONDS
    ) -> Iterator[PostgresConnection]:
        """Begin a transaction that sees one tenant's rows; commit at the end, roll back on any error."""
        with self._begun(APP_ROLE, tenant, read_only, seconds) as connection:
            yield connection

    @contextmanager
    def administration(self, *, read_only: bool = False) -> Iterator[PostgresConnection]:
        """Begin a transaction that sees every tenant's rows, where the login is a member of the role for that."""
        with self._begun(ADMIN_ROLE, "", read_only, _ADMIN_SECONDS) as connection:
            yield connection

    def _borrow(self) -> PostgresConnection:
        """Lend a connection, or say soon that there is none to be had.

        The pool itself would wait to the end of its patience for a server that refuses at once.
        """
        import psycopg
        from psycopg_pool import PoolClosed, PoolTimeout

        began, presence = time.monotonic(), self._presence
        refusals = presence.refusals
        while True:
            if presence.is_away:
                raise DatabaseAway(self.where, presence.why, remedy=presence.remedy)
            try:
                connection = self._pool.getconn(timeout=_LOOK_SECONDS)
            except PoolTimeout as error:
                # Where there is no room for one more, one of those that are lent comes back.
                if presence.refusals > refusals and not (has_no_room(presence.why) and self.counts()["lent"] > 0):
                    presence.note_away()
                elif time.monotonic() - began > _WAIT_SECONDS:
                    raise Busy(f"Every connection to the database {self.where}", _WAIT_SECONDS) from error
                continue
            except (psycopg.OperationalError, PoolClosed) as error:
                raise DatabaseAway(self.where, first_line(error)) from error
            if connection.answered >= presence.silent_at:
                return connection
            connection.close()  # as old as one on which nothing came back
            self._pool.putconn(connection)

    def _on_a_line(self, work: Callable[[PostgresConnection], _Answer]) -> tuple[_Answer, PostgresConnection]:
        """Begin something on a connection, and return what that gave with the connection, which is to be given back.

        One that lay idle may be dead: to begin is what finds out, and nothing was done by then, so the next is tried.
        """
        import psycopg

        from holdfast.postgres.postgres_connection import Silence

        last: psycopg.Error | None = None
        for _ in range(self._pool.max_size + 1):
            connection = self._borrow()
            try:
                answer = work(connection)
                self._presence.note_back()
                return answer, connection
            except psycopg.Error as error:
                dead = _is_dead(connection, error)
                self._roll_back(connection)
                self._pool.putconn(connection)
                if not dead or (isinstance(error, Silence) and isinstance(last, Silence)):
                    raise
                last = error
            except BaseException:
                self._pool.putconn(connection)
                raise
        assert last is not None
        raise last

    def _begin(self, statement: str, seconds: float) -> PostgresConnection:
        """Lend a connection in which the transaction has begun."""
        patience = self._presence.patience

        def begin(connection: PostgresConnection) -> None:
            connection.limit = 2 * patience  # it has nothing to do but to begin
            connection.execute(statement.encode())
            connection.limit = seconds + patience

        return self._on_a_line(begin)[1]

    @contextmanager
    def _begun(self, role: str, tenant: str, read_only: bool, seconds: float) -> Iterator[PostgresConnection]:
        import psycopg

        try:
            connection = self._begin(_begin_statement(role, tenant, read_only, seconds), seconds)
        except psycopg.Error as error:
            refusal = self.error_of(error, tenant, unsure=False)
            if refusal is None:
                raise
            raise refusal from error
        committing = False
        try:
            yield connection
            if connection.info.transaction_status == psycopg.pq.TransactionStatus.INERROR:
                # COMMIT would answer ROLLBACK without an error, and the caller would believe that it is saved.
                raise psycopg.errors.InFailedSqlTransaction("a statement of the transaction failed")
            committing = not read_only
            connection.commit()
        except psycopg.Error as error:
            refusal = self.error_of(error, tenant, unsure=committing)
            self._roll_back(connection)
            if refusal is None:
                raise
            raise refusal from error
        except BaseException:
            self._roll_back(connection)
            raise
        finally:
            self._pool.putconn(connection)

    def _roll_back(self, connection: psycopg.Connection[Any]) -> None:
        import psycopg

        with suppress(psycopg.Error):
            connection.rollback()

    def error_of(self, error: psycopg.Error, tenant: str, *, unsure: bool = False) -> HoldfastError | None:
        """Return what an error of PostgreSQL means to a caller; None for what nobody foresaw."""
        from psycopg import errors

        state = error.sqlstate or ""
        if state == _QUOTA:
            return QuotaReached(str(error.diag.message_primary), int(error.diag.message_detail or 0))
        if isinstance(error, (errors.LockNotAvailable, errors.QueryCanceled)):
            return Busy(f"What this needs in the database {self.where}", _WAIT_SECONDS)
        if isinstance(error, errors.ForeignKeyViolation) and "_tenant_fkey" in (error.diag.constraint_name or ""):
            return TenantNotFound(tenant)
        if isinstance(error, errors.ReadOnlySqlTransaction):
            return DatabaseAway(self.where, first_line(error), unsure=unsure, remedy=READ_ONLY)
        role = re.search(f"{APP_ROLE}|{ADMIN_ROLE}", first_line(error))
        if role and isinstance(error, errors.InsufficientPrivilege):
            return DatabaseUnfit(self.where, first_line(error), f"GRANT {role[0]} TO {self._login()} lets its login.")
        if role and isinstance(error, (errors.UndefinedObject, errors.InvalidParameterValue)):
            return DatabaseUnfit(self.where, first_line(error), "`holdfast db migrate` makes its roles and tables.")
        if isinstance(error, (errors.UndefinedTable, errors.InvalidSchemaName, errors.UndefinedFunction)):
            return DatabaseUnfit(self.where, first_line(error), "`holdfast db migrate` makes its tables.")
        if isinstance(error, (errors.InsufficientPrivilege, errors.UndefinedObject, errors.InvalidParameterValue)):
            return DatabaseUnfit(self.where, first_line(error), "Its roles lack what migrations granted them.")
        # 08: the connection; 57P0: shut down, crashed, starting; 53: full.
        gone = state[:2] == "08" or state[:4] == "57P0" or state[:2] == "53"
        if gone or (isinstance(error, errors.OperationalError) and not state):
            return DatabaseAway(self.where, first_line(error), unsure=unsure)
        return None

    def _login(self) -> str:
        """Return the login of the address, quoted where SQL wants it."""
        import psycopg

        name = str(psycopg.conninfo.conninfo_to_dict(self._dsn).get("user") or "")
        if not name:
            return "LOGIN"
        return name if re.fullmatch(r"[a-z_][a-z0-9_]*", name) else f'"{name}"'


def _open_pool(dsn: str, application: str, most: int, presence: Presence) -> ConnectionPool[PostgresConnection]:
    from psycopg_pool import ConnectionPool

    from holdfast.postgres.postgres_connection import PostgresConnection, connect_options

    logger = logging.getLogger("psycopg.pool")
    if logger.level == logging.NOTSET:
        logger.setLevel(logging.ERROR)  # it would tell of every connection that breaks off; callers are told
    pool: ConnectionPool[PostgresConnection] = ConnectionPool(
        dsn,
        connection_class=PostgresConnection,
        kwargs={**connect_options(dsn, application), "presence": presence},
        min_size=0,
        max_size=most,
        timeout=_WAIT_SECONDS,
        max_idle=120.0,
        reconnect_timeout=presence.patience,
        name=application,
        open=False,
    )
    pool.open()
    return pool


def _is_dead(connection: psycopg.Connection[Any], error: psycopg.Error) -> bool:
    """Say whether a connection ended, and close it: its last words may come before the end of the line is seen."""
    if not connection.closed and error.sqlstate in _ENDED:
        connection.close()
    return connection.closed


@lru_cache(maxsize=1024)  # each request begins with one, and to put it together takes as long as to send it
def _begin_statement(role: str, tenant: str, read_only: bool, seconds: float) -> str:
    from psycopg import sql

    names = {
        "role": role,
        "holdfast.tenant": tenant,
        "search_path": "",
        "statement_timeout": f"{int(seconds * 1000)}",
        "lock_timeout": f"{int(_WAIT_SECONDS * 1000)}",
        "idle_in_transaction_session_timeout": f"{int(seconds * 1000)}",
    }
    set_all = sql.SQL(", ").join(
        sql.SQL("set_config({}, {}, true)").format(sql.Literal(name), sql.Literal(value))
        for name, value in names.items()
    )
    access = sql.SQL(" READ ONLY" if read_only else "")
    return sql.SQL("BEGIN ISOLATION LEVEL READ COMMITTED{}; SELECT {}").format(access, set_all).as_string(None)
