"""The sessions of an agent: those that the state knows, and those of which only a transcript is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.errors import SessionNotFound
from holdfast.notes.log import Log
from holdfast.transcripts.session_key import Kind, directory_of, file_name
from holdfast.transcripts.state import Known
from holdfast.transcripts.transcript import last_message_time, read_log
from holdfast.transcripts.transcript_entry import Opening
from holdfast.value import Shown

if TYPE_CHECKING:
    from holdfast.context.context import Context

__all__ = ["Listed", "find_session", "session_list"]


class Listed(Shown):
    """One session; `last` is when its last message was said, and `bytes` the size of its transcript."""

    key: str
    kind: Kind
    channel: str
    created: float
    last: float
    excluded: bool
    bytes: int
    path: str


def session_list(ctx: Context) -> list[Listed]:
    """Return the sessions of this agent, the one used last first."""
    agent = ctx.workspace.agent
    known = {file_name(session.key): session for session in ctx.state_store.sessions(agent)}
    parts = directory_of(agent)
    sessions = []
    for name in (name for name in ctx.workspace.log(parts, ".").sibling_names() if name.endswith(".jsonl")):
        lost = None
        if name not in known:
            lost = _opening(ctx.workspace.log(parts, name))
        # An archive begins with the key of its session too, but is no session itself.
        if lost is not None and file_name(lost.key) == name:
            known[name] = Known(
                agent,
                lost.key,
                lost.session,
                lost.channel,
                lost.at,
                lost.at,
                ctx.state_store.hidden(agent, lost.key),
            )
    for name, session in known.items():
        log = ctx.workspace.log(parts, name)
        status = log.status()
        # The times are those of what was said, not the file's: a copy, or a restored backup, is no newer conversation.
        last_message = None
        if status is not None:
            last_message = last_message_time(log)
        if last_message is None:
            last = session.last
        else:
            last = last_message
        size = status.size if status is not None else 0
        sessions.append(
            Listed(session.key, session.kind, session.channel, session.created, last, session.excluded, size, log.shown)
        )
    return sorted(sessions, key=lambda session: (-session.last, session.key))


def find_session(ctx: Context, key: str) -> Listed:
    """The session of this key, or SessionNotFound."""
    session = next((listed for listed in session_list(ctx) if listed.key == key), None)
    if session is None:
        raise SessionNotFound(key)
    return session


def _opening(log: Log) -> Opening | None:
    first = next(read_log(log), None)
    if first is not None and isinstance(first.record, Opening):
        return first.record
    return None
