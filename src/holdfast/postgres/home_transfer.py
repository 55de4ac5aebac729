"""A home in files ↔ a tenant in PostgreSQL, with its history, its sessions and its settings.

Both engines keep the same contracts, so that one function copies an agent either way. What is derived stays behind: the
index is built anew. So do counts of what was asked for, which are this machine's.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING, Any, Final

from holdfast.checkpoints.checkpoint_store import open_for_reading, open_for_writing
from holdfast.checkpoints.journal import Kind, Record
from holdfast.checkpoints.profile_change import PROFILE_STORE
from holdfast.errors import BadArgument, CheckpointDamaged, HoldfastError, HomeNotFound
from holdfast.guard.paths import NotePath, agent_id
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.notes.note import SkippedFile
from holdfast.postgres.audit import record_act
from holdfast.postgres.postgres_workspace import PostgresWorkspace
from holdfast.postgres.tenants import create_tenant, must_exist
from holdfast.transcripts.hidden_sessions import NAME as HIDDEN_LOG
from holdfast.transcripts.hidden_sessions import HiddenSessions, Mark
from holdfast.transcripts.session_key import directory_of
from holdfast.transcripts.state import StateStore
from holdfast.transcripts.state_engine import open_state
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.notes.workspace import Workspace
    from holdfast.postgres.postgres_pool import PostgresPool

__all__ = ["Transferred", "export_home", "import_home"]

_MAIN: Final = "main"
_AT_ONCE: Final = 500
_FOUND: Final = """SELECT agent FROM holdfast.home UNION SELECT agent FROM holdfast.note
UNION SELECT agent FROM holdfast.journal UNION SELECT agent FROM holdfast.session
UNION SELECT agent FROM holdfast.transcript"""


class Transferred(Value):
    """Says how much was copied."""

    agents: int = 0
    notes: int = 0
    changes: int = 0
    transcripts: int = 0
    files: int = 0
    left_out: tuple[SkippedFile, ...] = ()
    """Files below memory/ of a home that no tenant can have: links, odd names, images."""

    def plus(self, **more: int) -> Transferred:
        """Return the sum."""
        return self.replace(**{name: getattr(self, name) + count for name, count in more.items()})


def import_home(pool: PostgresPool, home: str, tenant: str, *, actor: str = "") -> Transferred:
    """Copy a home into a tenant that has nothing yet; one that is not there is made."""
    if not os.path.isdir(home):
        raise HomeNotFound(home)
    _make_empty_tenant(pool, tenant, actor)
    done = Transferred()
    with tempfile.TemporaryDirectory(prefix="holdfast-") as cache:
        for agent in _agents_in(home):
            with (
                FileWorkspace.open(home, agent) as source,
                closing(PostgresWorkspace.open(pool, tenant, agent, cache=cache)) as target,
            ):
                done = _copy_agent(source, target, done)
                done = done.replace(left_out=(*done.left_out, *_left_out(source)))
                _keep_times(pool, tenant, agent, {note.path: note.mtime_ns for note in source.walk().found})
                _hide_sessions(pool, tenant, agent, HiddenSessions(source).marks(agent))
                for name in _own_files(agent):
                    done = _copy_file(source, target, name, done)
    with pool.administration() as connection:
        record_act(connection, tenant, actor, "home imported", **_counts(done))
    return done


def _left_out(source: FileWorkspace) -> list[SkippedFile]:
    """Return the files below memory/ that are not copied, by where they lie in the home."""
    source.reads_media = True
    walk = source.walk()
    images = [SkippedFile(found.path, "it is an image, and tenants have none") for found in walk.media]
    above = "" if source.agent == _MAIN else f"agents/{source.agent}/"
    return [SkippedFile(f"{above}{path}", why) for path, why in sorted((*walk.skipped, *images))]


def export_home(pool: PostgresPool, tenant: str, home: str, *, actor: str = "") -> Transferred:
    """Write a tenant as a home into a directory that is empty or not there."""
    if os.path.lexists(home) and (not os.path.isdir(home) or os.listdir(home)):
        raise BadArgument("DIR", f"{home!r} is not an empty directory; nothing was written")
    with pool.transaction(tenant, read_only=True) as connection:
        agents = sorted({_MAIN, *(row[0] for row in connection.execute(_FOUND))} - {PROFILE_STORE, ""})
        rows = connection.execute("SELECT agent, digest, forgotten FROM holdfast.hidden_session").fetchall()
    done = Transferred()
    with tempfile.TemporaryDirectory(prefix="holdfast-") as cache:
        for agent in agents:
            with (
                closing(PostgresWorkspace.open(pool, tenant, agent, cache=cache)) as source,
                FileWorkspace.open(home, agent) as target,
            ):
                done = _copy_agent(source, target, done)
                for note in source.walk().found:
                    spot = target.spot(NotePath(note.path))
                    os.utime(os.path.join(home, *spot.parts, spot.name), ns=(note.mtime_ns, note.mtime_ns))
                _write_marks(target, {digest: forgotten for whose, digest, forgotten in rows if whose == agent})
                for name in _own_files(agent):
                    done = _copy_file(source, target, name, done)
    with pool.administration() as connection:
        record_act(connection, tenant, actor, "home exported", **_counts(done))
    return done


def _make_empty_tenant(pool: PostgresPool, tenant: str, actor: str) -> None:
    with pool.administration() as connection:
        known = connection.execute("SELECT 1 FROM holdfast.tenant WHERE id = %s", [tenant]).fetchone()
    if known is None:
        create_tenant(pool, tenant, actor=actor)
        return
    with pool.administration() as connection:
        must_exist(connection, tenant)
        for table in ("note", "journal", "transcript", "file"):
            if connection.execute(f"SELECT 1 FROM holdfast.{table} WHERE tenant = %s LIMIT 1", [tenant]).fetchone():
                raise BadArgument("TENANT", f"{tenant!r} has something already; import into a new one")


def _copy_agent(source: Workspace, target: Workspace, done: Transferred) -> Transferred:
    """Copy notes and history under both locks: into a database, all of it is one transaction."""
    with source.lock(), target.lock():
        changes = _copy_history(source, target, None)
        if source.agent == _MAIN:
            changes += _copy_history(source, target, PROFILE_STORE)
        notes = [note for note in source.walk().found if note.source == "memory"]
        with source.reader() as read:
            for note in notes:
                target.replace(NotePath(note.path), read(note).data)
    transcripts = _copy_transcripts(source, target)
    with _states(source, target) as (old, new):
        _copy_state(source.agent, old, new)
    return done.plus(agents=1, notes=len(notes), changes=changes, transcripts=transcripts)


def _copy_history(source: Workspace, target: Workspace, name: str | None) -> int:
    """Copy the journal and the bytes that its changes know; say how many changes."""
    with open_for_reading(source, name) as old:
        if old is None:
            return 0
        records = list(_settled(list(old.journal.records_backwards())[::-1]))
        if not records:
            return 0
        with open_for_writing(target, name) as new:
            stored: set[str] = set()
            for record in records:
                for digest in (record.before, record.after):
                    if digest is None or digest in stored:
                        continue
                    data = old.objects.load(digest, record.group)
                    if data is not None:  # what was pruned is missing, and known to be
                        if new.objects.store(data) != digest:
                            raise CheckpointDamaged(record.id, "its bytes are not what was stored")
                        stored.add(digest)
            for start in range(0, len(records), _AT_ONCE):
                new.journal.append(*records[start : start + _AT_ONCE], durable=start + _AT_ONCE >= len(records))
    return sum(record.kind is Kind.change for record in records)


def _settled(records: Iterable[Record]) -> Iterator[Record]:
    """Yield the records without changes that did not happen; each change says that it is done."""
    held = list(records)
    abandoned = {(record.seq, record.id) for record in held if record.kind is Kind.abandoned}
    for record in held:
        if record.kind in (Kind.done, Kind.abandoned) or (record.seq, record.id) in abandoned:
            continue
        yield record
        if record.kind is Kind.change:
            yield Record(Kind.done, record.seq, record.id)


def _copy_transcripts(source: Workspace, target: Workspace) -> int:
    parts = directory_of(source.agent)
    names = [name for name in source.log(parts, "").sibling_names() if name.endswith(".jsonl")]
    for name in names:
        lines = [line.data for line in source.log(parts, name).lines() if line.data is not None]
        if lines:
            log = target.log(parts, name)
            log.append(lines[0])
            with log.exclusive() as held:
                assert held is not None
                held.rewrite(b"".join(line + b"\n" for line in lines))
    return len(names)


@contextmanager
def _states(source: Workspace, target: Workspace) -> Iterator[tuple[StateStore, StateStore]]:
    with ExitStack() as stack:
        yield stack.enter_context(closing(open_state(source))), stack.enter_context(closing(open_state(target)))


def _copy_state(agent: str, old: StateStore, new: StateStore) -> None:
    for session in old.sessions(agent):
        new.register(agent, session.key, session.kind, session.channel, session.created)
        new.register(agent, session.key, session.kind, session.channel, session.last)
        for stored in old.list(agent, session.key):
            new.set(agent, session.key, stored.namespace, stored.key, stored.value, stored.updated)


def _copy_file(source: Workspace, target: Workspace, name: str, done: Transferred) -> Transferred:
    data = source.read_file(name)
    if data is None:
        return done
    target.replace_file(name, data)
    return done.plus(files=1)


def _own_files(agent: str) -> Iterator[str]:
    """Yield the names of files that are no notes, and are not derived or this machine's."""
    if agent == _MAIN:
        yield from ("USER.md", "holdfast.toml")
    yield f"agents/{agent}/holdfast.toml"
    yield f"state/{agent}.questions.jsonl"


