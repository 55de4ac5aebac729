"""A look at many notes that no search waits for: the search answers first, and says that it may be behind."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from holdfast.context.index_update import IndexUpdate
from holdfast.errors import HoldfastError

if TYPE_CHECKING:
    from holdfast.context.context import Context

__all__ = ["BackgroundLook"]


class BackgroundLook:
    """Brings the index up to date in a thread, one look at a time."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._failure = ""

    def start(self) -> str:
        """Begin to look, unless that is going on; gives what a search has to say of its answer."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="holdfast-look")
                self._thread.start()
            failure = self._failure
        age = self._ctx.freshness.age()
        return failure or f"the notes were last looked at {age:.0f} s ago; what changed since is looked for now"

    def wait(self) -> None:
        """Wait until no look is going on."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        try:
            self._look()
            self._failure = ""
        except HoldfastError as error:
            self._failure = f"the index could not be brought up to date: {getattr(error, 'why', None) or error}"
        finally:
            with self._lock:
                self._thread = None

    def _look(self) -> None:
        """Sync on a connection of its own: readers and writers of WAL do not meet."""
        from holdfast.index.sqlite.database import Database
        from holdfast.index.sqlite.extension_path import extension_path_for

        ctx = self._ctx
        database = Database(ctx.index_path, extension_path=extension_path_for(ctx.settings.vector))
        try:
            IndexUpdate(ctx).sync_into(database)
        finally:
            database.close()
