"""The floor that search is measured against: SQLite's own full-text search and nothing else.

FTS5 with `porter unicode61`, small words removed from the question, the others joined by OR, `bm25()` with its
defaults; a row is what counts as one answer. Nobody can do much less, so what Holdfast adds is what it has above this.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from itertools import islice

import apsw

from holdfast.evaluation.metrics import DEPTH

__all__ = ["Floor", "content_words"]

# The usual list of English stop words, the one that NLTK carries.
_SMALL = frozenset(
    "a about above after again against all am an and any are as at be because been before being below between both "
    "but by can did do does doing don down during each few for from further had has have having he her here hers "
    "herself him himself his how i if in into is it its itself just me more most my myself no nor not now of off on "
    "once only or other our ours ourselves out over own s same she should so some such t than that the their theirs "
    "them themselves then there these they this those through to too under until up very was we were what when where "
    "which while who whom why will with you your yours yourself yourselves".split()
)
_WORD = re.compile(r"\w+")


def content_words(question: str) -> list[str]:
    """Return the words of a question that are no small ones, in its order."""
    return [word for word in _WORD.findall(question.lower()) if word not in _SMALL]


class Floor:
    """Rows of text in memory; `search` gives the ids of the best."""

    def __init__(self, rows: Iterable[tuple[str, str]]) -> None:
        self._ids: list[str] = []
        self._connection = apsw.Connection(":memory:")
        self._connection.execute("CREATE VIRTUAL TABLE floor USING fts5(body, tokenize = 'porter unicode61')")
        with self._connection:
            for number, (name, body) in enumerate(rows):
                self._ids.append(name)
                self._connection.execute("INSERT INTO floor(rowid, body) VALUES (?, ?)", (number, body))

    def search(self, question: str, limit: int = DEPTH, without: Collection[str] = ()) -> list[str]:
        """Return the ids of the rows that hold any of the words, best first.

        Those of the notes `without` are left out.
        """
        words = content_words(question)
        if not words:
            return []
        expression = " OR ".join(f'"{word}"' for word in words)
        found = self._connection.execute(
            "SELECT rowid FROM floor WHERE floor MATCH ? ORDER BY bm25(floor), rowid LIMIT ?",
            (expression, -1 if without else limit),
        )
        ids = (self._ids[row] for (row,) in found)
        return list(islice((name for name in ids if name.partition("#")[0] not in without), limit))
