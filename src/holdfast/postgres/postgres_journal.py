"""The journal in rows. A change is in it once it is committed, so none is ever open, and no line says that it is done.

Whoever reads lines gets them as a file has them: behind the last change stands that it is done.
"""

from __future__ import annotations

import json
import math
import secrets
from collections.abc import Generator, Iterable, Sequence
from typing import Any, Final

from holdfast.checkpoints.change_id import take_given_id
from holdfast.checkpoints.journal import JournalEnd, Kind, Record, encode_record, parse_record
from holdfast.postgres.agent_transactions import AgentTransactions

__all__ = ["PostgresJournal"]

_FIELDS: Final = (
    "kind, seq, id, path, before, after, origin, tool, reason, extract(epoch FROM at)::double precision, undoes, grp, "
    "step, steps, coalesce(extra ->> 'request', ''), coalesce(extra ->> 'author', '')"
)
_NEWEST: Final = f"""SELECT {_FIELDS} FROM holdfast.journal WHERE tenant = %s AND agent = %s AND seq < %s
ORDER BY seq DESC LIMIT %s"""
_ADD: Final = """INSERT INTO holdfast.journal
(tenant, agent, kind, seq, id, path, before, after, origin, tool, reason, at, undoes, grp, step, steps, extra)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, to_timestamp(%s), %s, %s, %s, %s, %s::jsonb)"""
_NEAR_END: Final = 8  # lines in which the last change is looked for
_AT_ONCE: Final = 500
_LINE_BYTES: Final = 160  # fewer than nearly every line has
_ALL: Final = 2**62
_LATEST: Final = 253_402_300_799.0  # the end of the year 9999


class PostgresJournal:
    """The journal of one agent, or of the profile. Whoever writes holds the lock."""

    def __init__(self, transactions: AgentTransactions, agent: str) -> None:
        self._transactions, self._agent = transactions, agent
        self._place = (transactions.tenant, agent)

    def read_end(self, size: int | None = None) -> tuple[bytes, bool]:
        """Return the last `size` bytes or some more, or all, and whether they are all."""
        limit = _ALL if size is None else size // _LINE_BYTES + 1
        newest_first = self._newest(limit)
        lines = [encode_record(record) for record in reversed(newest_first)]
        lines += [encode_record(record) for record in _outcome(newest_first)]
        return b"".join(lines), len(newest_first) < limit

    def lines_backwards(self) -> Generator[bytes, None, None]:
        """Yield the lines from the last to the first."""
        for record in self.records_backwards():
            yield encode_record(record).rstrip(b"\n")

    def records_backwards(self) -> Generator[Record, None, None]:
        """Yield the records from the last to the first."""
        before, wanted = _ALL, _NEAR_END
        while True:
            records = self._newest(wanted, before)
            if before == _ALL:
                yield from _outcome(records)
            yield from records
            if len(records) < wanted:
                return
            before = records[-1].seq
            wanted = min(_AT_ONCE, wanted * 8)  # most who ask want the last change alone

    def latest(self) -> JournalEnd:
        """Return the end of the journal, without reading the rest."""
        current = self._transactions.current
        if current is not None and self._agent in current.ends:
            return current.ends[self._agent]
        records = self._newest(_NEAR_END)
        end = _end_of([*_outcome(records), *records])
        if current is not None:
            current.ends[self._agent] = end
        return end

    def new_id(self, last: Record | None) -> str:  # noqa: ARG002 - of the contract
        """Return the caller's id, or one by chance: of two servers, each finds its own change by it."""
        return take_given_id() or f"c{secrets.token_hex(6)}"

    def find(self, id: str) -> list[Record]:  # noqa: A002 - the name in the journal
        """Return the change of this id, with those of its group, in their order."""
        statement = f"""SELECT {_FIELDS} FROM holdfast.journal WHERE tenant = %s AND agent = %s AND kind = 'change'
AND (id = %s OR grp = %s) ORDER BY seq"""
        found = [_record(row) for row in self._transactions.rows(statement, *self._place, id, id)]
        return found if any(record.id == id for record in found) else []

    def open_changes(self) -> list[Record]:
        """Return none: a change that was not finished was rolled back."""
        return []

    def append(self, *records: Record, durable: bool) -> None:  # noqa: ARG002 - all of it is, or nothing
        """Add the changes among these records; one that did not happen goes."""
        current = self._transactions.current
        assert current is not None
        for record in records:
            if record.kind is Kind.abandoned:
                with self._transactions.writing() as run:
                    run(
                        "DELETE FROM holdfast.journal WHERE tenant = %s AND agent = %s AND seq = %s AND id = %s",
                        *(*self._place, record.seq, record.id),
                    )
                current.ends.pop(self._agent, None)
        added = [record for record in records if record.kind not in (Kind.done, Kind.abandoned)]
        if not added:
            return
        rows = [(*self._place, *_values(record)) for record in added]
        if len(rows) == 1:
            with self._transactions.writing() as run:
                run(_ADD, *rows[0])
        else:
            self._transactions.write_many(_ADD, rows)
        current.ids += [record.id for record in added]
        newest_first = added[::-1]
        current.ends[self._agent] = _end_of([*_outcome(newest_first), *newest_first])

    def repair(self) -> None:
        """Do nothing: no row is ever torn."""

    def rewrite(self, lines: Iterable[bytes]) -> None:
        """Replace the whole journal: rows that are not among these lines go, those that are new come."""
        kept = [record for record in map(parse_record, lines) if record is not None and record.kind is not Kind.done]
        known = {(record.seq, record.kind) for record in self._newest(_ALL)}
        numbers = [record.seq for record in kept if (record.seq, record.kind) in known]
        with self._transactions.writing() as run:
            run(
                "DELETE FROM holdfast.journal WHERE tenant = %s AND agent = %s AND NOT seq = ANY(%s)",
                *(*self._place, numbers),
            )
        fresh = [record for record in kept if (record.seq, record.kind) not in known]
        if fresh:
            self._transactions.write_many(_ADD, [(*self._place, *_values(record)) for record in fresh])
        current = self._transactions.current
        if current is not None:
            current.ends.pop(self._agent, None)
            current.ids += [record.id for record in fresh]

    def _newest(self, limit: int, before: int = _ALL) -> list[Record]:
        return [_record(row) for row in self._transactions.rows(_NEWEST, *self._place, before, limit)]


def _outcome(newest_first: Sequence[Record]) -> list[Record]:
    """Return the line that ends a journal: what was committed is done."""
    last = newest_first[0] if newest_first else None
    return [Record(Kind.done, last.seq, last.id)] if last is not None and last.kind is Kind.change else []


def _end_of(newest_first: Sequence[Record]) -> JournalEnd:
    change = next((record for record in newest_first if record.kind is Kind.change), None)
    return JournalEnd(newest_first[0] if newest_first else None, change)


def _record(row: Any) -> Record:
    return Record(Kind(row[0]), *row[1:])


def _values(record: Record) -> tuple[object, ...]:
    texts = (storable(record.path), record.before, record.after, record.origin, record.tool, storable(record.reason))
    at = min(max(0.0, record.at), _LATEST) if math.isfinite(record.at) else 0.0
    place = (storable(record.group), record.step, record.steps)
    named = {"request": record.request, "author": record.author}
    extra = {name: text for name, text in named.items() if text}
    return (
        record.kind.value,
        record.seq,
        record.id,
        *texts,
        at,
        record.undoes,
        *place,
        json.dumps(extra) if extra else None,
    )


def storable(text: str) -> str:
    """Return a text as a database can hold it: without NUL, and without halves of characters."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()
