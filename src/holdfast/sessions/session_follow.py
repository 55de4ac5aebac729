"""A conversation that another program leads, kept as one of our sessions: what was said goes in, once.

The program keeps its own record and hands over all of it each time. What is known already is passed over by the id
that the program gave it, or by its words where it has none, so that a hook may be called twice, die half-way, or meet
another at work, and nothing is kept twice. A message that was written again under its id replaces the old one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.approval.typed_prompts import clear_prompts
from holdfast.context.session_export import export_session, may_export
from holdfast.errors import Busy, HoldfastError, StorageFailed
from holdfast.guard.origin import Origin
from holdfast.llm.chat_model import Role
from holdfast.named_tuple import NamedTuple
from holdfast.plural import count_of
from holdfast.sessions.session_forget import FORGOTTEN, is_forgotten
from holdfast.settings.memory_settings import SessionExport
from holdfast.transcripts.session_entry import Utterance, make_entry
from holdfast.transcripts.session_lock import Job, hold_session
from holdfast.value import Shown

if TYPE_CHECKING:
    from holdfast.llm.chat_model import ChatModel
    from holdfast.sessions.conversation import Session

__all__ = ["NOTHING_NEW", "FollowResult", "RecordMessage", "follow", "follow_at_end", "follow_before_compaction"]

NOTHING_NEW = "nothing was said since the last silent turn"
"""Why no model is asked where a program announces another compaction."""

_NAMESPACE = "follow"
_NO_NAME = "?"  # the source_id of a message of another program that gives it none
_NAMELESS = ("", _NO_NAME)
_WAIT = 10.0  # seconds for another hook of the same session


class RecordMessage(NamedTuple):
    """One message of the other program's record; `at` is when, and `id` its name there, where the record says so."""

    role: Role
    text: str
    at: float | None = None
    id: str = ""


class FollowResult(Shown):
    """Says what became of a conversation: messages that were new, facts that were noticed, notes that were written."""

    added: int = 0
    facts: int = 0
    notes: tuple[str, ...] = ()
    because: str = ""

    @property
    def line(self) -> str:
        """All of it in a line, as the log of the hooks has it."""
        if self.notes:
            notes = f", wrote {', '.join(self.notes)}"
        else:
            notes = ""
        if self.because:
            because = f"; {self.because}"
        else:
            because = ""
        return f"{count_of(self.added, 'message')}, {count_of(self.facts, 'fact')}{notes}{because}"


def follow(session: Session, messages: Sequence[RecordMessage]) -> int:
    """Add what is new to the session, in order and with its own times; says how many messages that were.

    To a session that was forgotten nothing is added: the other program still has its record, and its owner wants none.
    """
    with hold_session(session.ctx.workspace, session.key, Job.RECORD, _WAIT):  # two hooks can be called at once
        if is_forgotten(session):
            return 0
        entries = session.messages()
        by_id = {entry.source_id: entry for entry in entries if entry.source_id not in _NAMELESS}
        by_words = Counter((entry.role, entry.text) for entry in entries if entry.source_id in _NAMELESS)
        added = 0
        now = session.ctx.clock.now()
        for message in messages:
            said_at = min(message.at, now) if message.at is not None else now
            said = Utterance(message.role, message.text, Origin.USER if message.role is Role.USER else Origin.AGENT)
            entry = make_entry(session.transcript.next_id(), said_at, said, session.ctx.settings.memory.secrets)
            entry = entry.replace(source_id=message.id or _NO_NAME)
            if (held := by_id.get(message.id)) is not None:
                if held.role is entry.role and held.text != entry.text:
                    session.transcript.replace(entry.replace(id=held.id, at=held.at))
                continue
            if by_words[entry.role, entry.text] > 0:
                by_words[entry.role, entry.text] -= 1
                continue
            session.transcript.append(entry)
            added += 1
        if added:
            # It is in the list of sessions from now on; that the list can't be written loses nothing that was said.
            with suppress(StorageFailed, Busy):
                session.state.set(_NAMESPACE, "messages", session.transcript.count)
            if session.ctx.searches_sessions:
                session.ctx.session_index.grew(session.transcript.log)
        with suppress(StorageFailed, Busy):
            clear_prompts(session, (message.text for message in messages if message.role is Role.USER))
    return added


def follow_before_compaction(
    session: Session, messages: Sequence[RecordMessage], model: ChatModel | None = None, *, force: bool = True
) -> FollowResult:
    """Keep what was said, and let the silent turn save what matters of it: the other program is about to shorten it.

    Without `force` it only may do so, and the turn is taken where the conversation is long enough for that.
    """
    if is_forgotten(session):
        return FollowResult(because=FORGOTTEN)
    if off := session.ctx.settings.memory.style.stops_memory:
        return FollowResult(because=off)
    added, facts, because = _take_in(session, messages)
    if session.transcript.cycle and not session.transcript.bytes_since_compaction:
        return FollowResult(added, facts, (), "; ".join(filter(None, (because, NOTHING_NEW))))
    flushed = session.before_compaction(model, force=force)
    if flushed.ran and not flushed.failed:
        # What stays in the other program's sight is its business; ours is that the next turn sees only what is new.
        session.compacted()
    return FollowResult(
        added, facts, flushed.paths, "; ".join(filter(None, (because, "" if flushed.ran else flushed.why)))
    )


def follow_at_end(session: Session, messages: Sequence[RecordMessage]) -> FollowResult:
    """Keep what was said, and write the conversation down as a note, as the settings say."""
    if is_forgotten(session):
        return FollowResult(because=FORGOTTEN)
    if off := session.ctx.settings.memory.style.stops_memory:
        return FollowResult(because=off)
    added, facts, because = _take_in(session, messages)
    if session.ctx.settings.memory.session_export is SessionExport.OFF:
        return FollowResult(added, facts, (), "; ".join(filter(None, (because, "memory.session_export is off"))))
    if not may_export(session.ctx):
        reason = f'memory.agent_write_mode = "{session.ctx.workspace.gate.mode}" lets no export be written'
        return FollowResult(added, facts, (), "; ".join(filter(None, (because, reason))))
    export = export_session(session)
    notes: tuple[str, ...] = ()
    if export is not None and export.is_kept:
        notes = (export.path,)
    return FollowResult(added, facts, notes, because)


def _take_in(session: Session, messages: Sequence[RecordMessage]) -> tuple[int, int, str]:
    added = follow(session, messages)
    try:
        captured = session.capture()
    except HoldfastError as error:
        return added, 0, str(error)
    return added, len(captured.facts), captured.because
