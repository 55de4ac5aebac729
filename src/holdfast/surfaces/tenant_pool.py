"""The open memories of one tenant, for a server: settings from the database, indexes in the server's cache."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from holdfast.errors import DatabaseAway, HoldfastError
from holdfast.guard.paths import agent_id
from holdfast.index.sqlite.file_image import place_image
from holdfast.postgres.index_snapshot import load_snapshot
from holdfast.postgres.tenant_files import SettingsText, read_settings
from holdfast.settings.loader import FILE_NAME
from holdfast.surfaces.memory_pool import MemoryPool, Stamp
from holdfast.surfaces.tenant_settings import is_operators

if TYPE_CHECKING:
    from holdfast.memory import Memory
    from holdfast.postgres.postgres_pool import PostgresPool
    from holdfast.settings.loader import Loaded

__all__ = ["TenantPool"]

_CACHE_KIB: Final = 2048  # of each index, beside what the system keeps: a search is as quick as with ten times as much
_UNKNOWN: Final = -1  # the version of settings that the database did not give
_LOOK_SECONDS: Final = 2.0  # how long a change of the settings may go unseen


class TenantPool(MemoryPool):
    """As the pool of a home. While the database is away, the settings it last gave hold."""

    def __init__(self, pool: PostgresPool, tenant: str, cache: str, agent: str = "main", *, most: int = 2) -> None:
        super().__init__(os.path.join(cache, tenant), agent, most=most)
        self._pool, self.tenant, self._cache = pool, tenant, cache
        self._texts: dict[str, tuple[SettingsText, SettingsText]] = {}
        self._looked_at: dict[str, float] = {}

    def renew(self) -> None:
        """After a change of the settings here: look at once, and not only in a moment."""
        self._looked_at.clear()
        super().renew()

    def rest(self) -> None:
        """Keep one memory of each agent, and nothing of its index: nobody asks for this tenant just now."""
        with self._lock:
            kept = [memories[-1] for memories in self._idle.values()]
            spare = [memory for memories in self._idle.values() for memory in memories[:-1]]
            self._idle = {memory.agent: [memory] for memory in kept}
        for memory in spare:
            memory.close()
        for memory in kept:
            with suppress(HoldfastError):  # one that was lent and closed meanwhile has nothing to give back
                memory.ctx.database.release_cache()

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
                    if not self._was_here(whose):
                        raise
                    self._texts[whose] = self._copied_settings(whose)
        return tuple((text.version, text.version, 1, 0) for text in self._texts[whose])  # type: ignore[return-value]

    def _was_here(self, agent: str) -> bool:
        """Say whether an agent of the tenant was open on this machine before."""
        return os.path.exists(os.path.join(self._cache, self.tenant, "state", f"{agent}.sqlite"))

    def _copied_settings(self, agent: str) -> tuple[SettingsText, SettingsText]:
        """Return the settings as they were when the tenant was last open here."""
        names = (FILE_NAME, os.path.join("agents", agent, FILE_NAME))
        home, own = (_text_in(os.path.join(self._cache, self.tenant, name)) for name in names)
        return SettingsText(home, _UNKNOWN), SettingsText(own, _UNKNOWN)

    def _load(self, agent: str) -> Loaded:
        from holdfast.settings.loader import load_team

        home, own = self._texts.get(agent_id(agent)) or read_settings(self._pool, self.tenant, agent_id(agent))
        return load_team(home.text, own.text, is_operators)

    def _open(self, agent: str) -> Memory:
        """Open a memory; an index that is not on this machine begins with the last snapshot of it."""
        from holdfast.memory import Memory

        settings = self.in_force(agent).settings
        memory = Memory.open_team(
            self._pool, self.tenant, agent, settings, cache=self._cache, origin=self.origin, copies=True
        )
        try:
            if not os.path.exists(memory.ctx.index_path):
                image = load_snapshot(self._pool, self.tenant, memory.agent)
                if image is not None:
                    place_image(memory.ctx.index_path, image)
            memory.ctx.database.limit_cache(_CACHE_KIB)
        except BaseException:
            memory.close()
            raise
        return memory


def _text_in(file: str) -> str:
    try:
        with open(file, encoding="utf-8", errors="replace") as opened:
            return opened.read()
    except FileNotFoundError:
        return ""
