"""One search from the question to the hits: retrieve, look closer, order, cut, show."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial as partial_of
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from holdfast.embeddings.chain import Chain
from holdfast.errors import BadArgument
from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.edition import Edition
from holdfast.index.store import StoredChunk, Within, Word
from holdfast.search.answering import Asked, asked
from holdfast.search.arrange import Arranged, falling, in_blocks
from holdfast.search.cite import citation, wanted
from holdfast.search.confidence import evidence
from holdfast.search.fuse import Fused, explained
from holdfast.search.hit import Hit, Mode, Results
from holdfast.search.occasion import occasion
from holdfast.search.question import question_of
from holdfast.search.rerank import Reranker, rerank
from holdfast.search.retrieve import Retrieved, retrieve
from holdfast.search.sharing import shared, whose_lines
from holdfast.search.snippet import snippet_of
from holdfast.search.standing import Standing, ordered
from holdfast.settings.values import MemorySettings, MmrSettings, SearchSettings

if TYPE_CHECKING:
    from holdfast.search.expand import Expander
    from holdfast.search.scope import Scope
    from holdfast.search.weigh import Weighing

__all__ = ["MAX_RESULTS", "LookCloser", "search"]

MAX_RESULTS = 100

LookCloser: TypeAlias = Callable[[str, Sequence[tuple[str, str]]], list[float] | None]
"""The question, and texts with their hashes → how well each text meets the question, or None."""


# The candidates that the later stages may reorder, however many hits are wanted; the others follow as they are.
_SHORTLIST = 24
# Of those behind, so many that score so much of the best by words are weighed too, if the question names them.
_LATE, _BY_WORDS = 8, 0.75
_ENOUGH = 16  # hits: for more, all candidates are looked at
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
    expander: Expander | None = None,
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
    if question.ids and _are_known(database, question.ids):
        # No vector says as much of an id as that it stands there, and a provider need not be asked.
        packed, vectors, because, partial = Asked(None, None, "the question is an id that stands in the notes")
    else:
        packed, vectors, because, partial = asked(database, chain, question.text, memory, since)
    if vectors is not None:
        vectors.level()
    told = ""
    with database.connection.reading():
        edition = database.serving()
        if edition is None:
            retrieved = Retrieved([], [], by_vectors=False)
        else:
            notes = _allowed(scope, edition)
            # What is a candidate must not depend on how many hits are wanted.
            most = limit if expander is None and limit <= _ENOUGH else MAX_RESULTS
            strategy = memory.search_merge_strategy
            retrieved = retrieve(edition, question, vectors, packed, strategy, settings, most, notes)
            if (
                weighing is not None
                and settings.time
                and (event := occasion(edition, question.text, weighing.now, notes))
            ):
                weighing, told = weighing._replace(window=event.window), event.told
        # Either of two lengths: what is arranged together must not depend on how many hits are wanted.
        length = _SHORTLIST if limit <= _ENOUGH else MAX_RESULTS
        found = {one.row: one for one in _up_to(retrieved.candidates, length)}
        late = [one for one in retrieved.candidates[_SHORTLIST:] if (one.text_score or 0.0) >= _BY_WORDS][:_LATE]
        chunks = edition.chunks(dict.fromkeys([*found, *(one.row for one in late)])) if edition is not None else {}
    by_vectors = retrieved.by_vectors
    called = _called([one.row for one in late], chunks, question.text)
    found |= {one.row: one for one in late if one.row in called}
    chunks = {row: chunk for row, chunk in chunks.items() if row in found}
    ranked = ordered([Standing(one.score, one, {}) for one in found.values()], chunks)
    # Where the question holds an id that stands in the notes, the id decides: a model has no sense of one, and what was
    # written last month must not stand before it because the question says so.
    named = retrieved.knows_id
    shortlist = {one.fused.row for one in ranked[:_SHORTLIST]} | called
    if expander is not None and edition is not None:
        from holdfast.search.widen import Ground, widened

        by_words = settings.hybrid or not by_vectors
        inside = partial_of(_allowed, scope)
        ask = partial_of(asked, database, chain, memory=memory, since=since)
        ground = Ground(database, edition, inside, ask, packed, vectors if by_vectors else None, by_words)
        wide = widened(expander, question, ranked, chunks, retrieved, ground, named=named)
        ranked, chunks, shortlist = wide.ranked, wide.chunks, shortlist | wide.found
        because, partial = "; ".join(filter(None, (because, wide.because))), partial or wide.partial
    if scope is not None and not scope.is_open:
        ranked = _let_through(scope, ranked, chunks)
    if look_closer is not None and settings.closer and not named:
        ranked = _closer(ranked, chunks, question.text, look_closer)
    if weighing is not None:
        from holdfast.search.weigh import weighed

        first = [one for one in ranked if one.fused.row in shortlist]
        rest = [one for one in ranked if one.fused.row not in shortlist]
        how, wished = (weighing._replace(window=None), settings.replace(time=False)) if named else (weighing, settings)
        ranked = falling(weighed(first, chunks, question.text, how, wished) + rest)
    ranked = [one for one in ranked if one.score >= least]
    if reranker is not None and ranked:
        ranked, kept = _reranked(ranked, chunks, question.text, reranker)
        because, partial = "; ".join(filter(None, (because, kept))), partial or bool(kept)
        ranked = [one for one in ranked if one.score >= least]
    packed_of = vectors.packed_of if vectors else None
    arranged = in_blocks(ranked, shortlist, chunks, mmr, settings.snippet_chars, packed_of)
    best = shared(arranged, shortlist)[:limit]
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
        window=told,
    )


def _are_known(database: Database, ids: Sequence[Word]) -> bool:
    """Whether all of these stand in the notes, as they were typed."""
    with database.connection.reading():
        edition = database.serving()
        return edition is not None and edition.knows(ids)


def _allowed(scope: Scope | None, edition: Edition) -> Within | None:
    """What a scope lets through: the one filter of every read. None is all."""
    if scope is None or scope.is_open:
        return None
    from holdfast.search.inside import within

    return within(scope, edition)


def _let_through(scope: Scope, ranked: Sequence[Standing], chunks: Mapping[int, StoredChunk]) -> list[Standing]:
    """Those that the scope allows, once more and by what they are, whatever found them."""
    from holdfast.search.inside import allowed

    return [one for one in ranked if allowed(scope, chunks[one.fused.row])]


def _called(rows: Sequence[int], chunks: Mapping[int, StoredChunk], query: str) -> frozenset[int]:
    """Those of the rows that the question calls by name: among a million chunks, two dozen can be nearer to a title
    than the note of that title."""
    if not rows:
        return frozenset()
    from holdfast.search.exact import Named

    asked = Named(query)
    there = [chunks[row] for row in rows if row in chunks]
    return frozenset(chunk.row for chunk in there if asked.calls(chunk))


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
    tells = retrieved.knows and (not _SHORT_QUESTION < len(words) <= _LONG_QUESTION or retrieved.knows_id)
    for (score, fused, later), together in best:
        chunk = next(one for one in together if one.row == fused.row)
        first, text = together[0].start_line, _text_of(together)
        parts = {**explained(fused, retrieved.legs), **later}
        seen = evidence(
            parts,
            retrieved.ideal,
            retrieved.background,
            by_vectors=retrieved.by_vectors,
            few=retrieved.few,
            knows=retrieved.knows,
        )
        tells = tells or seen.tells or "likely" in later
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
                fact=chunk.fact,
                confidence=max(seen.confidence, later.get("likely", 0.0)),
                origin=whose_lines(together, start, end),
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
