"""The requests of a tenant in the running minute, counted for all servers together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.errors import TooManyRequests

if TYPE_CHECKING:
    from holdfast.postgres.postgres_pool import PostgresPool

__all__ = ["count_request"]


def count_request(pool: PostgresPool, tenant: str, limit: int | None) -> None:
    """Count a request of this minute, by the database's clock; TooManyRequests beyond the limit.

    A tenant without a limit is not counted: it would be a write for every search.
    """
    if limit is None:
        return
    with pool.transaction(tenant) as connection:
        row = connection.execute(
            "INSERT INTO holdfast.request_count AS c (tenant, minute, count) "
            "VALUES (%s, floor(extract(epoch FROM now()) / 60), 1) ON CONFLICT (tenant) DO UPDATE SET "
            "count = CASE WHEN c.minute = EXCLUDED.minute THEN c.count + 1 ELSE 1 END, minute = EXCLUDED.minute "
            "RETURNING count, 60 - extract(second FROM now())::int",
            [tenant],
        ).fetchone()
    if row is not None and row[0] > limit:
        raise TooManyRequests(limit, max(1, row[1]))
