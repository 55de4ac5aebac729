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
from typing import TYPE_CHECKING, Any, Final, Self

from holdfast.errors import Busy, DatabaseAway, DatabaseUnfit, HoldfastError, QuotaReached, TenantNotFound
from holdfast.postgres.presence import Presence

if TYPE_CHECKING:
    import psycopg
    from psycopg_pool import ConnectionPool

__all__ = [
    "ADMIN_ROLE",
    "APP_ROLE",
    "READ_ONLY",
    "SCHEMA",
    "PostgresPool",
    "connection_place",
    "connection_remedy",
    "first_line",
]

SCHEMA: Final = "holdfast"
APP_ROLE: Final = "holdfast_app"
"""What a server acts as: it sees the rows of the tenant that the transaction names, and owns nothing."""
ADMIN_ROLE: Final = "holdfast_admin"
"""What `holdfast db` acts as: it sees all rows."""

_CONNECT_SECONDS = 5
_WAIT_SECONDS = 10.0  # for a connection of the pool, and for a lock
_LOOK_SECONDS = 0.1  # how often one who waits looks whether the server refuses
_REST_SECONDS = 1.0  # how long nobody asks a server again that refused
_STATEMENT_SECONDS = 60
_MOST_CONNECTIONS = 10
_MOST_LOCKS = 100
_PASSES = (
    *("refused", "no such file", "timeout", "timed out", "unreachable", "no route", "temporary failure"),
    *("starting up", "shutting down", "recovery", "not accepting", "not yet accepting", "terminating"),
    *("closed the connection", "reset by peer", "too many", "connection slots"),
)
"""What is said of a server that is not up yet, or has no room: it may be tried again."""
READ_ONLY: Final = "name the host that takes writes (a standby, or a read-only one, does not)"
_ENDED = frozenset({"57P01", "57P02", "57P05"})  # PostgreSQL's last words on a connection that it ends
_QUOTA = "HF001"  # raised by holdfast.hold_quota


class _Refusals:
    """Says how often no connection could be made, and why the last time."""

    count, why, remedy = 0, "", ""


