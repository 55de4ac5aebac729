"""The mark of a fact → the message of the user that it was captured from, as its session has it now."""

from __future__ import annotations

from typing import Any

from holdfast.context.context import Context
from holdfast.context.session_list import session_list
from holdfast.context.session_visibility import caller_sight
from holdfast.facts.fact import Fact
from holdfast.transcripts.session_key import directory_of, file_name, session_mark
from holdfast.transcripts.transcript import read_log
from holdfast.transcripts.transcript_entry import Entry
from holdfast.value import Value

__all__ = ["FactSource", "find_source"]


class FactSource(Value):
    """The session by its key, and the message that said it; without one, where that is known no longer."""

    session: str
    message: Entry | None = None

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        if self.message is None:
            return {"session": self.session, "message": None, "at": None, "text": None}
        said = self.message
        return {"session": self.session, "message": said.id, "at": said.at, "text": said.text}


def find_source(ctx: Context, fact: Fact) -> FactSource | None:
    """Return where a fact comes from.

    None where no session of today is meant, and for a session that may not see all others.
    """
    if not fact.session or caller_sight(ctx) is not None:
        return None
    agent = ctx.workspace.agent
    for session in session_list(ctx):
        if session_mark(agent, session.key) == fact.session and not session.excluded:
            return FactSource(session.key, _find_message(ctx, session.key, fact.message))
    return None


def _find_message(ctx: Context, key: str, message: str) -> Entry | None:
    if not message:
        return None
    log = ctx.workspace.log(directory_of(ctx.workspace.agent), file_name(key))
    records = (read.record for read in read_log(log))
    return next((entry for entry in records if isinstance(entry, Entry) and entry.id == message), None)
