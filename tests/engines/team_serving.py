"""Servers of tenants as real processes, with two tenants that have a token for each role."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engines.postgres_server import Databases
from surfaces.http.serving import Served, served

from holdfast.postgres.access_tokens import Role, make_token
from holdfast.postgres.postgres_pool import PostgresPool
from holdfast.postgres.tenants import Limits, create_tenant

OPERATOR = "operator-of-all-these-tests"


class Team:
    """A database with tenants, and a server of them."""

    def __init__(self, databases: Databases, web: Served, tokens: dict[tuple[str, str], str]) -> None:
        self.databases, self.web, self.tokens = databases, web, tokens

    def by(self, tenant: str, role: str = "owner") -> Served:
        """The server for who has this token."""
        return self.web.by(self.tokens[tenant, role])

    def operator(self) -> Served:
        """The server for who runs it."""
        return self.web.by(OPERATOR)


def populated(databases: Databases, *tenants: str, limits: Limits | None = None) -> dict[tuple[str, str], str]:
    """Make tenants, and return a token for each role."""
    with PostgresPool.open(databases.admin) as pool:
        for tenant in tenants:
            create_tenant(pool, tenant, limits=limits, kind=f"class-of-{tenant}")
        return {(tenant, role.value): make_token(pool, tenant, role) for tenant in tenants for role in Role}


@contextmanager
def team_served(
    databases: Databases, place: Path, *options: str, tokens: dict[tuple[str, str], str] | None = None
) -> Iterator[Team]:
    """Serve a database for a block; it must end well."""
    held = populated(databases, "acme", "other") if tokens is None else tokens
    with served(
        place / "home", "--database", databases.dsn, "--cache", str(place / "cache"), *options, HOLDFAST_TOKEN=OPERATOR
    ) as web:
        yield Team(databases, web, held)
