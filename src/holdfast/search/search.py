"""One search from the question to the hits: ask, retrieve, run the stages, arrange by note, show."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import takewhile
from types import MappingProxyType
from typing import TYPE_CHECKING

from holdfast.guard.origin import weakest
from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.edition import Edition
from holdfast.index.store import StoredChunk, Within, Word
from holdfast.search.answering import Asked, asked
from holdfast.search.arrange import Arranged, falling, in_notes
from holdfast.search.cite import citation, wanted
from holdfast.search.confidence import evidence
from holdfast.search.fuse import Fused, explained
from holdfast.search.hit import Hit, Mode, Results
from holdfast.search.inquiry import MAX_RESULTS, Candidates, Inquiry, LookCloser, Stage
from holdfast.search.occasion import occasion
from holdfast.search.retrieve import Retrieved, retrieve
from holdfast.search.sharing import shared, whose, whose_lines
from holdfast.search.snippet import snippet_of
from holdfast.search.stages import gates_of, stages_of
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
            retrieved = Retrieved([], [], by_vectors=False)
            found = behind = Candidates((), {})
        else:
            inside = _inside(inquiry.scope, edition)
            retrieved = retrieve(edition, question, vector.vectors, vector.packed, inquiry, inside)
            found, behind = _first(edition, retrieved, inquiry)
            if inquiry.weighing is not None and inquiry.settings.time:
                event = occasion(edition, question.text, inquiry.weighing.now, inside)
                if event is not None:
                    inquiry = inquiry.replace(weighing=inquiry.weighing._replace(window=event.window))
                    told = event.told
    found = found.saying(vector.because)._replace(partial=vector.partial)
    widen = None if edition is None else _widen(database, edition, inquiry, vector, retrieved)
    for stage in stages_of(inquiry, vector.vectors, widen, by_id=retrieved.knows_id):
        found = stage(found)
    first = {one.fused.row for one in found.ranked}
    for gate in gates_of(inquiry):
        behind = gate(behind)
    ranked = falling([*found.ranked, *(one for one in behind.ranked if one.fused.row not in found.chunks)])
    chunks = {**behind.chunks, **found.chunks}
    arranged = in_notes(ranked, chunks, inquiry.limit, by_passage=inquiry.by_passage)
    hits = _hits(shared(arranged, first)[: inquiry.limit], retrieved, inquiry)
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


def _first(edition: Edition, retrieved: Retrieved, inquiry: Inquiry) -> tuple[Candidates, Candidates]:
    """The candidates that the stages see, in their order, and where those are of fewer notes than hits are wanted, the
    ones behind them; what the question calls by its title is among the first."""
    every = {one.row: one for one in retrieved.candidates}
    head = {one.row: one for one in _up_to(retrieved.candidates, _CONSIDERED)}
    for row in edition.titled(inquiry.question.text):
        # What the question wants or does not want in a text is true of the candidates only.
        if row in every or not (inquiry.question.without or inquiry.question.strict):
            head[row] = every.get(row) or Fused(row, 0.0, None, None)
    first = _standing(edition, head.values())
    if len({chunk.path for chunk in first.chunks.values()}) >= inquiry.limit:
        return first, Candidates((), {})
    return first, _standing(edition, [one for one in retrieved.candidates if one.row not in head])


def _standing(edition: Edition, fused: Iterable[Fused]) -> Candidates:
    """Candidates as they came, with their passages."""
    rows = {one.row: one for one in fused}
    chunks = edition.chunks(rows)
    return Candidates(ordered([Standing(rows[row].score, rows[row], {}) for row in chunks], chunks), chunks)


def _up_to(fused: Sequence[Fused], most: int) -> Sequence[Fused]:
    """So many of them, and all that score as much as the last one: among equals no other order than ours decides."""
    if len(fused) <= most:
        return fused
    edge = fused[most - 1].score
    return [*fused[:most], *takewhile(lambda one: one.score == edge, fused[most:])]


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


def _hits(best: Sequence[Arranged], retrieved: Retrieved, inquiry: Inquiry) -> tuple[Hit, ...]:
    cite = wanted(inquiry.memory.citations, [one.chunks[0].path for one in best])
    return tuple(_hit(one, retrieved, inquiry, cite=cite) for one in best)


def _hit(one: Arranged, retrieved: Retrieved, inquiry: Inquiry, *, cite: bool) -> Hit:
    (score, fused, later), together = one
    chunk = next(each for each in together if each.row == fused.row)
    parts = {**explained(fused, retrieved.legs), **later}
    seen = evidence(parts, retrieved.ideal, retrieved.background, by_vectors=retrieved.by_vectors)
    text, start, end = _shown(chunk, inquiry)
    shown = {chunk.row: text, **_shown_beside(chunk, together, inquiry.settings.snippet_chars - len(text))}
    beside = [each for each in together if each is not chunk and each.row in shown]
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
        explain=MappingProxyType({**parts, "score": score}),
        fact=chunk.fact,
        confidence=max(seen, later.get("likely", 0.0)),
        origin=weakest({whose_lines([chunk], start, end), *(whose([each]) for each in beside)}),
        ranges=_ranges(together),
    )


def _shown(chunk: StoredChunk, inquiry: Inquiry) -> tuple[str, int, int]:
    """The lines of a passage that are worth showing, and their numbers."""
    snippet = snippet_of(chunk.text, inquiry.question.words, inquiry.settings.snippet_chars)
    # A piece of one long line shares its line number with the other pieces.
    first, last = chunk.start_line, chunk.end_line
    return snippet.text, min(first + snippet.first, last), min(first + snippet.last, last)


def _shown_beside(chunk: StoredChunk, together: Iterable[StoredChunk], room: int) -> dict[int, str]:
    """The texts of the other passages for which there is room, best first; no line stands in two of them."""
    taken = [chunk]
    found: dict[int, str] = {}
    for each in together:
        apart = all(each.end_line < one.start_line or one.end_line < each.start_line for one in taken)
        if apart and len(_BETWEEN) + len(each.text) <= room:
            taken.append(each)
            found[each.row] = each.text
            room -= len(_BETWEEN) + len(each.text)
    return found


def _line(chunk: StoredChunk) -> tuple[int, str]:
    return chunk.start_line, chunk.chunk_id


def _ranges(together: Iterable[StoredChunk]) -> tuple[tuple[int, int], ...]:
    """The lines of several passages, each once, best first."""
    return tuple(dict.fromkeys((chunk.start_line, chunk.end_line) for chunk in together))
