"""memory_search: find what was remembered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from holdfast.context.context import Context
from holdfast.context.note_search import SearchFilters, one_kind, search_notes
from holdfast.context.search_signals import notice_answers
from holdfast.context.session_visibility import caller_sight
from holdfast.errors import BadArgument, BadPath
from holdfast.guard.argument_types import check_whole_number, display_value
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_row import Category
from holdfast.operations.argument_texts import SEARCH
from holdfast.operations.tool_schema import FOR_PROGRAMS, ToolName
from holdfast.search.hit import Results
from holdfast.search.search_pipeline import MAX_RESULTS

__all__ = ["memory_search"]


def memory_search(
    ctx: Context,
    query: Annotated[str, SEARCH["query"]],
    *,
    max_results: Annotated[int | None, SEARCH["max_results"], ToolName("limit")] = None,
    min_score: Annotated[float | None, SEARCH["min_score"]] = None,
    path: Annotated[str | None, SEARCH["path"]] = None,
    source: Annotated[str | None, SEARCH["source"]] = None,
    since: Annotated[str | None, SEARCH["since"]] = None,
    until: Annotated[str | None, SEARCH["until"]] = None,
    project: Annotated[str | None, SEARCH["project"]] = None,
    category: Annotated[str | None, SEARCH["category"]] = None,
    origin: Annotated[str | None, SEARCH["origin"]] = None,
    min_importance: Annotated[float | None, SEARCH["min_importance"]] = None,
    min_trust: Annotated[str | None, SEARCH["min_trust"]] = None,
    by_passage: Annotated[bool, SEARCH["by_passage"]] = False,
    # A model needs none of these two: it knows what was said before, and sees how likely a hit is.
    context: Annotated[Sequence[str] | None, SEARCH["context"], FOR_PROGRAMS] = None,
    min_confidence: Annotated[float | None, SEARCH["min_confidence"], FOR_PROGRAMS] = None,
) -> Results:
    """Search long-term memory. Gives the best snippets with their file and lines; read more with memory_get.

    For programs: `category`, `origin` and `min_importance` ask for facts: of what is no fact, none of them is known.
    `context` helps a question that leans on what was said before. A hit that is unlikely to answer is marked
    (`likely`), and left out below `min_confidence`; `explain` has the reason for every score.
    """
    check_whole_number("max_results", 1 if max_results is None else max_results, 1, MAX_RESULTS)
    categories, origins = one_kind("category", category, Category), one_kind("origin", origin, Origin)
    _refuse_half_character(path)
    filters = SearchFilters(
        path=path,
        source=source,
        since=since,
        until=until,
        categories=categories,
        origins=origins,
        min_importance=min_importance,
        min_trust=min_trust,
        by_passage=by_passage,
        context=_check_turns(context),
        min_confidence=min_confidence,
        by_backend=True,
    )
    results = search_notes(ctx, query, max_results, min_score, filters, project)
    notice_answers(ctx, results)
    if path is None or results.results:
        return results
    return results.replace(because="; ".join(filter(None, (_missing_place_message(ctx, path), results.because))))


def _missing_place_message(ctx: Context, path: str) -> str:
    """Say that a note or folder to search in is not there; "" where it is."""
    from holdfast.context.near_notes import near_notes, place_exists

    sight = caller_sight(ctx)
    if (sight is not None and not sight.memory) or place_exists(ctx, path):
        return ""
    near = " or ".join(map(repr, near_notes(ctx, path, folders=True)))
    hint = f"; did you mean {near}?" if near else ""
    return f"there is no note or folder {display_value(path)}{hint}"


def _check_turns(context: Sequence[str] | None) -> tuple[str, ...]:
    """Return the turns before a question; BadArgument unless they are a list of texts."""
    if context is None:
        return ()
    if not isinstance(context, list | tuple) or not all(isinstance(turn, str) for turn in context):
        raise BadArgument("context", "it must be a list of texts, the oldest first")
    return tuple(context)


def _refuse_half_character(path: str | None) -> None:
    """Raise BadPath for half a character: it is in no path, and the index can't be asked for it."""
    try:
        (path or "").encode("utf-8")
    except UnicodeEncodeError:
        raise BadPath(path or "", "it has half a character (a lone surrogate)") from None