def _agents_in(home: str) -> list[str]:
    """Return the agents of a home: those that have notes, sessions or checkpoints."""
    found = {_MAIN}
    for folder in ("agents", "sessions", os.path.join("state", "checkpoints")):
        place = os.path.join(home, folder)
        if os.path.isdir(place):
            with os.scandir(place) as entries:
                found.update(entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
    return sorted(filter(_is_agent, found), key=lambda name: (name != _MAIN, name))


def _is_agent(name: str) -> bool:
    try:
        agent_id(name)
    except HoldfastError:
        return False
    return True


def _keep_times(pool: PostgresPool, tenant: str, agent: str, times: dict[str, int]) -> None:
    """Let notes be as old as their files are: how old a note is counts in a search."""
    rows = [(moment / 1e9, tenant, agent, path) for path, moment in times.items()]
    statement = "UPDATE holdfast.note SET changed = to_timestamp(%s) WHERE tenant = %s AND agent = %s AND path = %s"
    with pool.transaction(tenant) as connection, connection.cursor() as cursor:
        cursor.executemany(statement, rows)


def _hide_sessions(pool: PostgresPool, tenant: str, agent: str, marks: dict[str, Mark]) -> None:
    hidden = [
        (tenant, agent, digest, mark is Mark.FORGOTTEN) for digest, mark in marks.items() if mark is not Mark.SHOWN
    ]
    statement = (
        "INSERT INTO holdfast.hidden_session (tenant, agent, digest, forgotten) VALUES (%s, %s, %s, %s) "
        "ON CONFLICT (tenant, agent, digest) DO UPDATE SET forgotten = EXCLUDED.forgotten"
    )
    with pool.transaction(tenant) as connection, connection.cursor() as cursor:
        cursor.executemany(statement, hidden)


def _write_marks(target: FileWorkspace, hidden: dict[str, Any]) -> None:
    log = target.log(directory_of(target.agent), HIDDEN_LOG)
    for digest, is_forgotten in hidden.items():
        mark = Mark.FORGOTTEN if is_forgotten else Mark.EXCLUDED
        log.append(json.dumps({"session": digest, "is": mark.value}, separators=(",", ":")).encode())


def _counts(done: Transferred) -> dict[str, int]:
    held = {name: getattr(done, name) for name in done.fields if name != "left_out"}
    return held | {"left_out": len(done.left_out)}
