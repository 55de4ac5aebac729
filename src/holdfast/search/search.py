"""One search from the question to the hits: retrieve from words and vectors, fuse, order, cut, show."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from holdfast.embeddings.chain import Chain
from holdfast.errors import BadArgument
from holdfast.index.sqlite.database import Database
from holdfast.index.store import Near, StoredChunk, Word
from holdfast.search.answering import asked
from holdfast.search.cite import citation, wanted
from holdfast.search.fuse import Fused, further, fuse
from holdfast.search.hit import Hit, Mode, Results
from holdfast.search.question import words_of
from holdfast.search.snippet import snippet_of
from holdfast.settings.values import MemorySettings, SearchSettings

__all__ = ["MAX_RESULTS", "search"]

MAX_RESULTS = 100

# Each ranking gives candidate_multiplier x this many candidates, however few hits are wanted. A pool that grew with
# the number wanted would reorder the first hits when more are asked for.
_POOL = 12


def search(
    database: Database,
    query: str,
    *,
    memory: MemorySettings,
    settings: SearchSettings,
    chain: Chain | None = None,
    max_results: int | None = None,
    min_score: float | None = None,
) -> Results:
    """The best chunks for a question; without a provider, or with none that answers, keywords answer alone."""
    began = time.perf_counter()
    limit = settings.max_results if max_results is None else max_results
    if not isinstance(limit, int) or not 1 <= limit <= MAX_RESULTS:
        raise BadArgument("max_results", f"{limit} is not between 1 and {MAX_RESULTS}")
    least = settings.min_score if min_score is None else min_score
    if not 0.0 <= least <= 1.0:
        raise BadArgument("min_score", f"{least} is not between 0 and 1")
    words = words_of(query)
    pool = settings.candidate_multiplier * _POOL
    packed, vectors, because = asked(database, chain, query, memory)
    if vectors is not None:
        vectors.level()
    with database.connection.reading():
        edition = database.serving()
        # Keywords alone need no pool: their ranking is the result, and its beginning does not depend on its length.
        told = edition.keywords(words, limit if vectors is None else pool) if edition is not None else []
        near = Near([], {}, 0.0)
        if vectors is not None and packed is not None:
            near = vectors.nearest(packed, pool, [one.row for one in told])
        use_words = settings.hybrid or not near.ranked
        fused = fuse(
            near if near.ranked else None,
            told if use_words else None,
            memory.search_merge_strategy,
            settings.vector_weight,
            settings.text_weight,
        )
        if edition is not None and use_words and vectors is not None and limit > pool:
            fused = further(fused, edition.keywords(words, limit))
        best = _up_to([one for one in fused if one.score >= least], limit)
        chunks = edition.chunks([one.row for one in best]) if edition is not None else {}
    mode = Mode.KEYWORD if not near.ranked else Mode.HYBRID if use_words else Mode.VECTOR
    return Results(
        query=query,
        mode=mode,
        because=because,
        results=_hits(_in_order(best, chunks)[:limit], chunks, words, memory, settings),
        provider=vectors.space.provider if vectors is not None and near.ranked else None,
        model=vectors.space.model if vectors is not None and near.ranked else None,
        took_ms=(time.perf_counter() - began) * 1000,
    )


def _up_to(fused: Sequence[Fused], limit: int) -> Sequence[Fused]:
    """The first `limit`, and all that score as much as the last of them."""
    if len(fused) <= limit:
        return fused
    edge = fused[limit - 1].score
    return [one for place, one in enumerate(fused) if place < limit or one.score == edge]


def _in_order(fused: Sequence[Fused], chunks: Mapping[int, StoredChunk]) -> list[Fused]:
    """Best first; equals by path and line, never by row number, which a rebuild deals out anew."""

    def place(one: Fused) -> tuple[float, str, int, str]:
        chunk = chunks[one.row]
        return -one.score, chunk.path, chunk.start_line, chunk.chunk_id

    return sorted(fused, key=place)


def _hits(
    best: Sequence[Fused],
    chunks: dict[int, StoredChunk],
    words: Sequence[Word],
    memory: MemorySettings,
    settings: SearchSettings,
) -> tuple[Hit, ...]:
    cite = wanted(memory.citations, [chunks[one.row].path for one in best])
    hits: list[Hit] = []
    for one in best:
        chunk = chunks[one.row]
        snippet = snippet_of(chunk.text, words, settings.snippet_chars)
        # A piece of one long line shares its line number with the other pieces.
        start = min(chunk.start_line + snippet.first, chunk.end_line)
        end = min(chunk.start_line + snippet.last, chunk.end_line)
        hits.append(
            Hit(
                chunk_id=chunk.chunk_id,
                path=chunk.path,
                start_line=start,
                end_line=end,
                score=one.score,
                vector_score=one.vector_score,
                text_score=one.text_score,
                snippet=snippet.text,
                citation=citation(chunk.path, start) if cite else None,
                source=chunk.source,
                headings=chunk.headings,
                explain=MappingProxyType({**one.parts, "score": one.score}),
            )
        )
    return tuple(hits)
