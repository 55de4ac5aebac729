"""One search from the question to the hits: retrieve, look closer, order, cut, show."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from holdfast.embeddings.chain import Chain
from holdfast.errors import BadArgument
from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.edition import Edition
from holdfast.index.store import StoredChunk, Word
from holdfast.search.answering import asked
from holdfast.search.arrange import Arranged, arranged, falling
from holdfast.search.cite import citation, wanted
from holdfast.search.confidence import evidence
from holdfast.search.fuse import Fused, explained
from holdfast.search.hit import Hit, Mode, Results
from holdfast.search.question import question_of
from holdfast.search.rerank import Reranker, rerank
from holdfast.search.retrieve import Retrieved, retrieve
from holdfast.search.snippet import snippet_of
from holdfast.search.standing import Standing, ordered
from holdfast.settings.values import MemorySettings, MmrSettings, SearchSettings

if TYPE_CHECKING:
    from holdfast.search.scope import Scope
    from holdfast.search.weigh import Weighing

__all__ = ["MAX_RESULTS", "LookCloser", "search"]

MAX_RESULTS = 100

LookCloser: TypeAlias = Callable[[str, Sequence[tuple[str, str]]], list[float] | None]
"""The question, and texts with their hashes → how well each text meets the question, or None."""


# The candidates that the later stages may reorder, however many hits are wanted; the others follow as they are.
_SHORTLIST = 24
_CLOSER = 16  # of which so many are read word by word
_CLOSER_SHARE = 0.4
_SHORT_QUESTION, _LONG_QUESTION = 1, 40  # words
_NO_MMR = MmrSettings()


def search(
    database: Database,
    query: str,
    *,
    memory: MemorySettings,
    settings: SearchSettings,
    chain: Chain | None = None,
    look_closer: LookCloser | None = None,
    reranker: Reranker | None = None,
    weighing: Weighing | None = None,
    mmr: MmrSettings = _NO_MMR,
    scope: Scope | None = None,
    since: float = math.inf,
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
    question = question_of(query)
    packed, vectors, because, partial = asked(database, chain, question.text, memory, since)
    if vectors is not None:
        vectors.level()
    with database.connection.reading():
        edition = database.serving()
        if edition is None:
            retrieved = Retrieved([], [], by_vectors=False)
        else:
            notes = None if scope is None or scope.is_open else _inside(edition, scope)
            retrieved = retrieve(
                edition, question, vectors, packed, memory.search_merge_strategy, settings, limit, notes
            )
        found = _up_to(retrieved.candidates, max(limit, _SHORTLIST))
        chunks = edition.chunks([one.row for one in found]) if edition is not None else {}
    by_vectors = retrieved.by_vectors
    ranked = ordered([Standing(one.score, one, {}) for one in found], chunks)
    # Where the question holds an id that was found, the id decides; a model has no sense of one.
    named = any(word.heavy for word in question.words) and bool(ranked) and (ranked[0].fused.text_score or 0.0) >= 1.0
    if look_closer is not None and settings.closer and not named:
        ranked = _closer(ranked, chunks, question.text, look_closer)
    if weighing is not None:
        from holdfast.search.weigh import weighed

        ranked = weighed(ranked[:_SHORTLIST], chunks, question.text, weighing, settings) + ranked[_SHORTLIST:]
        ranked = falling(ranked)
    ranked = [one for one in ranked if one.score >= least]
    if reranker is not None and ranked:
        ranked, kept = _reranked(ranked, chunks, question.text, reranker)
        because = "; ".join(filter(None, (because, kept)))
    best = arranged(ranked, chunks, mmr, settings.snippet_chars, vectors.packed_of if vectors else None)[:limit]
    use_words = settings.hybrid or not by_vectors
    mode = Mode.KEYWORD if not by_vectors else Mode.HYBRID if use_words else Mode.VECTOR
    hits = _hits(best, retrieved, question.words, memory, settings)
    if best and not hits:
        because = "; ".join(filter(None, (because, "nothing that was found has to do with the question")))
    return Results(
        query=query,
        mode=mode,
        because=because,
        results=hits,
        provider=vectors.space.provider if vectors is not None and by_vectors else None,
        model=vectors.space.model if vectors is not None and by_vectors else None,
        took_ms=(time.perf_counter() - began) * 1000,
        partial=partial,
    )


def _inside(edition: Edition, scope: Scope) -> list[int]:
    """The notes that a scope lets through: the one filter of every read."""
    from holdfast.search.dates import note_span

    return [
        number
        for number, path, source, mtime_ns in edition.notes()
        if scope.allows(path, source, agent=scope.agent, dated=note_span(path), mtime=mtime_ns / 1e9)
    ]


def _up_to(fused: Sequence[Fused], limit: int) -> Sequence[Fused]:
    """The first `limit`, and all that score as much as the last of them."""
    if len(fused) <= limit:
        return fused
    edge = fused[limit - 1].score
    return [one for place, one in enumerate(fused) if place < limit or one.score == edge]


def _closer(
    ranked: list[Standing], chunks: Mapping[int, StoredChunk], query: str, look_closer: LookCloser
) -> list[Standing]:
    """The first few in the order of a closer look and of what they scored before; none leaves the others' range."""
    first = ranked[:_CLOSER]
    if len(first) < 2:
        return ranked
    texts = [chunks[one.fused.row] for one in first]
    met = look_closer(query, [(chunk.text_hash, chunk.text) for chunk in texts])
    if met is None or max(met) <= min(met):
        return ranked
    low, high = first[-1].score, first[0].score
    scale = (high - low) / (max(met) - min(met))
    looked: list[Standing] = []
    for one, score in zip(first, met, strict=True):
        gain = _CLOSER_SHARE * (low + scale * (score - min(met)) - one.score)
        looked.append(Standing(one.score + gain, one.fused, {**one.later, "closer": gain, "met": score}))
    return ordered(looked, chunks) + ranked[_CLOSER:]


