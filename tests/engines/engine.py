"""One way to open notes, whichever engine keeps them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

import psycopg
from engines.postgres_server import Databases

from holdfast import Memory
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.notes.workspace import Workspace
from holdfast.postgres.postgres_pool import PostgresPool
from holdfast.postgres.postgres_workspace import PostgresWorkspace

TENANT = "one"


class Engine(Protocol):
    """Opens the notes of an agent; a second time as another process or server would."""

    def workspace(self, agent: str = "main") -> Workspace: ...
    def memory(self, agent: str = "main", *, server: str = "first", **more: Any) -> Memory: ...


class FileEngine:
    """Notes in files below a home."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def workspace(self, agent: str = "main") -> Workspace:
        return FileWorkspace.open(self.home, agent)

    def memory(self, agent: str = "main", *, server: str = "first", **more: Any) -> Memory:
        return Memory.open(self.home, agent, **more)


class TenantEngine:
    """Notes of one tenant; each server has a cache of its own."""

    def __init__(self, pool: PostgresPool, databases: Databases, cache: Path) -> None:
        self.pool, self.databases, self.cache = pool, databases, cache

    def workspace(self, agent: str = "main") -> Workspace:
        return PostgresWorkspace.open(self.pool, TENANT, agent, cache=str(self.cache / "first"))

    def memory(self, agent: str = "main", *, server: str = "first", **more: Any) -> Memory:
        return Memory.open_team(self.pool, TENANT, agent, cache=self.cache / server, **more)


@contextmanager
def tenant_of(databases: Databases, cache: Path) -> Iterator[TenantEngine]:
    """Give a tenant of a fresh database."""
    with psycopg.connect(databases.admin, autocommit=True) as connection:
        connection.execute("INSERT INTO holdfast.tenant (id) VALUES (%s)", [TENANT])
    with closing(PostgresPool.open(databases.dsn)) as pool:
        yield TenantEngine(pool, databases, cache)
