"""The settings of a tenant and of its agents, kept as rows of `holdfast.file`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from holdfast.postgres.audit import record_act
from holdfast.postgres.tenants import must_exist

if TYPE_CHECKING:
    from holdfast.postgres.postgres_pool import PostgresPool

__all__ = ["HOME", "SettingsText", "read_settings", "store_settings"]

HOME: Final = ""
"""Stands for the agent where a file is the whole home's."""
_NAME: Final = "holdfast.toml"


class SettingsText(NamedTuple):
    """A holdfast.toml and how often it was stored; 0 where there is none."""

    text: str = ""
    version: int = 0


def read_settings(pool: PostgresPool, tenant: str, agent: str) -> tuple[SettingsText, SettingsText]:
    """Return the home's settings and the agent's."""
    with pool.transaction(tenant, read_only=True) as connection:
        rows = connection.execute(
            "SELECT agent, body, version FROM holdfast.file WHERE tenant = %s AND agent IN (%s, %s) AND name = %s",
            [tenant, HOME, agent, _NAME],
        ).fetchall()
    held = {row[0]: SettingsText(bytes(row[1]).decode("utf-8", "replace"), row[2]) for row in rows}
    return held.get(HOME, SettingsText()), held.get(agent, SettingsText())


def store_settings(pool: PostgresPool, tenant: str, text: str, *, agent: str = HOME, actor: str = "") -> None:
    """Store a holdfast.toml that was checked; servers follow within some seconds."""
    with pool.administration() as connection:
        must_exist(connection, tenant)
        connection.execute(
            "INSERT INTO holdfast.file AS f (tenant, agent, name, body) VALUES (%s, %s, %s, %s) "
            "ON CONFLICT (tenant, agent, name) DO UPDATE SET body = EXCLUDED.body, version = f.version + 1",
            [tenant, agent, _NAME, text.encode()],
        )
        record_act(connection, tenant, actor, "settings stored", agent=agent, bytes=len(text.encode()))
