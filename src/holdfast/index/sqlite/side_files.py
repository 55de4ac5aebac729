"""The files beside an index: counts of reads, signals of dreaming, and vectors. They are checked here."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing

import apsw

from holdfast.index.sqlite.connection import Connection
from holdfast.index.sqlite.matrix_file import checksum_of
from holdfast.index.sqlite.read_counts import open_counts, usage_beside
from holdfast.index.sqlite.signal_table import signals_beside
from holdfast.index.sqlite.vector_files import VectorFiles

__all__ = ["check_side_files"]


def check_side_files(connection: Connection) -> list[str]:
    """Return every file beside the index that is damaged, and how; an empty list is a clean bill of health."""
    problems: list[str] = []
    for path in (usage_beside(connection.path), signals_beside(connection.path)):
        problems += _check_database(path)
    rows = connection.all("SELECT id, uid, dimensions FROM spaces WHERE provider != ''")
    for number, uid, dimensions in rows:
        problems += _check_vectors(VectorFiles(connection, number, uid, dimensions, alone=False))
    return problems


def _check_database(path: str) -> Iterator[str]:
    # An empty one was begun on a full disk: whoever counts next makes its tables.
    if not os.path.lexists(path) or not os.lstat(path).st_size:
        return
    try:
        with closing(open_counts(path)) as raw:
            finding = raw.execute("PRAGMA quick_check(1)").get
            if not raw.execute("SELECT count(*) FROM sqlite_schema WHERE name IN ('uses', 'answers')").get:
                finding = "its tables are missing"
    except apsw.BusyError:
        return
    except apsw.Error as error:
        finding = str(error)
    if finding != "ok":
        yield f"{path}: {finding}"


def _check_vectors(files: VectorFiles) -> Iterator[str]:
    """Compare the files of a space with what the index says about them."""
    for file in files.listed():
        path = files.path_of(file)
        try:
            if os.stat(path).st_size != file.size:
                yield f"{path}: it is cut off, or not the file of this space"
            elif checksum_of(path) != file.checksum:
                yield f"{path}: it is not as it was written"
        except OSError as error:
            yield f"{path}: {error.strerror}"
