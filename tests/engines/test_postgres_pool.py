"""Transactions of one tenant, and the tables they meet."""

from __future__ import annotations

from contextlib import ExitStack

import psycopg
import pytest
from engines.postgres_server import Databases

from holdfast.errors import DatabaseAway, DatabaseUnfit, QuotaReached, TenantNotFound
from holdfast.postgres.migration import apply_migrations, check_schema
from holdfast.postgres.postgres_pool import PostgresPool


def make_tenants(databases: Databases, *names: str) -> None:
    with psycopg.connect(databases.admin) as connection:
        for name in names:
            connection.execute("INSERT INTO holdfast.tenant (id) VALUES (%s)", [name])


def test_a_transaction_sees_the_rows_of_its_tenant_only(databases: Databases) -> None:
    make_tenants(databases, "one", "two")
    with PostgresPool.open(databases.dsn) as pool:
        with pool.transaction("one") as connection:
            connection.execute("INSERT INTO holdfast.home VALUES ('one', 'main', 7)")
        with pool.transaction("two") as connection:
            assert connection.execute("SELECT * FROM holdfast.home").fetchall() == []
        with pool.transaction("one") as connection:
            assert connection.execute("SELECT seq FROM holdfast.home").fetchall() == [(7,)]
        with pytest.raises(DatabaseUnfit), pool.transaction("two") as connection:
            connection.execute("INSERT INTO holdfast.home VALUES ('one', 'other', 7)")


def test_a_statement_that_failed_keeps_the_transaction_from_being_committed(databases: Databases) -> None:
    make_tenants(databases, "one")
    with PostgresPool.open(databases.dsn) as pool:
        with pytest.raises(psycopg.errors.InFailedSqlTransaction), pool.transaction("one") as connection:
            connection.execute("INSERT INTO holdfast.home VALUES ('one', 'main', 7)")
            with pytest.raises(psycopg.errors.DivisionByZero):
                connection.execute("SELECT 1 / 0")
        with pool.transaction("one") as connection:
            assert connection.execute("SELECT * FROM holdfast.home").fetchall() == []


def test_a_question_is_asked_in_one_trip_and_over_dead_connections(databases: Databases) -> None:
    make_tenants(databases, "one")
    body = bytes(range(256))
    with PostgresPool.open(databases.dsn, most=3) as pool:
        with pool.transaction("one") as connection:
            connection.execute("INSERT INTO holdfast.object VALUES ('one', 'h%%', %s)", [body])
        asked = "SELECT hash, body, 1, 1.5::float8 FROM holdfast.object WHERE hash = ANY(%s) AND hash LIKE 'h%%'"
        assert pool.ask("one", asked, [["h%", "it's"]]) == [("h%", body, 1, 1.5)]
        assert pool.ask("one", "SELECT 7 WHERE %(a)s = 'a'", {"a": "a"}) == [(7,)]
        assert pool.ask("%s", "SELECT hash FROM holdfast.object") == []
        with psycopg.connect(databases.admin) as connection:
            # Of this database alone: the tests beside it have others on the same server.
            ours = "usename = 'holdfast_server' AND datname = current_database()"
            connection.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {ours}").fetchall()
        assert pool.ask("one", "SELECT 7") == [(7,)]
        with pytest.raises(DatabaseUnfit):
            pool.ask("one", "SELECT * FROM holdfast.nothing")
        assert pool.ask("one", "SELECT 7") == [(7,)]
        with ExitStack() as all_at_once:  # each was given back: as many as there may be can be lent again
            for _ in range(3):
                all_at_once.enter_context(pool.transaction("one"))


def test_a_home_needs_a_tenant(databases: Databases) -> None:
    with (
        PostgresPool.open(databases.dsn) as pool,
        pytest.raises(TenantNotFound, match="nobody"),
        pool.transaction("nobody") as connection,
    ):
        connection.execute("INSERT INTO holdfast.home VALUES ('nobody', 'main', 0)")


def test_a_quota_holds_what_grows_and_lets_shrink(databases: Databases) -> None:
    make_tenants(databases, "one")
    with psycopg.connect(databases.admin) as connection:
        connection.execute("UPDATE holdfast.tenant SET max_notes = 2, max_bytes = 100")
    add = (
        "INSERT INTO holdfast.note VALUES ('one', 'main', %s, 'h', %s, 1, now()) "
        "ON CONFLICT (tenant, agent, path) DO UPDATE SET size = EXCLUDED.size"
    )
    with PostgresPool.open(databases.dsn) as pool:
        with pool.transaction("one") as connection:
            connection.execute(add, ["a.md", 40])
            connection.execute(add, ["b.md", 60])
        with pytest.raises(QuotaReached, match="2 notes"), pool.transaction("one") as connection:
            connection.execute(add, ["c.md", 0])
        with pytest.raises(QuotaReached, match="100 bytes"), pool.transaction("one") as connection:
            connection.execute(add, ["a.md", 41])
        with psycopg.connect(databases.admin) as connection:
            connection.execute("UPDATE holdfast.tenant SET max_notes = 1, max_bytes = 10")
        with pool.transaction("one") as connection:
            connection.execute(add, ["a.md", 39])


def test_a_database_that_does_not_answer_is_away() -> None:
    with (
        PostgresPool.open("postgresql://nobody:secret@127.0.0.1:1/none") as pool,
        pytest.raises(DatabaseAway, match=r"none on 127\.0\.0\.1") as caught,
        pool.transaction("one"),
    ):
        pass
    assert "secret" not in str(caught.value)


def test_migrations_are_applied_once_and_checked(databases: Databases) -> None:
    assert apply_migrations(databases.admin) == []
    with PostgresPool.open(databases.dsn) as pool:
        check_schema(pool)
        with psycopg.connect(databases.admin) as connection:
            connection.execute("DELETE FROM holdfast.migration WHERE number = 1")
        with pytest.raises(DatabaseUnfit, match=r"0001.*holdfast db migrate"):
            check_schema(pool)
