"""The tables of signals for dreaming: which lines answered which questions on which days, and its verdicts.

A file of its own beside the index, as the counts of `usage` are: it may be deleted without a thought, and holds no
words. What can't be counted is not counted: a search must not fail, or wait for a disk, because of it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing, suppress
from typing import Any

import apsw

from holdfast.index.sqlite.read_counts import open_counts
from holdfast.named_tuple import NamedTuple
from holdfast.notes.private_database import create_private, remove_database

__all__ = ["LineAnswer", "LineSighting", "Ran", "Signals", "Verdict", "signals_beside"]

_WAIT_MS = 200
_DECISION_MS = 10_000  # what the owner decided is waited for: nobody would say it again
_MOST_ROWS = 50_000
_MOST_CLAIMS = 2_000  # that one run looks at, those asked for most often first
_PRUNE_EVERY = 64  # rows written between looks at how many there are
_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers(claim TEXT, query TEXT, day TEXT, path TEXT, score REAL, last REAL,
  PRIMARY KEY(claim, query, day)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS answers_last ON answers(last);
CREATE TABLE IF NOT EXISTS phases(claim TEXT, phase TEXT, strength REAL, last REAL, PRIMARY KEY(claim, phase))
  WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS verdicts(claim TEXT PRIMARY KEY, verdict TEXT, id TEXT, path TEXT, run TEXT, at REAL)
  WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS runs(job TEXT PRIMARY KEY, at REAL, state TEXT) WITHOUT ROWID;
"""


class LineAnswer(NamedTuple):
    """A line that answered a question on a day; on one day a question counts once for it, with its best score."""

    claim: str
    query: str
    day: str
    path: str
    score: float
    last: float = 0.0


class LineSighting(NamedTuple):
    """A line that a phase of dreaming came across, how strongly, and when last."""

    claim: str
    phase: str
    strength: float
    last: float


class Verdict(NamedTuple):
    """Holds what became of a line: promoted, proposed, withdrawn, declined or retired; by which id, in which run."""

    claim: str
    verdict: str
    id: str = ""
    path: str = ""
    run: str = ""
    at: float = 0.0


class Ran(NamedTuple):
    """Says when dreaming last ran, and checksums of what there was to dream of; none where something was left."""

    at: float
    state: frozenset[str]


def signals_beside(index_path: str) -> str:
    """Return where the signals of an index are kept."""
    return f"{index_path}.signals"


