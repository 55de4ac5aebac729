"""Tenants: made, listed, limited, and deleted for good."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from holdfast.errors import BadArgument, BadTenant, NotConfirmed, TenantNotFound
from holdfast.postgres.audit import record_act
from holdfast.value import Value

if TYPE_CHECKING:
    import psycopg

    from holdfast.postgres.postgres_pool import PostgresPool

__all__ = [
    "TABLES",
    "Limits",
    "Tenant",
    "check_tenant",
    "create_tenant",
    "delete_tenant",
    "erasure_number",
    "is_tenant",
    "limit_tenant",
    "list_tenants",
    "must_exist",
]

# A token holds its tenant's id between two underscores, so an id has none.
_ID: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)
_CLASS: Final = re.compile(r"[a-z0-9-]{1,32}", re.ASCII)
_MOST: Final = 2**60
_MOST_REQUESTS: Final = 2**31 - 1
TABLES: Final = (
    *("request_count", "snapshot", "lease", "access_token", "hidden_session", "session", "session_state", "log"),
    *("file", "transcript", "journal", "note", "object", "erasure", "home"),
)
"""Where a tenant has rows, in an order in which they can go; the acts of its administration stay."""


class Limits(Value):
    """Holds what a tenant may have and do; None for as much as it likes."""

    notes: int | None = None
    bytes: int | None = None
    requests: int | None = None
    """A minute."""


class Tenant(Value):
    """One tenant, and what it has."""

    id: str
    kind: str
    created: datetime
    limits: Limits
    agents: int = 0
    notes: int = 0
    bytes: int = 0


def is_tenant(name: str) -> bool:
    """True for what may be a tenant's id."""
    return _ID.fullmatch(name) is not None


def check_tenant(tenant: str) -> str:
    """Return a tenant's id; BadTenant for what can't be one."""
    if not is_tenant(tenant):
        raise BadTenant(tenant[:80], "it must have 1 to 63 characters, and begin and end with a letter or digit")
    return tenant


def create_tenant(
    pool: PostgresPool, tenant: str, *, kind: str = "standard", limits: Limits | None = None, actor: str = ""
) -> Tenant:
    """Make a tenant without notes."""
    check_tenant(tenant)
    if not _CLASS.fullmatch(kind):
        raise BadArgument("kind", "it must be a word of at most 32 lower-case letters, digits and '-'")
    held = _check_limits(limits or Limits())
    with pool.administration() as connection:
        row = connection.execute(
            "INSERT INTO holdfast.tenant (id, class, max_notes, max_bytes, max_requests) VALUES (%s, %s, %s, %s, %s) "
            "ON CONFLICT DO NOTHING RETURNING created",
            [tenant, kind, held.notes, held.bytes, held.requests],
        ).fetchone()
        if row is None:
            raise BadTenant(tenant, "there is one of this id", "Choose another.")
        record_act(connection, tenant, actor, "tenant made", kind=kind, **_limits_json(held))
    return Tenant(tenant, kind, row[0], held)


def list_tenants(pool: PostgresPool) -> list[Tenant]:
    """Return all tenants with what they have, by their ids."""
    with pool.administration(read_only=True) as connection:
        rows = connection.execute(
            "SELECT t.id, t.class, t.created, t.max_notes, t.max_bytes, t.max_requests, "
            "(SELECT count(*) FROM holdfast.home h WHERE h.tenant = t.id), coalesce(n.notes, 0), coalesce(n.bytes, 0) "
            "FROM holdfast.tenant t LEFT JOIN (SELECT tenant, count(*) AS notes, sum(size)::bigint AS bytes "
            "FROM holdfast.note GROUP BY tenant) n ON n.tenant = t.id ORDER BY t.id"
        ).fetchall()
    return [Tenant(row[0], row[1], row[2], Limits(*row[3:6]), *row[6:]) for row in rows]


def limit_tenant(pool: PostgresPool, tenant: str, named: Mapping[str, int | None], *, actor: str = "") -> Limits:
    """Set the limits that are named, None for no limit; the others and what is there already stay."""
    with pool.administration() as connection:
        must_exist(connection, tenant)
        statement = "SELECT max_notes, max_bytes, max_requests FROM holdfast.tenant WHERE id = %s"
        held = _check_limits(Limits(*(connection.execute(statement, [tenant]).fetchone() or ())).replace(**named))
        connection.execute(
            "UPDATE holdfast.tenant SET max_notes = %s, max_bytes = %s, max_requests = %s WHERE id = %s",
            [held.notes, held.bytes, held.requests, tenant],
        )
        record_act(connection, tenant, actor, "tenant limited", **_limits_json(held))
    return held


def delete_tenant(pool: PostgresPool, tenant: str, *, word: str, actor: str = "") -> dict[str, int]:
    """Delete a tenant with everything it has, for good; return how many rows went from where.

    `word` is the tenant's id once more, as somebody typed it.
    """
    if word != tenant:
        raise NotConfirmed("deleted", f"the tenant {tenant!r} goes with all its notes and history")
    gone: dict[str, int] = {}
    with pool.administration() as connection:
        must_exist(connection, tenant)  # locked: a save that begins now waits, and then finds no tenant
        for table in TABLES:
            gone[table] = connection.execute(f"DELETE FROM holdfast.{table} WHERE tenant = %s", [tenant]).rowcount
        connection.execute("DELETE FROM holdfast.tenant WHERE id = %s", [tenant])
        record_act(connection, tenant, actor, "tenant deleted", rows=gone)
    return gone


def erasure_number(pool: PostgresPool, tenant: str) -> int | None:
    """Return how often something of a tenant was removed for good; None where there is no such tenant."""
    rows = pool.ask(
        tenant,
        "SELECT coalesce(e.n, 0) FROM holdfast.tenant t LEFT JOIN holdfast.erasure e ON e.tenant = t.id "
        "WHERE t.id = %s",
        [tenant],
    )
    return rows[0][0] if rows else None


def must_exist(connection: psycopg.Connection[Any], tenant: str) -> None:
    """Lock a tenant's row; TenantNotFound where there is none."""
    found = connection.execute("SELECT 1 FROM holdfast.tenant WHERE id = %s FOR UPDATE", [tenant]).fetchone()
    if found is None:
        raise TenantNotFound(tenant)


def _check_limits(limits: Limits) -> Limits:
    for name, value in _limits_json(limits).items():
        most = _MOST_REQUESTS if name == "requests" else _MOST
        if value is not None and not 0 <= value <= most:
            raise BadArgument(name, f"{value} is not between 0 and {most:,}")
    return limits


def _limits_json(limits: Limits) -> dict[str, int | None]:
    return {"notes": limits.notes, "bytes": limits.bytes, "requests": limits.requests}
