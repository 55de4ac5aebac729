"""Keeps QMD's index level with the notes in a thread: after changes, once they are quiet, and at an interval."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from holdfast.errors import HoldfastError
from holdfast.index.sqlite.database import Database
from holdfast.qmd.sidecar import Sidecar
from holdfast.settings.qmd_settings import QmdUpdate

__all__ = ["Upkeep"]


class Upkeep:
    """One thread, begun when it is first needed and ended by `close`; it opens the builtin index for itself."""

    def __init__(
        self, sidecar: Sidecar, settings: QmdUpdate, index: Callable[[], AbstractContextManager[Database]]
    ) -> None:
        self._sidecar, self._settings, self._index = sidecar, settings, index
        self._condition = threading.Condition()
        self._thread: threading.Thread | None = None
        self._changed_at: float | None = None
        self._closed = self._busy = False

    def begin(self) -> None:
        """Look at the notes at the interval from now on."""
        with self._condition:
            self._begin()

    def changed(self) -> None:
        """The notes have changed: its index follows when nothing more has for a while."""
        with self._condition:
            self._changed_at = time.monotonic()
            self._begin()
            self._condition.notify_all()

    def behind(self) -> None:
        """Its index is behind: follow, unless that is waiting to be done."""
        with self._condition:
            if self._changed_at is None:
                self._changed_at = time.monotonic()
            self._begin()
            self._condition.notify_all()

    def wait(self) -> None:
        """Until nothing is to be done: for who wants its index to be level."""
        with self._condition:
            self._condition.wait_for(lambda: self._closed or (self._changed_at is None and not self._busy))

    def close(self) -> None:
        """End the thread; what it has begun goes on with the next process."""
        with self._condition:
            self._closed = True
            self._sidecar.stop.set()
            self._condition.notify_all()
        if self._thread is not None:
            self._thread.join()

    def _begin(self) -> None:
        if self._thread is None and not self._closed:
            self._thread = threading.Thread(target=self._run, name="holdfast-qmd", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        every = self._settings.interval * 60 or None
        updated = time.monotonic()
        while self._wait(updated, every):
            updated = time.monotonic()
            try:
                with self._index() as database:
                    self._sidecar.update(database)
                self._sidecar.embed()
            except HoldfastError as error:
                self._sidecar.update_failure = str(error)
            finally:
                with self._condition:
                    self._busy = False
                    self._condition.notify_all()

    def _wait(self, updated: float, every: int | None) -> bool:
        """Until it is time; False when the thread is to end."""
        with self._condition:
            while not self._closed:
                now = time.monotonic()
                quiet = self._settings.debounce_ms / 1000
                if every is None:
                    moments = []
                else:
                    moments = [updated + every]
                if self._changed_at is not None:
                    moments.append(self._changed_at + quiet)
                left = min(moments) - now if moments else None
                if left is not None and left <= 0:
                    self._changed_at, self._busy = None, True
                    return True
                self._condition.wait(left)
            return False
