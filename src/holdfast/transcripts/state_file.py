"""state/sessions.sqlite: one way to open it, to change it, and to begin anew where it is damaged or gone.

What it holds is worth keeping and not worth stopping for: damage costs state, never a transcript or a note, and what
was damaged is kept, for whoever can read more of it.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import apsw

from holdfast.errors import Busy, StorageFailed
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.notes.private_database import ensure_private_file, file_identity, put_aside
from holdfast.plural import agree, count_of

__all__ = ["NAME", "StateFile"]

NAME = "sessions.sqlite"
_BUSY_SECONDS = 30.0
_VERSION = 1
_OURS = 0x48465354  # "HFST"
_CLOSED = (errno.EROFS, errno.EACCES, errno.EPERM)
_DAMAGED = (apsw.CorruptError, apsw.NotADBError)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS session_state(
    agent TEXT NOT NULL, session_key TEXT NOT NULL, namespace TEXT NOT NULL, key TEXT NOT NULL,
    value TEXT NOT NULL, updated REAL NOT NULL,
    PRIMARY KEY(agent, session_key, namespace, key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sessions(
    agent TEXT NOT NULL, session_key TEXT NOT NULL, kind TEXT NOT NULL, channel TEXT NOT NULL,
    created REAL NOT NULL, last REAL NOT NULL, excluded INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY(agent, session_key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS forgotten(
    agent TEXT NOT NULL, digest TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY(agent, digest)) WITHOUT ROWID;
"""


