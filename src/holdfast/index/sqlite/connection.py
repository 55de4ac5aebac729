"""One way to open the database, so that every process plays by the same rules."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

import apsw

from holdfast.errors import Busy, HoldfastError, IndexDamaged, StorageFailed
from holdfast.index.sqlite.schema import refuse_foreign
from holdfast.notes.private_database import create_private, is_writable

__all__ = ["IN_MEMORY", "Connection"]

# Longer than any transaction of ours by two orders of magnitude, so that "locked" means trouble, not traffic.
_BUSY_SECONDS = 30.0
_LEAST_SPACE = 1 << 20  # bytes; a log, its index and a transaction of ours want some hundred thousand
IN_MEMORY = ":memory:"
"""The path of an index that has no file."""

# SQLite does not look whether a text is UTF-8; to Python, one that is not is no text.
_DAMAGE = (apsw.CorruptError, apsw.NotADBError, UnicodeDecodeError)
_EXPLAINED = (
    apsw.BusyError,
    *_DAMAGE,
    apsw.FullError,
    apsw.IOError,
    apsw.CantOpenError,
    apsw.ReadOnlyError,
    apsw.PermissionsError,
    apsw.ConnectionClosedError,  # by another thread, which found that the file is not the one at its path any more
)


class Connection:
    """A SQLite connection that one thread uses at a time; writes begin IMMEDIATE.

    A deferred transaction that turns into a write fails at once when another writer was faster, and no
    timeout helps it; taking the write lock first makes it wait instead.
    """

    def __init__(self, path: str, *, unwritable: str = "") -> None:
        self.path = path
        self._lock = threading.RLock()
        self._seen: tuple[int, int] | None = None
        self._served: tuple[tuple[int, int], int | None] | None = None
        self._still = False  # while a read transaction lasts, nothing changes for us
        self.unwritable = unwritable
        """Why nothing can be written, where nothing can; what is there can still be searched."""
        self.damage = ""
        """What was found wrong with the file, by whoever came across it."""
        with self._explain_errors():
            self.raw: Any = self._open_file()
            self.raw.set_busy_timeout(int(_BUSY_SECONDS * 1000))
            try:
                refuse_foreign(self.raw, path)
                if not self.read_only:
                    self._pragmas()
            except BaseException:
                self.raw.close()
                raise

    def _open_file(self) -> Any:
        if self.path == IN_MEMORY:
            return apsw.Connection(IN_MEMORY)
        try:
            create_private(self.path)
        except OSError as error:
            raise StorageFailed(self.path, "open the index", error.strerror or str(error)) from error
        if not os.path.isfile(self.path):  # SQLite would wait for ever for somebody to write to a FIFO
            raise StorageFailed(self.path, "open the index", "what stands there is not a plain file; move it away")
        if not self.unwritable and not is_writable(self.path):
            self.unwritable = "its file or its folder can't be written to"
        if not self.unwritable:
            return apsw.Connection(self.path)
        # Nobody changes it, so SQLite may do without locks and a log.
        name = self.path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        return apsw.Connection(f"file:{name}?immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)

    def _pragmas(self) -> None:
        run = self.raw.execute
        run("PRAGMA page_size=8192")  # chunks of 2 KB fill 4 KB pages badly: this is smaller and a tenth quicker
        # NORMAL: a power cut may cost the last transactions but corrupts nothing; the notes are the truth.
        run("PRAGMA synchronous=NORMAL")
        run("PRAGMA foreign_keys=ON")
        run("PRAGMA trusted_schema=OFF")
        run("PRAGMA secure_delete=FAST")  # what was forgotten must not linger in free bytes of live pages
        run("PRAGMA cache_size=-32768")
        run("PRAGMA temp_store=MEMORY")
        # The switch to WAL takes an exclusive lock without asking the busy handler, so it is made only when
        # needed and under a write lock that does ask.
        if self.raw.execute("PRAGMA journal_mode").get != "wal":
            for _ in range(200):
                try:
                    run("PRAGMA journal_mode=WAL")
                    break
                except apsw.BusyError:
                    threading.Event().wait(0.02)
        run("PRAGMA journal_size_limit=16777216")

    @property
    def read_only(self) -> bool:
        """Say whether nothing can be written."""
        return bool(self.unwritable)

    def all(self, sql: str, values: Any = ()) -> list[tuple[Any, ...]]:
        """Return every row of a query."""
        try:
            with self._lock:
                rows: list[tuple[Any, ...]] = self.raw.execute(sql, values).fetchall()
        except _EXPLAINED as error:
            raise self._explanation(error) from error
        return rows

    def one(self, sql: str, values: Any = ()) -> Any:
        """Return the single value or row of a query, or None."""
        try:
            with self._lock:
                return self.raw.execute(sql, values).get
        except _EXPLAINED as error:
            raise self._explanation(error) from error

    def reading(self) -> AbstractContextManager[Any]:
        """Begin several queries that see one and the same state."""
        return self._transaction("BEGIN")

    def writing(self) -> AbstractContextManager[Any]:
        """Begin one write transaction; an exception undoes all of it."""
        return self._transaction("BEGIN IMMEDIATE")

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[Any]:
        with self._lock, self._explain_errors():
            if self.raw.in_transaction:  # a read inside a read sees what the outer one sees
                yield self.raw
                return
            self.raw.execute(begin)
            self._still, self._seen = begin == "BEGIN", None
            try:
                yield self.raw
            except BaseException:
                if self.raw.in_transaction:
                    self.raw.execute("ROLLBACK")
                raise
            finally:
                self._still = False
            self.raw.execute("COMMIT")

    def version(self) -> tuple[int, int]:
        """Return a value that changes whenever this or another process has changed the database."""
        with self._lock:
            if not self._still or self._seen is None:
                self._seen = self.raw.execute("PRAGMA data_version").get, self.raw.total_changes()
            return self._seen

    def has_blocks(self, edition: int) -> bool:
        """Say whether an edition knows of blocks; one of an older version does not, and serves until its rebuild."""
        return self.one(f"SELECT 1 FROM pragma_table_info('e{edition}_chunks') WHERE name = 'block'") is not None

    def serving(self) -> int | None:
        """Return the number of the edition that answers searches, if anything was ever indexed."""
        version = self.version()
        if self._served is None or self._served[0] != version:
            self._served = version, self.one("SELECT id FROM editions WHERE state = 'serving'")
        return self._served[1]

    def size(self) -> int:
        """Return bytes on disk, the write-ahead log and the files of vectors included."""
        if self.path == IN_MEMORY:
            return 0
        folder, name = os.path.split(self.path)
        total = 0
        with os.scandir(folder or ".") as entries:
            for entry in entries:
                if entry.name in (name, f"{name}-wal") or entry.name.startswith(f"{name}.space"):
                    with suppress(FileNotFoundError):  # another process has just put a newer one in its place
                        total += entry.stat().st_size
        return total

    def cut_short(self) -> bool:
        """Say whether the file's last page is not whole.

        SQLite would read the missing part as zeros, without a word.
        """
        if self.path == IN_MEMORY:
            return False
        pages, page_size = self.one("PRAGMA page_count"), self.one("PRAGMA page_size")
        try:
            if os.stat(self.path + "-wal").st_size:
                return False  # pages may still stand there, and nowhere else
        except FileNotFoundError:
            pass
        return os.stat(self.path).st_size < int(pages) * int(page_size)

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        try:
            yield
        except _EXPLAINED as error:
            raise self._explanation(error) from error

    def _explanation(self, error: Exception) -> HoldfastError:
        if isinstance(error, apsw.BusyError):
            return Busy(f"The index {self.path!r}", _BUSY_SECONDS)
        if isinstance(error, _DAMAGE):
            self.damage = str(error)
            return IndexDamaged(self.path, self.damage)
        return StorageFailed(self.path, "use the index", self._failure_reason(error))

    def _failure_reason(self, error: Exception) -> str:
        if isinstance(error, apsw.ReadOnlyError) and self.unwritable:
            return self.unwritable
        # SQLite calls it an I/O error where there is no room for its log.
        if isinstance(error, apsw.FullError) or _is_full(self.path):
            return "no space is left on the disk; make room"
        return str(error)

    def close(self) -> None:
        """Close; a second call does nothing."""
        with self._lock:
            self.raw.close()


def _is_full(path: str) -> bool:
    try:
        disk = os.statvfs(os.path.dirname(path) or ".")
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < _LEAST_SPACE
