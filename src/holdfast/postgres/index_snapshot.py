"""A snapshot of an agent's index as a row, so that a server which has none begins with that and reads what is newer.

It is a cache of words that may be forgotten: it goes with the first object or line of a transcript that is removed for
good (migration 0010), and none is stored that was taken before the agent's last change.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from holdfast.postgres.postgres_pool import PostgresPool

__all__ = ["load_snapshot", "snapshot_number", "store_snapshot"]

_LEVEL: Final = 1  # a third of the time of the usual one, and a twentieth more bytes
_MOST_BYTES: Final = 256 * 2**20  # of a packed one; a larger tenant is built from its notes


def store_snapshot(pool: PostgresPool, tenant: str, agent: str, seq: int, image: bytes) -> bool:
    """Store the image of an index that has all changes up to a number; say whether it is the agent's last one."""
    packed = zlib.compress(image, _LEVEL)
    if len(packed) > _MOST_BYTES:
        return False
    with pool.transaction(tenant) as connection:
        # The row is locked: who forgets something now waits, and then finds the snapshot that it has to remove.
        found = connection.execute(
            "SELECT seq FROM holdfast.home WHERE tenant = %s AND agent = %s FOR SHARE", [tenant, agent]
        ).fetchone()
        if found is None or found[0] != seq:
            return False
        connection.execute(
            "INSERT INTO holdfast.snapshot (tenant, agent, seq, data) VALUES (%s, %s, %s, %s) "
            "ON CONFLICT (tenant, agent) DO UPDATE SET seq = EXCLUDED.seq, data = EXCLUDED.data, taken = now()",
            [tenant, agent, seq, packed],
        )
    return True


def snapshot_number(pool: PostgresPool, tenant: str, agent: str) -> int | None:
    """Return up to which change a snapshot is; None where there is none."""
    with pool.transaction(tenant, read_only=True) as connection:
        row = connection.execute(
            "SELECT seq FROM holdfast.snapshot WHERE tenant = %s AND agent = %s", [tenant, agent]
        ).fetchone()
    return None if row is None else int(row[0])


def load_snapshot(pool: PostgresPool, tenant: str, agent: str) -> bytes | None:
    """Return the image of an index; None where there is none."""
    with pool.transaction(tenant, read_only=True) as connection:
        row = connection.execute(
            "SELECT data FROM holdfast.snapshot WHERE tenant = %s AND agent = %s", [tenant, agent]
        ).fetchone()
    return None if row is None else zlib.decompress(row[0])
