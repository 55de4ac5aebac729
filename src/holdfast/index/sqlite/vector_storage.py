"""The place where vectors of one space lie: few in SQLite, many in files (`vector_files.py`), all of them one matrix.

A row of SQLite has its vector, nothing (the text has none), or the mark that a file alone has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from holdfast.errors import StorageFailed
from holdfast.index.sqlite.connection import Connection
from holdfast.index.sqlite.matrix import EXACT_UP_TO, Matrix
from holdfast.index.sqlite.matrix_file import Batch
from holdfast.index.sqlite.quantization import ByteVectors
from holdfast.index.sqlite.vector_files import IN_FILE, WORTH_A_FILE, VectorFile, VectorFiles

__all__ = ["VectorStorage"]

_ROWS_A_READ = 8_192
_MOST_FILES = 256  # mapped at once; each takes a descriptor, and a process may have about a thousand
_HELD = "vector NOT IN (x'', x'01')"  # in SQLite itself


class _MappedMatrix:
    """The matrix as this process has it, what it was made from, and how far it goes."""

    def __init__(self, matrix: Matrix, files: tuple[VectorFile, ...], evictions: int | None) -> None:
        self.matrix = matrix
        self.files = files
        self.evictions = evictions
        self.unreadable: list[VectorFile] = []
        self.last_row = 0
        self.version: tuple[int, int] | None = None
        """The version of the database that it is level with; None while it is filled."""


class VectorStorage:
    """Stores vectors, gives them back by the numbers of their rows, and keeps the matrix that they are searched in."""

    def __init__(
        self,
        connection: Connection,
        space: int,
        uid: str,
        dimensions: int,
        *,
        alone: bool,
        exact_up_to: int = EXACT_UP_TO,
        most_files: int = _MOST_FILES,
    ) -> None:
        """`alone`: many vectors are only in files; when there are `most_files` of these, they become one."""
        self._connection = connection
        self._space = space
        self._uid = uid
        self._dimensions = dimensions
        self._exact_up_to = exact_up_to
        self._most_files = most_files
        self._files = VectorFiles(connection, space, uid, dimensions, alone=alone)
        self._mapped: _MappedMatrix | None = None
        self._files.drop_lost()

    @property
    def held(self) -> int:
        """The number of vectors that this process has at hand."""
        return 0 if self._mapped is None else self._mapped.matrix.count

    def insert(self, raw: Any, now: int, new: Mapping[str, bytes]) -> None:
        """Store vectors by the hash of their text, but for those that are there; call it inside a write transaction."""
        if not self._files.alone or len(new) < WORTH_A_FILE or len(self._files.listed()) >= self._most_files:
            self._insert_rows(raw, now, new.items())
            return
        before = raw.execute("SELECT seq FROM sqlite_sequence WHERE name = 'vectors'").get or 0
        self._insert_rows(raw, now, ((text_hash, vector and IN_FILE) for text_hash, vector in new.items()))
        added = raw.execute("SELECT id, hash FROM vectors WHERE id > ? AND vector = ?", (before, IN_FILE)).fetchall()
        if not added:
            return
        numbers, vectors = [row for row, _ in added], [new[text_hash] for _, text_hash in added]
        batch = Batch(numbers, ByteVectors.of(vectors, self._dimensions))
        file = self._files.write([batch], len(added), first=numbers[0])
        if file is not None:
            self._files.enlist(raw, file)
        else:
            raw.executemany("UPDATE vectors SET vector = ? WHERE id = ?", zip(vectors, numbers, strict=True))

    def _insert_rows(self, raw: Any, now: int, new: Iterable[tuple[str, bytes]]) -> None:
        raw.executemany(
            "INSERT OR IGNORE INTO vectors(space, hash, used, vector) VALUES (?,?,?,?)",
            [(self._space, text_hash, now, vector) for text_hash, vector in new],
        )

    def matrix(self) -> Matrix:
        """Return all vectors as they are now."""
        return self._level_matrix().matrix

    def _level_matrix(self) -> _MappedMatrix:
        version = self._connection.version()
        mapped = self._mapped
        if mapped is None or mapped.version != version:
            evictions = self._connection.one("SELECT value FROM counters WHERE name = ?", (f"evictions:{self._space}",))
            # Another process may have evicted what is held here, or put other files in place.
            if mapped is None or evictions != mapped.evictions or self._files.listed() != mapped.files:
                self._mapped = None  # before the new one is made: two of them may be too much
                mapped = self._mapped = self._map_files(evictions)
            late = self._rows_after(mapped.last_row, _HELD)
            mapped.matrix.append(late)
            if late:
                mapped.last_row = late[-1][0]
            mapped.version = version
        return mapped

    def _map_files(self, evictions: int | None) -> _MappedMatrix:
        mapped = _MappedMatrix(Matrix(self._dimensions), self._files.listed(), evictions)
        for file in mapped.files:
            if not mapped.matrix.load(self._files.path_of(file), self._uid):
                mapped.unreadable.append(file)
            elif file.is_whole:
                mapped.last_row = file.last
        return mapped

    def mend(self) -> None:
        """Forget what was in files that can't be read; call it outside any transaction."""
        unreadable = self._level_matrix().unreadable
        if unreadable:
            self._files.drop_lost(unreadable)
            self.close()

    def with_vectors(self, rows: Sequence[Sequence[Any]]) -> dict[int, bytes]:
        """Return the vectors of some rows, given as (number, what SQLite has); without those that have none."""
        by_row: dict[int, bytes] = {row: vector for row, vector in rows if vector and vector != IN_FILE}
        rows_in_files = [row for row, vector in rows if vector == IN_FILE]
        if rows_in_files:
            numbers, vectors = self.matrix().gathered(rows_in_files)
            by_row.update(zip(numbers, map(bytes, vectors.codes), strict=True))
        return by_row

    def tidy(self, count: int) -> None:
        """Make one file of all `count` vectors when that is worth it."""
        if self._files.is_due(count):
            self._renew()
        self._files.sweep()

    def scrub(self) -> None:
        """Leave no vector on disk of a text that is gone."""
        in_files = "SELECT 1 FROM vectors WHERE +space = ? AND vector = ? LIMIT 1"
        if self._connection.one(in_files, (self._space, IN_FILE)) is None:
            self.forget()
        elif self._renew():
            self._files.sweep(strict=True)
        else:
            raise StorageFailed(self._connection.path, "write its vectors anew", "the disk may be full")

    def forget(self) -> None:
        """Drop all files."""
        self.close()
        self._files.forget()

    def close(self) -> None:
        """Let go of the mapped files."""
        self._mapped = None

    def _renew(self) -> bool:
        """Make one file of all vectors; says whether it could be written."""
        # As it is read: a million vectors are a gigabyte, and as Python's objects two.
        file = self._files.write(self._batches(), self._exact_up_to)
        self.close()
        if file is not None:
            self._files.put_in_place(file)
        return file is not None

    def _batches(self) -> Iterator[Batch]:
        last = 0
        while rows := self._rows_after(last, "vector != x''", _ROWS_A_READ):
            if all(vector == IN_FILE for _, vector in rows):
                batch = Batch(*self.matrix().gathered([row for row, _ in rows]))
            else:
                by_row = self.with_vectors(rows)
                numbers = [row for row, _ in rows if row in by_row]
                batch = Batch(numbers, ByteVectors.of([by_row[row] for row in numbers], self._dimensions))
            if self._mapped is not None:
                self._mapped.matrix.release()  # each file is read once, and all of them are as much as the new one
            if len(batch.numbers) < len(rows):
                raise FileNotFoundError("a file of vectors is gone")  # its rows go first, at the next search or sync
            yield batch
            last = rows[-1][0]

    def _rows_after(self, last: int, which: str, limit: int = -1) -> list[tuple[int, bytes]]:
        return self._connection.all(
            f"SELECT id, vector FROM vectors WHERE +space = ? AND id > ? AND {which} ORDER BY id LIMIT ?",
            (self._space, last, limit),
        )
