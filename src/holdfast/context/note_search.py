"""A search in an open memory, within its filters and what the caller may see; it leaves no trace of the question."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

from holdfast.context.context import Context
from holdfast.context.index_repair import ask_index
from holdfast.context.session_visibility import caller_sight
from holdfast.errors import BadArgument, ProviderFailed
from holdfast.guard.argument_types import check_choice
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_row import Category, note_of, note_patterns
from holdfast.named_tuple import NamedTuple
from holdfast.search.hit import Mode, Results
from holdfast.search.query import Question, question_of
from holdfast.search.search_pipeline import MAX_RESULTS, Inquiry, search
from holdfast.settings.session_settings import ScopeSettings

if TYPE_CHECKING:
    from holdfast.search.scope import Scope

__all__ = [
    "SearchFilters",
    "one_kind",
    "search_by_words",
    "search_facts",
    "search_for_prompt",
    "search_notes",
    "search_unnoticed",
    "search_without",
    "within_sources",
]

# A search may embed this many new texts before it answers; the rest wait for `index` or `watch`, so that the
# first search after a large import is not the one that pays for it.
_EMBED_FIRST = 64
_LATER_ARCHIVE = ("memory/archive-20", "memory/archive-21")
_DREAMS = ("memory/dreams/", "memory/dreams0")  # and where the paths of other notes go on


def search_unnoticed(ctx: Context, query: str, limit: int, without: tuple[str, ...] = ()) -> Results:
    """The same for a question whose answers nobody wants to remember: what is to be forgotten leaves no trace."""
    return search_notes(ctx, query, limit, 0.0, SearchFilters(without=without))


def search_by_words(ctx: Context, sentence: str, limit: int, without: tuple[str, ...]) -> Results:
    """The same for a sentence that may stand in the notes as it is: its words find it, and leave no trace either."""
    return search_notes(ctx, sentence, limit, 0.0, SearchFilters(without=without, by_words=True))


def search_without(
    ctx: Context,
    query: str,
    limit: int,
    without: tuple[str, ...],
    *,
    by_passage: bool = False,
    context: Sequence[str] = (),
) -> Results:
    """The same as if some notes were not there, for whoever asks what was to be found at an earlier time."""
    return search_notes(
        ctx, query, limit, None, SearchFilters(without=without, by_passage=by_passage, context=tuple(context))
    )


def search_for_prompt(ctx: Context, query: str, limit: int, context: Sequence[str] = ()) -> Results:
    """The same for a message, by passage; whoever asks says which of the hits it was answered by."""
    # A turn does not wait as long as it takes to start a process; a server that runs is quick enough.
    by_backend = ctx.settings.qmd.url is not None
    asked = SearchFilters(by_passage=True, context=tuple(context), by_backend=by_backend)
    return search_notes(ctx, query, limit, None, within_sources(ctx, asked))


def search_facts(
    ctx: Context,
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
    origins = one_kind("origin", origin, Origin)
    filters = SearchFilters(
        since=since, until=until, categories=categories, origins=origins, min_importance=min_importance
    )
    return search_notes(ctx, query, limit, 0.0, filters)


def search_notes(
    ctx: Context,
    query: str,
    limit: int | None,
    min_score: float | None,
    filters: SearchFilters,
    project: str | None = None,
) -> Results:
    """Return the hits for a question within its filters and what the caller's session may see."""
    if limit is not None and not 1 <= limit <= MAX_RESULTS:
        raise BadArgument("limit", f"{limit} is not between 1 and {MAX_RESULTS}")
    sight = caller_sight(ctx)
    if sight is not None and not sight.memory:
        return Results(query, Mode.KEYWORD, sight.because, (), provider=None, model=None, took_ms=0.0)
    unseen = () if sight is None else sight.without
    request = _Request(query, limit, min_score, filters, project, unseen, began=time.monotonic())
    return ask_index(ctx, partial(_answer, ctx, request), embed_limit=_EMBED_FIRST)


class _Request(NamedTuple):
    """A search as it was asked for, with the paths that the caller's session may not see."""

    query: str
    limit: int | None
    min_score: float | None
    filters: SearchFilters
    project: str | None
    unseen: tuple[str, ...]
    began: float

    @property
    def asks_only_when(self) -> bool:
        """True if a time is all that it asks for."""
        return not self.query.strip() and (self.filters.since is not None or self.filters.until is not None)


def _answer(ctx: Context, request: _Request) -> Results:
    trouble = ctx.index.trouble
    inquiry = _inquiry_of(ctx, request)
    if request.asks_only_when:
        results = _list_by_time(ctx, inquiry)
    else:
        results = _ask_backend(ctx, inquiry, request.filters)
    because = results.because
    if trouble is not None:
        reason = getattr(trouble, "why", None) or trouble
        because = f"the index can't be used ({reason}): keywords answered, from the notes as they are now"
    reasons = (because, *_missing_models(ctx), ctx.stale, ctx.index.news())
    return results.replace(because="; ".join(filter(None, reasons)))


