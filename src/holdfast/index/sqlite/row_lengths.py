"""The lengths of the two kinds of rows, and what a word counts in each of them.

A line of a conversation or of a note that is kept by hand has some twenty words, a section of a manual four hundred.
BM25 takes weight from a word by how much longer its row is than the mean of all rows: beside many lines, a section
would count for next to nothing. Each kind therefore has columns of its own, with a weight that makes its usual row as
good as that of the other kind: with `b` of .75, .25 + .75 x its usual length / the mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from holdfast.index.sqlite.columns import Columns
from holdfast.index.sqlite.connection import Connection
from holdfast.index.sqlite.schema import count

__all__ = ["BY_LENGTH", "Lengths"]

BY_LENGTH = 0.75  # FTS5's b: how much the words of a long row count less
# How much a word counts in the path, in the title, in the headings above a chunk, and in the chunk itself.
_COLUMNS = (2.0, 2.0, 1.5, 1.0)


class Lengths:
    """Counts the rows and the words of each kind that ever came into an edition, as FTS5 does for its mean."""

    def __init__(self, connection: Connection, number: int) -> None:
        self._connection = connection
        self._names = [f"e{number}_{kind}_{what}" for kind in ("line", "section") for what in ("rows", "words")]
        self._known: tuple[tuple[int, int] | None, str, float] = (None, "", 0.0)

    def add(self, raw: Any, rows: Sequence[Columns]) -> None:
        """Count what is about to be stored."""
        counts = [0, 0, 0, 0]
        for columns in rows:
            if columns.section:
                at = 2
            else:
                at = 0
            counts[at] += 1
            words = " ".join(filter(None, columns.texts))  # one space between any two, whichever columns are empty
            counts[at + 1] += words.count(" ") + bool(words)
        for name, more in zip(self._names, counts, strict=True):
            count(raw, name, more)

    def weights(self) -> str:
        """Return what each column weighs, as `bm25` takes it.

        In an edition that was never counted, all weigh alike.
        """
        return self._current()[1]

    def mean(self) -> float:
        """Return how many words a row has."""
        return self._current()[2]

    def _current(self) -> tuple[tuple[int, int] | None, str, float]:
        version = self._connection.version()
        if self._known[0] != version:
            marks = ",".join("?" * len(self._names))
            sql = f"SELECT name, value FROM counters WHERE name IN ({marks})"
            stored = dict(self._connection.all(sql, self._names))
            lines, words, sections, section_words = (stored.get(name, 0) for name in self._names)
            mean = (words + section_words) / max(lines + sections, 1)
            self._known = version, _weights(lines, words, sections, section_words, mean), mean
        return self._known


def _weights(lines: int, words: int, sections: int, section_words: int, mean: float) -> str:
    scales = (_scale(lines, words, mean), _scale(sections, section_words, mean))
    return ", ".join(f"{scale * weight:.4f}" for scale in scales for weight in _COLUMNS)


def _scale(rows: int, words: int, mean: float) -> float:
    return 1.0 - BY_LENGTH + BY_LENGTH * (words / rows / mean if rows and mean else 1.0)
