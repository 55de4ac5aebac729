"""memory_search: find what was remembered."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated, NamedTuple

from holdfast.errors import BadArgument, BadPath, ProviderFailed
from holdfast.guard.argument_types import shown
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_row import Category, note_of, note_patterns
from holdfast.search.hit import Mode, Results
from holdfast.search.query import Question, question_of
from holdfast.search.search_pipeline import MAX_RESULTS, Inquiry, search
from holdfast.settings.values_sessions import ScopeSettings
from holdfast.tools.index_repair import ask_index
from holdfast.tools.rooms import Rooms
from holdfast.tools.search_signals import notice_answers
from holdfast.tools.session_visibility import sight_in

if TYPE_CHECKING:
    from holdfast.search.scope import Scope
    from holdfast.sessions.visibility import Sight

__all__ = ["memory_search", "search_facts", "search_for_prompt", "search_unnoticed", "search_without"]

# A search may embed this many new texts before it answers; the rest wait for `index` or `watch`, so that the
# first search after a large import is not the one that pays for it.
_EMBED_FIRST = 64
_LATER_ARCHIVE = ("memory/archive-20", "memory/archive-21")
_DREAMS = ("memory/dreams/", "memory/dreams0")  # and where the paths of other notes go on


def memory_search(
    rooms: Rooms,
    query: Annotated[
        str,
        "What to look for: a question, a topic, a name, an id or an exact phrase. Empty with since or until: all notes "
        "of that time, newest first.",
    ],
    limit: Annotated[int | None, "How many hits at the most (1 to 100; usually 6)."] = None,
    min_score: Annotated[float | None, "Leave out hits that score below this (0 to 1)."] = None,
    path: Annotated[str | None, "Only in this note or folder, such as memory/projects."] = None,
    source: Annotated[str | None, "Only in memory, sessions or extra."] = None,
    since: Annotated[str | None, "Only notes from this day on: 2026-03-05, last week, 10d."] = None,
    until: Annotated[str | None, "Only notes up to this day."] = None,
    project: Annotated[str | None, "The folder that the work at hand is about; its notes are lifted a little."] = None,
    category: Annotated[
        str | None, "Only facts of this kind: preference, fact, decision, entity, other or archive."
    ] = None,
    origin: Annotated[
        str | None,
        "Only facts that came from user, agent, auto_capture, import, mcp_tool, api or "
        "outside (typed into the note). What is no fact has no known origin.",
    ] = None,
    min_importance: Annotated[float | None, "Only facts that are at least this important (0 to 1; usually .5)."] = None,
    min_trust: Annotated[
        str | None,
        "Only words of this origin or one trusted more: user, outside (typed into the note), auto_capture, agent, api, "
        "mcp_tool, import.",
    ] = None,
    by_passage: Annotated[bool, "Each passage a hit of its own; otherwise those of one note are one hit."] = False,
    *,
    min_confidence: float | None = None,
    context: Sequence[str] | None = None,
) -> Results:
    """Search long-term memory. Gives the best snippets with their file and lines; read more with memory_get."""
    # A model needs none of the last two: it sees how likely a hit is, and knows what was said before.
    categories, origins = _one_of("category", category, Category), _one_of("origin", origin, Origin)
    _refuse_half(path)
    asked = _Asked(path, source, since, until, categories, origins, min_importance, min_trust)
    asked = asked._replace(by_passage=by_passage, context=_turns(context), min_confidence=min_confidence)
    asked = asked._replace(by_backend=True)
    found = _searched(rooms, query, limit, min_score, asked, project)
    notice_answers(rooms, found)
    if path is None or found.results:
        return found
    return found.replace(because="; ".join(filter(None, (_missing_place(rooms, path), found.because))))


def _missing_place(rooms: Rooms, path: str) -> str:
    """What to say of a search in a note or folder that is not there; "" where it is."""
    from holdfast.tools.near_notes import near_notes, place_exists

    sight = sight_in(rooms)
    if (sight is not None and not sight.memory) or place_exists(rooms, path):
        return ""
    near = " or ".join(map(repr, near_notes(rooms, path, folders=True)))
    hint = f"; did you mean {near}?" if near else ""
    return f"there is no note or folder {shown(path)}{hint}"


def search_unnoticed(rooms: Rooms, query: str, limit: int, without: tuple[str, ...] = ()) -> Results:
    """The same for a question whose answers nobody wants to remember: what is to be forgotten leaves no trace."""
    return _searched(rooms, query, limit, 0.0, _Asked(without=without))


def search_without(
    rooms: Rooms,
    query: str,
    limit: int,
    without: tuple[str, ...],
    *,
    by_passage: bool = False,
    context: Sequence[str] = (),
) -> Results:
    """The same as if some notes were not there, for whoever asks what was to be found at an earlier time."""
    return _searched(rooms, query, limit, None, _Asked(without=without, by_passage=by_passage, context=tuple(context)))


def search_for_prompt(rooms: Rooms, query: str, limit: int, context: Sequence[str] = ()) -> Results:
    """The same for a message, by passage; whoever asks says which of the hits it was answered by."""
    # A turn does not wait as long as it takes to start a process; a server that runs is quick enough.
    by_backend = rooms.settings.qmd.url is not None
    asked = _Asked(by_passage=True, context=tuple(context), by_backend=by_backend)
    return _searched(rooms, query, limit, None, asked)


def search_facts(
    rooms: Rooms,
    query: str,
    limit: int,
    categories: frozenset[str],
    *,
    origin: str | None = None,
    min_importance: float | None = None,
    since: str | None = None,
    until: str | None = None,
) -> Results:
    """The same among the facts of some categories; whoever asks says which of them were shown."""
    origins = _one_of("origin", origin, Origin)
    return _searched(rooms, query, limit, 0.0, _Asked(None, None, since, until, categories, origins, min_importance))


def _searched(
    rooms: Rooms,
    query: str,
    limit: int | None,
    min_score: float | None,
    asked: _Asked,
    project: str | None = None,
) -> Results:
    if limit is not None and not 1 <= limit <= MAX_RESULTS:
        raise BadArgument("limit", f"{limit} is not between 1 and {MAX_RESULTS}")
    sight = sight_in(rooms)
    if sight is not None and not sight.memory:
        return Results(query, Mode.KEYWORD, sight.because, (), provider=None, model=None, took_ms=0.0)
    began = time.monotonic()
    answer = partial(_answer, rooms, query, limit, min_score, asked, project, sight, began)
    return ask_index(rooms, answer, embed_limit=_EMBED_FIRST)


def _answer(
    rooms: Rooms,
    query: str,
    limit: int | None,
    min_score: float | None,
    asked: _Asked,
    project: str | None,
    sight: Sight | None,
    began: float,
) -> Results:
    trouble = rooms.index.trouble
    weighing = rooms.weighing(project)
    only_when = not query.strip() and (asked.since is not None or asked.until is not None)
    inquiry = Inquiry(
        query,
        Question(text="", words=()) if only_when else question_of(query),
        memory=rooms.settings.memory,
        settings=rooms.settings.search,
        chain=rooms.chain if trouble is None else None,
        look_closer=rooms.look_closer,
        piece_costs=rooms.piece_costs,
        expander=rooms.expander,
        reranker=rooms.reranker,
        weighing=weighing,
        mmr=rooms.settings.mmr,
        scope=_scope(
            asked,
            weighing.now,
            (*asked.without, *(() if sight is None else sight.without), *_aside(rooms, asked)),
            weighing.first_weekday,
        ),
        since=began,
        max_results=limit,
        min_score=min_score,
        min_confidence=asked.min_confidence,
        by_passage=asked.by_passage,
        context=asked.context,
    )
    found = _listed(rooms, inquiry) if only_when else _found(rooms, inquiry, asked)
    because = found.because
    if trouble is not None:
        why = getattr(trouble, "why", None) or trouble
        because = f"the index can't be used ({why}): keywords answered, from the notes as they are now"
    told = (because, *_left_out(rooms), rooms.stale, rooms.index.news())
    return found.replace(because="; ".join(filter(None, told)))


def _found(rooms: Rooms, inquiry: Inquiry, asked: _Asked) -> Results:
    """The answer of the back end that the owner chose, or the builtin one's with the reason."""
    if rooms.qmd is None or not asked.by_backend:
        return search(rooms.database, inquiry)
    because = _kept_from_qmd(rooms)
    if not because:
        try:
            return rooms.qmd.answer(rooms.database, inquiry)
        except ProviderFailed as failure:
            because = failure.why
    # What QMD took of the time is not held against a provider of the builtin search.
    found = search(rooms.database, inquiry.replace(since=time.monotonic()))
    return found.replace(because="; ".join(filter(None, (f"QMD did not answer: {because}", found.because))))


