"""The floor: what some thirty lines of plain Python and SQLite's own full-text search cost.

python bench/floor.py index DIR DB
python bench/floor.py search DB QUERY
"""

from __future__ import annotations

import os
import sqlite3
import sys

LIMIT = 6


def index(directory: str, database: str) -> None:
    """Read every file that is new or changed and put it into the table, whole."""
    db = sqlite3.connect(database)
    db.execute("CREATE TABLE IF NOT EXISTS files(path TEXT PRIMARY KEY, mtime INTEGER, size INTEGER, id INTEGER)")
    db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS notes USING fts5(path UNINDEXED, body)")
    known = {path: state for path, *state in db.execute("SELECT path, mtime, size, id FROM files")}
    for folder, _, names in os.walk(directory):
        for name in names:
            if name.endswith(".md"):
                path = os.path.join(folder, name)
                info = os.stat(path)
                mtime, size, row = known.pop(path, (0, 0, None))
                if (mtime, size) != (info.st_mtime_ns, info.st_size):
                    with open(path, encoding="utf-8") as file:
                        body = file.read()
                    db.execute("DELETE FROM notes WHERE rowid = ?", (row,))
                    row = db.execute("INSERT INTO notes VALUES (?, ?)", (path, body)).lastrowid
                    db.execute("REPLACE INTO files VALUES (?, ?, ?, ?)", (path, info.st_mtime_ns, info.st_size, row))
    for path, (_, _, row) in known.items():
        db.execute("DELETE FROM notes WHERE rowid = ?", (row,))
        db.execute("DELETE FROM files WHERE path = ?", (path,))
    db.commit()
    db.close()


def search(db: sqlite3.Connection, query: str) -> list[str]:
    """The paths of the best matches for any of the words."""
    plain = "".join(letter if letter.isalnum() or letter == "_" else " " for letter in query)
    words = " OR ".join(f'"{word}"' for word in plain.split())
    found = db.execute("SELECT path FROM notes WHERE notes MATCH ? ORDER BY bm25(notes) LIMIT ?", (words, LIMIT))
    return [path for (path,) in found]


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["index", directory, database]:
            index(directory, database)
        case ["search", database, query]:
            print("\n".join(search(sqlite3.connect(database), query)))
        case _:
            sys.exit(__doc__)
