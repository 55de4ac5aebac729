"""A database that was put back to an earlier moment, and went on from there: no server's index or copy stays old."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from engines.postgres_server import Databases
from engines.test_note_copies import contents, opened

from holdfast import Memory
from holdfast.notes.staleness import allow_stale
from holdfast.postgres.home_transfer import export_home, import_home
from holdfast.postgres.postgres_pool import PostgresPool
from holdfast.postgres.tenants import create_tenant, delete_tenant


class Backups:
    """Copies a database aside, and puts the copy in its place."""

    def __init__(self, databases: Databases, connection: psycopg.Connection) -> None:
        self._name, self._connection = databases.name, connection

    def take(self) -> None:
        self._end_connections()
        self._connection.execute(f"CREATE DATABASE {self._name}_backup TEMPLATE {self._name} STRATEGY FILE_COPY")

    def put_back(self) -> None:
        self._connection.execute(f"DROP DATABASE {self._name} WITH (FORCE)")
        self._connection.execute(f"ALTER DATABASE {self._name}_backup RENAME TO {self._name}")

    def _end_connections(self) -> None:
        statement = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = %s"
        self._connection.execute(statement, [self._name])


@contextmanager
def backups(databases: Databases) -> Iterator[Backups]:
    address = databases.admin.rpartition("/")[0]
    with psycopg.connect(f"{address}/postgres", autocommit=True) as connection:
        yield Backups(databases, connection)


def found(memory: Memory, query: str) -> list[str]:
    return [hit.snippet for hit in memory.search(query).results]


@pytest.mark.parametrize("more", [0, 1, 30], ids=["as many changes", "one more", "many more"])
def test_a_server_finds_what_the_database_has_whatever_the_number_of_changes(
    databases: Databases, tmp_path: Path, more: int
) -> None:
    with backups(databases) as kept, PostgresPool.open(databases.dsn) as pool:
        with PostgresPool.open(databases.admin) as admin:
            create_tenant(admin, "acme")
        with opened(pool, tmp_path / "one") as one:
            one.save("The harbour is closed in May", file="memory/harbour.md")
            kept.take()
            one.notes.write("memory/tide.md", "The tide turns at four\n")
            one.notes.write("memory/boat.md", "The boat is red, not blue\n")
            assert found(one, "which colour is the boat") != []
            seq = one.ctx.workspace.moment()
            kept.put_back()
            with opened(pool, tmp_path / "two") as two:
                two.notes.write("memory/tide.md", "The tide turns at nine\n")
                two.notes.write("memory/crew.md", "The crew of six is abroad\n")
                for number in range(more):
                    two.notes.write(f"memory/more{number}.md", f"More {number}\n")
                assert two.ctx.workspace.moment() == seq + more
                wanted = contents(two)
            assert "The tide turns at nine" in found(one, "when does the tide turn")
            assert not any("boat" in snippet for snippet in found(one, "which colour is the boat"))
            assert "The crew of six is abroad" in found(one, "how many are in the crew")
            assert contents(one) == wanted
            pool.close()
            with allow_stale():
                assert contents(one) == wanted


def test_a_tenant_that_was_deleted_and_imported_as_it_was_is_not_answered_as_before(
    databases: Databases, tmp_path: Path
) -> None:
    with PostgresPool.open(databases.admin) as admin, PostgresPool.open(databases.dsn) as pool:
        create_tenant(admin, "acme")
        with opened(pool, tmp_path / "one") as one:
            one.notes.write("memory/tide.md", "The tide turns at four\n")
            export_home(admin, "acme", str(tmp_path / "home"))
            one.notes.write("memory/boat.md", "The boat is red, not blue\n")
            with Memory.open(tmp_path / "home") as home:
                home.notes.write("memory/crew.md", "The crew of six is abroad\n")
            delete_tenant(admin, "acme", word="acme")
            import_home(admin, str(tmp_path / "home"), "acme")
            assert one.ctx.workspace.moment() == 2
            assert "The crew of six is abroad" in found(one, "how many are in the crew")
            assert set(contents(one)) == {"memory/tide.md", "memory/crew.md"}
