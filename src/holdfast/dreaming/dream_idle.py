"""Dreaming while nothing else happens: whoever keeps a process running asks here from time to time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from holdfast.context.context import Context
from holdfast.errors import HoldfastError

if TYPE_CHECKING:
    from holdfast.dreaming.report import Dream

__all__ = ["IdleDreamer"]

_LOOK_EVERY: Final = 60.0  # seconds between two looks at whether there is anything new
_AFTER_A_FAILURE: Final = 3600.0


class IdleDreamer:
    """Dreams when it is time for it, and stops when somebody comes; other processes that do the same are respected.

    `stirring` is asked while a run goes on. Where requests come in on other threads, these call `stir`.
    """

    def __init__(self, ctx: Context, stirring: Callable[[], bool] = lambda: False) -> None:
        self._ctx = ctx.for_origin(ctx.origin, is_owner=False)
        self._stirring = stirring
        self._stirred = threading.Event()
        self._looked: float | None = None
        self._pause = _LOOK_EVERY
        self.failure = ""
        """Why the last run failed, if it did."""

    def stir(self) -> None:
        """Say that something happens: a run that goes on stops at the next step."""
        self._stirred.set()

    def tick(self, now: float, last_activity: float) -> Dream | None:
        """Dream, if nothing has happened for long enough, the last run is long enough ago and there is something new.

        Both times are those of the context's clock. Gives what a run did, also where it gave way; None without one.
        """
        settings = self._ctx.settings.dreaming
        if self._ctx.settings.memory.style.stops_memory:
            return None
        if not settings.enabled or not settings.every_hours or now - last_activity < settings.idle_minutes * 60:
            return None
        # A clock that was set back must not keep it waiting until the old time comes again.
        if self._looked is not None and 0 <= now - self._looked < self._pause:
            return None
        self._looked, self._pause = now, _LOOK_EVERY
        self._stirred.clear()
        try:
            done = self._dream(now, settings.every_hours * 3600.0)
        except HoldfastError as error:
            self.failure, self._pause = str(error), _AFTER_A_FAILURE
            return None
        self.failure = ""
        return done

    def _dream(self, now: float, every: float) -> Dream | None:
        from holdfast.dreaming.dream_counts import signals_of
        from holdfast.dreaming.dream_run import dream
        from holdfast.dreaming.dream_sources import state_of
        from holdfast.facts.facts_book import today

        signals = signals_of(self._ctx)
        last = signals.last_run()
        if last is not None and 0 <= now - last.at < every:
            return None
        if last is not None and state_of(self._ctx, signals, today(self._ctx)) <= last.state:
            return None
        return dream(self._ctx, give_way=self._is_disturbed)

    def _is_disturbed(self) -> bool:
        return self._stirred.is_set() or self._stirring()
