"""memory_search: find what was remembered."""

from __future__ import annotations

from typing import Annotated

from holdfast.errors import BadArgument
from holdfast.search.hit import Results
from holdfast.search.search import MAX_RESULTS, search
from holdfast.tools.rooms import Rooms

__all__ = ["memory_search"]

# A search may embed this many new texts before it answers; the rest wait for `index` or `watch`, so that the
# first search after a large import is not the one that pays for it.
_EMBED_FIRST = 64


def memory_search(
    rooms: Rooms,
    query: Annotated[str, "What to look for: a question, a topic, a name, an id or an exact phrase."],
    limit: Annotated[int | None, "How many hits at the most (1 to 100; usually 6)."] = None,
    min_score: Annotated[float | None, "Leave out hits that score below this (0 to 1)."] = None,
) -> Results:
    """Search long-term memory. Gives the best snippets with their file and lines; read more with memory_get."""
    if limit is not None and not 1 <= limit <= MAX_RESULTS:
        raise BadArgument("limit", f"{limit} is not between 1 and {MAX_RESULTS}")
    rooms.look(_EMBED_FIRST)
    found = search(
        rooms.database,
        query,
        memory=rooms.settings.memory,
        settings=rooms.settings.search,
        chain=rooms.chain,
        look_closer=rooms.look_closer,
        reranker=rooms.reranker,
        max_results=limit,
        min_score=min_score,
    )
    if rooms.stale:
        found = found.replace(because="; ".join(filter(None, (found.because, rooms.stale))))
    return found
