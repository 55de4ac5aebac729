"""The server's own work: bring the index up to date, follow the notes, dream while nothing happens."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from holdfast.errors import HoldfastError
from holdfast.surfaces.http.jobs import sync_json
from holdfast.surfaces.http.server_state import ServerState

if TYPE_CHECKING:
    from holdfast.memory import Memory

__all__ = ["Background"]

_TICK: Final = 0.5  # seconds between two looks at whether it is time for something
_LAST_JOIN: Final = 2.0  # seconds; a watcher looks for its end twice a second
_PAUSE: Final = 5.0  # seconds after something went wrong that may pass


class Background:
    """One thread, with a memory of its own; it begins anew when the settings change."""

    def __init__(
        self,
        server: ServerState,
        *,
        watch: bool = True,
        log: Callable[[str], None] = lambda _: None,
        tick: float = _TICK,
    ) -> None:
        self._server, self._watch, self._log, self._tick = server, watch, log, tick
        self._over = threading.Event()
        self._said = ""
        self._round = threading.Event()  # ends what goes on now; each round has its own, so that no watcher misses it
        self._bursts: queue.SimpleQueue[frozenset[str]] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="holdfast-background", daemon=True)
        server.memories.on_renewed.append(self._begin_anew)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """True if it has begun and not ended."""
        return self._thread.is_alive()

    def stop(self, seconds: float) -> None:
        """End, and wait so long for it."""
        self._over.set()
        self._begin_anew()
        if self.is_running:
            self._thread.join(seconds)

    def _begin_anew(self) -> None:
        self._round.set()
        self._bursts.put(frozenset())  # wakes who waits for the next burst

    def _run(self) -> None:
        while not self._over.is_set():
            self._round = threading.Event()
            if self._over.is_set():
                return
            try:
                with self._server.memories.memory() as memory:
                    self._said = ""
                    self._follow(memory)
            except HoldfastError as error:
                # A home that can't be opened now may be mended: requests are told why, and we try again.
                self._failed(f"the background work failed: {error}")
            except Exception as error:  # noqa: BLE001 - requests are still answered, and the log says what happened
                self._failed(f"the background work failed unexpectedly: {type(error).__name__}: {error}")

    def _failed(self, why: str) -> None:
        """Say why, once for as long as it stays so, and wait a while."""
        if why != self._said:
            self._log(why)
        self._said = why
        self._round.wait(_PAUSE)

    def _follow(self, memory: Memory) -> None:
        """Sync now, then after each burst of changes and at the interval; dream when it is time. Until told to end."""
        settings, stop = memory.settings.sync, self._round
        bursts = self._bursts = queue.SimpleQueue()
        if self._watch and settings.watch:
            from holdfast.notes.watcher import watch

            # Called before the first sync: what changes after that is either in the sync or heard.
            heard = watch(memory.ctx.workspace, debounce_ms=settings.watch_debounce_ms, stop=stop)
            watcher = threading.Thread(target=self._listen, args=(heard, bursts, stop), daemon=True)
            watcher.start()
        else:
            watcher = None
        if self._watch:
            every = settings.interval * 60
        else:
            every = 0
        dreaming = _Dreaming(memory, self._server, stop)
        if memory.ctx.chain is not None and memory.ctx.chain.is_owed():
            self._server.jobs.start(
                "sync", memory.agent, _PLAIN
            )  # a job says how far the download is, and can be stopped
        else:
            self._sync(memory)
        looked = time.monotonic()
        while not stop.is_set():
            # A home may be left alone for days, and its settings changed meanwhile.
            self._server.memories.heed_settings()
            try:
                changed = bursts.get(timeout=self._tick)
            except queue.Empty:
                changed = frozenset()
                if not every or time.monotonic() - looked < every:
                    dreaming.tick()
                    continue
            else:
                if stop.is_set():
                    break
                dreaming.stirred = memory.ctx.clock.now()
            looked = time.monotonic()
            self._sync(memory)
            self._server.look(memory.agent, changed)
        if watcher is not None:
            watcher.join(_LAST_JOIN)  # it looks at the notes through this memory, which is given back now

    def _sync(self, memory: Memory) -> None:
        try:
            done: dict[str, Any] = sync_json(memory.sync())
        except HoldfastError as error:
            self._server.bus.tell(
                "sync", memory.agent, {"error": {"type": type(error).__name__, "message": error.shown}}
            )
            self._log(f"the index could not be brought up to date: {error}")
            return
        self._server.bus.tell("sync", memory.agent, {name: done[name] for name in _TOLD})

    def _listen(
        self, heard: Iterator[set[str]], bursts: queue.SimpleQueue[frozenset[str]], stop: threading.Event
    ) -> None:
        try:
            for changed in heard:
                bursts.put(frozenset(changed))
        except Exception as error:  # noqa: BLE001 - searches look at the notes themselves; only events are missed
            if not stop.is_set():
                self._log(f"the notes are no longer watched: {type(error).__name__}: {error}")


class _Dreaming:
    """Dreams when it is time; a request, a changed note or a search in any process counts as something happening."""

    def __init__(self, memory: Memory, server: ServerState, stop: threading.Event) -> None:
        from holdfast.dreaming.dream_counts import spool_of
        from holdfast.dreaming.dream_idle import IdleDreamer

        self._memory, self._server, self._stop = memory, server, stop
        self._spool = spool_of(memory.ctx)
        self._dreamer = IdleDreamer(memory.ctx, self._is_stirred)
        self._began = 0.0
        self.stirred = memory.ctx.clock.now()

    def tick(self) -> None:
        """Dream, if it is time."""
        self._began = self._memory.ctx.clock.now()
        done = self._dreamer.tick(self._began, max(self._last(), self.stirred))
        if done is not None and done.report:
            self._server.bus.tell("dream", self._memory.agent, {"run": done.run, "report": done.report})
            self._server.look(self._memory.agent)

    def _last(self) -> float:
        return max(self._server.last_activity, self._spool.touched())

    def _is_stirred(self) -> bool:
        return self._stop.is_set() or self._last() > self._began


_PLAIN: Final = {"approved": False, "batch": None, "phases": None, "dry_run": False}  # as the route begins a sync
_TOLD: Final = ("added", "changed", "removed", "unchanged", "embedded", "pending", "because", "took_ms")
