"""The settings of a tenant and of its agents, kept as rows of `holdfast.file`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from holdfast.named_tuple import NamedTuple
from holdfast.postgres.audit import record_act
from holdfast.postgres.tenants import must_exist

if TYPE_CHECKING:
    from holdfast.postgres.postgres_pool import PostgresPool

__all__ = ["HOME", "SettingsText", "read_settings", "store_settings"]

HOME: Final = ""
"""Stands for the agent where settings are the whole tenant's."""
_NAME: Final = "holdfast.toml"


class SettingsText(NamedTuple):
    """A holdfast.toml and how often it was stored; 0 where there is none."""

    text: str = ""
    version: int = 0


def read_settings(pool: PostgresPool, tenant: str, agent: str) -> tuple[SettingsText, SettingsText]:
    """Return the tenant's settings and the agent's."""
    names = [_NAME, _name_of(agent)]
    rows = pool.ask(
        tenant,
        "SELECT name, body, version FROM holdfast.file WHERE tenant = %s AND agent = '' AND name = ANY(%s)",
        [tenant, names],
    )
    held = {row[0]: SettingsText(bytes(row[1]).decode("utf-8", "replace"), row[2]) for row in rows}
    return held.get(_NAME, SettingsText()), held.get(_name_of(agent), SettingsText())


def store_settings(pool: PostgresPool, tenant: str, text: str, *, agent: str = HOME, actor: str = "") -> None:
    """Store a holdfast.toml that was checked; servers follow within some seconds."""
    with pool.administration() as connection:
        must_exist(connection, tenant)
        connection.execute(
            "INSERT INTO holdfast.file AS f (tenant, agent, name, body) VALUES (%s, '', %s, %s) "
            "ON CONFLICT (tenant, agent, name) DO UPDATE SET body = EXCLUDED.body, version = f.version + 1",
            [tenant, _name_of(agent), text.encode()],
        )
        record_act(connection, tenant, actor, "settings stored", agent=agent, bytes=len(text.encode()))


def _name_of(agent: str) -> str:
    return _NAME if agent == HOME else f"agents/{agent}/{_NAME}"