def _inquiry_of(ctx: Context, request: _Request) -> Inquiry:
    """Return what the stages of a search are to know of a request."""
    filters = request.filters
    chain, look_closer = ctx.chain, ctx.look_closer
    if ctx.index.trouble is not None:
        chain = None
    if filters.by_words:
        chain = look_closer = None
    weighing = ctx.weighing(request.project)
    without = (*filters.without, *request.unseen, *_hidden_patterns(ctx, filters))
    return Inquiry(
        request.query,
        Question(text="", words=()) if request.asks_only_when else question_of(request.query),
        memory=ctx.settings.memory,
        settings=ctx.settings.search,
        chain=chain,
        look_closer=look_closer,
        piece_costs=ctx.piece_costs,
        expander=ctx.expander,
        reranker=ctx.reranker,
        weighing=weighing,
        mmr=ctx.settings.mmr,
        scope=_scope(filters, weighing.now, without, weighing.first_weekday),
        since=request.began,
        max_results=request.limit,
        min_score=request.min_score,
        min_confidence=filters.min_confidence,
        by_passage=filters.by_passage,
        context=filters.context,
    )


def _ask_backend(ctx: Context, inquiry: Inquiry, filters: SearchFilters) -> Results:
    """Return the answer of the back end that the owner chose, or the builtin one's with the reason."""
    if ctx.qmd is None or not filters.by_backend:
        return search(ctx.database, inquiry)
    began = time.perf_counter()
    because = _kept_from_qmd(ctx)
    if not because:
        try:
            return ctx.qmd.answer(ctx.database, inquiry)
        except ProviderFailed as failure:
            because = failure.why
    # What QMD took of the time is not held against a provider of the builtin search.
    found = search(ctx.database, inquiry.replace(since=time.monotonic()))
    because = "; ".join(filter(None, (f"QMD did not answer: {because}", found.because)))
    return found.replace(because=because, took_ms=(time.perf_counter() - began) * 1000)


def _kept_from_qmd(ctx: Context) -> str:
    """Return why QMD is not asked for this session, by the rules of `memory.qmd.scope`; "" where it is."""
    session = ctx.session
    if session is None:
        return ""
    from holdfast.context.visibility_rules import is_visible

    scope = ctx.settings.qmd_scope
    rules = ScopeSettings(default=scope.default, rules=scope.rules)
    if is_visible(rules, session.kind, session.key, session.channel):
        return ""
    return f"memory.qmd.scope keeps it from this {session.kind} session"


def _list_by_time(ctx: Context, inquiry: Inquiry) -> Results:
    from holdfast.search.recent_notes import list_notes

    return list_notes(ctx.database, inquiry)


def _missing_models(ctx: Context) -> Iterator[str]:
    """Yield what the owner wants of a search and can't have without a language model."""
    if ctx.settings.search.expand and ctx.expander is None:
        yield "the question was not expanded: no language model is configured (llm.provider)"
    if ctx.settings.memory.llm_reranking and ctx.chat_model is None:
        yield "the hits were not reranked by a model: none is configured (llm.provider)"


class SearchFilters(NamedTuple):
    """The filters of a search as they were given."""

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
    by_words: bool = False
    """Whether words alone answer: where the very sentence is looked for, no provider need be asked."""
    by_backend: bool = False
    """True if the back end that the owner chose is asked: the answer goes to the caller, and is not for our own use."""


def _hidden_patterns(ctx: Context, filters: SearchFilters) -> tuple[str, ...]:
    """Return the archive of facts and the reports of dreams, unless they were asked for."""
    if filters.categories is not None:
        return ()
    archive, path = note_of(Category.ARCHIVE), filters.path or ""
    patterns: list[str] = []
    database = ctx.database
    with database.connection.reading():  # between two statements another process may publish its edition
        edition = database.serving()
        if edition is None:
            return ()
        is_there = edition.paths.holds(archive, f"{archive}\0") or edition.paths.holds(*_LATER_ARCHIVE)
        if is_there and not path.startswith("memory/archive"):
            patterns += note_patterns(Category.ARCHIVE)
        if not path.startswith("memory/dreams") and edition.paths.holds(*_DREAMS):
            patterns.append(_DREAMS[0])
    return tuple(patterns)


def _scope(filters: SearchFilters, now: datetime, without: tuple[str, ...], first_weekday: int) -> Scope | None:
    """Return what the question may look into; None where it may look into everything."""
    filters = filters._replace(by_passage=False, context=(), min_confidence=None, by_words=False, by_backend=False)
    if not without and filters == SearchFilters():
        return None
    from holdfast.search.scope import Scope, day_named

    return Scope(
        paths=None if filters.path is None else (filters.path,),
        without=without,
        sources=None if filters.source is None else frozenset((filters.source,)),
        categories=filters.categories,
        origins=filters.origins,
        min_importance=filters.min_importance,
        min_trust=filters.min_trust,
        since=None if filters.since is None else day_named(filters.since, now, first_weekday=first_weekday),
        until=None if filters.until is None else day_named(filters.until, now, last=True, first_weekday=first_weekday),
        zone=now.tzinfo or UTC,
    )


def within_sources(ctx: Context, filters: SearchFilters) -> SearchFilters:
    """Leave out notes and facts that nobody asks for by name, where `memory.sources` is without the notes."""
    is_asked = filters.source is not None or filters.path is not None or filters.categories is not None
    if is_asked or "memory" in ctx.settings.memory.sources:
        return filters
    return filters._replace(source="sessions")


def one_kind(name: str, asked: str | None, kinds: type[StrEnum]) -> frozenset[str] | None:
    """Return the one kind that was asked for as a set; None where none was, BadArgument where there is no such."""
    check_choice(name, asked, kinds)
    if asked is None:
        return None
    return frozenset((asked,))
