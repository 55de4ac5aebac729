"""Lend open memories to the worker threads of a server, each to one thread at a time."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from holdfast.errors import MemoryClosed, SettingsError
from holdfast.guard.origin import Origin

if TYPE_CHECKING:
    from holdfast.memory import Memory
    from holdfast.settings.loader import Loaded

__all__ = ["MemoryPool", "Stamp"]

_Result = TypeVar("_Result")
Stamp: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""Of the home's file and the agent's."""

_LOG = logging.getLogger("holdfast.settings")
_SETTLED = 2.0  # seconds after which an empty file is meant to be one
_MOST_FOLLOWED = 256  # agents whose settings are remembered; those of one take some kilobytes
_MOST_AGENTS = 8  # whose memories are kept open: each holds files, and a caller can name any number of agents


class _Held:
    """The settings that hold for one agent, the files they were read from, and why those of now are not followed."""

    def __init__(self, stamp: Stamp) -> None:
        self.stamp = stamp
        self.loaded: Loaded | None = None
        self.trouble = ""
        self.round = 0  # counts changes, so that a memory with settings of before is not lent again


class MemoryPool:
    """The memories of one home, for a server. It opens none until one is asked for, so that a server is ready at once.

    `most` is how many of one agent are kept for the next request; more are opened when more threads ask, and closed
    after use. Of many agents, those that were asked for last are kept. What the owner changes in a holdfast.toml, the
    home's or an agent's, holds from the next lending on: a server may run for weeks. While a file can't be used, as
    when it is half saved, the settings that it had before hold.
    """

    def __init__(
        self,
        home: str | None = None,
        agent: str = "main",
        settings: Mapping[str, object] | None = None,
        *,
        origin: Origin = Origin.API,
        most: int = 4,
    ) -> None:
        self.home, self.agent, self.origin, self.most = home, agent, origin, most
        self._settings = settings
        self.on_renewed: list[Callable[[], None]] = []
        """Who wants to know that the settings of the pool's own agent changed; called in the thread that noticed."""
        self._held: dict[str, _Held] = {}
        self._idle: dict[str, list[Memory]] = {}
        self._lock = threading.Lock()
        self._look = threading.RLock()  # who is told that the settings have changed may look again
        self._closed = False

    @contextmanager
    def memory(self, agent: str | None = None) -> Iterator[Memory]:
        """An open memory that nobody else has until the end of the block."""
        whose = agent or self.agent
        held = self.heed_settings(whose)
        with self._lock:
            if self._closed:
                raise MemoryClosed
            lent_in = held.round
            idle = self._idle.get(whose)
            # The last one that came back has the warmest caches.
            memory = idle.pop() if idle else None
        if memory is None:
            memory = self._open(whose)
        try:
            yield memory
        finally:
            self._take_back(memory, held, lent_in)

    def call(self, work: Callable[[Memory], _Result], agent: str | None = None) -> _Result:
        """Return what the work gives, done with a memory of its own."""
        with self.memory(agent) as memory:
            return work(memory)

    def heed_settings(self, agent: str | None = None) -> _Held:
        """Look at the files of an agent's settings, and renew its memories if one is another than at the last look."""
        whose = agent or self.agent
        with self._look:  # who asks while another thread reads a changed file waits for what that finds
            stamp = self._stamped(whose)
            with self._lock:
                held = self._held.get(whose)
                if held is None:
                    return self._hold(whose, stamp)
                changed = held.stamp != stamp
                files = zip(held.stamp, stamp, strict=True)
                if changed and any(new != was and _is_emptied(new) for was, new in files):
                    return held
                held.stamp = stamp
            if changed:
                self._renew(whose, held)
            return held

    def renew(self) -> None:
        """After a change of the settings: whoever asks from now on gets a memory that has them, if they can be used."""
        with self._look:  # of two who renew at once, the one who read the file first must not have the last word
            with self._lock:
                known = dict(self._held)
            for agent, held in known.items():
                held.stamp = self._stamped(agent)
                self._renew(agent, held)

    def in_force(self, agent: str | None = None) -> Loaded:
        """The settings that hold for an agent, and where each came from."""
        whose = agent or self.agent
        with self._lock:
            held = self._held.get(whose)
        if held is None:
            return self._load(whose)
        loaded = held.loaded
        if loaded is None:
            with self._look:  # who finds a changed file meanwhile has the last word
                loaded = held.loaded or self._load_first(whose, held)
        return loaded

    def _load_first(self, agent: str, held: _Held) -> Loaded:
        try:
            loaded = self._load(agent)
        except SettingsError as error:
            before, held.trouble = self._homes_before(held), str(error)
            if before is None:
                raise
            loaded = before
        held.loaded = loaded
        return loaded

    def trouble_of(self, agent: str | None = None) -> str:
        """Return why the files of an agent's settings, as they are now, are not what holds; nothing where they are."""
        with self._lock:
            held = self._held.get(agent or self.agent)
        return held.trouble if held is not None else ""

    def open_agents(self) -> list[str]:
        """Return the agents whose memories are open, and lent to nobody."""
        with self._lock:
            return list(self._idle)

    def close(self) -> None:
        """Close all that are idle, and the others when they come back."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, {}
        _close(idle)

    def _hold(self, agent: str, stamp: Stamp) -> _Held:
        """Begin to follow the settings of an agent, and leave those of one that nobody asked for lately."""
        held = self._held[agent] = _Held(stamp)
        spare = (name for name in self._held if name not in (agent, self.agent) and name not in self._idle)
        if len(self._held) > _MOST_FOLLOWED and (oldest := next(spare, None)) is not None:
            del self._held[oldest]
        return held

    def _homes_before(self, held: _Held) -> Loaded | None:
        """The home's settings of before, for an agent without a file that is first asked for when they are broken."""
        with self._lock:
            own = self._held.get(self.agent)
        loaded = own.loaded if own is not None else None
        if loaded is None or held.stamp[1] or any(source.startswith("agents/") for source in loaded.sources.values()):
            return None
        return loaded

    def _stamped(self, agent: str) -> Stamp:
        """Return what changes whenever a file does: an editor may put another one in its place, or write into it."""
        from holdfast.guard.paths import agent_id
        from holdfast.settings.loader import settings_file

        return _stat(settings_file(self._place)), _stat(settings_file(self._place, agent_id(agent)))

    @cached_property
    def _place(self) -> str:
        """The home, wherever the process goes later."""
        from holdfast.settings.home_path import home_of

        return home_of(self.home)

    def _load(self, agent: str) -> Loaded:
        from holdfast.settings.loader import load

        return load(self._place, agent, arguments=self._settings)

    def _renew(self, agent: str, held: _Held) -> None:
        try:
            loaded = self._load(agent)
        except SettingsError as error:
            if self._goes_on(held, str(error)):
                return
            loaded = None  # there never were any: whoever asks is told why
        with self._lock:
            held.loaded, mended, held.trouble = loaded, held.trouble, ""
            held.round += 1
            idle = self._idle.pop(agent, [])
        if mended:
            _LOG.warning("The settings of agent %s can be used again, and hold.", agent)
        _close({agent: idle})
        if agent == self.agent:
            for callback in self.on_renewed:
                callback()

    def _goes_on(self, held: _Held, why: str) -> bool:
        """Say whether there are settings to go on with, without those of the file; the log says once why."""
        with self._lock:
            if held.loaded is None:
                return False
            news, held.trouble = why != held.trouble, why
        if news:
            _LOG.warning("The settings from before still hold: %s", why)
        return True

    def _open(self, agent: str) -> Memory:
        from holdfast.memory import Memory

        return Memory.open(self.home, agent, self.in_force(agent).settings, origin=self.origin)

    def _take_back(self, memory: Memory, held: _Held, lent_in: int) -> None:
        agent = memory.agent
        left: dict[str, list[Memory]] = {}
        with self._lock:
            idle = self._idle.pop(agent, [])
            current = self._held.get(agent) is held and lent_in == held.round
            keep = current and not self._closed and len(idle) < self.most
            if keep:
                idle.append(memory)
            if idle:
                self._idle[agent] = idle  # behind the others: it was asked for last
            while len(self._idle) > _MOST_AGENTS:
                oldest = next(iter(self._idle))
                left[oldest] = self._idle.pop(oldest)
        if not keep:
            memory.close()
        _close(left)


def _stat(file: str) -> tuple[int, ...]:
    try:
        status = os.stat(file)
    except OSError:
        return ()
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _is_emptied(stamp: tuple[int, ...]) -> bool:
    """Say whether the file has just been emptied.

    Many editors do that before they write, and nobody means the defaults.
    """
    return bool(stamp) and stamp[2] == 0 and time.time() - stamp[0] / 1e9 < _SETTLED


def _close(idle: Mapping[str, list[Memory]]) -> None:
    for memories in idle.values():
        for memory in memories:
            memory.close()
