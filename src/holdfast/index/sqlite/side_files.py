"""The files beside an index: counts of reads, signals of dreaming, and vectors. They are checked here."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import closing

import apsw

from holdfast.embeddings.vector_bytes import quantize
from holdfast.index.sqlite.connection import Connection
from holdfast.index.sqlite.matrix_file import map_file
from holdfast.index.sqlite.read_counts import open_counts, usage_beside
from holdfast.index.sqlite.signal_table import signals_beside
from holdfast.plural import count_of

__all__ = ["check_side_files"]

_ROWS_A_READ = 8_192


def check_side_files(connection: Connection) -> list[str]:
    """Return every file beside the index that is damaged, and how; an empty list is a clean bill of health."""
    problems: list[str] = []
    for path in (usage_beside(connection.path), signals_beside(connection.path)):
        problems += _check_database(path)
    rows = connection.all("SELECT id, uid, dimensions FROM spaces WHERE provider != ''")
    for number, uid, dimensions in rows:
        problems += _check_vectors(connection, number, uid, dimensions)
    return problems


def _check_database(path: str) -> Iterator[str]:
    if not os.path.lexists(path):
        return
    try:
        with closing(open_counts(path)) as raw:
            found = raw.execute("PRAGMA quick_check(1)").get
            if not raw.execute("SELECT count(*) FROM sqlite_schema WHERE name IN ('uses', 'answers')").get:
                found = "its tables are missing"
    except apsw.BusyError:
        return
    except apsw.Error as error:
        found = str(error)
    if found != "ok":
        yield f"{path}: {found}"


def _check_vectors(connection: Connection, space: int, uid: str, dimensions: int) -> Iterator[str]:
    """Compare the file of a space with the vectors in the index that it was made from."""
    path = f"{connection.path}.space{space}"
    if not os.path.lexists(path):
        return
    mapped = map_file(path, uid, dimensions)
    if mapped is None:
        yield f"{path}: it is cut off, or not the file of this space"
        return
    changed = 0
    for start in range(0, len(mapped.rows), _ROWS_A_READ):
        numbers = mapped.rows[start : start + _ROWS_A_READ].tolist()
        places = {number: start + place for place, number in enumerate(numbers)}
        stored = connection.all(
            "SELECT id, vector FROM vectors WHERE space = ? AND id IN (SELECT value FROM json_each(?))",
            (space, json.dumps(numbers)),
        )
        kept = quantize([vector for _, vector in stored], dimensions)
        changed += sum(
            mapped.vectors.codes[places[number]].tobytes() != vector
            for (number, _), vector in zip(stored, kept, strict=True)
        )
    if changed:
        yield f"{path}: {count_of(changed, 'vector')} unlike those of the index"
