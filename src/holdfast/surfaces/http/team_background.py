"""A server of tenants' own work: dream for those that are open, once in the cluster, and keep to its disk."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from holdfast.errors import DatabaseAway, HoldfastError
from holdfast.index.sqlite.file_image import read_image
from holdfast.notes.profile_file import read_profile
from holdfast.postgres.index_snapshot import snapshot_number, store_snapshot
from holdfast.postgres.leases import hold_lease
from holdfast.postgres.tenants import erasure_number
from holdfast.surfaces.heaps import trim_heaps

if TYPE_CHECKING:
    from holdfast.postgres.postgres_pool import PostgresPool
    from holdfast.postgres.tenant_cache import TenantCache
    from holdfast.surfaces.http.tenant_states import TenantState

__all__ = ["TeamBackground"]

_ROUND: Final = 30.0  # seconds
_SNAPSHOT_FROM: Final = 100  # changes; an index of fewer is built from its notes as quickly
_LOOK_AT: Final = 200  # tenants on disk in a round, whether they are still there: a trip to the database for each
_REST: Final = 4.0  # of the time that a tenant took, before the next one's turn: requests are served meanwhile
_LONGEST_REST: Final = 2.0  # seconds
_LEASE: Final = 3600.0  # seconds; a run that takes longer may meet another's, and is held back by the agent's lock then


class TeamBackground:
    """One thread for all tenants."""

    def __init__(
        self,
        pool: PostgresPool,
        cache: TenantCache,
        open_now: Callable[[], list[TenantState]],
        *,
        holder: str,
        log: Callable[[str], None],
        retire: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._pool, self._cache, self._open_now = pool, cache, open_now
        self._retire = retire
        self._holder, self._log = holder, log
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="holdfast-background", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self, seconds: float = 5.0) -> None:
        """End, and wait so long for it."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(seconds)

    def _run(self) -> None:
        while not self._over.wait(_ROUND):
            try:
                self.turn()
            except Exception as error:  # noqa: BLE001 - requests are still answered, and the log says what happened
                self._log(f"the background work failed: {type(error).__name__}: {error}")

    def turn(self) -> None:
        """Do once what there is to do."""
        try:
            gone = self._clear_disk()
        except HoldfastError:
            return  # the database does not say who is there
        for tenant_state in self._open_now():
            if tenant_state.tenant in gone:
                continue
            if self._over.is_set():
                return
            began = time.monotonic()
            try:
                with self._noted_failure():
                    self._dream(tenant_state)
                    for agent in tenant_state.memories.open_agents():
                        self._keep_copies(tenant_state, agent)
                        self._measure_null(tenant_state, agent)
                        self._keep_snapshot(tenant_state, agent)
                    if time.time() - tenant_state.server.last_activity > _ROUND:
                        tenant_state.memories.rest()
            except DatabaseAway:
                return
            self._over.wait(min(_LONGEST_REST, _REST * (time.monotonic() - began)))
        trim_heaps()
        still_open = {tenant_state.tenant for tenant_state in self._open_now()}
        self._cache.sweep(lambda tenant: tenant in still_open)

    @contextmanager
    def _noted_failure(self) -> Iterator[None]:
        """Keep what fails for one tenant from the others; while the database is away, nothing is done for anybody."""
        try:
            yield
        except DatabaseAway:
            raise
        except HoldfastError as error:
            self._log(f"the background work for a tenant failed: {error}")

    def _clear_disk(self) -> set[str]:
        """Remove what was removed for good elsewhere from this server's disk: of tenants, and whole tenants.

        Returns the deleted tenants that are still open.
        """
        still_open = {tenant_state.tenant: tenant_state for tenant_state in self._open_now()}
        waiting = set()
        for tenant in {*self._cache.some_tenants(_LOOK_AT), *still_open}:
            erasures = erasure_number(self._pool, tenant)
            if erasures == self._cache.erasures_known(tenant):
                continue
            if tenant not in still_open:
                self._cache.drop(tenant)
            elif erasures is None:
                self._retire(tenant)  # its directory goes with the next round, when nobody writes there
                waiting.add(tenant)
            else:
                with self._noted_failure():
                    self._forget(still_open[tenant], erasures)
        return waiting

    def _forget(self, tenant_state: TenantState, erasures: int) -> None:
        """Clear the indexes of an open tenant of words that were forgotten on another server."""
        from holdfast.forgetting.index_scrub import renew_index

        for agent in self._cache.agents_of(tenant_state.tenant):
            with tenant_state.memories.memory(agent) as memory:
                renew_index(memory.ctx)
            self._keep_copies(tenant_state, agent)
        self._cache.note_erasures(tenant_state.tenant, erasures)

    def _keep_copies(self, tenant_state: TenantState, agent: str) -> None:
        """Have what others changed on this server's disk, for the time when the database is away."""
        with tenant_state.memories.memory(agent) as memory:
            memory.ctx.workspace.walk()
            read_profile(memory.ctx.workspace)

    def _measure_null(self, tenant_state: TenantState, agent: str) -> None:
        """Have hits as sure as they are in a home: nobody asks a server for a whole sync."""
        with tenant_state.memories.memory(agent) as memory:
            memory.ctx.measure_null()

    def _keep_snapshot(self, tenant_state: TenantState, agent: str) -> None:
        """Store what this server has of an index, where the snapshot of it is missing or far behind."""
        with tenant_state.memories.memory(agent) as memory:
            seq = memory.ctx.workspace.moment()
            known = snapshot_number(self._pool, tenant_state.tenant, agent)
            if seq < _SNAPSHOT_FROM or (known is not None and seq - known < max(_SNAPSHOT_FROM, known // 10)):
                return
            with hold_lease(self._pool, tenant_state.tenant, agent, "snapshot", self._holder, _LEASE) as held:
                if held and os.path.exists(memory.ctx.index_path):
                    memory.sync()
                    store_snapshot(self._pool, tenant_state.tenant, agent, seq, read_image(memory.ctx.database))

    def _dream(self, tenant_state: TenantState) -> None:
        """Dream for a tenant that nobody asks anything of, if no other server does."""
        from holdfast.dreaming.dream_idle import IdleDreamer

        server, began = tenant_state.server, time.time()
        settings = tenant_state.memories.in_force().settings.dreaming
        if not settings.enabled or not settings.every_hours:
            return
        if began - server.last_activity < settings.idle_minutes * 60:
            return
        agent = tenant_state.memories.agent
        with hold_lease(self._pool, tenant_state.tenant, agent, "dream", self._holder, _LEASE) as held:
            if not held:
                return
            with tenant_state.memories.memory() as memory:
                dreamer = IdleDreamer(memory.ctx, lambda: self._over.is_set() or server.last_activity > began)
                done = dreamer.tick(memory.ctx.clock.now(), server.last_activity)
            if done is not None and done.report:
                server.bus.tell("dream", agent, {"run": done.run, "report": done.report})
