"""The transcripts of one agent → the index: which of them are to be found, how far each has come, and what must go."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from datetime import tzinfo
from functools import partial

from holdfast.errors import HoldfastError
from holdfast.index.sqlite.edition import Edition
from holdfast.index.store_contract import NoteState
from holdfast.named_tuple import NamedTuple
from holdfast.notes.log import Log
from holdfast.notes.workspace import Workspace
from holdfast.settings.index_settings import SessionSyncSettings
from holdfast.transcripts.session_key import archive_number, directory_of, file_name
from holdfast.transcripts.transcript_entry import Opening, parse
from holdfast.transcripts.transcript_rows import drop_rows, index_log, pending_lines

__all__ = ["Progress", "TranscriptRules", "catch_up", "files_of", "index_progress", "is_due", "key_of", "transcripts"]

_ENDING = ".jsonl"
_LEFT_NS = 3600 * 10**9  # after an hour without a word, little is worth indexing too


class TranscriptRules(NamedTuple):
    """The rules by which transcripts become rows: those that are to be found, and how their lines are cut.

    `hidden` tells by its key that a session must not be found. What is `covered` by a note that says the same is left
    to that note: it would be found twice.
    """

    hidden: Callable[[str], bool]
    covered: Callable[[Log, str], bool]
    zone: tzinfo | None
    tokens: int
    overlap: int


class Progress(NamedTuple):
    """Says how far the transcripts of an agent are indexed."""

    transcripts: int = 0
    indexed: int = 0
    excluded: int = 0
    pending_bytes: int = 0


def transcripts(workspace: Workspace) -> Iterator[Log]:
    """Every transcript of the agent, live or put aside."""
    parts = directory_of(workspace.agent)
    for name in workspace.log(parts, "").sibling_names():
        if name.endswith(_ENDING) and not name.startswith("."):
            yield workspace.log(parts, name)


def key_of(log: Log) -> str:
    """The key of the session that a transcript is of: its first line says so, and where that is lost, its name."""
    first = next(log.lines(), None)
    record = None
    if first is not None and first.data is not None:
        record = parse(first.data)
    if isinstance(record, Opening):
        return record.key
    return log.name.removesuffix(_ENDING)


def files_of(agent: str, key: str, known: Collection[str]) -> list[str]:
    """Return which of these paths are transcripts of a session, live or put aside."""
    above = "/".join(directory_of(agent))
    name = file_name(key)
    files: list[str] = []
    for path in known:
        folder, _, own = path.rpartition("/")
        if folder == above and (own == name or archive_number(name, own) is not None):
            files.append(path)
    return files


def is_due(log: Log, state: NoteState | None, limits: SessionSyncSettings, now_ns: int) -> bool:
    """Say whether a transcript has grown by so much since it was last indexed that it is worth going on."""
    status = log.status()
    if status is None:
        return False
    grown = status.size - (0 if state is None else state.size)
    if grown >= limits.delta_bytes or grown < 0:
        return True
    # Whoever talked there has gone, perhaps by a kill; or the index is a new one.
    left = now_ns - status.mtime_ns > _LEFT_NS
    return grown > 0 and (left or pending_lines(log, state) >= limits.delta_messages)


def catch_up(
    edition: Edition,
    workspace: Workspace,
    rules: TranscriptRules,
    *,
    limits: SessionSyncSettings | None = None,
    names: Collection[str] = (),
) -> int:
    """Index what is new in all transcripts and drop what must not be found; says how many lines were new.

    With `limits`, only in those that have grown by as much, and in `names`, whose sessions have ended.
    """
    lines = 0
    kept: set[str] = set()
    known = {path: state for path, state in edition.known().items() if _is_ours(path)}
    for log in transcripts(workspace):
        try:
            key = key_of(log)
            if rules.hidden(key) or rules.covered(log, key):
                continue
            kept.add(log.shown)
            if limits is None or log.name in names or is_due(log, known.get(log.shown), limits, workspace.now_ns()):
                wanted = partial(_stays, log, key, rules.hidden)
                lines += index_log(
                    edition, log, tokens=rules.tokens, overlap=rules.overlap, zone=rules.zone, wanted=wanted
                )
        except HoldfastError:
            continue  # a link, a device, a file that can't be read: none that we wrote
    drop_rows(edition, [path for path in known if path not in kept])
    return lines


def index_progress(
    edition: Edition | None,
    workspace: Workspace,
    hidden: Callable[[str], bool],
    covered: Callable[[Log, str], bool] = lambda *_: False,
) -> Progress:
    """Return how far the transcripts are indexed, without changing anything."""
    known = {} if edition is None else edition.known()
    count = indexed = excluded = waiting = 0
    for log in transcripts(workspace):
        try:
            status, key = log.status(), key_of(log)
            found_elsewhere = not hidden(key) and covered(log, key)
        except HoldfastError:
            continue
        if status is None:
            continue
        count += 1
        if hidden(key):
            excluded += 1
            continue
        if found_elsewhere:
            indexed += 1
            continue
        state = known.get(log.shown)
        indexed += state is not None
        waiting += max(0, status.size - (0 if state is None else state.size))
    return Progress(count, indexed, excluded, waiting)


def _is_ours(path: str) -> bool:
    return path.startswith("sessions/")


def _stays(log: Log, key: str, hidden: Callable[[str], bool]) -> bool:
    """Say whether a transcript that was just indexed may stay: it may have been forgotten or put aside meanwhile."""
    return log.status() is not None and not hidden(key)
