"""The open memories of one tenant, for a server: settings from the database, indexes in the server's cache."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from holdfast.errors import DatabaseAway
from holdfast.guard.paths import agent_id
from holdfast.postgres.tenant_files import SettingsText, read_settings
from holdfast.surfaces.memory_pool import Desk, Stamp
from holdfast.surfaces.tenant_settings import is_operators

if TYPE_CHECKING:
    from holdfast.memory import Memory
    from holdfast.postgres.postgres_pool import PostgresPool
    from holdfast.settings.loader import Loaded

__all__ = ["TenantDesk"]

_LOOK_SECONDS: Final = 2.0  # how long a change of the settings may go unseen


class TenantDesk(Desk):
    """As the desk of a home. While the database is away, the settings it last gave hold."""

    def __init__(self, pool: PostgresPool, tenant: str, place: str, agent: str = "main", *, most: int = 2) -> None:
        super().__init__(place, agent, most=most)
        self._pool, self.tenant = pool, tenant
        self._texts: dict[str, tuple[SettingsText, SettingsText]] = {}
        self._looked_at: dict[str, float] = {}

    def _stamped(self, agent: str) -> Stamp:
        """Return which texts hold, asked of the database now and then."""
        whose = agent_id(agent)
        now = time.monotonic()
        if whose not in self._texts or now - self._looked_at.get(whose, 0.0) > _LOOK_SECONDS:
            self._looked_at[whose] = now
            try:
                self._texts[whose] = read_settings(self._pool, self.tenant, whose)
            except DatabaseAway:
                if whose not in self._texts:
                    raise
        return tuple((text.version, text.version, 1, 0) for text in self._texts[whose])  # type: ignore[return-value]

    def _load(self, agent: str) -> Loaded:
        from holdfast.settings.loader import load_team

        home, own = self._texts.get(agent_id(agent)) or read_settings(self._pool, self.tenant, agent_id(agent))
        return load_team(home.text, own.text, is_operators)

    def _open(self, agent: str) -> Memory:
        from holdfast.memory import Memory

        return Memory.open(self.home, agent, self.in_force(agent).settings, origin=self.origin)
