"""memory_search: find what was remembered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final

from holdfast.errors import BadArgument, BadPath
from holdfast.guard.origin import TRUST, Origin
from holdfast.guard.signature import OneOf
from holdfast.markdown.fact_row import Category
from holdfast.operations.tool_schema import FOR_PROGRAMS, ToolName
from holdfast.search.hit import Results

if TYPE_CHECKING:
    from holdfast.context.context import Context

__all__ = ["memory_search"]

_SOURCES: Final = ("memory", "sessions", "extra")
_Query = Annotated[
    str,
    "What to look for: a question, a topic, a name, an id or an exact phrase. Empty with since or until: all "
    "notes of that time, newest first.",
]
_Project = Annotated[str | None, "The folder that the work at hand is about; its notes are lifted a little."]
_Category = Annotated[
    str | None,
    "Only facts of this kind: preference, fact, decision, entity, other or archive.",
    OneOf(tuple(Category)),
]
_Origin = Annotated[
    str | None,
    "Only facts that came from user, agent, auto_capture, import, mcp_tool, api or outside (typed into the "
    "note). What is no fact has no known origin.",
    OneOf(tuple(Origin)),
]
_MinImportance = Annotated[float | None, "Only facts that are at least this important (0 to 1; usually .5)."]
_MinTrust = Annotated[
    str | None,
    "Only words of this origin or one trusted more: user, outside (typed into the note), auto_capture, agent, "
    "api, mcp_tool, import.",
    OneOf(tuple(reversed(TRUST))),
]


def memory_search(
    ctx: Context,
    query: _Query,
    *,
    max_results: Annotated[int | None, "How many hits at the most (1 to 100; usually 6).", ToolName("limit")] = None,
    min_score: Annotated[float | None, "Leave out hits that score below this (0 to 1)."] = None,
    path: Annotated[str | None, "Only in this note or folder, such as memory/projects."] = None,
    source: Annotated[str | None, "Only in memory, sessions or extra.", OneOf(_SOURCES)] = None,
    since: Annotated[str | None, "Only notes from this day on: 2026-03-05, last week, 10d."] = None,
    until: Annotated[str | None, "Only notes up to this day."] = None,
    project: _Project = None,
    category: _Category = None,
    origin: _Origin = None,
    min_importance: _MinImportance = None,
    min_trust: _MinTrust = None,
    by_passage: Annotated[bool, "Each passage a hit of its own; otherwise those of one note are one hit."] = False,
    # A model needs none of these two: it knows what was said before, and sees how likely a hit is.
    context: Annotated[Sequence[str] | None, "What was said before the question, oldest first.", FOR_PROGRAMS] = None,
    min_confidence: Annotated[
        float | None, "Only hits that are at least so likely to answer (0 to 1).", FOR_PROGRAMS
    ] = None,
) -> Results:
    """Search long-term memory. Gives the best snippets with their file and lines; read more with memory_get.

    For programs: `category`, `origin` and `min_importance` ask for facts: of what is no fact, none of them is known.
    `context` helps a question that leans on what was said before. A hit that is unlikely to answer is marked
    (`likely`), and left out below `min_confidence`; `explain` has the reason for every score.
    """
    # Late, as everything that opens an index: a command that a server answers reads only the declaration.
    from holdfast.context.note_search import SearchFilters, one_kind, search_notes, within_sources
    from holdfast.context.search_signals import notice_answers
    from holdfast.guard.argument_types import check_whole_number
    from holdfast.search.search_pipeline import MAX_RESULTS

    if max_results is not None:
        check_whole_number("max_results", max_results, 1, MAX_RESULTS)
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
    results = search_notes(ctx, query, max_results, min_score, within_sources(ctx, filters), project)
    notice_answers(ctx, results)
    if path is None or results.results:
        return results
    return results.replace(because="; ".join(filter(None, (_missing_place_message(ctx, path), results.because))))


def _missing_place_message(ctx: Context, path: str) -> str:
    """Say that a note or folder to search in is not there; "" where it is."""
    from holdfast.context.near_notes import near_notes, place_exists
    from holdfast.context.session_visibility import caller_sight
    from holdfast.guard.argument_types import display_value

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
