"""Desk: lends open memories to the worker threads of a server, each to one thread at a time."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from holdfast.errors import MemoryClosed, SettingsError
from holdfast.guard.origin import Origin

if TYPE_CHECKING:
    from holdfast.memory import Memory
    from holdfast.settings.load import Loaded

__all__ = ["Desk"]

_Result = TypeVar("_Result")
_LOG = logging.getLogger("holdfast.settings")
_SETTLED = 2.0  # seconds after which an empty file is meant to be one
_MOST_AGENTS = 8  # whose memories are kept open: each holds files, and a caller can name any number of agents


class Desk:
    """The memories of one home, for a server. It opens none until one is asked for, so that a server is ready at once.

    `most` is how many of one agent are kept for the next request; more are opened when more threads ask, and closed
    after use. Of many agents, those that were asked for last are kept. What the owner changes in holdfast.toml holds
    from the next lending on: a server may run for weeks. While the file can't be used, as when it is half saved, the
    settings that it had before hold.
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
        """Who wants to know that the settings have changed; called in the thread that noticed."""
        self.trouble = ""
        """Why holdfast.toml, as it is now, is not what holds; nothing where it is."""
        self._loaded: Loaded | None = None
        self._file = ""
        self._stamp: tuple[int, ...] | None = None
        self._idle: dict[str, list[Memory]] = {}
        self._lock = threading.Lock()
        self._look = threading.RLock()  # who is told that the settings have changed may look again
        self._round = 0
        self._closed = False

    @contextmanager
    def memory(self, agent: str | None = None) -> Iterator[Memory]:
        """An open memory that nobody else has until the end of the block."""
        whose = agent or self.agent
        self.heed_settings()
        with self._lock:
            if self._closed:
                raise MemoryClosed
            lent_in = self._round
            idle = self._idle.get(whose)
            # The last one that came back has the warmest caches.
            memory = idle.pop() if idle else None
        if memory is None:
            memory = self._open(whose)
        try:
            yield memory
        finally:
            self._take_back(whose, memory, lent_in)

    def call(self, work: Callable[[Memory], _Result], agent: str | None = None) -> _Result:
        """What the work gives, done with a memory of its own."""
        with self.memory(agent) as memory:
            return work(memory)

    def heed_settings(self) -> None:
        """Look at holdfast.toml, and renew the memories if it is another than at the last look."""
        with self._look:  # who asks while another thread reads a changed file waits for what that finds
            stamp = self._stamped()
            with self._lock:
                changed = self._stamp not in (None, stamp)
                if changed and _is_emptied(stamp):
                    return
                self._stamp = stamp
            if changed:
                self.renew()

    def renew(self) -> None:
        """After a change of the settings: whoever asks from now on gets a memory that has them, if they can be used."""
        stamp = self._stamped()
        with self._lock:
            self._stamp = stamp
        try:
            loaded = self._load()
        except SettingsError as error:
            if self._goes_on(str(error)):
                return
            loaded = None  # there never were any: whoever asks is told why
        with self._lock:
            self._loaded, mended, self.trouble = loaded, self.trouble, ""
        if mended:
            _LOG.warning("holdfast.toml can be used again, and holds.")
        self._drop_idle()
        for told in self.on_renewed:
            told()

    def in_force(self) -> Loaded:
        """The settings that hold, and where each came from."""
        with self._lock:
            held = self._loaded
        if held is None:
            held = self._load()
            with self._lock:
                self._loaded = held
        return held

    def close(self) -> None:
        """Close all that are idle, and the others when they come back."""
        with self._lock:
            self._closed = True
        self._drop_idle()

    def _stamped(self) -> tuple[int, ...]:
        """What changes whenever the file does: an editor may put another one in its place, or write into it."""
        if not self._file:
            from holdfast.memory import home_of
            from holdfast.settings.load import settings_file

            self._file = settings_file(home_of(self.home))
        try:
            found = os.stat(self._file)
        except OSError:
            return ()
        return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino

    def _load(self) -> Loaded:
        from holdfast.memory import home_of
        from holdfast.settings.load import load

        return load(home_of(self.home), arguments=self._settings)

    def _goes_on(self, why: str) -> bool:
        """Whether there are settings to go on with, without those of the file; the log says once why."""
        with self._lock:
            if self._loaded is None:
                return False
            news, self.trouble = why != self.trouble, why
        if news:
            _LOG.warning("The settings from before still hold: %s", why)
        return True

    def _drop_idle(self) -> None:
        with self._lock:
            self._round += 1
            idle, self._idle = self._idle, {}
        _close(idle)

    def _open(self, agent: str) -> Memory:
        from holdfast.memory import Memory

        return Memory.open(self.home, agent, self.in_force().settings, origin=self.origin)

    def _take_back(self, agent: str, memory: Memory, lent_in: int) -> None:
        left: dict[str, list[Memory]] = {}
        with self._lock:
            idle = self._idle.pop(agent, [])
            keep = lent_in == self._round and not self._closed and len(idle) < self.most
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


def _is_emptied(stamp: tuple[int, ...]) -> bool:
    """Whether the file has just been emptied: many editors do that before they write, and nobody means the defaults."""
    return bool(stamp) and stamp[2] == 0 and time.time() - stamp[0] / 1e9 < _SETTLED


def _close(idle: Mapping[str, list[Memory]]) -> None:
    for memories in idle.values():
        for memory in memories:
            memory.close()
