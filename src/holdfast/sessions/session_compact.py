"""A session that grows too long: the silent turn before it is shortened, and the shortening."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from holdfast.context.save_target import daily_note, may_write
from holdfast.context.session_visibility import sight_of_session
from holdfast.context.user_profile import user_now
from holdfast.errors import BadArgument, Busy, HoldfastError
from holdfast.guard.argument_types import display_value
from holdfast.guard.origin import Origin
from holdfast.guard.paths import NotePath, readable_path, writable_path
from holdfast.markdown.budget import squeeze, tail
from holdfast.operations.context_window import window_of
from holdfast.operations.memory_append import append_new
from holdfast.plural import count_of
from holdfast.sessions.compaction import Compacted, Plan, summarise
from holdfast.sessions.cut_points import cut_at, last_request
from holdfast.sessions.digest import saved_in
from holdfast.sessions.flush import Flushed, Turn, flush, join_turns
from holdfast.sessions.flush_claim import Claim, claim, is_taken, is_unfinished
from holdfast.sessions.flush_pages import Page, pages_of
from holdfast.sessions.flush_threshold import Due, due, limit_of
from holdfast.settings.session_settings import CompactionMode
from holdfast.transcripts.sanitizer import words_of
from holdfast.transcripts.session_lock import Job, hold_session, is_held
from holdfast.transcripts.tokens import tokens_in
from holdfast.transcripts.transcript_entry import Compaction, Entry

if TYPE_CHECKING:
    from holdfast.context.context import Context
    from holdfast.llm.chat_model import ChatModel
    from holdfast.operations.memory_save import Saved
    from holdfast.sessions.conversation import Session

__all__ = ["POSTPONED", "before_compaction", "can_shorten", "compact", "compacted", "flush_due"]

POSTPONED = "what matters could not be saved, so nothing is shortened yet; it is tried again at the next turn"

_HAD_IT = "the silent turn was taken already since the last compaction"
_AT_IT = "another process is saving what matters just now"
_DONE = "another process has just shortened it"
_WAIT = 10.0  # seconds for another process that exports the session or adds to it
_TOOL = "flush"
_LEAST_SUMMARY = 250  # tokens, however small the window is: what stands in for a conversation must say something
_LEAST_ANSWER = 256  # tokens


def flush_due(session: Session, *, tokens: int | None = None, context_window: int | None = None) -> Due:
    """Say whether the conversation has reached its limit and the silent turn was not taken yet."""
    transcript, ctx = session.transcript, session.ctx
    cycle = transcript.cycle
    if tokens is None:
        count = tokens_in(transcript.context())
    else:
        count = _positive("tokens", tokens, least=0)
    settings = ctx.settings.memory_flush
    threshold = due(
        count, _limit(session, context_window), transcript.bytes_since_compaction, settings.transcript_bytes, cycle
    )
    if not threshold.due:
        return threshold
    hindrance = _hindrance(session)
    if not hindrance:
        held = session.state.get("flush", "cycle")
        begun = is_unfinished(held, cycle)
        alive = begun and is_held(ctx.workspace, session.key, Job.FLUSH)
        if is_taken(held, cycle, ctx.clock.now(), dead=begun and not alive):
            hindrance = _AT_IT if alive else _HAD_IT
    if hindrance:
        return threshold.replace(due=False, why=hindrance)
    return threshold


def before_compaction(
    session: Session,
    model: ChatModel | None = None,
    *,
    tokens: int | None = None,
    context_window: int | None = None,
    force: bool = False,
    leaving: Sequence[Entry] | None = None,
    cycle: int | None = None,
) -> Flushed:
    """Take the silent turn if it is due; `force` does not ask whether the conversation is long enough.

    `leaving` are the messages that will go out of sight, where that is known, and `cycle` how often it was shortened
    when they were looked at; else it is shown all that is sent.
    However it ends, nothing of the notes is lost: `why` says what happened.
    """
    model = model or session.ctx.chat_model
    if model is None:
        return Flushed(False, "there is no model to ask; set one in [llm]")
    if hindrance := _hindrance(session):
        return Flushed(False, hindrance)
    if not force and not (threshold := flush_due(session, tokens=tokens, context_window=context_window)).due:
        return Flushed(False, threshold.why)
    if cycle is None:
        cycle = session.transcript.cycle
    context = session.transcript.context()
    shown = context if leaving is None else leaving
    if not any(words_of(entry.role, entry.text, entry.tags) for entry in shown):
        return Flushed(False, "nothing was said yet")
    with ExitStack() as stack:
        try:
            stack.enter_context(hold_session(session.ctx.workspace, session.key, Job.FLUSH))
        except Busy:
            return Flushed(False, _AT_IT, busy=True)
        except HoldfastError as error:
            return Flushed(False, f"the turn could not be claimed: {getattr(error, 'why', None) or error}")
        try:
            if session.transcript.cycle != cycle:  # what is shown here would take the turn of what is said from now on
                return Flushed(False, _DONE)
            claimed = claim(session.state, cycle, session.ctx.clock.now(), again=force)
        except HoldfastError as error:
            return Flushed(False, f"the turn could not be claimed: {getattr(error, 'why', None) or error}")
        if claimed is None:
            return Flushed(False, _HAD_IT)
        todo = _messages_after(context, shown, claimed.seen)
        return _run_flush(session, model, claimed, todo, _window(session, context_window, model))


def compact(
    session: Session,
    model: ChatModel | None = None,
    *,
    keep_tokens: int | None = None,
    patient: bool = False,
    context_window: int | None = None,
) -> Compacted:
    """Shorten what a model is sent, after the silent turn: what is about to go out of sight is saved first.

    `context_window` is the model's, where that is known. `patient` leaves everything as it is where a provider's
    failure kept it from being saved; there must be room to.
    """
    transcript, settings = session.transcript, session.ctx.settings.compaction
    cycle, (carried, entries) = transcript.cycle, _context(session)
    window = _window(session, context_window, model)
    at = _cut(session, entries, keep_tokens, window)
    if not at:
        return Compacted(
            0, len(entries), carried, because="there is nothing to leave out: what is to stay is all of it"
        )
    flushed = before_compaction(session, model, force=True, leaving=entries[:at], cycle=cycle, context_window=window)
    if transcript.cycle != cycle:
        return Compacted(0, len(entries), carried, flushed, because=_DONE)
    if flushed.busy:
        return Compacted(0, len(entries), carried, flushed, because=f"{_AT_IT}; it is shortened after that")
    if flushed.failed and patient:
        return Compacted(0, len(entries), carried, flushed, because=POSTPONED)
    plan = _plan(session, entries, at, carried, flushed)
    summary, because, usage = plan.digest, "", flushed.usage
    model = model or session.ctx.chat_model
    if settings.mode is CompactionMode.SUMMARY and model is None:
        because = "there is no model to write it; set one in [llm]"
    elif settings.mode is CompactionMode.SUMMARY and model is not None:
        summary, because, took = summarise(model, plan, entries[:at], window)
        usage += took
    summary = squeeze(summary, max(_LEAST_SUMMARY, window // 8))
    kept_from = entries[at].id
    with hold_session(session.ctx.workspace, session.key, Job.RECORD, _WAIT):
        if transcript.cycle != cycle:  # the first that stays here may be out of sight by now, and all with it
            return Compacted(0, len(entries), carried, flushed, because=_DONE, usage=usage)
        transcript.append(Compaction(transcript.next_id(), session.ctx.clock.now(), summary, kept_from))
    return Compacted(at, len(entries) - at, summary, flushed, kept_from, because, usage)


def can_shorten(session: Session, *, context_window: int | None = None) -> bool:
    """Say whether there is anything to leave out: a single message stays, however long it is."""
    return _cut(session, _context(session)[1], None, _window(session, context_window)) > 0


def compacted(session: Session, *, kept_from: str | None = None, summary: str = "") -> None:
    """Note that the agent has shortened the conversation itself, keeping the messages from an id on (else the last)."""
    with hold_session(session.ctx.workspace, session.key, Job.RECORD, _WAIT):
        _, entries = _context(session)
        if not entries:
            raise BadArgument("kept_from", "the session has no messages")
        if kept_from is None:
            first = entries[-1].id
        else:
            first = kept_from
        if not any(entry.id == first for entry in entries):
            raise BadArgument("kept_from", f"{first[:80]!r} is no message of those that are sent now")
        session.transcript.append(
            Compaction(session.transcript.next_id(), session.ctx.clock.now(), _redact(session, summary), first)
        )


def _run_flush(session: Session, model: ChatModel, claimed: Claim, entries: list[Entry], window: int) -> Flushed:
    ctx = _writer(session)
    today = user_now(session.ctx).strftime("%Y-%m-%d")
    note = _note_of(ctx).text
    settings = session.ctx.settings.memory_flush
    # Half of the window to the page, an eighth to the note, a quarter to the answer; the rest are the rules.
    settings = settings.replace(max_tokens=min(settings.max_tokens, max(_LEAST_ANSWER, window // 4)))
    pages, left_out = pages_of(entries, max(1000, window // 2))
    paths: list[str] = []

    def write(path: str, content: str) -> Saved | None:
        claimed.writing()
        saved = append_new(ctx, content, path, tool=_TOOL)
        if saved is not None:
            paths.append(saved.path)
        return saved

    def read(number: int, page: Page) -> Flushed:
        claimed.page(page.last, more=number < len(pages))
        turn = Turn(page.text, today, note, tail(_note_text(session, note), window // 2).text, number, len(pages))
        return flush(model, turn, settings, write)

    done: list[Flushed] = []
    try:
        for number, page in enumerate(pages, 1):
            done.append(read(number, page))
            if done[-1].failed:
                break
            claimed.passed()
    except BaseException as error:
        claimed.failed(f"it was broken off ({type(error).__name__})", paths)
        raise
    if done:
        flushed = join_turns(done)
    else:
        flushed = Flushed(True, "what was said is dealt with already")
    if left_out:
        flushed = flushed.replace(
            why=f"{flushed.why}; {count_of(left_out, 'message')} could not be read for want of room"
        )
    if flushed.failed:
        claimed.failed(flushed.why, paths)
    else:
        claimed.done(flushed.why, paths)
    return flushed


def _writer(session: Session) -> Context:
    """The context in which the silent turn writes: nobody asked for it, so it is no doing of the owner's."""
    return session.ctx.for_origin(Origin.AUTO_CAPTURE, session)


