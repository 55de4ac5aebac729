"""One search from the question to the hits: ask, retrieve, run the stages, arrange by note, show."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.edition import Edition
from holdfast.index.store import StoredChunk, Within, Word
from holdfast.search.answering import Asked, asked
from holdfast.search.arrange import Arranged, falling, in_notes
from holdfast.search.cite import citation, wanted
from holdfast.search.confidence import judge
from holdfast.search.evidence import evidence_of
from holdfast.search.fuse import Fused, explained, spreads_above
from holdfast.search.hit import Hit, Mode, Results
from holdfast.search.inquiry import MAX_RESULTS, Candidates, Inquiry, LookCloser, Stage
from holdfast.search.null_distribution import Null, null_of
from holdfast.search.occasion import occasion
from holdfast.search.retrieve import Retrieved, retrieve
from holdfast.search.sharing import shared, whose_lines
from holdfast.search.snippet import snippet_of
from holdfast.search.stages import stages_of
from holdfast.search.standing import Standing, ordered

if TYPE_CHECKING:
    from holdfast.search.scope import Scope

__all__ = ["MAX_RESULTS", "Inquiry", "LookCloser", "search"]

_CONSIDERED = 60  # candidates that the stages see, however many hits are wanted; the others follow as they are
_BETWEEN = "\n…\n"  # passages of one note that are shown together


def search(database: Database, inquiry: Inquiry) -> Results:
    """The best passages for a question; without a provider, or with none that answers, keywords answer alone."""
    began = time.perf_counter()
    inquiry.check()
    question = inquiry.question
    if question.ids and _are_known(database, question.ids):
        # No vector says as much of an id as that it stands there, and a provider need not be asked.
        vector = Asked(None, None, "the question is an id that stands in the notes")
    else:
        vector = asked(database, inquiry.chain, question.text, inquiry.memory, inquiry.since)
    if vector.vectors is not None:
        vector.vectors.level()
    told = ""
    with database.connection.reading():
        edition = database.serving()
        if edition is None:
            retrieved, found = Retrieved([], [], by_vectors=False), Candidates((), {})
            null = Null(by_vectors=False)
        else:
            inside = _inside(inquiry.scope, edition)
            retrieved = retrieve(edition, question, vector.vectors, vector.packed, inquiry, inside)
            found = _first(edition, retrieved, inquiry)
            null = null_of(database, edition, vector.vectors if retrieved.by_vectors else None)
            if inquiry.weighing is not None and inquiry.settings.time:
                event = occasion(edition, question.text, inquiry.weighing.now, inside)
                if event is not None:
                    inquiry = inquiry.replace(weighing=inquiry.weighing._replace(window=event.window))
                    told = event.told
    found = found.saying(vector.because)._replace(partial=vector.partial)
    widen = None if edition is None else _widen(database, edition, inquiry, vector, retrieved)
    for stage in stages_of(inquiry, vector.vectors, widen, by_id=retrieved.knows_id):
        found = stage(found)
    arranged = in_notes(falling(found.ranked), found.chunks, inquiry.limit, by_passage=inquiry.by_passage)
    hits = _hits(shared(arranged)[: inquiry.limit], retrieved, null, inquiry)
    answering = vector.vectors if retrieved.by_vectors else None
    return Results(
        query=inquiry.query,
        mode=_mode(inquiry, by_vectors=retrieved.by_vectors),
        because="; ".join(filter(None, found.said)),
        results=hits,
        provider=answering.space.provider if answering is not None else None,
        model=answering.space.model if answering is not None else None,
        took_ms=(time.perf_counter() - began) * 1000,
        partial=found.partial,
        window=told,
    )


def _mode(inquiry: Inquiry, *, by_vectors: bool) -> Mode:
    if not by_vectors:
        return Mode.KEYWORD
    return Mode.HYBRID if inquiry.settings.hybrid else Mode.VECTOR


def _first(edition: Edition, retrieved: Retrieved, inquiry: Inquiry) -> Candidates:
    """The candidates that the stages will see, in their order; what the question calls by its title is among them."""
    head = {one.row: one for one in retrieved.candidates[:_CONSIDERED]}
    for row in edition.titled(inquiry.question.text):
        if row not in head:
            known = next((one for one in retrieved.candidates if one.row == row), None)
            head[row] = known or Fused(row, 0.0, None, None)
    chunks = edition.chunks(head)
    if len({chunk.path for chunk in chunks.values()}) < inquiry.limit:
        rest = {one.row: one for one in retrieved.candidates[_CONSIDERED:] if one.row not in head}
        chunks |= edition.chunks(rest)
        head |= rest
    standing = [Standing(one.score, one, {}) for one in head.values() if one.row in chunks]
    return Candidates(ordered(standing, chunks), chunks)


def _widen(database: Database, edition: Edition, inquiry: Inquiry, vector: Asked, retrieved: Retrieved) -> Stage | None:
    """The stage that asks in other words, where there is somebody who knows some."""
    if inquiry.expander is None:
        return None
    from holdfast.search.widen import Ground, widened

    ask = partial(asked, database, inquiry.chain, memory=inquiry.memory, since=inquiry.since)
    ground = Ground(
        database,
        edition,
        partial(_inside, inquiry.scope),
        ask,
        vector.packed,
        vector.vectors if retrieved.by_vectors else None,
        inquiry.settings.hybrid or not retrieved.by_vectors,
    )
    return partial(widened, inquiry.expander, inquiry.question, retrieved, ground)


def _are_known(database: Database, ids: Sequence[Word]) -> bool:
    """Whether all of these stand in the notes, as they were typed."""
    with database.connection.reading():
        edition = database.serving()
        return edition is not None and edition.knows(ids)


def _inside(scope: Scope | None, edition: Edition) -> Within | None:
    """What a scope lets through: the one filter of every read. None is all."""
    if scope is None or scope.is_open:
        return None
    from holdfast.search.inside import within

    return within(scope, edition)


def _hits(best: Sequence[Arranged], retrieved: Retrieved, null: Null, inquiry: Inquiry) -> tuple[Hit, ...]:
    cite = wanted(inquiry.memory.citations, [one.chunks[0].path for one in best])
    hits = (_hit(one, retrieved, null, inquiry, cite=cite) for one in best)
    return tuple(hit for hit in hits if hit.confidence >= inquiry.least_confidence)


def _hit(one: Arranged, retrieved: Retrieved, null: Null, inquiry: Inquiry, *, cite: bool) -> Hit:
    (score, fused, later), together = one
    chunk = next(each for each in together if each.row == fused.row)
    parts = _parts(one.standing, retrieved)
    evidence = evidence_of(len(inquiry.question.words), parts["held"], parts["above"], parts.get("met"), later)
    judgement = judge(evidence, null)
    text, start, end = _shown(chunk, inquiry)
    others = [each for each in together if each is not chunk]
    room = inquiry.settings.snippet_chars - len(text)
    shown = {chunk.row: text}
    for each in others:
        if len(each.text) < room:
            shown[each.row] = each.text
            room -= len(each.text)
    return Hit(
        chunk_id=chunk.chunk_id,
        path=chunk.path,
        start_line=start,
        end_line=end,
        score=score,
        vector_score=fused.vector_score,
        text_score=fused.text_score,
        snippet=_BETWEEN.join(shown[each.row] for each in sorted(together, key=_line) if each.row in shown),
        citation=citation(chunk.path, start) if cite else None,
        source=chunk.source,
        headings=chunk.headings,
        explain=MappingProxyType({**parts, "evidence": evidence.value, "score": score}),
        fact=chunk.fact,
        confidence=judgement.confidence,
        likely=judgement.likely,
        origin=whose_lines([each for each in together if each.row in shown], start, end),
        ranges=_ranges(together),
    )


def _parts(standing: Standing, retrieved: Retrieved) -> dict[str, float]:
    """The parts of a score by name, and the evidence: how much is `held` of the question, how far `above` chance."""
    fused, later = standing.fused, standing.later
    parts = explained(fused, retrieved.legs)
    held = float("bm25" in parts)  # in a handful of notes no word is rare: that one holds it is all there is to say
    if retrieved.ideal > 0:
        held = min(1.0, parts.get("bm25", 0.0) / retrieved.ideal)
    above = spreads_above(fused.vector_score or 0.0, retrieved.near)
    return {
        **parts,
        **later,
        "held": max(held, later.get("held", 0.0)),
        "above": max(above, later.get("above", 0.0)),
    }


def _shown(chunk: StoredChunk, inquiry: Inquiry) -> tuple[str, int, int]:
    """The lines of a passage that are worth showing, and their numbers."""
    snippet = snippet_of(chunk.text, inquiry.question.words, inquiry.settings.snippet_chars)
    # A piece of one long line shares its line number with the other pieces.
    first, last = chunk.start_line, chunk.end_line
    return snippet.text, min(first + snippet.first, last), min(first + snippet.last, last)


def _line(chunk: StoredChunk) -> tuple[int, str]:
    return chunk.start_line, chunk.chunk_id


def _ranges(together: Iterable[StoredChunk]) -> tuple[tuple[int, int], ...]:
    """The lines of several passages, each once, best first."""
    return tuple(dict.fromkeys((chunk.start_line, chunk.end_line) for chunk in together))
