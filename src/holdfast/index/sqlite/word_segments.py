"""The pieces of a full-text index: every write adds one, and a search looks each of its words up in all of them.

FTS5 joins them once enough has been written, which takes long where notes are saved one by one: sixteen pieces wait.
"""

from __future__ import annotations

from typing import Any

from holdfast.index.sqlite.connection import Connection

__all__ = ["join_all_segments", "join_some_segments"]

# Pages of four kilobytes; twenty-five take a millisecond. After a write, mostly four pieces with a note each are
# joined, and rarely those of a thousand notes. Joining all goes in steps that other writers don't mind waiting for.
_AFTER_A_WRITE = 640
_AT_ONCE = 1_000


def join_some_segments(raw: Any, edition: int) -> None:
    """Join pieces where there are four of a size; call it at the end of a write."""
    _join(raw, edition, _AFTER_A_WRITE)


def join_all_segments(connection: Connection, edition: int) -> None:
    """Join all pieces into one, for when a great part of them is new."""
    pages = -_AT_ONCE  # which is how FTS5 is told that all are meant
    while True:
        with connection.writing() as raw:
            if not raw.execute("SELECT 1 FROM editions WHERE id = ?", (edition,)).get:
                return
            before = raw.total_changes()
            _join(raw, edition, pages)
            if raw.total_changes() - before < 2:  # the command itself counts as one
                return
        pages = _AT_ONCE


def _join(raw: Any, edition: int, pages: int) -> None:
    raw.execute(f"INSERT INTO e{edition}_words(e{edition}_words, rank) VALUES ('merge', ?)", (pages,))
