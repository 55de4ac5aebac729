"""The tables of the database, in numbered files: applied by `holdfast db migrate`, looked at when a server starts."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

from holdfast.errors import DatabaseAway, DatabaseUnfit, HoldfastError
from holdfast.named_tuple import NamedTuple
from holdfast.postgres.connection_words import READ_ONLY, connection_place, connection_remedy, first_line
from holdfast.postgres.postgres_pool import ADMIN_ROLE, APP_ROLE, SCHEMA, PostgresPool
from holdfast.postgres.presence import Presence

if TYPE_CHECKING:
    import psycopg

__all__ = ["Migration", "apply_migrations", "check_numbers", "check_schema", "migrations", "newest_number"]

_MIGRATE = "Run `holdfast db migrate`."
_LOCK = 0x686F6C64  # "hold": one migration at a time in the cluster


class Migration(NamedTuple):
    """One numbered file."""

    number: int
    name: str
    statements: str


def migrations() -> list[Migration]:
    """Return all files in their order."""
    found = []
    for file in files("holdfast.postgres").joinpath("migrations").iterdir():
        if file.name.endswith(".sql"):
            number, _, name = file.name.removesuffix(".sql").partition("_")
            found.append(Migration(int(number), name, file.read_text(encoding="utf-8")))
    return sorted(found)


def newest_number() -> int:
    """Return the number of the last file."""
    return migrations()[-1].number


def apply_migrations(dsn: str) -> list[Migration]:
    """Make the roles, the schema and the tables that are missing, in one transaction; return what was applied.

    The login owns what is made. It must be allowed to make roles when they are not there yet.
    """
    try:
        import psycopg
    except ImportError as error:
        from holdfast.settings.installation import missing_extra

        raise missing_extra(error.name or "psycopg", "postgres", error) from error
    where = connection_place(dsn)
    connection = _connect(dsn, where)
    try:
        return _apply_missing(connection, where)
    except psycopg.Error as error:
        refusal = _refusal(error, where, connection.info.user, connection.info.dbname)
        raise refusal from error
    finally:
        connection.close()


def _apply_missing(connection: psycopg.Connection[Any], where: str) -> list[Migration]:
    with connection.transaction():
        connection.execute("SELECT set_config('search_path', '', true)")
        connection.execute("SELECT pg_catalog.pg_advisory_xact_lock(%s)", [_LOCK])
        _make_roles(connection)
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        connection.execute(f"GRANT USAGE ON SCHEMA {SCHEMA} TO {APP_ROLE}, {ADMIN_ROLE}")
        connection.execute(
            f"CREATE TABLE IF NOT EXISTS {SCHEMA}.migration "
            "(number integer PRIMARY KEY, name text NOT NULL, applied timestamptz NOT NULL DEFAULT now())"
        )
        applied = _numbers(connection)
        _refuse_newer(applied, where)
        missing = [migration for migration in migrations() if migration.number not in applied]
        for migration in missing:
            connection.execute(migration.statements.encode())
            connection.execute(
                f"INSERT INTO {SCHEMA}.migration (number, name) VALUES (%s, %s)", [migration.number, migration.name]
            )
        return missing


def _refusal(error: psycopg.Error, where: str, login: str, database: str) -> HoldfastError:
    """Return what an error of PostgreSQL means to who migrates, and which right their login lacks."""
    from psycopg import errors

    why = first_line(error)
    if isinstance(error, errors.ReadOnlySqlTransaction):
        return DatabaseAway(where, why, remedy=READ_ONLY)
    if isinstance(error, errors.InsufficientPrivilege):
        remedy = (
            f"Nothing was changed. Migrate with the login that owns the schema {SCHEMA}; for the first time, {login} "
            f"needs CREATEROLE (ALTER ROLE {login} CREATEROLE) and GRANT CREATE ON DATABASE {database} TO {login}."
        )
        return DatabaseUnfit(where, why, remedy)
    if (error.sqlstate or "") in ("42723", "42P07", "42710"):  # a function, table or other object is there already
        remedy = (
            f"Nothing was changed. The schema {SCHEMA} has what no migration in {SCHEMA}.migration made: restore it "
            "whole from a backup, or migrate an empty database."
        )
        return DatabaseUnfit(where, why, remedy)
    if isinstance(error, errors.OperationalError):
        return DatabaseAway(where, why)
    return DatabaseUnfit(where, why, "Nothing was changed.")


def check_numbers(pool: PostgresPool) -> None:
    """Raise where the tables are older or newer than this Holdfast, for who administers."""
    with pool.administration(read_only=True) as connection:
        applied = _numbers(connection)
    _refuse_older(applied, pool.where)
    _refuse_newer(applied, pool.where)


def check_schema(pool: PostgresPool, *, is_running: bool = False) -> None:
    """Raise where the tables are older or newer than this Holdfast, or where the login sees every tenant's rows.

    A server that runs goes on with newer tables, so that servers can be replaced one after the other.
    """
    with pool.transaction("", read_only=True) as connection:
        applied = _numbers(connection)
        row = connection.execute(
            "SELECT rolsuper OR rolbypassrls FROM pg_catalog.pg_roles WHERE rolname = current_user"
        ).fetchone()
    _refuse_older(applied, pool.where)
    if not is_running:
        _refuse_newer(applied, pool.where)
    if row is not None and row[0]:
        remedy = f"Take that from the role: ALTER ROLE {APP_ROLE} NOSUPERUSER NOBYPASSRLS."
        raise DatabaseUnfit(pool.where, f"the role {APP_ROLE} is not held by row-level security", remedy)


def _refuse_older(applied: set[int], where: str) -> None:
    missing = {migration.number for migration in migrations()} - applied
    if missing:
        numbers = ", ".join(f"{number:04}" for number in sorted(missing))
        raise DatabaseUnfit(where, f"migration {numbers} is not applied", _MIGRATE)


def _refuse_newer(applied: set[int], where: str) -> None:
    newer = applied - {migration.number for migration in migrations()}
    if newer:
        raise DatabaseUnfit(where, f"a newer Holdfast applied migration {max(newer):04}", "Use that version.")


def _numbers(connection: psycopg.Connection[Any]) -> set[int]:
    return {number for (number,) in connection.execute(f"SELECT number FROM {SCHEMA}.migration")}


def _make_roles(connection: psycopg.Connection[Any]) -> None:
    """Make the two roles that nobody logs in as, where they are missing, and join the one who administers."""
    for role in (APP_ROLE, ADMIN_ROLE):
        known = connection.execute("SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = %s", [role]).fetchone()
        if known is None:
            connection.execute(f"CREATE ROLE {role} NOLOGIN NOSUPERUSER NOBYPASSRLS")
        member = connection.execute("SELECT pg_catalog.pg_has_role(current_user, %s, 'MEMBER')", [role]).fetchone()
        if member is None or not member[0]:
            connection.execute(f"GRANT {role} TO CURRENT_USER")


def _connect(dsn: str, where: str) -> psycopg.Connection[Any]:
    import psycopg

    from holdfast.postgres.postgres_connection import PostgresConnection, connect_options, find_silence, patience_of

    presence = Presence(lambda _: None, lambda: find_silence(dsn), patience_of(dsn))
    presence.close()  # it may look whether there is an answer, and waits for none
    try:
        options = connect_options(dsn, "holdfast db migrate")
        connection: psycopg.Connection[Any] = PostgresConnection.connect(dsn, presence=presence, **options)
        return connection
    except psycopg.OperationalError as error:
        raise DatabaseAway(where, first_line(error), remedy=connection_remedy(error)) from error
