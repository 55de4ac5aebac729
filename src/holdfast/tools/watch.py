"""watch: keep the index level with the notes while they change."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator

from holdfast.errors import BadArgument
from holdfast.index.sync import Synced
from holdfast.notes.watch import watch as changes
from holdfast.tools.rooms import Rooms

__all__ = ["watch"]

_TICK = 0.2  # seconds between looks at `stop`


def watch(rooms: Rooms, stop: threading.Event) -> Iterator[Synced]:
    """Sync now, then after each burst of changes and at the interval of the settings, until `stop` is set."""
    settings = rooms.settings.sync
    if not settings.watch and not settings.interval:
        raise BadArgument("watch", "memory.sync.watch is off and memory.sync.interval is 0; set one of them")
    return _follow(rooms, stop)


def _follow(rooms: Rooms, stop: threading.Event) -> Iterator[Synced]:
    settings = rooms.settings.sync
    bursts: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
    if settings.watch:
        # Called before the first sync: what changes after that is either in the sync or heard.
        heard = changes(rooms.workspace, debounce_ms=settings.watch_debounce_ms, stop=stop)
        threading.Thread(target=_listen, args=(heard, bursts), daemon=True).start()
    every = settings.interval * 60 or None
    looked = rooms.clock.monotonic()
    yield rooms.sync()
    while not stop.is_set():
        try:
            failure = bursts.get(timeout=_TICK)
            if failure is not None:
                raise failure
        except queue.Empty:
            if every is None or rooms.clock.monotonic() - looked < every:
                continue
        looked = rooms.clock.monotonic()
        yield rooms.sync()


def _listen(heard: Iterator[object], bursts: queue.SimpleQueue[BaseException | None]) -> None:
    """Runs in a thread of its own, so that the interval and `stop` are heard while nothing changes."""
    try:
        for _ in heard:
            bursts.put(None)
    except BaseException as failure:  # noqa: BLE001 - it is raised again where it can be seen
        bursts.put(failure)
