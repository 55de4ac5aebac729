"""Capture facts from what the user says: by a small classifier after each message, by a language model now and then.

Only a direct conversation counts, and in it only what the user said: in a group "I" is somebody else. Where a message
was looked at is kept in the session's state, and one process looks at a time, so that none is looked at twice. A
process that is killed between storing and noting so stores a fact again, which only strengthens it; none is lost.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING, Any

from holdfast.context.session_visibility import sight_of_session
from holdfast.errors import HoldfastError, ProviderFailed
from holdfast.facts.capture.fact_extraction import find_facts
from holdfast.facts.fact import Draft
from holdfast.facts.facts_book import local_day
from holdfast.guard.origin import Origin
from holdfast.guard.paths import NotePath
from holdfast.llm.chat_model import Role, Usage
from holdfast.markdown.fact_row import Category, note_of
from holdfast.named_tuple import NamedTuple
from holdfast.operations.facts_store import StoredFact, capture_fact
from holdfast.transcripts.sanitizer import words_of
from holdfast.transcripts.session_key import Kind, session_mark
from holdfast.transcripts.session_lock import Job, hold_session
from holdfast.transcripts.transcript_entry import Entry
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.llm.chat_model import ChatModel
    from holdfast.sessions.conversation import Session

__all__ = ["NAMESPACE", "Captured", "capture"]

NAMESPACE = "capture"
"""Where a session's state keeps how far it was looked at."""

_RULES, _LLM, _QUESTIONS = "rules", "llm", "questions"
_TOOL = "capture"
_MOST_ASKED = 40  # messages in one request
_MOST_KEPT = 200  # questions of which a session knows that the model was asked
_SECONDS = 60.0
_WAIT = 10.0  # seconds for another process that looks at the same session
_AGAIN = 600.0  # seconds after a failure of the model


class Captured(Value):
    """The facts that were stored or strengthened, how many messages were looked at, and what went wrong."""

    facts: tuple[StoredFact, ...] = ()
    looked_at: int = 0
    asked: bool = False
    """Whether a language model was asked as well."""
    refused: tuple[str, ...] = ()
    """Why something that was noticed is not kept."""
    because: str = ""
    """Why nothing was looked for, if so."""
    usage: Usage = Usage()

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shown: dict[str, Any] = {
            "facts": [fact.to_json() for fact in self.facts],
            "looked_at": self.looked_at,
            "asked": self.asked,
        }
        if self.refused:
            shown["refused"] = list(self.refused)
        if self.because:
            return shown | {"because": self.because}
        return shown


class _Look(NamedTuple):
    """A message of the user, its id and day, and where the line after it begins."""

    words: str
    tokens: int
    end: int
    message: str
    day: date | None
    """None where its time makes no sense."""


def capture(session: Session, model: ChatModel | None = None, *, force: bool = False) -> Captured:
    """Look at what the user said since the last time; `force` asks the model whether or not it is time.

    Nothing that goes wrong here is raised: a conversation must not end because a fact could not be noted.
    """
    settings = session.ctx.settings
    if hindrance := _hindrance(session):
        return Captured(because=hindrance)
    captured = Captured()
    try:
        if settings.capture.enabled:
            # A client may call its hooks at the same moment: each would store before any has noted how far it came.
            with hold_session(session.ctx.workspace, session.key, Job.CAPTURE, _WAIT):
                captured = _by_rules(session)
        if settings.capture_llm.enabled:
            captured = _join(captured, _by_model(session, model or session.ctx.chat_model, force=force))
    except HoldfastError as error:
        return captured.replace(because=f"it could not be finished: {error}")
    return captured


def _hindrance(session: Session) -> str:
    settings = session.ctx.settings
    if not settings.capture.enabled and not settings.capture_llm.enabled:
        return "capture is switched off (capture.enabled)"
    if session.kind is not Kind.DIRECT:
        return f"this is a {session.kind.value} session, where not everybody is the owner"
    if not (sight := sight_of_session(session)).memory:
        return sight.because
    if session.excluded:
        return "this session is excluded from memory"
    return ""


def _by_rules(session: Session) -> Captured:
    facts: list[StoredFact] = []
    refused: list[str] = []
    looked = 0
    held, sure = _state_of(session, _RULES), session.ctx.settings.capture.threshold
    for look in _since(session, held.get("offset", 0)):
        if look.words:
            looked += 1
            found = find_facts(look.words, sure)
            refused += found.refused
            for fact in found.facts:
                _store(session, Draft(fact.text, fact.category, fact.importance), look, facts, refused)
        new = {"offset": look.end}
        if not session.state.compare_and_set(NAMESPACE, _RULES, held or None, new):
            break  # the session was reset meanwhile
        held = new
    return Captured(tuple(facts), looked, refused=tuple(refused))


