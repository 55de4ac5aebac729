"""Recall before a turn: memory is searched on the side, and the turn goes on after the deadline whatever happened."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from holdfast.context.context import Context
from holdfast.errors import HoldfastError
from holdfast.llm.chat_model import Role
from holdfast.named_tuple import NamedTuple
from holdfast.notes.nonce import new_nonce
from holdfast.recall.recall import About, Recalled, age_of, choose_hits, query_of, render_hits
from holdfast.recall.trivial_message import trivial_reason
from holdfast.search.hit import Hit
from holdfast.settings.session_settings import RecallCitations
from holdfast.transcripts.session_note import stamp_of

if TYPE_CHECKING:
    from holdfast.search.calendar_spans import Span
    from holdfast.search.time_window import Window
    from holdfast.sessions.conversation import Session

__all__ = ["Recaller", "recall_for"]

_FRONT_BYTES = 4096  # of a note: a date in its front matter stands there
_SPEAKING = (Role.USER, Role.ASSISTANT)
_SPARE = 20  # more hits than are shown: some are in the prompt already, some say what only they do
_TURNS_BEFORE = 4  # messages of the session that a question may lean on


class _NoteTime(NamedTuple):
    """Says how old a note is, and which days it is of; what can't be told is empty."""

    age: str = ""
    days: Span | None = None


class _Answer(NamedTuple):
    """Says what a search on the side brought, or why it did not."""

    hits: tuple[Hit, ...] = ()
    written: Mapping[str, _NoteTime] = {}
    why: str = ""
    asked: Window | None = None
    """The time that the message asks for."""


class Recaller:
    """Searches in a thread of its own, with an index of its own: one that comes too late can't disturb anybody."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._own: Context | None = None
        self._busy = threading.Lock()
        self._closed = False

    def ask(self, session: Session, query: str, context: Sequence[str], limit: int, seconds: float) -> _Answer:
        """The hits for a query, if they come within so many seconds."""
        if not self._busy.acquire(blocking=False):
            return _Answer(why="an earlier recall is still at work")
        answers: list[_Answer] = []
        done = threading.Event()

        def search() -> None:
            try:
                answers.append(self._search(session, query, context, limit))
            except HoldfastError as error:
                answers.append(_Answer(why=str(error)))
            except Exception as error:  # noqa: BLE001 - nobody waits for this thread, and no turn may fail for it
                answers.append(_Answer(why=f"{type(error).__name__}: {error}"))
            finally:
                # In this order: whoever asks or closes next finds us free, or leaves the closing to us.
                self._busy.release()
                done.set()
                if self._closed:
                    self._let_go()

        threading.Thread(target=search, name="holdfast-recall", daemon=True).start()
        if done.wait(seconds):
            return answers[0]
        return _Answer(why=f"there was no answer within {seconds * 1000:.0f} ms (memory.recall.deadline_ms)")

    def close(self) -> None:
        """Close the index; a search that is still at work does so when it ends."""
        self._closed = True
        self._let_go()

    def _let_go(self) -> None:
        if self._busy.acquire(blocking=False):
            own, self._own = self._own, None
            self._busy.release()
            if own is not None:
                with suppress(Exception):
                    own.close()

    def _search(self, session: Session, query: str, context: Sequence[str], limit: int) -> _Answer:
        from holdfast.context.note_search import search_for_prompt
        from holdfast.context.search_signals import notice_answers
        from holdfast.search.note_weights import time_asked
        from holdfast.sessions.session_replies import join_replies

        own = self._open_context()
        own.session = session
        results = search_for_prompt(own, query, limit, context)
        hits = _facts_first(own, query, results.results)
        notice_answers(own, results.replace(results=hits))
        hits = join_replies(own, query, hits)
        asked = time_asked(query, own.weighing(None), own.settings.search)
        return _Answer(hits, _note_times(own, hits), "" if hits else results.because, asked)

    def _open_context(self) -> Context:
        if self._own is None:
            ctx = self._ctx
            own = Context(ctx.settings, ctx.workspace.reopen(), ctx.clock, ctx.origin)
            # The models are shared. Nobody reads hits again or finds other words here: that takes seconds.
            own.__dict__.update(chain=ctx.chain, embedded_model=ctx.embedded_model, reranker=None, expander=None)
            self._own = own
        return self._own


def _facts_first(ctx: Context, query: str, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """The hits with the facts that were asked for before them; to know what was asked takes a while to load."""
    from holdfast.facts.facts_book import fact_note_paths

    if not any(hit.fact is not None for hit in hits) and not fact_note_paths(ctx):
        return hits
    from holdfast.recall.facts_answer import put_answers_first

    return put_answers_first(ctx, query, hits)


def recall_for(session: Session, message: str, shown: Sequence[str], characters: int) -> Recalled:
    """Return what memory holds about a message, fenced; `skipped` says why there is nothing."""
    settings = session.ctx.settings.recall
    if not settings.enabled:
        return Recalled(skipped="memory.recall.enabled is off")
    if settings.citations is RecallCitations.OFF:
        return Recalled(skipped='memory.recall.citations = "off"')
    query = query_of(message)
    reason = trivial_reason(message) or trivial_reason(query)
    if reason:
        return Recalled(query=query, skipped=reason)
    limit = min(100, settings.max_results + _SPARE)
    context = _turns_before(session, message)
    answer = session.ctx.worker(Recaller).ask(session, query, context, limit, settings.deadline_ms / 1000)
    if not answer.hits:
        return Recalled(query=query, skipped=answer.why or "nothing was found")
    hits = _choose_hits(
        answer, partial(choose_hits, query=query, shown=shown, own=session.transcript.path), settings.max_results
    )
    if not hits:
        return Recalled(query=query, skipped="nothing was found that is likely to help and not in the prompt already")
    nonce = new_nonce()
    text, fitted = render_hits(
        hits,
        nonce,
        citations=settings.citations,
        characters=characters,
        about=lambda hit: _about(hit, answer, session.ctx.clock.now()),
    )
    if not text:
        return Recalled(query=query, skipped="there is no room for it")
    return Recalled(query, fitted, text, nonce)


def _choose_hits(answer: _Answer, choose: Callable[..., list[Hit]], most: int) -> list[Hit]:
    """The hits worth showing; where a time is asked for and some are of it, none of another time."""
    if answer.asked is not None:
        of_time = [hit for hit in answer.hits if _is_of(hit, answer, answer.asked) is not False]
        kept = choose(of_time, most=most)
        if any(_is_of(hit, answer, answer.asked) for hit in kept):
            return kept
    return choose(answer.hits, most=most)


def _is_of(hit: Hit, answer: _Answer, asked: Window) -> bool | None:
    """Say whether a hit is of a time, by its day or by what it says; None where neither can be told."""
    from holdfast.search.time_window import window

    day = _span(hit, answer)
    if day is None or day.meets(asked.span):
        return None if day is None else True
    named = window(hit.snippet, datetime.combine(day.end, datetime.min.time()))
    return named is not None and named.span.meets(asked.span)


def _about(hit: Hit, answer: _Answer, now: float) -> About:
    """Return whose words a hit is, and how old: a fact says so itself, for its note holds facts of many days."""
    if hit.origin is not None:
        origin = hit.origin.value
    else:
        origin = ""
    age = answer.written.get(hit.path, _NoteTime()).age
    if hit.fact is None:
        span = _span(hit, answer)
        return About(origin, age, "" if span is None else _date_text(span))
    last_day = max(filter(None, (hit.fact.observed, hit.fact.reinforced_on)), default=None)
    if last_day is None:
        return About(origin, age)
    return About(origin, age_of(max(0.0, now - datetime.combine(last_day, datetime.min.time()).timestamp())))


def _span(hit: Hit, answer: _Answer) -> Span | None:
    """The days that a passage is of, as its headings say, its note's name or its front matter."""
    from holdfast.search.note_dates import chunk_span

    return chunk_span(hit.headings, answer.written.get(hit.path, _NoteTime()).days)


