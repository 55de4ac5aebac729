"""The open index of one agent: opened when it is first needed, begun anew when it is damaged, replaced when it must be.

An index that can't be opened at all (a full disk, a folder or another program's file in its place) does not stop
answers: readers get one in memory instead, which the same code makes from the notes.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from holdfast.clock import Clock
from holdfast.errors import HoldfastError, IndexDamaged, IndexNotOurs, StorageFailed
from holdfast.index.freshness import Freshness
from holdfast.notes.private_database import file_identity

if TYPE_CHECKING:
    from holdfast.index.sqlite.database import Database
    from holdfast.index.sqlite.owed_file import Mark

__all__ = ["IndexHandle"]


class IndexHandle:
    """Opens the index of a memory for all its threads; many commands do without it."""

    def __init__(
        self,
        path: str,
        clock: Clock,
        extension_path: str | None,
        events: Callable[[], int | None] = lambda: None,
        changes: Callable[[], int | None] = lambda: None,
    ) -> None:
        self._path, self._clock, self._extension_path = path, clock, extension_path
        self._events, self._changes = events, changes
        self._lock = threading.RLock()
        self._open: tuple[Database, Freshness] | None = None
        self._memory: Database | None = None
        self._trouble: HoldfastError | None = None
        self._seen = file_identity(path)
        self._news = ""
        self.paid: Mark | None = None
        """How far the file of owed notes was read; the notes up to there are in the index."""
        self.is_new = False
        """Whether the index was begun anew and not yet compared with the notes."""

    @property
    def trouble(self) -> HoldfastError | None:
        """The reason for which one in memory stands in for the index, if one does."""
        return self._trouble

    def current(self) -> Database:
        """The index for reading: the one on disk, or the one that stands in for it.

        Work on a file that was removed or set aside fails: what it knows of that file (the numbers of editions and
        spaces) must not get into the new one.
        """
        return self._current()[0]

    def freshness(self) -> Freshness:
        """Return when to look at the notes again: at once, where the index is a new one."""
        return self._current()[1]

    def doubt(self) -> None:
        """Look at the notes before the next search: the index could not take what was written."""
        with self._lock:
            if self._open is not None:
                self._open[1].doubt()

    def on_disk(self) -> Database:
        """The index for whoever changes it; raises where it can't be used."""
        with self._lock:
            self.retry()
            database = self.current()
            if self._trouble is not None:
                raise self._trouble
            return database

    def retry(self) -> None:
        """Open the index on disk again, if another stands in for it and it may be of use by now."""
        with self._lock:
            if self._trouble is None:
                return
            if isinstance(self._trouble, IndexNotOurs) and file_identity(self._path) == self._seen:
                return  # nobody changes that but its owner
            try:
                database = self._open_database(None)
            except (IndexDamaged, StorageFailed) as error:
                self._trouble, self._seen = error, file_identity(self._path)
                return
            self._let_go()
            self._take(database)

    def stand_in(self, trouble: HoldfastError) -> None:
        """Answer from memory from now on: the index on disk has failed in this way."""
        from holdfast.index.sqlite.database import Database

        with self._lock:
            self._let_go()
            self._trouble, self._seen = trouble, file_identity(self._path)
            self._memory = self._memory or Database.in_memory()
            self._take(self._memory)

    def synced(self, database: Database) -> None:
        """Note that an index says what the notes say; once the one on disk does, none in memory is needed."""
        with self._lock:
            # Not for one that was moved aside meanwhile, and whose place another has taken.
            if self._open is not None and self._open[0] is database and database is not self._memory:
                self.is_new = False
                self._drop_memory()

    def news(self) -> str:
        """Return what became of the index since this was last asked; empty for the usual."""
        with self._lock:
            news, self._news = self._news, ""
            return news

    def _current(self) -> tuple[Database, Freshness]:
        with self._lock:
            if self._open is not None and self._is_sound(self._open[0]):
                return self._open
            aside = self._end_old()
            try:
                self._take(self._open_database(aside))
            except (IndexDamaged, StorageFailed) as error:
                self.stand_in(error)
            assert self._open is not None
            return self._open

    def _is_sound(self, database: Database) -> bool:
        return self._trouble is not None or (database.is_current() and not database.connection.damage)

    def _end_old(self) -> str | None:
        """Close what is open; a damaged file is moved aside, to the path that this gives."""
        if self._open is None:
            return None
        database = self._open[0]
        damage, sealed = database.connection.damage, database.connection.read_only
        self._let_go()
        self.is_new = True
        if not damage or sealed:
            return None
        self._news = f"the index could not be read ({damage}) and is made anew from the notes"
        try:
            database.retire()
        except StorageFailed as error:
            self._news = f"the index could not be read ({damage}) and could not be moved aside: {error.why}"
        return database.set_aside

    def _open_database(self, aside: str | None) -> Database:
        from holdfast.index.sqlite.database import Database

        try:
            database = Database(self._path, extension_path=self._extension_path, set_aside=aside)
        except StorageFailed as error:
            if not _is_whole(self._path):
                raise
            # The disk is full, say: what is there can be read all the same.
            return Database(self._path, extension_path=self._extension_path, unwritable=error.why)
        if database.set_aside and not aside:
            self._news = "the index could not be read and is made anew from the notes"
            self.is_new = True
        return database

    def _take(self, database: Database) -> None:
        self._open = database, Freshness(self._clock, database, self._events, self._changes)

    def close(self) -> None:
        """Close the index; a second call does nothing."""
        with self._lock:
            self._let_go()
            self._drop_memory()

    def _let_go(self) -> None:
        # First, before another is opened: two logs of one database, old and new, can't be in use in one process.
        if self._open is not None and self._open[0] is not self._memory:
            self._open[0].close()
        self._open = self._trouble = None

    def _drop_memory(self) -> None:
        if self._memory is not None:
            self._memory.close()
            self._memory = None


def _is_whole(path: str) -> bool:
    """Say whether a database has nothing in its log that is not in the file itself."""
    try:
        return not os.path.exists(f"{path}-wal") or os.stat(f"{path}-wal").st_size == 0
    except OSError:
        return False