def _by_model(session: Session, model: ChatModel | None, *, force: bool) -> Captured:
    from holdfast.facts.capture.llm_extraction import facts_in, request_for

    settings, now = session.ctx.settings.capture_llm, session.ctx.clock.now()
    if model is None:
        return Captured(because="there is no model to ask; set one in [llm]")
    gate = session.ctx.for_origin(Origin.AUTO_CAPTURE, session).workspace.gate
    if not gate.allows(NotePath(note_of(Category.FACT))):
        return Captured(because=f'memory.agent_write_mode = "{gate.mode}" lets no fact be kept, so no model is asked')
    held = _state_of(session, _LLM)
    looks = list(_since(session, held.get("offset", 0)))
    spoken = [look for look in looks if look.words]
    due = len(spoken) >= settings.every_turns or sum(look.tokens for look in looks) >= settings.every_tokens
    if not spoken or not (force or (due and held.get("again", 0.0) <= now)):
        return Captured()
    # Claimed before the model is asked: two processes must not pay for the same messages.
    new: dict[str, Any] = {"offset": looks[-1].end}
    if not session.state.compare_and_set(NAMESPACE, _LLM, held or None, new):
        return Captured(because="another process is asking just now")
    asked = spoken[-_MOST_ASKED:]
    messages = [look.words for look in asked]
    try:
        answer = model.chat(request_for(messages), seconds=_SECONDS)
    except ProviderFailed as failure:
        again = {"offset": held.get("offset", 0), "again": now + _AGAIN}
        session.state.compare_and_set(NAMESPACE, _LLM, new, again)
        return Captured(because=f"the model failed: {failure.why}")
    reading = facts_in(answer.text, messages)
    facts: list[StoredFact] = []
    refused = list(reading.dropped)
    for fact in reading.facts:
        _store(session, Draft(fact.text, fact.category, fact.importance), asked[fact.message], facts, refused)
    captured = Captured(tuple(facts), 0, True, tuple(refused), usage=answer.usage)
    try:
        return captured.replace(usage=answer.usage + _answer_questions(session, model))
    except ProviderFailed as failure:
        return captured.replace(because=f"the model failed, so that what it was asked waits: {failure.why}")


def _answer_questions(session: Session, model: ChatModel) -> Usage:
    """Let the model say which facts replace others, where the inbox asks; each once in a session."""
    from holdfast.operations.inbox_question import answer_by_model

    held = session.state.get(NAMESPACE, _QUESTIONS)
    before = [name for name in held if isinstance(name, str)] if isinstance(held, list) else []
    ctx = session.ctx.for_origin(Origin.AUTO_CAPTURE, session)
    asked = answer_by_model(ctx, model, but=before, tool=_TOOL)
    if asked.ids:
        session.state.compare_and_set(NAMESPACE, _QUESTIONS, held, [*before, *asked.ids][-_MOST_KEPT:])
    return asked.usage


def _store(session: Session, draft: Draft, look: _Look, facts: list[StoredFact], refused: list[str]) -> None:
    """Keep what was found in a message, with a link to it and as of its day."""
    ctx = session.ctx.for_origin(Origin.AUTO_CAPTURE, session)
    draft = draft.replace(session=session_mark(session.agent, session.key), message=look.message)
    try:
        stored = capture_fact(ctx, draft, tool=_TOOL, day=look.day)
        facts += [stored] if stored is not None else []
    except HoldfastError as error:
        refused.append(str(error))


def _since(session: Session, offset: int) -> Iterable[_Look]:
    """Every message from an offset on; the words are empty where they are not the user's own."""
    size = session.transcript.bytes
    for read in session.transcript.lines(offset if offset <= size else 0):
        if isinstance(read.record, Entry):
            entry = read.record
            yield _Look(_words(entry), len(entry.text) // 4, read.end, entry.id, _day(entry))


def _words(entry: Entry) -> str:
    if entry.role is not Role.USER or entry.origin != Origin.USER.value:
        return ""
    return words_of(entry.role, entry.text, entry.tags, indented=True)


def _day(entry: Entry) -> date | None:
    with suppress(ValueError, OverflowError, OSError):
        return local_day(entry.at)
    return None


def _state_of(session: Session, key: str) -> dict[str, Any]:
    held = session.state.get(NAMESPACE, key)
    offset = None
    if isinstance(held, dict):
        offset = held.get("offset")
    if isinstance(held, dict) and isinstance(offset, int) and offset >= 0:
        return held
    return {}


def _join(first: Captured, other: Captured) -> Captured:
    return Captured(
        (*first.facts, *other.facts),
        first.looked_at,
        other.asked,
        (*first.refused, *other.refused),
        other.because,
        other.usage,
    )