def _kept_from_qmd(rooms: Rooms) -> str:
    """Why QMD is not asked for this session, by the rules of `memory.qmd.scope`; "" where it is."""
    session = rooms.session
    if session is None:
        return ""
    from holdfast.sessions.visibility import visible

    scope = rooms.settings.qmd_scope
    rules = ScopeSettings(default=scope.default, rules=scope.rules)
    if visible(rules, session.kind, session.key, session.channel):
        return ""
    return f"memory.qmd.scope keeps it from this {session.kind} session"


def _listed(rooms: Rooms, inquiry: Inquiry) -> Results:
    from holdfast.search.recent_notes import list_notes

    return list_notes(rooms.database, inquiry)


def _left_out(rooms: Rooms) -> Iterator[str]:
    """What the owner wants of a search and can't have without a language model."""
    if rooms.settings.search.expand and rooms.expander is None:
        yield "the question was not expanded: no language model is configured (llm.provider)"
    if rooms.settings.memory.llm_reranking and rooms.chat_model is None:
        yield "the hits were not reranked by a model: none is configured (llm.provider)"


class _Asked(NamedTuple):
    """The filters as they were given."""

    path: str | None = None
    source: str | None = None
    since: str | None = None
    until: str | None = None
    categories: frozenset[str] | None = None
    origins: frozenset[str] | None = None
    min_importance: float | None = None
    min_trust: str | None = None
    without: tuple[str, ...] = ()
    by_passage: bool = False
    context: tuple[str, ...] = ()
    min_confidence: float | None = None
    by_backend: bool = False
    """Whether the back end that the owner chose is asked: where the answer is for whoever asks, and not for us."""