class Signals:
    """The signals of one agent."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._written = 0

    def record(self, rows: Sequence[LineAnswer]) -> None:
        """Count lines that answered a question."""
        if not rows:
            return

        def work(raw: Any) -> None:
            raw.executemany(
                "INSERT INTO answers VALUES (?1,?2,?3,?4,?5,?6) ON CONFLICT DO UPDATE SET "
                "score = max(score, ?5), last = max(last, ?6), path = ?4",
                rows,
            )
            self._written += len(rows)
            if self._written >= _PRUNE_EVERY:
                self._written = 0
                raw.execute(
                    "DELETE FROM answers WHERE last < (SELECT last FROM answers ORDER BY last DESC LIMIT 1 OFFSET ?)",
                    (_MOST_ROWS,),
                )

        self._write(work)

    def asked(self, since: float, at_least: int) -> list[LineAnswer]:
        """Return what was asked since a moment, of the lines that were found so often; those found most often first."""
        rows = self._all(
            "WITH often(claim, n) AS (SELECT claim, count(*) n FROM answers WHERE last >= ?1 GROUP BY claim "
            "HAVING n >= ?2 ORDER BY n DESC, claim LIMIT ?3) "
            "SELECT a.claim, query, day, path, score, last FROM often JOIN answers a ON a.claim = often.claim "
            "WHERE last >= ?1 ORDER BY n DESC, a.claim, last",
            (since, at_least, _MOST_CLAIMS),
        )
        return [LineAnswer._make(row) for row in rows]

    def note(self, seen: Sequence[LineSighting]) -> None:
        """Keep what the phases came across; those of long ago make room."""

        def work(raw: Any) -> None:
            raw.executemany(
                "INSERT INTO phases VALUES (?1,?2,?3,?4) ON CONFLICT DO UPDATE SET strength = ?3, last = max(last, ?4)",
                seen,
            )
            sql = "DELETE FROM phases WHERE last < (SELECT last FROM phases ORDER BY last DESC LIMIT 1 OFFSET ?)"
            raw.execute(sql, (_MOST_ROWS,))

        self._write(work)

    def seen(self, claims: Collection[str]) -> dict[tuple[str, str], LineSighting]:
        """Return what the phases came across before, of these lines."""
        rows = self._all(
            "SELECT claim, phase, strength, last FROM phases WHERE claim IN (SELECT value FROM json_each(?))",
            (json.dumps(list(claims)),),
        )
        return {(row[0], row[1]): LineSighting._make(row) for row in rows}

    def decide(self, verdicts: Sequence[Verdict]) -> None:
        """Keep what became of some lines."""

        def work(raw: Any) -> None:
            raw.executemany("INSERT OR REPLACE INTO verdicts VALUES (?,?,?,?,?,?)", verdicts)
            sql = "DELETE FROM verdicts WHERE at < (SELECT at FROM verdicts ORDER BY at DESC LIMIT 1 OFFSET ?)"
            raw.execute(sql, (_MOST_ROWS,))

        self._write(work, _DECISION_MS)

    def verdicts(self) -> Mapping[str, Verdict]:
        """Return what became of each line that anything was decided about."""
        rows = self._all("SELECT claim, verdict, id, path, run, at FROM verdicts", (), _DECISION_MS)
        return {row[0]: Verdict._make(row) for row in rows}

    def ran(self, run: Ran) -> None:
        """Keep when all of dreaming ran."""
        row = (run.at, " ".join(sorted(run.state)))
        self._write(lambda raw: raw.execute("INSERT OR REPLACE INTO runs VALUES ('dream', ?, ?)", row))

    def last_run(self) -> Ran | None:
        """Return when all of dreaming last ran, if it has."""
        rows = self._all("SELECT at, state FROM runs WHERE job = 'dream'", ())
        if not rows:
            return None
        return Ran(rows[0][0], frozenset(rows[0][1].split()))

    def extent(self) -> tuple[int, float]:
        """Return how many answers are counted, and when the last of them was given."""
        found = self._all("SELECT count(*), ifnull(max(last), 0) FROM answers", ())
        if found:
            return (found[0][0], found[0][1])
        return (0, 0.0)

    def places(self) -> list[tuple[str, str]]:
        """Return each line that is counted, with the note it was found in."""
        return [(claim, path) for claim, path in self._all("SELECT DISTINCT claim, path FROM answers", ())]

    def forget(self, gone: Collection[tuple[str, str]]) -> None:
        """Drop what is known of lines that stand no more where they were found: a hash is a trace, too."""
        if not os.path.exists(self._path):
            return

        def work(raw: Any) -> None:
            raw.execute("PRAGMA secure_delete=ON")
            raw.executemany("DELETE FROM answers WHERE claim = ? AND path = ?", list(gone))
            raw.execute("DELETE FROM phases WHERE claim NOT IN (SELECT claim FROM answers)")
            raw.execute("DELETE FROM verdicts WHERE claim NOT IN (SELECT claim FROM answers)")

        self._write(work)

    def _write(self, work: Callable[[Any], None], wait_ms: int = _WAIT_MS) -> None:
        """Run a transaction, which no search waits for the disk for; a file that is damaged is begun anew."""
        try:
            # What fails is taken back as the file is closed: a rollback of what SQLite has taken back already is an
            # error of its own, which would stand for damage here.
            with closing(self._open_file(wait_ms)) as raw:
                raw.execute("BEGIN IMMEDIATE")
                work(raw)
                raw.execute("COMMIT")
        except (apsw.NotADBError, apsw.CorruptError, apsw.SQLError, UnicodeDecodeError):
            remove_database(self._path)
        except (apsw.Error, OSError):
            return

    def _open_file(self, wait_ms: int) -> Any:
        create_private(self._path)
        raw = apsw.Connection(self._path)
        try:
            raw.set_busy_timeout(wait_ms)
            # A power cut may cost the file, which is begun anew then; syncing it would cost every search.
            raw.execute("PRAGMA synchronous=OFF")
            if not raw.execute("SELECT 1 FROM sqlite_schema WHERE name = 'runs'").get:
                raw.execute(_SCHEMA)
        except BaseException:
            raw.close()
            raise
        return raw

    def _all(self, sql: str, values: tuple[Any, ...], wait_ms: int = _WAIT_MS) -> list[Any]:
        if not os.path.exists(self._path):
            return []
        with suppress(apsw.Error, UnicodeDecodeError), closing(open_counts(self._path)) as raw:
            raw.set_busy_timeout(wait_ms)
            rows: list[Any] = raw.execute(sql, values).fetchall()
            return rows
        return []
