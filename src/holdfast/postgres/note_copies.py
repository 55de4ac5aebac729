"""The notes of one agent as this server saw them last, on its own disk: what is read while the database is away.

A cache like the index beside it: it may be lost at any time, goes with the tenant's folder when there is no room, and
follows the numbers of changes as the index does. It is open only for as long as it is used, so that many tenants cost
no memory. Deleted bytes are overwritten at once: what was forgotten stays in no free page.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

import apsw

from holdfast.errors import StorageFailed
from holdfast.named_tuple import NamedTuple
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.notes.note import NoteFile
from holdfast.notes.private_database import create_private, remove_database

__all__ = ["COPIES", "START", "Head", "NoteCopies", "NoteCopy"]

COPIES: Final = "copies"
"""The folder of state/ where they lie, a database for each agent."""


class Head(NamedTuple):
    """Up to which change something is known: its number, and its mark, which is another in another history."""

    seq: int
    mark: int


START: Final = Head(0, 0)

NoteCopy: TypeAlias = tuple[str, bytes, int, int]
"""Hash, bytes, number of the last change, and when that was in nanoseconds."""
_Run: TypeAlias = Callable[..., Any]

_READ_MS: Final = 5_000  # that a reader waits: a writer keeps it out for the moment of its commit
_WRITE_MS: Final = 200  # that a writer waits: another one is at it, and what is missing then comes with the next
_AT_ONCE: Final = 128  # notes that are fetched in one question
_DAMAGED: Final = (apsw.CorruptError, apsw.NotADBError)
_SCHEMA: Final = """CREATE TABLE IF NOT EXISTS head(seq INTEGER NOT NULL, mark INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS note(
    path TEXT PRIMARY KEY, hash TEXT NOT NULL, body BLOB NOT NULL, seq INTEGER NOT NULL, changed INTEGER NOT NULL)"""
_VERSION: Final = 1
_PUT: Final = "INSERT OR REPLACE INTO note(path, hash, body, seq, changed) VALUES (?, ?, ?, ?, ?)"


class NoteCopies:
    """The copies of one agent's notes, for one server."""

    def __init__(self, local: FileWorkspace, agent: str) -> None:
        self._local, self._name = local, f"{agent}.sqlite"

    def list(self) -> dict[str, NoteFile] | None:
        """Return all notes by their paths, as they were last; None where nothing was copied yet."""
        with self._opened() as run:
            if _head(run) is None:
                return None
            rows = run("SELECT path, length(body), changed, seq FROM note").fetchall()
        return {path: NoteFile(path, "memory", size, changed, seq, 0) for path, size, changed, seq in rows}

    def find_all(self, paths: Sequence[str]) -> dict[str, NoteCopy] | None:
        """Return those of these notes that there were; None where nothing was copied yet, or a copy is not whole."""
        found: dict[str, NoteCopy] = {}
        with self._opened() as run:
            if _head(run) is None:
                return None
            for path in paths:
                row = run("SELECT hash, body, seq, changed FROM note WHERE path = ?", [path]).fetchone()
                if row is None:
                    continue
                if hashlib.sha256(row[1]).hexdigest() != row[0]:
                    return None
                found[path] = row
        return found

    def follow(
        self,
        listed: Callable[[], tuple[Head, Head, Mapping[str, NoteFile]]],
        read: Callable[[Sequence[str]], Mapping[str, NoteCopy]],
    ) -> Head:
        """Make the copies what the database has now, and return its last change.

        `listed` gives a change that led to the last one, the last one and all notes, and is asked in here: of two who
        come at once, the second sees no less than the first.
        """
        with self._opened(_WRITE_MS) as run:
            run("BEGIN IMMEDIATE")
            base, head, notes = listed()
            known = _head(run)
            if known != head:
                newer = _newer(notes, base) if known == base else _others(run, notes)
                _take_over(run, newer, read)
                _drop_others(run, notes)
                run("DELETE FROM head")
                run("INSERT INTO head(seq, mark) VALUES (?, ?)", head)
            run("COMMIT")
        return head

    @contextmanager
    def _opened(self, wait_ms: int = _READ_MS) -> Iterator[_Run]:
        """Yield what runs a statement; what is not committed at the end of the block is not kept."""
        path = os.path.join(self._local.state_folder(COPIES), self._name)
        try:
            create_private(path)
            raw = apsw.Connection(path)
            try:
                raw.set_busy_timeout(wait_ms)
                # A kill leaves it whole; a power cut may not, and then it is begun anew.
                raw.execute("PRAGMA trusted_schema=OFF; PRAGMA secure_delete=ON; PRAGMA synchronous=OFF")
                if raw.execute("PRAGMA user_version").get != _VERSION:
                    raw.execute("BEGIN IMMEDIATE; DROP TABLE IF EXISTS head; DROP TABLE IF EXISTS note")
                    raw.execute(f"{_SCHEMA}; PRAGMA user_version={_VERSION}; COMMIT")
                yield raw.execute
            finally:
                raw.close()
        except (apsw.Error, OSError) as error:
            if isinstance(error, _DAMAGED):
                remove_database(path)
            raise StorageFailed(path, "use the copies of notes", str(error)) from error


def _head(run: _Run) -> Head | None:
    """Return up to which change the notes were copied; None where they never were."""
    row = run("SELECT seq, mark FROM head").fetchone()
    return None if row is None else Head(*row)


def _newer(notes: Mapping[str, NoteFile], base: Head) -> list[str]:
    return [path for path, note in notes.items() if note.ctime_ns > base.seq]


def _others(run: _Run, notes: Mapping[str, NoteFile]) -> list[str]:
    """Return the notes whose copies are missing or of another change."""
    held = {path: seen for path, *seen in run("SELECT path, seq, changed FROM note").fetchall()}
    return [path for path, note in notes.items() if held.get(path) != [note.ctime_ns, note.mtime_ns]]


def _take_over(run: _Run, paths: Sequence[str], read: Callable[[Sequence[str]], Mapping[str, NoteCopy]]) -> None:
    for start in range(0, len(paths), _AT_ONCE):
        for path, row in read(paths[start : start + _AT_ONCE]).items():
            run(_PUT, [path, *row])


def _drop_others(run: _Run, notes: Mapping[str, NoteFile]) -> None:
    """Drop what is a note no more."""
    if run("SELECT count(*) FROM note").get != len(notes):
        for (path,) in run("SELECT path FROM note").fetchall():
            if path not in notes:
                run("DELETE FROM note WHERE path = ?", [path])
