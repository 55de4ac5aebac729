"""Leases: what is to be done once in the cluster is done by the server that holds its lease.

They run by the database's clock, so that servers need not agree on the time. Who dies leaves a lease that runs out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.postgres.postgres_pool import PostgresPool

__all__ = ["give_back_lease", "hold_lease", "take_lease"]


def take_lease(pool: PostgresPool, tenant: str, agent: str, name: str, holder: str, seconds: float) -> bool:
    """Take a lease or renew one's own, and say whether it is held now."""
    with pool.transaction(tenant) as connection:
        row = connection.execute(
            "INSERT INTO holdfast.lease AS l (tenant, agent, name, holder, until) "
            "VALUES (%s, %s, %s, %s, now() + make_interval(secs => %s)) "
            "ON CONFLICT (tenant, agent, name) DO UPDATE SET holder = EXCLUDED.holder, until = EXCLUDED.until "
            "WHERE l.holder = EXCLUDED.holder OR l.until <= now() RETURNING 1",
            [tenant, agent, name, holder, seconds],
        ).fetchone()
    return row is not None


def give_back_lease(pool: PostgresPool, tenant: str, agent: str, name: str, holder: str) -> None:
    """Let the next one have it at once; nothing happens where it is another's by now."""
    with pool.transaction(tenant) as connection:
        connection.execute(
            "DELETE FROM holdfast.lease WHERE tenant = %s AND agent = %s AND name = %s AND holder = %s",
            [tenant, agent, name, holder],
        )


@contextmanager
def hold_lease(pool: PostgresPool, tenant: str, agent: str, name: str, holder: str, seconds: float) -> Iterator[bool]:
    """Hold a lease for the block, where nobody else does; the block is told whether."""
    held = take_lease(pool, tenant, agent, name, holder, seconds)
    try:
        yield held
    finally:
        if held:
            give_back_lease(pool, tenant, agent, name, holder)