class StateFile:
    """A connection that one thread uses at a time; opened when it is first needed."""

    def __init__(self, workspace: FileWorkspace) -> None:
        self._workspace = workspace
        self.path = f"{workspace.state}/{NAME}"
        self.set_aside = ""
        """Where a damaged file was put, if one was found."""
        self._lock = threading.RLock()
        self._raw: Any = None
        self._file: tuple[tuple[int, int] | None, ...] | None = None

    @contextmanager
    def reading(self) -> Iterator[Any]:
        """Queries that see one and the same state."""
        with self._transaction("BEGIN") as raw:
            yield raw

    @contextmanager
    def writing(self) -> Iterator[Any]:
        """One write transaction, durable at its end; an exception undoes all of it."""
        with self._transaction("BEGIN IMMEDIATE") as raw:
            yield raw

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[Any]:
        with self._lock, self._explain_errors():
            raw = self._begin(begin)
            try:
                yield raw
                raw.execute("COMMIT")
            except BaseException as error:
                with suppress(apsw.Error):  # the file may be beyond that
                    if raw.in_transaction:
                        raw.execute("ROLLBACK")
                if isinstance(error, _DAMAGED):
                    self._begin_anew()  # this one fails; the next one finds a new file
                raise

    def _begin(self, begin: str) -> Any:
        """A connection in a transaction, on a file that was found sound enough to read its tables."""
        for last in (False, True):
            raw = self._connection()
            try:
                raw.execute(begin)
                # Reads the first page of each table: most damage shows here, before anything depends on it.
                raw.execute("SELECT 1 FROM session_state UNION ALL SELECT 1 FROM sessions LIMIT 1").get  # noqa: B018
            except _DAMAGED:
                if last:
                    raise
                self._begin_anew()
                continue
            return raw
        raise AssertionError("unreachable")

    def _connection(self) -> Any:
        if self._raw is not None and file_identity(self.path) != self._file:
            self._let_go()  # the file or its log was removed or put aside: what we wrote there, nobody would ever see
        if self._raw is None:
            try:
                self._open_current()
            except _DAMAGED:
                self._begin_anew()
                self._open_current()
        return self._raw

    def _open_current(self) -> None:
        """Open the file, once more where another process put it aside while we did."""
        while self._raw is None:
            before = file_identity(self.path)[0]
            raw = self._open()
            identity = file_identity(self.path)
            if before in (None, identity[0]):
                self._raw, self._file = raw, identity
            else:
                raw.close()

    def _open(self) -> Any:
        try:
            ensure_private_file(self._workspace, NAME)
        except StorageFailed as error:
            cause = error.__cause__
            if not isinstance(cause, OSError) or cause.errno not in _CLOSED:
                raise
            return self._read_only()
        raw = apsw.Connection(self.path)
        try:
            raw.set_busy_timeout(int(_BUSY_SECONDS * 1000))
            self._prepare(raw)
        except BaseException:
            raw.close()
            raise
        return raw

    def _read_only(self) -> Any:
        """On a medium that can't be written to: what is there, or else nothing."""
        if not os.path.exists(self.path):
            raw = apsw.Connection(":memory:")
            raw.execute(_SCHEMA)
            raw.execute("PRAGMA query_only=ON")
            return raw
        name = self.path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        return apsw.Connection(f"file:{name}?immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)

    def _prepare(self, raw: Any) -> None:
        raw.execute("PRAGMA trusted_schema=OFF")
        raw.execute("PRAGMA secure_delete=ON")  # what was forgotten must not linger in free pages
        # FULL: a claim such as "this flush was run" must hold after a power cut too.
        raw.execute("PRAGMA synchronous=FULL")
        if raw.execute("PRAGMA journal_mode").get != "wal":
            # The switch takes an exclusive lock without asking the busy handler.
            for _ in range(200):
                with suppress(apsw.BusyError):
                    raw.execute("PRAGMA journal_mode=WAL")
                    break
                threading.Event().wait(0.02)
        raw.execute("PRAGMA journal_size_limit=1048576")
        version = raw.execute("PRAGMA user_version").get
        if version == _VERSION:
            return
        if version > _VERSION or raw.execute("PRAGMA application_id").get not in (0, _OURS):
            raise StorageFailed(self.path, "use", "it belongs to a newer Holdfast or to another program")
        raw.execute("BEGIN IMMEDIATE")
        raw.execute(_SCHEMA)
        raw.execute(f"PRAGMA application_id={_OURS}")
        raw.execute(f"PRAGMA user_version={_VERSION}")
        raw.execute("COMMIT")

    def _begin_anew(self) -> None:
        self._let_go()
        aside = put_aside(self._workspace, NAME, self._is_damaged, ("", "-wal", "-shm"))
        if aside:
            self.set_aside = f"{self._workspace.state}/{aside}"

    def _is_damaged(self) -> bool:
        """Asked under a lock: another process may have begun anew in the meantime."""
        if not os.path.exists(self.path):
            return False
        try:
            raw = apsw.Connection(self.path, flags=apsw.SQLITE_OPEN_READWRITE)
            try:
                raw.set_busy_timeout(int(_BUSY_SECONDS * 1000))
                return bool(raw.execute("PRAGMA quick_check(1)").get != "ok")
            finally:
                raw.close()
        except _DAMAGED:
            return True

    def check(self) -> list[str]:
        """Return what is wrong with the file or with a value in it; an empty list is a clean bill of health."""
        with self.reading() as raw:
            problems = [str(row[0]) for row in raw.execute("PRAGMA quick_check(3)") if row[0] != "ok"]
            for table in ("session_state", "sessions", "forgotten"):  # to read a text is to see whether it is UTF-8
                raw.execute(f"SELECT * FROM {table}").fetchall()
            unreadable = raw.execute("SELECT count(*) FROM session_state WHERE NOT json_valid(value)").get
        if unreadable:
            return [*problems, f"{count_of(unreadable, 'value')} {agree(unreadable, 'is', 'are')} not JSON"]
        return problems

    def scrub(self) -> None:
        """Empty the log of recent writes, in which deleted values still stand."""
        with self._lock, self._explain_errors(), suppress(apsw.BusyError):
            self._connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close; a second call does nothing."""
        with self._lock:
            self._let_go()

    def _let_go(self) -> None:
        if self._raw is not None:
            with suppress(apsw.Error):
                self._raw.close()
        self._raw = self._file = None

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        try:
            yield
        except apsw.BusyError as error:
            raise Busy(f"The session state {self.path!r}", _BUSY_SECONDS) from error
        except _DAMAGED as error:
            reason = f"it is damaged ({error})"
            if self.set_aside:
                reason += f"; it is kept as {self.set_aside}, and another is begun"
            raise StorageFailed(self.path, "use", reason) from error
        except apsw.Error as error:
            raise StorageFailed(self.path, "use", str(error)) from error
        except UnicodeDecodeError as error:
            reason = "a text in it is not UTF-8; `holdfast doctor` checks all of it"
            raise StorageFailed(self.path, "read", reason) from error