def _aside(rooms: Rooms, asked: _Asked) -> tuple[str, ...]:
    """The archive of facts and the reports of dreams, where there are any and nobody asked for them."""
    if asked.categories is not None:
        return ()
    archive, path = note_of(Category.ARCHIVE), asked.path or ""
    found: list[str] = []
    with rooms.database.connection.reading():  # between two statements another process may publish its edition
        edition = rooms.database.serving()
        if edition is None:
            return ()
        is_there = edition.holds(archive, f"{archive}\0") or edition.holds(*_LATER_ARCHIVE)
        if is_there and not path.startswith("memory/archive"):
            found += note_patterns(Category.ARCHIVE)
        if not path.startswith("memory/dreams") and edition.holds(*_DREAMS):
            found.append(_DREAMS[0])
    return tuple(found)


def _scope(asked: _Asked, now: datetime, without: tuple[str, ...], first_weekday: int) -> Scope | None:
    """What the question may look into; None where it may look into everything."""
    filters = asked._replace(by_passage=False, context=(), min_confidence=None, by_backend=False)
    if not without and filters == _Asked():
        return None
    from holdfast.search.scope import Scope, day_named

    return Scope(
        paths=None if asked.path is None else (asked.path,),
        without=without,
        sources=None if asked.source is None else frozenset((asked.source,)),
        categories=asked.categories,
        origins=asked.origins,
        min_importance=asked.min_importance,
        min_trust=asked.min_trust,
        since=None if asked.since is None else day_named(asked.since, now, first_weekday=first_weekday),
        until=None if asked.until is None else day_named(asked.until, now, last=True, first_weekday=first_weekday),
        zone=now.tzinfo or UTC,
    )


def _turns(context: Sequence[str] | None) -> tuple[str, ...]:
    """The turns before a question as they were given."""
    if context is None:
        return ()
    if not isinstance(context, list | tuple) or not all(isinstance(turn, str) for turn in context):
        raise BadArgument("context", "it must be a list of texts, the oldest first")
    return tuple(context)


def _refuse_half(path: str | None) -> None:
    """Half a character is in no path, and the index can't even be asked for it."""
    try:
        (path or "").encode("utf-8")
    except UnicodeEncodeError:
        raise BadPath(path or "", "it has half a character (a lone surrogate)") from None


def _one_of(name: str, asked: str | None, kinds: type[StrEnum]) -> frozenset[str] | None:
    if asked is not None and asked not in list(kinds):
        raise BadArgument(name, f"{shown(asked)} is none of {', '.join(kinds)}")
    return None if asked is None else frozenset((asked,))
