"""sync and watch: bring the index level with the notes, once or while they change."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

from holdfast.context.context import Context
from holdfast.errors import BadArgument
from holdfast.index.sync import Synced
from holdfast.notes.watcher import watch as changes

if TYPE_CHECKING:
    from holdfast.dreaming.report import Dream
    from holdfast.progress import Progress

__all__ = ["rebuild_index", "sync_index", "watch"]

_TICK = 0.2  # seconds between looks at `stop`


def sync_index(
    ctx: Context,
    *,
    force: Annotated[bool, "Build the index anew while the old one answers."] = False,
    approved: Annotated[bool, "More than 2,000 texts may go to another machine."] = False,
    batch: Annotated[bool | None, "Whether through the provider's batch service."] = None,
    progress: Progress | None = None,
) -> Synced:
    """Make the index say what the notes say; `force` builds it anew while the old one answers.

    `approved` lets more than 2,000 texts go to another machine; `batch` says whether through
    the provider's batch service, where the settings should not decide.
    """
    return ctx.sync(anew=force, approved=approved, batch=batch, progress=progress)


def rebuild_index(
    ctx: Context, *, approved: Annotated[bool, "More than 2,000 texts may go to another machine."] = False
) -> Synced:
    """Make the index anew, as after a change of provider; `approved` as in `Memory.sync`."""
    return ctx.sync(anew=True, approved=approved)


def watch(
    ctx: Context, stop: threading.Event | None = None, dreamed: Callable[[Dream], None] | None = None
) -> Iterator[Synced]:
    """Follow the notes until `stop` is set: a sync now, after each burst of changes, and at the set interval.

    With `dreamed` it also dreams while nothing happens, where the settings want that, and calls it after each run.
    """
    settings = ctx.settings.sync
    if not settings.watch and not settings.interval:
        raise BadArgument("watch", "memory.sync.watch is off and memory.sync.interval is 0; set one of them")
    return _follow(ctx, stop or threading.Event(), dreamed)


def _follow(ctx: Context, stop: threading.Event, dreamed: Callable[[Dream], None] | None) -> Iterator[Synced]:
    settings = ctx.settings.sync
    bursts: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
    dream = None
    if dreamed is not None:
        dream = _dream_timer(ctx, lambda: stop.is_set() or not bursts.empty(), dreamed)
    if settings.watch:
        # Called before the first sync: what changes after that is either in the sync or heard.
        heard = changes(ctx.workspace, debounce_ms=settings.watch_debounce_ms, stop=stop)
        threading.Thread(target=_listen, args=(heard, bursts), daemon=True).start()
    every = settings.interval * 60 or None
    looked = ctx.clock.monotonic()
    yield ctx.sync()
    active = ctx.clock.now()
    while not stop.is_set():
        try:
            failure = bursts.get(timeout=_TICK)
            if failure is not None:
                raise failure
        except queue.Empty:
            if every is None or ctx.clock.monotonic() - looked < every:
                if dream is not None:
                    dream(active)
                continue
        else:
            active = ctx.clock.now()
        looked = ctx.clock.monotonic()
        yield ctx.sync()


def _dream_timer(
    ctx: Context, stirring: Callable[[], bool], dreamed: Callable[[Dream], None]
) -> Callable[[float], None]:
    """Return a function that dreams, when it is time, after notes last changed.

    A search in any process counts as something happening.
    """
    from holdfast.dreaming.dream_counts import spool_of
    from holdfast.dreaming.dream_idle import IdleDreamer

    spool = spool_of(ctx)
    began = 0.0
    dreamer = IdleDreamer(ctx, lambda: stirring() or spool.touched() > began)

    def dream(active: float) -> None:
        nonlocal began
        began = ctx.clock.now()
        done = dreamer.tick(began, max(active, spool.touched()))
        if done is not None:
            dreamed(done)

    return dream


def _listen(heard: Iterator[object], bursts: queue.SimpleQueue[BaseException | None]) -> None:
    """Runs in a thread of its own, so that the interval and `stop` are heard while nothing changes."""
    try:
        for _ in heard:
            bursts.put(None)
    except BaseException as failure:  # noqa: BLE001 - it is raised again where it can be seen
        bursts.put(failure)
