"""The files of vectors beside an index: those count that the index itself lists.

A file is whole on disk before the transaction that lists it, and never changes; what stands beside the index and is not
listed is a leftover. A process that is killed therefore leaves the state before or the state after, and where a power
cut takes back transactions of SQLite, no file speaks of rows that have since become others.

What a provider was paid for stays in SQLite, and its file is a copy to search in. The vectors of the model that comes
with Holdfast are in a file alone, once they are many: where it is lost its rows go, and the texts are embedded again.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from typing import Any

from holdfast.errors import StorageFailed
from holdfast.index.sqlite.connection import IN_MEMORY, Connection
from holdfast.index.sqlite.coverage_rows import forget_coverage
from holdfast.index.sqlite.matrix_file import Batch, checksum_of, write_file
from holdfast.named_tuple import NamedTuple

__all__ = ["IN_FILE", "WORTH_A_FILE", "VectorFile", "VectorFiles"]

IN_FILE = b"\x01"
"""What stands in SQLite for a vector that a file alone has; no vector that is kept has the largest number 1."""
WORTH_A_FILE = 2_000
"""Fewer rows are read from SQLite as quickly as a file is mapped."""
_LONGEST_TAIL = 25_000  # rows that every new process reads from SQLite, a sixth of a second


class VectorFile(NamedTuple):
    """Says from which row to which a file has all that SQLite has not, how many it has, and how to know it again."""

    name: str
    first: int
    last: int
    rows: int
    size: int
    checksum: int

    @property
    def is_whole(self) -> bool:
        """True for a file of all rows up to its last."""
        return self.first == 0


class VectorFiles:
    """The files of one space. The first may be the whole of all rows up to its last; the others are what came later."""

    def __init__(self, connection: Connection, space: int, uid: str, dimensions: int, *, alone: bool) -> None:
        """`alone`: vectors that are in a file need not be in SQLite too."""
        self._connection = connection
        self._space = space
        self._uid = uid
        self._dimensions = dimensions
        self._listed: tuple[tuple[int, int], tuple[VectorFile, ...]] | None = None
        self.alone = alone and connection.path != IN_MEMORY

    def listed(self) -> tuple[VectorFile, ...]:
        """Return the files that count, in the order of their rows."""
        version = self._connection.version()
        if self._listed is None or self._listed[0] != version:
            self._listed = version, tuple(VectorFile(*row) for row in self._rows())
        return self._listed[1]

    def _rows(self) -> list[tuple[Any, ...]]:
        has_list = "SELECT 1 FROM sqlite_schema WHERE name = 'vector_files'"
        if self._connection.read_only and self._connection.one(has_list) is None:
            return []  # of an older version, on a medium that can't be written to
        return self._connection.all(
            "SELECT name, first, last, rows, size, checksum FROM vector_files WHERE space = ? ORDER BY last",
            (self._space,),
        )

    def path_of(self, file: VectorFile) -> str:
        """Return where a file lies."""
        return f"{self._connection.path}.space{self._space}.{file.name}"

    def is_due(self, count: int) -> bool:
        """Say whether to make one file of all `count` vectors."""
        held, last = next(((file.rows, file.last) for file in self.listed() if file.is_whole), (0, 0))
        late = count
        if last:  # all are counted in their index, some where they stand
            sql = "SELECT count(*) FROM vectors WHERE +space = ? AND id > ?"
            late = int(self._connection.one(sql, (self._space, last)))
        gone = max(0, held + late - count)
        return held + late >= WORTH_A_FILE and late + gone > min(held // 5, _LONGEST_TAIL)

    def write(self, batches: Iterable[Batch], exact_up_to: int, *, first: int = 0) -> VectorFile | None:
        """Write rows, which come in ascending order, to a file that is not listed yet; None where that failed."""
        if self._connection.path == IN_MEMORY:
            return None
        name = os.urandom(8).hex()
        file = VectorFile(name, first, 0, 0, 0, 0)
        written = write_file(self.path_of(file), self._uid, self._dimensions, batches, exact_up_to)
        if written is None:
            return None
        return VectorFile(name, first, *written)

    def enlist(self, raw: Any, file: VectorFile) -> None:
        """List a file, in the transaction that counts on it."""
        self._listed = None
        raw.execute("INSERT INTO vector_files VALUES (?,?,?,?,?,?,?)", (self._space, *file))

    def put_in_place(self, file: VectorFile) -> None:
        """Let a file of all vectors take the place of those that it was made from."""
        with self._connection.writing() as raw:
            if not os.path.exists(self.path_of(file)):
                return  # another process took it for a leftover: it is written again another time
            before = raw.execute("SELECT last FROM vector_files WHERE space = ? AND first = 0", (self._space,)).get
            # What another process put in since has later rows, and a file of its own.
            raw.execute("DELETE FROM vector_files WHERE space = ? AND first <= ?", (self._space, file.last))
            self.enlist(raw, file)
            if self.alone:
                raw.execute(
                    "UPDATE vectors SET vector = ? WHERE +space = ? AND id > ? AND id <= ? AND vector NOT IN (x'', ?)",
                    (IN_FILE, self._space, before or 0, file.last, IN_FILE),
                )

    def drop_lost(self, suspects: Collection[VectorFile] = ()) -> None:
        """Forget files that are not there as they were written, with the rows whose vectors they had.

        What is read of a file is only compared for `suspects`. The texts of such rows have no vector then, and the next
        sync makes one.
        """
        if self._connection.read_only or not any(self._is_lost(file, suspects) for file in self.listed()):
            return
        with self._connection.writing() as raw:
            self._listed = None
            for file in [file for file in self.listed() if self._is_lost(file, suspects)]:
                raw.execute("DELETE FROM vector_files WHERE space = ? AND name = ?", (self._space, file.name))
                raw.execute(
                    "DELETE FROM vectors WHERE +space = ? AND id BETWEEN ? AND ? AND vector = ?",
                    (self._space, file.first, file.last, IN_FILE),
                )
                forget_coverage(raw, space=self._space)

    def _is_lost(self, file: VectorFile, suspects: Collection[VectorFile]) -> bool:
        path = self.path_of(file)
        try:
            if os.stat(path).st_size != file.size:
                return True
            return file in suspects and checksum_of(path) != file.checksum
        except FileNotFoundError:
            return True
        except OSError:
            return False  # too many open files, say: that is no reason to make all vectors again

    def forget(self) -> None:
        """Drop files that hold a copy of what SQLite has, or what no row needs any more."""
        with self._connection.writing() as raw:
            self._listed = None
            raw.execute("DELETE FROM vector_files WHERE space = ?", (self._space,))
        self.sweep(strict=True)

    def sweep(self, *, strict: bool = False) -> None:
        """Remove files that are not listed: of who died, of an older version, or those whose place another took.

        Others write new files under the write lock, or see that theirs is gone. What can't be removed is an error where
        it is `strict`: then it may hold what was to be forgotten.
        """
        if not self._leftovers():
            return
        with self._connection.writing():
            self._listed = None
            for path in self._leftovers():
                try:
                    os.unlink(path)
                except OSError as error:
                    if strict and not isinstance(error, FileNotFoundError):
                        raise StorageFailed(path, "remove", error.strerror or str(error)) from error

    def _leftovers(self) -> list[str]:
        if self._connection.path == IN_MEMORY:
            return []
        folder, name = os.path.split(f"{self._connection.path}.space{self._space}")
        kept = {os.path.basename(self.path_of(file)) for file in self.listed()}
        return [
            os.path.join(folder, entry)
            for entry in os.listdir(folder or ".")
            if (entry == name or entry.startswith(f"{name}.")) and entry not in kept
        ]