class PostgresPool:
    """A pool of connections to one database."""

    def __init__(
        self,
        pool: ConnectionPool[psycopg.Connection[Any]],
        where: str,
        refusals: _Refusals,
        dsn: str,
        presence: Presence,
    ) -> None:
        self._pool, self.where, self._dsn, self._presence = pool, where, dsn, presence
        self._for_locks: PostgresPool | None = None
        self._making = threading.Lock()
        self._refusals = refusals
        self._away_until = 0.0

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
        `tell` is called once when the database goes away, and once when it is back.
        """
        try:
            import psycopg
            from psycopg_pool import ConnectionPool
        except ImportError as error:
            from holdfast.settings.installation import missing_extra

            raise missing_extra(error.name or "psycopg", "postgres", error) from error
        where = connection_place(dsn)
        logger = logging.getLogger("psycopg.pool")
        if logger.level == logging.NOTSET:
            logger.setLevel(logging.ERROR)  # it would tell of every connection that breaks off; callers are told
        options: dict[str, Any] = {
            "autocommit": True,  # the statement that begins a transaction also says whose it is: one trip
            "prepare_threshold": None,  # a prepared statement would be another connection's behind a pooler
            "application_name": application,
            "connect_timeout": _CONNECT_SECONDS,
            "keepalives_idle": 15,
            "keepalives_interval": 5,
            "keepalives_count": 3,
            "tcp_user_timeout": 20_000,
        }
        given = psycopg.conninfo.conninfo_to_dict(dsn)
        refusals = _Refusals()

        class Connection(psycopg.Connection[Any]):
            @classmethod
            def connect(cls, *arguments: Any, **named: Any) -> Any:
                try:
                    return super().connect(*arguments, **named)
                except psycopg.Error as error:
                    refusals.why, refusals.remedy = first_line(error), connection_remedy(error)
                    refusals.count += 1
                    raise

        pool: ConnectionPool[psycopg.Connection[Any]] = ConnectionPool(
            dsn,
            connection_class=Connection,
            kwargs={name: value for name, value in options.items() if name not in given},
            min_size=0,
            max_size=most,
            timeout=_WAIT_SECONDS,
            max_idle=120.0,
            reconnect_timeout=_CONNECT_SECONDS,
            name=application,
            open=False,
        )
        pool.open()
        return cls(pool, where, refusals, dsn, Presence(tell))

    def counts(self) -> dict[str, int]:
        """Return how many connections there are, lent and idle, and how many callers wait for one."""
        stats = self._pool.get_stats()
        size, idle = stats.get("pool_size", 0), stats.get("pool_available", 0)
        return {"lent": size - idle, "idle": idle, "waiting": stats.get("requests_waiting", 0)}

    def close(self) -> None:
        """Give all connections back."""
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
                self._for_locks = PostgresPool.open(self._dsn, application="holdfast locks", most=_MOST_LOCKS)
            return self._for_locks

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, tenant: str, statement: str, values: Sequence[object] | Mapping[str, object] = ()) -> list[Any]:
        """Return the rows of one question about a tenant, in one trip: it begins and ends its transaction itself."""
        import psycopg

        opening = _begin_statement(APP_ROLE, tenant, True, _STATEMENT_SECONDS).replace("%", "%%")
        for _ in range(self._pool.max_size + 1):
            connection = self._borrow()
            dead = False
            try:
                cursor = psycopg.ClientCursor(connection)
                cursor.execute(f"{opening}; {statement}; COMMIT".encode(), values)
                self._presence.note_back()
                cursor.nextset()  # what was set
                cursor.nextset()
                return cursor.fetchall()
            except psycopg.Error as error:
                dead = _is_dead(connection, error)
                self._roll_back(connection)
                if not dead:
                    raise self.error_of(error, tenant) or error from error
                last = error
            finally:
                self._pool.putconn(connection)
        raise self.error_of(last, tenant) or last from last

    @contextmanager
    def transaction(
        self, tenant: str, *, read_only: bool = False, seconds: float = _STATEMENT_SECONDS
    ) -> Iterator[psycopg.Connection[Any]]:
        """Begin a transaction that sees one tenant's rows; commit at the end, roll back on any error."""
        with self._begun(APP_ROLE, tenant, read_only, seconds) as connection:
            yield connection

    @contextmanager
    def administration(self, *, read_only: bool = False, seconds: float = 3600.0) -> Iterator[psycopg.Connection[Any]]:
        """Begin a transaction that sees every tenant's rows, where the login is a member of the role for that."""
        with self._begun(ADMIN_ROLE, "", read_only, seconds) as connection:
            yield connection

    def _borrow(self) -> psycopg.Connection[Any]:
        """Lend a connection, or say soon that there is none to be had.

        The pool itself would wait to the end of its patience for a server that refuses at once.
        """
        import psycopg
        from psycopg_pool import PoolClosed, PoolTimeout

        began = time.monotonic()
        if began < self._away_until:
            raise DatabaseAway(self.where, self._refusals.why, remedy=self._refusals.remedy)
        refusals = self._refusals.count
        while True:
            try:
                return self._pool.getconn(timeout=_LOOK_SECONDS)
            except PoolTimeout as error:
                if self._refusals.count > refusals:
                    self._away_until = time.monotonic() + _REST_SECONDS
                    self._presence.note_away(self._refusals.why)
                    raise DatabaseAway(self.where, self._refusals.why, remedy=self._refusals.remedy) from error
                if time.monotonic() - began > _WAIT_SECONDS:
                    raise Busy(f"Every connection to the database {self.where}", _WAIT_SECONDS) from error
            except (psycopg.OperationalError, PoolClosed) as error:
                raise DatabaseAway(self.where, first_line(error)) from error

    def _begin(self, statement: str) -> psycopg.Connection[Any]:
        """Lend a connection in which the transaction has begun.

        One that lay idle may be dead: to begin is what finds out, and nothing was done by then, so the next is tried.
        """
        import psycopg

        for _ in range(self._pool.max_size + 1):
            connection = self._borrow()
            try:
                connection.execute(statement.encode())
                self._presence.note_back()
                return connection
            except psycopg.Error as error:
                dead = _is_dead(connection, error)
                self._roll_back(connection)
                self._pool.putconn(connection)
                if not dead:
                    raise
                last = error
            except BaseException:
                self._pool.putconn(connection)
                raise
        raise last

    @contextmanager
    def _begun(self, role: str, tenant: str, read_only: bool, seconds: float) -> Iterator[psycopg.Connection[Any]]:
        import psycopg

        try:
            connection = self._begin(_begin_statement(role, tenant, read_only, seconds))
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


def connection_place(dsn: str) -> str:
    """Return where a database is, without the password and the options of its address."""
    try:
        from psycopg import Error, conninfo

        given = conninfo.conninfo_to_dict(dsn)
    except ImportError:
        return "of the address given"
    except Error:
        # What the library says of an address repeats it, password and all.
        why, remedy = "its address is none of PostgreSQL's", "Write postgresql://USER@HOST/NAME, odd characters as %XX."
        raise DatabaseUnfit("of the address given", why, remedy) from None
    hosts = str(given.get("host") or "of this machine")
    return f"{given.get('dbname') or given.get('user') or 'postgres'} on {hosts}"


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


def first_line(error: BaseException) -> str:
    """Return what an error says, in one line and without an address that may hold a password."""
    line = str(error).strip().split("\n")[0].rstrip(".")
    line = re.sub(r"(?<!\w)\w+://\S+", "postgresql://…", line)
    return re.sub(r'value "[^"]*"(?= for connection option)', "value", line)[:300] or type(error).__name__


def connection_remedy(error: BaseException) -> str:
    """Return what to do where no connection could be made; "" where it may be enough to wait."""
    said = str(error).lower()
    if "read-only" in said:
        return READ_ONLY
    return "" if any(word in said for word in _PASSES) else "check its address, login and password"
