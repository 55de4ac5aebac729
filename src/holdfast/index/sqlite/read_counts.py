"""Read counts: how often a text was read after a search had found it, by its hash, so that they outlive rebuilds.

It is a file of its own: the index may be deleted without a thought, and counting must not make every search look as if
the index had changed. What can't be counted is not counted: a read must not fail for it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from typing import Any

import apsw

from holdfast.notes.private_database import create_private, remove_database

__all__ = ["Usage", "leave", "open_counts", "spool_beside", "usage_beside"]

_WAIT_MS = 200
_MOST = 100_000
_PRUNE_EVERY = 256  # new texts
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_MOST_BYTES = 1024 * 1024  # of lines that nobody has read: some three thousand searches, and as many once more


def spool_beside(index_path: str) -> str:
    """Return where searches leave lines about what answered them."""
    return f"{index_path}.asked"


def usage_beside(index_path: str) -> str:
    """Return where the counts of an index are kept."""
    return f"{index_path}.usage"


def leave(path: str, line: str) -> None:
    """Append a line to a spool with one write: no database, no sync and no lock. `Spool` reads them.

    It stands here because every search has loaded this module: one of its own would take longer than all the rest.
    """
    with suppress(OSError):
        fd = os.open(path, _APPEND, 0o600)
        try:
            # The break comes first as well: after a line that was torn, the next one is whole again.
            os.write(fd, f"\n{line}\n".encode("utf-8", "surrogatepass"))
            if os.fstat(fd).st_size >= _MOST_BYTES:
                os.replace(path, f"{path}.old")
        finally:
            os.close(fd)


def open_counts(path: str) -> apsw.Connection:
    """Open counts to read them; what a process that died left half done is taken back, where that may be written."""
    raw = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
    raw.set_busy_timeout(_WAIT_MS)
    return raw


@contextmanager
def _drop_if_damaged(path: str) -> Iterator[None]:
    """Drop a file that is damaged, so that the next read is counted; whatever else fails costs one count."""
    try:
        yield
    except (apsw.NotADBError, apsw.CorruptError, apsw.SQLError, UnicodeDecodeError):
        remove_database(path)
    except (apsw.Error, OSError):
        return


class Usage:
    """The counts of one agent; of more texts than `most`, those that were read longest ago go."""

    def __init__(self, path: str, most: int = _MOST) -> None:
        self._path = path
        self._most = most

    def record(self, text_hash: str, now: float) -> None:
        """Count one read."""
        with _drop_if_damaged(self._path):
            create_private(self._path)
            with closing(apsw.Connection(self._path)) as raw:
                raw.set_busy_timeout(_WAIT_MS)
                # A power cut may cost the file; syncing it would cost every read twenty milliseconds.
                raw.execute("PRAGMA synchronous=OFF")
                raw.execute("CREATE TABLE IF NOT EXISTS uses(hash TEXT PRIMARY KEY, times INTEGER, last REAL)")
                number: int = raw.execute(
                    "INSERT INTO uses VALUES (?1, 1, ?2) ON CONFLICT(hash) DO UPDATE SET times = times + 1, "
                    "last = max(last, ?2) RETURNING rowid",
                    (text_hash, now),
                ).get
                if number % _PRUNE_EVERY == 0:  # to look through all of them takes longer than all the rest
                    raw.execute(
                        "DELETE FROM uses WHERE hash IN (SELECT hash FROM uses ORDER BY last DESC LIMIT -1 OFFSET ?)",
                        (self._most,),
                    )

    def of(self, hashes: Sequence[str]) -> dict[str, tuple[int, float]]:
        """Return, for those of the texts that were read, how often, and when last."""
        if not os.path.exists(self._path):
            return {}
        rows: list[Any] = []
        with suppress(apsw.Error, UnicodeDecodeError), closing(open_counts(self._path)) as raw:
            rows += raw.execute(
                "SELECT hash, times, last FROM uses WHERE hash IN (SELECT value FROM json_each(?))",
                (json.dumps(list(hashes)),),
            ).fetchall()
        return {row[0]: (row[1], row[2]) for row in rows if isinstance(row[1], int) and isinstance(row[2], float)}

    def forget(self, keep: Sequence[str]) -> None:
        """Drop every count but those of these texts: a hash is a trace, too."""
        if not os.path.exists(self._path):
            return
        with _drop_if_damaged(self._path), closing(apsw.Connection(self._path)) as raw:
            raw.set_busy_timeout(_WAIT_MS)
            raw.execute("PRAGMA secure_delete=ON")
            raw.execute(
                "DELETE FROM uses WHERE hash NOT IN (SELECT value FROM json_each(?))", (json.dumps(list(keep)),)
            )
