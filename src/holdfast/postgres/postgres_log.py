"""A log in rows: a line is known by the offset at which it would begin in a file, so readers go on from anywhere."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from holdfast.errors import BadArgument, TooLarge, UnsafeFile
from holdfast.notes.log import MAX_LINE_BYTES, LogLine, LogStatus
from holdfast.postgres.agent_transactions import AgentTransactions

__all__ = ["PostgresLog"]

_SEEN: Final = """SELECT size, (extract(epoch FROM changed) * 1000000)::bigint * 1000, identity FROM holdfast.log
WHERE tenant = %s AND folder = %s AND name = %s"""
# Whoever adds a line holds the row until it is committed: the next one gets the offset behind it.
_GROW: Final = """INSERT INTO holdfast.log AS l (tenant, folder, name, identity, size, changed)
VALUES (%s, %s, %s, %s, 0, clock_timestamp())
ON CONFLICT (tenant, folder, name) DO UPDATE SET changed = clock_timestamp() RETURNING size"""
_ADD: Final = "INSERT INTO holdfast.transcript (tenant, agent, session, n, line) VALUES (%s, %s, %s, %s, %s)"
_LINES: Final = """SELECT n, line FROM holdfast.transcript
WHERE tenant = %s AND agent = %s AND session = %s AND n >= %s ORDER BY n LIMIT %s"""
_AT_ONCE: Final = 200


class PostgresLog:
    """A log of one tenant."""

    def __init__(self, transactions: AgentTransactions, parts: tuple[str, ...], name: str) -> None:
        self.parts, self.name = parts, name
        self.shown = "/".join((*parts, name))
        self._transactions = transactions
        self._row = (transactions.tenant, "/".join(parts), name)
        self._lines = (transactions.tenant, parts[-1] if parts[0] == "sessions" else "", self.shown)

    def append(self, line: bytes, *, first: bytes = b"") -> LogLine:
        """Add a line; it is committed when this returns. `first` goes before it where the log is empty."""
        if b"\n" in line or b"\n" in first:
            raise BadArgument("line", "it has a line break")
        if len(line) > MAX_LINE_BYTES:
            raise TooLarge(f"line of {self.shown}", len(line), MAX_LINE_BYTES)
        with self._transactions.writing() as run:
            row = run(_GROW, *self._row, _identity()).fetchone()
            start: int = row[0] if row is not None else 0
            if start == 0 and first:
                run(_ADD, *self._lines, 0, first)
                start = len(first) + 1
            run(_ADD, *self._lines, start, line)
            end = start + len(line) + 1
            run("UPDATE holdfast.log SET size = %s WHERE tenant = %s AND folder = %s AND name = %s", end, *self._row)
        return LogLine(line, start, end)

    def lines(self, start: int = 0) -> Iterator[LogLine]:
        """Yield the lines from the offset `start`."""
        while True:
            rows = self._transactions.rows(_LINES, *self._lines, start, _AT_ONCE)
            for offset, line in rows:
                data = bytes(line)
                start = offset + len(data) + 1
                yield LogLine(data, offset, start)
            if len(rows) < _AT_ONCE:
                return

    def status(self) -> LogStatus | None:
        """Return the size and the identity of the log, or None when there is none."""
        row = self._transactions.row(_SEEN, *self._row)
        return None if row is None else LogStatus(*row)

    def sibling(self, name: str) -> PostgresLog:
        """Return another log of the same directory."""
        return PostgresLog(self._transactions, self.parts, name)

    def sibling_names(self) -> list[str]:
        """Return the names of all logs in the log's directory."""
        statement = "SELECT name FROM holdfast.log WHERE tenant = %s AND folder = %s"
        return sorted(name for (name,) in self._transactions.rows(statement, *self._row[:2]))

    @contextmanager
    def exclusive(self) -> Iterator[LockedRows | None]:
        """Keep every writer out, to move or remove the log; None when there is no log."""
        with self._transactions.writing() as run:
            found = run(f"{_SEEN} FOR UPDATE", *self._row).fetchone()
            yield LockedRows(self, run, self._row, self._lines) if found is not None else None


class LockedRows:
    """A log that nobody can add to before the transaction ends."""

    def __init__(self, log: PostgresLog, run: Any, row: tuple[str, str, str], lines: tuple[str, str, str]) -> None:
        self._log, self._run, self._row, self._lines = log, run, row, lines

    def rename(self, name: str) -> None:
        """Give the log another name in its directory, which must be free."""
        log = self._log
        other = log.sibling(name)
        if name in log.sibling_names():
            raise UnsafeFile(other.shown, "it is already there")
        where = "WHERE tenant = %s AND folder = %s AND name = %s"
        self._run(f"UPDATE holdfast.log SET name = %s, identity = %s {where}", name, _identity(), *self._row)
        where = "WHERE tenant = %s AND agent = %s AND session = %s"
        self._run(f"UPDATE holdfast.transcript SET session = %s {where}", other.shown, *self._lines)

    def read(self) -> bytes:
        """Return all bytes."""
        statement = "SELECT line FROM holdfast.transcript WHERE tenant = %s AND agent = %s AND session = %s ORDER BY n"
        return b"".join(bytes(line) + b"\n" for (line,) in self._run(statement, *self._lines).fetchall())

    def rewrite(self, data: bytes) -> None:
        """Replace the bytes at once and durably; half a line at their end is left out."""
        self._empty()
        offset = 0
        for line in data.split(b"\n")[:-1]:
            self._run(_ADD, *self._lines, offset, line)
            offset += len(line) + 1
        where = "WHERE tenant = %s AND folder = %s AND name = %s"
        self._run(
            f"UPDATE holdfast.log SET size = %s, identity = %s, changed = clock_timestamp() {where}",
            *(offset, _identity(), *self._row),
        )

    def remove(self) -> None:
        """Remove the log for good."""
        self._empty()
        self._run("DELETE FROM holdfast.log WHERE tenant = %s AND folder = %s AND name = %s", *self._row)

    def _empty(self) -> None:
        self._run("DELETE FROM holdfast.transcript WHERE tenant = %s AND agent = %s AND session = %s", *self._lines)


def _identity() -> int:
    return secrets.randbits(62)
