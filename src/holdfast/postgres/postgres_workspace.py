"""The workspace in PostgreSQL: the notes of one agent of a tenant. What is derived from them lies on this machine."""

from __future__ import annotations

import os
import posixpath
import re
import threading
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from typing import TYPE_CHECKING, Final

from holdfast.checkpoints.checkpoint_store import CheckpointStore
from holdfast.errors import BadPath, Busy, DatabaseAway, NoteNotFound, TenantNotFound, TwinPath
from holdfast.guard.paths import NotePath, agent_id, readable_path, twin_key
from holdfast.guard.write_gate import OWNER, WriteGate
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.notes.layout import MAIN, Spot, root_parts, split_extra_path
from holdfast.notes.note import Note, NoteFile, NotePart, Walk
from holdfast.notes.profile_file import PROFILE
from holdfast.postgres.agent_transactions import AgentTransactions
from holdfast.postgres.note_copies import NoteCopies
from holdfast.postgres.note_rows import NoteRows
from holdfast.postgres.own_files import OwnFiles
from holdfast.postgres.postgres_journal import PostgresJournal
from holdfast.postgres.postgres_log import PostgresLog
from holdfast.postgres.postgres_objects import PostgresObjects
from holdfast.postgres.postgres_state import PostgresState
from holdfast.postgres.tenants import check_tenant

if TYPE_CHECKING:
    from holdfast.notes.byte_scan import BytePattern
    from holdfast.postgres.postgres_pool import PostgresPool
    from holdfast.progress import Progress

__all__ = ["PostgresWorkspace"]

_MEMORY, _LEGACY = "MEMORY.md", "memory.md"
_MAX_OWN_FILE_BYTES: Final = 64 * 1024 * 1024
_MOST_AHEAD: Final = 128  # notes that are read at once where many are read one after the other
_AWAY: Final = -1
_SCAN_SECONDS: Final = 60.0  # that all bytes of a tenant may be looked at
# All bytes of a tenant, each with the name under which its owner knows it.
_EVERYTHING: Final = (
    """SELECT CASE agent WHEN 'main' THEN '' ELSE 'agents/' || agent || '/' END || path, o.body FROM holdfast.note n
    JOIN holdfast.object o ON o.tenant = n.tenant AND o.hash = n.hash WHERE n.tenant = %(tenant)s""",
    """SELECT 'state/checkpoints/objects/' || left(hash, 12), body FROM holdfast.object o WHERE tenant = %(tenant)s
    AND NOT EXISTS (SELECT 1 FROM holdfast.note n WHERE n.tenant = o.tenant AND n.hash = o.hash)""",
    "SELECT session, line FROM holdfast.transcript WHERE tenant = %(tenant)s",
    "SELECT name, body FROM holdfast.file WHERE tenant = %(tenant)s",
    """SELECT 'state/checkpoints/' || agent || '/journal', convert_to(path || ' ' || reason, 'UTF8')
    FROM holdfast.journal WHERE tenant = %(tenant)s""",
    """SELECT 'state/sessions', convert_to(session || ' ' || namespace || ' ' || key || ' ' || value, 'UTF8')
    FROM holdfast.session_state WHERE tenant = %(tenant)s""",
)
# Of these only what may hold a pattern: the rest of a large tenant is not fetched.
_HOLDING: Final = """SELECT name, body FROM ({}) AS each (name, body)
WHERE EXISTS (SELECT 1 FROM unnest(%(sure)s::bytea[]) AS sure WHERE position(sure IN body) > 0)"""


class _Handle:
    """State shared by all views of an open workspace."""

    def __init__(self, pool: PostgresPool, closes_pool: bool) -> None:
        self.pool, self.closes_pool = pool, closes_pool
        self.is_open = True
        self.holders: set[tuple[int, str]] = set()