def _note_of(ctx: Context) -> NotePath:
    """Return where the turn writes: the day's note, else MEMORY.md where no note below memory/ may be changed."""
    note = writable_path(daily_note(ctx))
    if may_write(ctx, note):
        return note
    return writable_path("MEMORY.md")


def _messages_after(context: Sequence[Entry], shown: Sequence[Entry], seen: str) -> list[Entry]:
    """Return the messages after the one with this id; all of them where it is not sent any more."""
    place = next((at for at, entry in enumerate(context) if entry.id == seen), -1)
    earlier = {entry.id for entry in context[: place + 1]}
    return [entry for entry in shown if entry.id not in earlier]


def _cut(session: Session, entries: Sequence[Entry], keep_tokens: int | None, window: int) -> int:
    """The place of the first message that stays."""
    # the default would keep all of a conversation in a small window
    default = min(session.ctx.settings.compaction.keep_tokens, _limit(session, window) // 2)
    return cut_at(entries, _positive("keep_tokens", default if keep_tokens is None else keep_tokens, least=0))


def _hindrance(session: Session) -> str:
    """Return why the settings, or the disk, keep the turn from writing; empty where nothing does."""
    settings, sight = session.ctx.settings, sight_of_session(session)
    ctx = _writer(session)
    if not settings.memory_flush.enabled:
        return "compaction.memory_flush.enabled is false"
    if sealed := settings.sandbox.stops_flush:
        return sealed
    if ctx.workspace.gate.is_shut:
        return 'memory.agent_write_mode is "off"'
    if session.excluded:
        return "the session is excluded: what was said in it is not to be kept elsewhere"
    if not sight.memory or (not sight.prompt_memory and _note_of(ctx).is_prompt_memory):
        return sight.because
    home = session.ctx.workspace.home
    if os.access(home, os.W_OK):
        return ""
    return "the workspace can't be written to"


def _plan(session: Session, entries: list[Entry], at: int, carried: str, flushed: Flushed) -> Plan:
    everything = session.transcript.entries()
    first = next(place for place, entry in enumerate(everything) if entry.id == entries[at].id)
    request = last_request(entries)
    return Plan(
        tuple(everything[:first]),
        tuple(dict.fromkeys((*saved_in(carried), *flushed.paths))),
        entries[request] if 0 <= request < at else None,
        carried,
        user_now(session.ctx).tzinfo,
    )


def _context(session: Session) -> tuple[str, list[Entry]]:
    """The summary that stands there now, and the messages after it."""
    entries = session.transcript.context()
    if entries and "summary" in entries[0].tags:
        return entries[0].text, entries[1:]
    return "", entries


def _note_text(session: Session, note: str) -> str:
    """Return what today's note holds; a note that can't be read is none, since the turn only adds to it."""
    try:
        return session.ctx.workspace.read(readable_path(note)).data.decode("utf-8", "replace")
    except HoldfastError:
        return ""


def _window(session: Session, given: int | None, model: ChatModel | None = None) -> int:
    if given is None:
        return window_of(session.ctx, model)
    return _positive("context_window", given)


def _limit(session: Session, window: int | None) -> int:
    settings = session.ctx.settings
    return limit_of(
        _window(session, window),
        settings.compaction.reserve_tokens_floor,
        settings.memory_flush.soft_threshold_tokens,
    )


def _positive(name: str, value: int, *, least: int = 1) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise BadArgument(name, f"{display_value(value)} is no whole number from {least} on")
    return value


def _redact(session: Session, text: str) -> str:
    from holdfast.guard.secrets import redact
    from holdfast.settings.memory_settings import Secrets

    if session.ctx.settings.memory.secrets is Secrets.ALLOW:
        return text
    return redact(text)
