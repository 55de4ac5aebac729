"""An index file → what is wrong with it: pages, tables, texts, words and vectors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import apsw

from holdfast.errors import HoldfastError
from holdfast.index.sqlite.connection import Connection
from holdfast.index.sqlite.schema import migrate
from holdfast.index.sqlite.vector_files import IN_FILE
from holdfast.plural import count_of

__all__ = ["inspect_index"]

# What every version of an edition has; later versions added columns.
_EDITION_COLUMNS = {
    "notes": {"id", "path", "source", "title", "hash", "size"},
    "chunks": {"id", "note", "chunk_id", "text_hash", "start_line", "end_line", "headings", "text"},
    "words": {"path", "title", "headings", "body"},
}
_UNREADABLE = (apsw.Error, HoldfastError, UnicodeDecodeError)


def inspect_index(connection: Connection) -> list[str]:
    """Return every fault that can be told; an empty list is a clean bill of health. Reads all of the file."""
    problems: list[str] = []
    for look in (_pages, _tables, _texts, _words, _vectors):
        try:
            problems += look(connection)
        except _UNREADABLE as error:
            problems.append(getattr(error, "why", None) or str(error))
        if problems:
            break  # what comes after would stumble over the same thing
    return problems


def _pages(connection: Connection) -> list[str]:
    if connection.cut_short():
        return ["its end is missing"]
    return [row for (row,) in connection.all("PRAGMA integrity_check") if row != "ok"]


def _tables(connection: Connection) -> Iterator[str]:
    """Yield tables and columns that are not as this version would have made them."""
    scratch = apsw.Connection(":memory:")
    migrate(scratch)
    named = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    expected = {table: _columns(scratch.execute, table) for (table,) in scratch.execute(named).fetchall()}
    scratch.close()
    present = {table for (table,) in connection.all(named)}
    if "editions" in present:
        for (number,) in connection.all("SELECT id FROM editions"):
            expected |= {f"e{number}_{table}": columns for table, columns in _EDITION_COLUMNS.items()}
    for table, columns in expected.items():
        missing = columns - _columns(connection.all, table)
        if table not in present:
            yield f"the table {table} is missing"
        elif missing:
            yield f"the table {table} lacks {', '.join(sorted(missing))}"


def _columns(run: Any, table: Any) -> set[str]:
    return {row[0] for row in run("SELECT name FROM pragma_table_info(?)", (table,))}


def _texts(connection: Connection) -> Iterator[str]:
    """Yield texts that are not what they were when they were stored: each has its hash beside it."""
    from holdfast.markdown.chunk_ids import text_hash  # not above: it loads OpenSSL, which no search needs

    for number in _editions(connection):
        changed = 0
        with connection.reading() as raw:
            for text, stored in raw.execute(f"SELECT text, text_hash FROM e{number}_chunks"):
                changed += not isinstance(text, str) or text_hash(text) != stored
            orphans = raw.execute(
                f"SELECT count(*) FROM e{number}_chunks WHERE note NOT IN (SELECT id FROM e{number}_notes)"
            ).get
            for table in ("notes", "chunks"):  # to read a text is to see whether it is UTF-8
                for _ in raw.execute(f"SELECT * FROM e{number}_{table}"):
                    continue
        if changed:
            yield f"{count_of(changed, 'stored text')} with another hash than recorded"
        if orphans:
            yield f"{count_of(orphans, 'stored text')} without a note"


def _words(connection: Connection) -> Iterator[str]:
    for number in _editions(connection):
        table = f"e{number}_words"
        differing = connection.one(
            f"SELECT count(*) FROM (SELECT id FROM e{number}_chunks EXCEPT SELECT id FROM {table}_docsize)"
        ) + connection.one(
            f"SELECT count(*) FROM (SELECT id FROM {table}_docsize EXCEPT SELECT id FROM e{number}_chunks)"
        )
        if differing:
            yield f"full-text index: {count_of(differing, 'row')} too many or too few"
        if connection.read_only:
            continue  # SQLite writes a question of this kind as an INSERT
        try:
            with connection.writing() as raw:
                raw.execute(f"INSERT INTO {table}({table}) VALUES ('integrity-check')")
        except _UNREADABLE as error:
            yield f"full-text index: {getattr(error, 'why', None) or error}"


def _vectors(connection: Connection) -> Iterator[str]:
    wrong = connection.one(
        "SELECT count(*) FROM vectors v JOIN spaces s ON s.id = v.space "
        "WHERE length(v.vector) NOT IN (0, s.dimensions, 4 * s.dimensions) AND v.vector != ?",
        (IN_FILE,),
    )
    if wrong:
        yield f"{count_of(wrong, 'vector')} of another length than their space"
    nowhere = connection.one(
        "SELECT count(*) FROM vectors v WHERE v.vector = ? AND NOT EXISTS "
        "(SELECT 1 FROM vector_files f WHERE f.space = v.space AND v.id BETWEEN f.first AND f.last)",
        (IN_FILE,),
    )
    if nowhere:
        yield f"{count_of(nowhere, 'vector')} in no file"


def _editions(connection: Connection) -> list[int]:
    return [number for (number,) in connection.all("SELECT id FROM editions")]
