"""Administrative acts: who did what to which tenant, told in the transaction that does it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.value import Value

if TYPE_CHECKING:
    import psycopg

    from holdfast.postgres.postgres_pool import PostgresPool

__all__ = ["Act", "list_acts", "record_act"]


class Act(Value):
    """One administrative act."""

    tenant: str
    at: datetime
    actor: str
    act: str
    detail: dict[str, Any]


def record_act(connection: psycopg.Connection[Any], tenant: str, actor: str, act: str, **detail: object) -> None:
    """Write an act down; it stands or falls with the transaction."""
    from psycopg.types.json import Jsonb

    connection.execute(
        "INSERT INTO holdfast.audit (tenant, actor, act, detail) VALUES (%s, %s, %s, %s)",
        [tenant, actor, act, Jsonb(detail)],
    )


def list_acts(pool: PostgresPool, tenant: str | None = None, limit: int = 100) -> list[Act]:
    """Return the last acts, of one tenant or of all, the newest first."""
    with pool.administration(read_only=True) as connection:
        rows = connection.execute(
            "SELECT tenant, at, actor, act, detail FROM holdfast.audit "
            "WHERE %(tenant)s::text IS NULL OR tenant = %(tenant)s ORDER BY n DESC LIMIT %(limit)s",
            {"tenant": tenant, "limit": limit},
        ).fetchall()
    return [Act(*row) for row in rows]