def _date_text(span: Span) -> str:
    if span.days == 1:
        return span.start.isoformat()
    return f"{span.start.isoformat()}/{span.end.isoformat()}"


def _turns_before(session: Session, message: str) -> list[str]:
    """Return what was said in this session before the message, oldest first, as far as a question may lean on it."""
    turns = [entry.text for entry in session.transcript.context() if entry.role in _SPEAKING and entry.text.strip()]
    if turns and turns[-1].strip() == message.strip():
        turns.pop()  # a turn keeps the message before it recalls
    return turns[-_TURNS_BEFORE:]


def _note_times(ctx: Context, hits: Sequence[Hit]) -> dict[str, _NoteTime]:
    """Return how old each note is, and of which days; what can't be told is left out."""
    from holdfast.markdown.front_matter import front_end, read_front
    from holdfast.search.note_dates import note_span

    now = ctx.clock.now()
    dates: dict[str, _NoteTime] = {}
    for path in dict.fromkeys(hit.path for hit in hits):
        mtime: float | None = None
        stamp, stated = None, ""
        with suppress(HoldfastError):
            note = ctx.workspace.read(path)
            mtime, stamp = note.mtime_ns / 1e9, stamp_of(note.data)
            lines = note.data[:_FRONT_BYTES].decode("utf-8", "replace").split("\n")
            stated = read_front(lines, front_end(lines)).get("date", "")
        # An export is as old as what was said in it last; its name tells when the talk began.
        moment = stamp.last.timestamp() if stamp is not None else _moment(path, mtime, now)
        age = "" if moment is None else age_of(now - moment)
        dates[path] = _NoteTime(age, note_span(path, stated or None))
    return dates


def _moment(path: str, mtime: float | None, now: float) -> float | None:
    """Return when a note was written: on the day that its name says, else when its file was last changed."""
    from holdfast.search.note_dates import note_date

    day = note_date(path)
    if day is None:
        return mtime
    with suppress(OverflowError, ValueError, OSError):
        return min(now, datetime.combine(day + timedelta(days=1), datetime.min.time()).timestamp())
    return None
