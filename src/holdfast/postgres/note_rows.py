"""The rows of one agent's notes: read, changed, and the list of them kept level with the database."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, TypeVar

from holdfast.errors import DatabaseAway, HoldfastError, NoteChangedOutside, NoteNotFound, StorageFailed
from holdfast.named_tuple import NamedTuple
from holdfast.notes.note import Note, NoteFile
from holdfast.notes.staleness import tell_stale
from holdfast.postgres.agent_transactions import AgentTransactions, OpenTransaction
from holdfast.postgres.note_copies import START, Head, NoteCopies
from holdfast.postgres.presence import AWAY

__all__ = ["NoteRow", "NoteRows"]

_Answer = TypeVar("_Answer")

_MARKS: Final = 16  # that are kept; who is further behind lists all notes
_NANOSECONDS: Final = "(extract(epoch FROM {}) * 1000000)::bigint * 1000"
_CHANGED: Final = _NANOSECONDS.format("n.changed")
_READ: Final = f"""SELECT n.path, n.hash, o.body, n.seq, {_CHANGED} FROM holdfast.note n
LEFT JOIN holdfast.object o ON o.tenant = n.tenant AND o.hash = n.hash
WHERE n.tenant = %s AND n.agent = %s AND n.path = ANY(%s)"""
# One row for each note that changed since a number, and at least one: each has the number now with its mark, whether
# the number that is asked from had the mark that the asker knows, and how many notes there are where it is another.
_LIST: Final = f"""SELECT h.seq, h.mark, h.is_known, h.notes, n.path, n.size, {_CHANGED}, n.seq FROM (
  SELECT s.seq, coalesce(s.marks[1], 0) AS mark,
    %(since)s = 0 OR coalesce(s.marks[(s.seq - %(since)s + 1)::integer] = %(mark)s, false) AS is_known,
    CASE WHEN s.seq <> %(since)s
    THEN (SELECT count(*) FROM holdfast.note WHERE tenant = %(tenant)s AND agent = %(agent)s) END AS notes
  FROM (VALUES (1)) AS one LEFT JOIN holdfast.home s ON s.tenant = %(tenant)s AND s.agent = %(agent)s
) h LEFT JOIN holdfast.note n ON n.tenant = %(tenant)s AND n.agent = %(agent)s AND n.seq > %(since)s"""
_MARK: Final = "pg_catalog.hashtextextended(pg_catalog.gen_random_uuid()::text, 0) & 9223372036854775807"
_NEXT: Final = f"""INSERT INTO holdfast.home AS h (tenant, agent, seq, marks) VALUES (%s, %s, 1, ARRAY[{_MARK}])
ON CONFLICT (tenant, agent) DO UPDATE SET seq = h.seq + 1, marks = (EXCLUDED.marks || h.marks)[1:{_MARKS}]
RETURNING seq"""
_PUT: Final = f"""WITH next AS ({_NEXT})
INSERT INTO holdfast.note (tenant, agent, path, hash, size, seq, changed)
SELECT %s, %s, %s, %s, %s, next.seq, clock_timestamp() FROM next
ON CONFLICT (tenant, agent, path)
DO UPDATE SET hash = EXCLUDED.hash, size = EXCLUDED.size, seq = EXCLUDED.seq, changed = EXCLUDED.changed
RETURNING seq"""
_DROP: Final = f"""WITH next AS ({_NEXT})
DELETE FROM holdfast.note WHERE tenant = %s AND agent = %s AND path = %s AND EXISTS (SELECT 1 FROM next)"""
_STORE: Final = "INSERT INTO holdfast.object (tenant, hash, body) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"


class NoteRow(NamedTuple):
    """A note as the database has it; `seq` is the number of its last change among those of the agent."""

    hash: str
    data: bytes
    seq: int
    changed_ns: int

    def note(self, path: str) -> Note:
        """Return it as everybody else knows a note: nothing but its number is needed to see that it changed."""
        return Note(path, self.data, self.hash, len(self.data), self.changed_ns, self.seq, 0, settled=True)


class _Listed(NamedTuple):
    """The list of notes as it was at a number; `total` is how many there were, `is_known` whether `base` led to it."""

    head: Head
    notes: dict[str, NoteFile]
    total: int | None = 0
    base: Head = START
    is_known: bool = True


class NoteRows:
    """The notes of one agent; with `copies`, those who may be told of old ones read on while the database is away."""

    def __init__(self, transactions: AgentTransactions, agent: str, copies: NoteCopies | None = None) -> None:
        self._transactions, self.agent, self._copies = transactions, agent, copies
        self._copied: Head | None = None
        self._place = (transactions.tenant, agent)
        self._listed = _Listed(START, {})
        self._lock = threading.Lock()

    # Reading

    def find(self, path: str) -> NoteRow | None:
        """Return a note, or None where there is none."""
        return self.find_all([path]).get(path)

    def find_all(self, paths: Sequence[str]) -> dict[str, NoteRow]:
        """Return those of these notes that there are, in one question."""
        current = self._own_transaction()
        known = current.notes if current is not None else {}
        missing = [path for path in paths if path not in known and _is_storable(path)]
        found = {path: row for path in paths if (row := known.get(path)) is not None}
        if missing:
            try:
                found |= self._read(missing)
            except DatabaseAway as away:
                return self._read_copies(missing, away)
        if current is not None:
            current.notes.update({path: found.get(path) for path in missing})
            current.stored.update(row.hash for row in found.values())
        return found

    def _read(self, paths: Sequence[str]) -> dict[str, NoteRow]:
        rows = self._transactions.rows(_READ, *self._place, list(paths))
        for path, _, body, _, _ in rows:
            if body is None:
                raise StorageFailed(path, "read", "its bytes are not in the database")
        return {path: NoteRow(digest, bytes(body), seq, changed) for path, digest, body, seq, changed in rows}

    def head(self) -> Head:
        """Return how often notes of this agent were changed, and the mark of the last change."""
        row = self._transactions.row(
            "SELECT seq, coalesce(marks[1], 0) FROM holdfast.home WHERE tenant = %s AND agent = %s", *self._place
        )
        return Head(*row) if row is not None else START

    def list(self) -> dict[str, NoteFile]:
        """Return all notes by their paths, at the cost of what changed since they were last listed."""
        current = self._own_transaction()
        if current is not None and current.base is not None:  # as this thread has made them
            notes = {path: note for path, note in current.base.items() if path not in current.changed}
            return notes | {path: note for path, note in current.changed.items() if note is not None}
        if current is not None and current.has_written:  # what nobody else may see yet must not be remembered
            return self._ask(START).notes
        try:
            listed = self._list_committed()
        except DatabaseAway as away:
            return self._list_copies(away)
        if current is not None:
            current.base = listed.notes
        elif self._copies is not None and self._copied != listed.head:
            self._keep_copies(self._copies)
        return listed.notes

    def keep_copies(self) -> None:
        """Copy what was changed since the last time, where copies are kept; what hinders that hinders nobody else."""
        if self._copies is not None and self._transactions.current is None:
            with suppress(HoldfastError):
                self.list()

    def _list_committed(self) -> _Listed:
        with self._lock:
            old = self._listed
            new = self._ask(old.head)
            if new.head != old.head:
                notes = old.notes | new.notes
                # Else some were removed, or the database was put back, or it is long ago.
                is_whole = new.is_known and new.total == len(notes)
                self._listed = new._replace(notes=notes) if is_whole else self._ask(START)
            return self._listed

    def _ask(self, since: Head) -> _Listed:
        """Return the notes that changed since a number, and what there is now."""
        values = {"tenant": self._place[0], "agent": self._place[1], "since": since.seq, "mark": since.mark}
        rows = self._transactions.rows_by_name(_LIST, values)
        files = {
            path: NoteFile(path, "memory", size, changed, seq, 0)
            for *_, path, size, changed, seq in rows
            if path is not None
        }
        seq, mark, is_known, total = rows[0][:4]
        return _Listed(Head(seq or 0, mark), files, total, since, is_known)

    # While the database is away

    def _keep_copies(self, copies: NoteCopies) -> None:
        # A full disk, or a database that goes away just now: the next one makes up for it.
        with suppress(HoldfastError):
            self._copied = copies.follow(self._list_for_copies, self._read)

    def _list_for_copies(self) -> tuple[Head, Head, dict[str, NoteFile]]:
        listed = self._list_committed()
        return listed.base, listed.head, listed.notes

    def _list_copies(self, away: DatabaseAway) -> dict[str, NoteFile]:
        return self._ask_copies(lambda copies: copies.list(), away)

    def _read_copies(self, paths: Sequence[str], away: DatabaseAway) -> dict[str, NoteRow]:
        found = self._ask_copies(lambda copies: copies.find_all(paths), away)
        return {path: NoteRow(*row) for path, row in found.items()}

    def _ask_copies(self, ask: Callable[[NoteCopies], _Answer | None], away: DatabaseAway) -> _Answer:
        """Return what the copies say, and tell whoever reads; raise where only the database will do, or they can't."""
        if self._copies is None or self._transactions.current is not None:
            raise away
        try:
            answer = ask(self._copies)
        except StorageFailed:
            answer = None
        if answer is None:
            self._copied = None
        if answer is None or not tell_stale(AWAY):
            raise away
        return answer

    # Changing, under the lock

    def put(self, path: str, data: bytes, expected_hash: str | None) -> None:
        """Put bytes in place of a note, if it still has the expected hash."""
        self._check(path, expected_hash)
        digest = hashlib.sha256(data).hexdigest()
        self.store({digest: data})
        with self._transactions.writing() as run:
            row = run(_PUT, *self._place, *self._place, path, digest, len(data)).fetchone()
        current = self._own_transaction()
        if current is not None and row is not None:
            current.notes[path] = NoteRow(digest, data, row[0], 0)
            current.changed[path] = NoteFile(path, "memory", len(data), 0, row[0], 0)

    def drop(self, path: str, expected_hash: str | None) -> None:
        """Remove a note, if it still has the expected hash."""
        self._check(path, expected_hash)
        if self.find(path) is None:
            raise NoteNotFound(path)
        with self._transactions.writing() as run:
            run(_DROP, *self._place, *self._place, path)
        current = self._own_transaction()
        if current is not None:
            current.notes[path] = current.changed[path] = None

    def store(self, blobs: dict[str, bytes]) -> None:
        """Store the bytes of these hashes, those that are not known to be there."""
        current = self._transactions.current
        assert current is not None
        rows = [
            (self._place[0], digest, data) for digest, data in blobs.items() if digest and digest not in current.stored
        ]
        if len(rows) == 1:
            with self._transactions.writing() as run:
                run(_STORE, *rows[0])
        elif rows:
            self._transactions.write_many(_STORE, rows)
        current.stored.update(blobs)

    def _own_transaction(self) -> OpenTransaction | None:
        """Return this thread's transaction, if it is one of this agent's."""
        current = self._transactions.current
        return current if current is not None and current.agent == self.agent else None

    def _check(self, path: str, expected: str | None) -> None:
        if expected is None:
            return
        row = self.find(path)
        found = "" if row is None else row.hash
        if found != expected:
            raise NoteChangedOutside(path, expected, found)


def _is_storable(path: str) -> bool:
    """Say whether a database can hold this as text: what it can't, no note is called."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in path