def _reranked(
    ranked: list[Standing], chunks: Mapping[int, StoredChunk], query: str, reranker: Reranker
) -> tuple[list[Standing], str]:
    """The candidates in the order of somebody who reads them; a reader that fails changes nothing, and is named."""
    texts, scores = [chunks[one.fused.row].text for one in ranked], [one.score for one in ranked]
    done = rerank(reranker, query, texts, scores)
    if done.because:
        return ranked, done.because
    again: list[Standing] = []
    for place in done.order:
        score, fused, later = ranked[place]
        parts = {**later, "rerank": done.scores[place] - score}
        judged = done.judged[place]
        again.append(Standing(done.scores[place], fused, parts if judged is None else {**parts, "judged": judged}))
    return again, ""


def _hits(
    best: Sequence[Arranged],
    retrieved: Retrieved,
    words: Sequence[Word],
    memory: MemorySettings,
    settings: SearchSettings,
) -> tuple[Hit, ...]:
    cite = wanted(memory.citations, [one.chunks[0].path for one in best])
    hits: list[Hit] = []
    # A word or an id that was found needs no other sign, and of a very long question no chunk holds much.
    tells = not _SHORT_QUESTION < len(words) <= _LONG_QUESTION or any(word.heavy for word in words)
    for (score, fused, later), together in best:
        chunk = next(one for one in together if one.row == fused.row)
        first, text = together[0].start_line, _text_of(together)
        parts = {**explained(fused, retrieved.legs), **later}
        seen = evidence(parts, retrieved.ideal, retrieved.background, by_vectors=retrieved.by_vectors)
        tells = tells or seen.tells
        snippet = snippet_of(text, words, settings.snippet_chars)
        # A piece of one long line shares its line number with the other pieces.
        last = max(one.end_line for one in together)
        start, end = min(first + snippet.first, last), min(first + snippet.last, last)
        hits.append(
            Hit(
                chunk_id=chunk.chunk_id,
                path=chunk.path,
                start_line=start,
                end_line=end,
                score=score,
                vector_score=fused.vector_score,
                text_score=fused.text_score,
                snippet=snippet.text,
                citation=citation(chunk.path, start) if cite else None,
                source=chunk.source,
                headings=chunk.headings,
                explain=MappingProxyType({**parts, "score": score}),
                confidence=seen.confidence,
            )
        )
    return tuple(hits) if tells else ()


def _text_of(together: Sequence[StoredChunk]) -> str:
    """The lines of neighbours, each once."""
    if len(together) == 1:
        return together[0].text
    lines: dict[int, str] = {}
    for chunk in together:
        lines.update(enumerate(chunk.text.split("\n"), chunk.start_line))
    return "\n".join(lines.get(number, "") for number in range(min(lines), max(lines) + 1))
