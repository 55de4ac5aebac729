"""memory_search: find what was remembered."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

from holdfast.errors import BadArgument
from holdfast.search.hit import Results
from holdfast.search.search import MAX_RESULTS, search
from holdfast.tools.rooms import Rooms

if TYPE_CHECKING:
    from holdfast.search.scope import Scope

__all__ = ["memory_search"]

# A search may embed this many new texts before it answers; the rest wait for `index` or `watch`, so that the
# first search after a large import is not the one that pays for it.
_EMBED_FIRST = 64


def memory_search(
    rooms: Rooms,
    query: Annotated[str, "What to look for: a question, a topic, a name, an id or an exact phrase."],
    limit: Annotated[int | None, "How many hits at the most (1 to 100; usually 6)."] = None,
    min_score: Annotated[float | None, "Leave out hits that score below this (0 to 1)."] = None,
    path: Annotated[str | None, "Only in this note or folder, such as memory/projects."] = None,
    source: Annotated[str | None, "Only in memory, sessions or extra."] = None,
    since: Annotated[str | None, "Only notes from this day on: 2026-03-05, last week, 10d."] = None,
    until: Annotated[str | None, "Only notes up to this day."] = None,
    project: Annotated[str | None, "The folder that the work at hand is about; its notes are lifted a little."] = None,
) -> Results:
    """Search long-term memory. Gives the best snippets with their file and lines; read more with memory_get."""
    if limit is not None and not 1 <= limit <= MAX_RESULTS:
        raise BadArgument("limit", f"{limit} is not between 1 and {MAX_RESULTS}")
    began = time.monotonic()
    rooms.look(_EMBED_FIRST)
    weighing = rooms.weighing(project)
    found = search(
        rooms.database,
        query,
        memory=rooms.settings.memory,
        settings=rooms.settings.search,
        chain=rooms.chain,
        look_closer=rooms.look_closer,
        reranker=rooms.reranker,
        weighing=weighing,
        mmr=rooms.settings.mmr,
        scope=_scope(path, source, since, until, weighing.now),
        since=began,
        max_results=limit,
        min_score=min_score,
    )
    if rooms.stale:
        found = found.replace(because="; ".join(filter(None, (found.because, rooms.stale))))
    return found


def _scope(path: str | None, source: str | None, since: str | None, until: str | None, now: datetime) -> Scope | None:
    """What the question may look into; None where it may look into everything."""
    if path is None and source is None and since is None and until is None:
        return None
    from holdfast.search.scope import Scope, day_named

    return Scope(
        paths=None if path is None else (path,),
        sources=None if source is None else frozenset((source,)),
        since=None if since is None else day_named(since, now),
        until=None if until is None else day_named(until, now, last=True),
        zone=now.tzinfo or UTC,
    )