class PostgresWorkspace:
    """The notes of one agent of a tenant. Close it."""

    def __init__(
        self,
        pool: PostgresPool,
        tenant: str,
        agent: str,
        local: FileWorkspace,
        *,
        closes_pool: bool = False,
        copies: bool = False,
    ) -> None:
        self.tenant, self.agent, self._local = tenant, agent, local
        self.home, self.state = local.home, local.state
        self.extras: tuple[str, ...] = ()
        self.gate = OWNER
        self.reads_media = False
        self._handle = _Handle(pool, closes_pool)
        self._transactions = AgentTransactions(pool, tenant)
        self._copies = NoteCopies(local, agent) if copies else None
        self._notes = NoteRows(self._transactions, agent, self._copies)
        self._files = OwnFiles(self._transactions, local)

    @classmethod
    def open(
        cls,
        pool: PostgresPool,
        tenant: str,
        agent: str = MAIN,
        *,
        cache: str,
        closes_pool: bool = False,
        copies: bool = False,
    ) -> PostgresWorkspace:
        """Open the notes of an agent; what is derived from them lies in a folder of the tenant's below `cache`.

        While the database is away, what is on this machine from before can be opened all the same; with `copies` that
        is the notes too.
        """
        check_tenant(tenant)
        agent_id(agent)
        place = posixpath.join(os.path.abspath(cache), tenant)
        was_here = os.path.isdir(place)
        local = FileWorkspace.open(place, agent)
        workspace = cls(pool, tenant, agent, local, closes_pool=closes_pool, copies=copies)
        try:
            workspace._check_tenant()
        except BaseException as error:
            if not isinstance(error, DatabaseAway) or not was_here:
                workspace._local.close()
                raise
        return workspace

    def _check_tenant(self) -> None:
        statement = "SELECT 1 FROM holdfast.tenant WHERE id = %s"
        if self._transactions.row(statement, self.tenant) is None:
            raise TenantNotFound(self.tenant)
        self._files.copy_all(["holdfast.toml", f"agents/{self.agent}/holdfast.toml", PROFILE])

    @property
    def local(self) -> FileWorkspace:
        """The folder of what is derived from this tenant's notes on this machine."""
        return self._local

    def with_gate(self, gate: WriteGate) -> PostgresWorkspace:
        """Return the same open workspace for somebody who may change only what this gate allows."""
        other = copy(self)
        other.gate = gate
        return other

    def beside(self, extras: Sequence[str]) -> PostgresWorkspace:  # noqa: ARG002 - of the contract
        """Return the same: a tenant reads no paths of the server's."""
        return copy(self)

    def reopen(self) -> PostgresWorkspace:
        """Open the same workspace once more, over the same connections."""
        copies = self._copies is not None
        return PostgresWorkspace(self._handle.pool, self.tenant, self.agent, self._local.reopen(), copies=copies)

    def close(self) -> None:
        """Let go of the folder, and of the connections where they are ours alone; safe to call twice."""
        if self._handle.is_open:
            self._handle.is_open = False
            self._local.close()
            if self._handle.closes_pool:
                self._handle.pool.close()

    # Reading

    def spot(self, path: NotePath) -> Spot:
        """Return where a note lies; `path` is memory.md when that stands in for MEMORY.md."""
        text = readable_path(path.text).text
        if text == _MEMORY:
            found = self._notes.find_all([_MEMORY, _LEGACY])
            text = _LEGACY if _LEGACY in found and _MEMORY not in found else _MEMORY
        *above, name = text.split("/")
        return Spot((*root_parts(self.agent), *above), name, text)

    def read(self, path: NotePath | str) -> Note:
        """Read a note whole."""
        text = path.text if isinstance(path, NotePath) else path
        row = self._notes.find(self._place(text))
        if row is None:
            raise NoteNotFound(text)
        return row.note(text)

    def read_part(self, path: NotePath, most: int, *, end: bool = False) -> NotePart:
        """Return the first bytes of a note, or with `end` the last; NoteNotFound when there is none."""
        note = self.read(path)
        data = note.data[max(0, note.size - most) :] if end else note.data[:most]
        return NotePart(self._place(path.text), data, note.size)

    def exists(self, path: NotePath | str) -> bool:
        """Say whether there is a note at a path."""
        return self._notes.find(self._place(path.text if isinstance(path, NotePath) else path)) is not None

    def notes_in(self, folder: str, wanted: Callable[[str], object]) -> list[NoteFile]:
        """Return the notes of a folder whose paths are wanted, in no order."""
        notes = self._notes.list().items()
        return [note for path, note in notes if posixpath.dirname(path) == folder and wanted(path)]

    @contextmanager
    def reader(self) -> Iterator[Callable[[NoteFile | NotePath], Note]]:
        """Return a function that reads many notes; in the order of a walk, more and more of them at once."""
        ahead: dict[str, Note] = {}
        order: list[str] = []
        step = 1

        def read(note: NoteFile | NotePath) -> Note:
            nonlocal step, order
            path = readable_path(note.text).text if isinstance(note, NotePath) else note.path
            if path in ahead:
                return ahead.pop(path)
            if isinstance(note, NotePath) or self._transactions.current is not None:
                return self.read(path)
            order = order or sorted(self._notes.list())
            start = _index_of(order, path)
            ahead.clear()
            ahead.update(
                (name, row.note(name)) for name, row in self._notes.find_all(order[start : start + step]).items()
            )
            step = min(_MOST_AHEAD, step * 4)
            return ahead.pop(path) if path in ahead else self.read(path)

        yield read

    def walk(self) -> Walk:
        """Return every note, in the order of their paths."""
        notes = self._notes.list()
        return Walk([notes[path] for path in sorted(notes)], [], [])

    def agent_counts(self) -> dict[str, tuple[int, bool, bool]]:
        """Return for each agent of the tenant its notes, and whether it has a MEMORY.md and settings of its own."""
        rows = self._transactions.rows(
            "SELECT h.agent, count(n.path), coalesce(bool_or(n.path IN ('MEMORY.md', 'memory.md')), false), "
            "EXISTS (SELECT 1 FROM holdfast.file f WHERE f.tenant = h.tenant "
            "AND f.name = 'agents/' || h.agent || '/holdfast.toml') "
            "FROM holdfast.home h LEFT JOIN holdfast.note n ON n.tenant = h.tenant AND n.agent = h.agent "
            "WHERE h.tenant = %s GROUP BY h.tenant, h.agent",
            self.tenant,
        )
        return {agent: (notes, has_memory, has_settings) for agent, notes, has_memory, has_settings in rows}

    def hashes(self) -> dict[str, str]:
        """Return the hash of every note, by its path."""
        statement = "SELECT path, hash FROM holdfast.note WHERE tenant = %s AND agent = %s"
        return dict(self._transactions.rows(statement, self.tenant, self.agent))

    def read_medium(self, found: NoteFile, most: int) -> Note:  # noqa: ARG002 - of the contract
        """Raise NoteNotFound: there are no images here."""
        raise NoteNotFound(found.path)

    def now_ns(self) -> int:
        """Return the time by this machine's clock."""
        return time.time_ns()

    def moment(self) -> int:
        """Return the number of the last change: every later one has a larger one."""
        return self._notes.head().seq

    def change_count(self) -> int | None:
        """Return the number of the last change with its mark as one; another one where the database does not say."""
        try:
            head = self._notes.head()
        except DatabaseAway:
            return _AWAY
        return head.mark << 64 | head.seq

    def journal_stamp(self) -> Hashable:
        """Return a value that differs after every change of a note by any process."""
        return self.change_count()

    def scan(self, patterns: Sequence[BytePattern]) -> list[str]:
        """Return the names of all that holds one of these patterns, in the database and on this machine."""
        sought = [(re.compile(pattern.pattern), pattern.sure) for pattern in patterns]
        values = {"tenant": self.tenant, "sure": [pattern.sure for pattern in patterns]}

        def holds(data: bytes) -> bool:
            return any(sure in data and pattern.search(data) is not None for pattern, sure in sought)

        found = [
            name
            for statement in _EVERYTHING
            for name, body in self._transactions.rows_by_name(_HOLDING.format(statement), values, seconds=_SCAN_SECONDS)
            if holds(bytes(body))
        ]
        return list(dict.fromkeys([*found, *self._local.scan(patterns)]))

    # Writing: notes only through the room checkpoints

    @contextmanager
    def lock(self, timeout: float = 30.0) -> Iterator[None]:
        """Be the only writer of this agent's notes in the cluster; all that is done inside is one transaction."""
        with self._locked(self.agent, f"the workspace of agent {self.agent}", timeout):
            yield
        self._notes.keep_copies()

    @contextmanager
    def _locked(self, agent: str, what: str, timeout: float) -> Iterator[None]:
        me = (threading.get_ident(), agent)
        if me in self._handle.holders:
            raise Busy(what, 0.0)
        with self._transactions.locked(agent, what, timeout):
            self._handle.holders.add(me)
            try:
                yield
            finally:
                self._handle.holders.discard(me)

    @contextmanager
    def named_lock(self, name: str, what: str, timeout: float) -> Iterator[None]:
        """Hold a lock of this tenant by its name; Busy, which tells `what`, after `timeout` seconds."""
        with self._transactions.lock(name, what, timeout):
            yield

    @contextmanager
    def job_lock(self, job: str) -> Iterator[None]:
        """Be the only one in the cluster that does a job for this agent; Busy at once if not."""
        with self.named_lock(f".{job}.{self.agent}.lock", f"{job} of agent {self.agent}", 0.0):
            yield

    @contextmanager
    def home_lock(self) -> Iterator[None]:
        """Be the only writer of USER.md and holdfast.toml, which all agents share."""
        with self._locked(MAIN, "the files of the home", 30.0):
            yield

    @contextmanager
    def open_checkpoints(self, name: str, *, make: bool) -> Iterator[CheckpointStore | None]:  # noqa: ARG002
        """Open the checkpoints of the agent, or of the profile: they are there as soon as they are asked for."""
        journal = PostgresJournal(self._transactions, name)
        yield CheckpointStore(self, journal, PostgresObjects(self._transactions, self._notes, name))

    def state_store(self) -> PostgresState:
        """Return the state of all sessions of this tenant."""
        return PostgresState(self._transactions)

    def sweep_beside(self, path: str) -> None:
        """Do nothing: a dead writer's transaction was rolled back."""

    def refuse_unsafe(self, path: NotePath) -> None:
        """Raise TwinPath where another note's name differs only in case or Unicode form."""
        spot = self.spot(path)
        folder = posixpath.dirname(spot.path)
        if self._notes.find(spot.path) is not None:
            return
        key = twin_key(spot.name)
        for other in self._notes.list():
            if posixpath.dirname(other) == folder and twin_key(posixpath.basename(other)) == key:
                raise TwinPath(spot.path, other)

    def replace(self, path: NotePath, data: bytes, *, expected_hash: str | None = None) -> None:
        """Put new bytes in place of a note, if it still has the expected hash; the caller holds the lock."""
        self._notes.put(self.spot(path).path, data, expected_hash)

    @contextmanager
    def replacement(
        self, notes: Sequence[tuple[NotePath, bytes | None, str]], progress: Progress | None = None
    ) -> Iterator[Callable[[], None]]:
        """Prepare new bytes of many notes; the function that this yields puts them in place together."""
        spots = [(self.spot(path).path, data, expected) for path, data, expected in notes]
        self._refuse_twins(path for path, data, _ in spots if data is not None)

        def put_in_place() -> None:
            for done, (path, data, expected) in enumerate(spots, 1):
                if data is None:
                    self._notes.drop(path, expected)
                else:
                    self._notes.put(path, data, expected)
                if progress is not None:
                    progress("Writing", done, len(spots))

        yield put_in_place

    def _refuse_twins(self, paths: Iterable[str]) -> None:
        there = self._notes.list()
        known = {_twin_place(path): path for path in there}
        for path in paths:
            other = known.setdefault(_twin_place(path), path)
            if path not in there and other != path:
                raise TwinPath(path, other)

    def remove(self, path: NotePath, *, expected_hash: str | None = None) -> None:
        """Remove a note, if it still has the expected hash; the caller holds the lock."""
        self._notes.drop(self.spot(path).path, expected_hash)

    def read_file(self, name: str, most: int = _MAX_OWN_FILE_BYTES) -> bytes | None:
        """Return the bytes of a file that is not a note; None when there is none."""
        return self._files.read(name, most)

    def replace_file(self, name: str, data: bytes | None, *, expected_hash: str | None = None) -> None:
        """Replace such a file at once and durably; None removes it."""
        self._files.replace(name, data, expected_hash)

    def log(self, parts: tuple[str, ...], name: str) -> PostgresLog:
        """Return the log of a name in a directory; both are made with the first line."""
        return PostgresLog(self._transactions, parts, name)

    def make_memory_folder(self) -> None:
        """Do nothing: no row needs a folder."""

    def state_folder(self, *names: str) -> str:
        """Make a folder in state/ on this machine, readable only by the owner, and give its path."""
        return self._local.state_folder(*names)

    def _place(self, text: str) -> str:
        if text.startswith("/"):
            split_extra_path((), text)
            raise BadPath(text, "it is absolute, and a tenant has no extra paths")
        return self.spot(readable_path(text)).path


def _twin_place(path: str) -> tuple[str, str]:
    folder, name = posixpath.split(path)
    return folder, twin_key(name)


def _index_of(order: Sequence[str], path: str) -> int:
    from bisect import bisect_left

    return bisect_left(order, path)
