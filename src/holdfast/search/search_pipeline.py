"""One search from the question to the hits: ask, retrieve, run the stages, arrange by note, show."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import takewhile
from types import MappingProxyType
from typing import TYPE_CHECKING

from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.edition import Edition
from holdfast.index.store_contract import StoredChunk, Within, Word
from holdfast.markdown.speakers import Voice
from holdfast.named_tuple import NamedTuple
from holdfast.plural import agree, count_of
from holdfast.search.candidate import Candidate, as_candidate, sort_candidates
from holdfast.search.citation import citation, wanted
from holdfast.search.confidence import judge
from holdfast.search.day_notes import passages_of_days
from holdfast.search.event_window import occasion
from holdfast.search.evidence import Evidence, evidence_of, word_count
from holdfast.search.excerpt import Around, excerpt_of, surroundings
from holdfast.search.frequent_words import leave_out_common
from holdfast.search.front_matter_hits import skip_front_matter
from holdfast.search.fusion import Fused, explain_score, spreads_above
from holdfast.search.hit import Hit, Mode, Results
from holdfast.search.inquiry import MAX_RESULTS, Candidates, Inquiry, LookCloser, Stage
from holdfast.search.note_groups import NoteGroup, group_by_note, lower_to_previous
from holdfast.search.note_weights import time_asked
from holdfast.search.null_distribution import Null, null_of
from holdfast.search.origin_balance import balance_origins
from holdfast.search.picture_hits import picture_vectors
from holdfast.search.query import Question
from holdfast.search.query_vector import QueryVector, ask_providers
from holdfast.search.retrieval import Retrieval, retrieve
from holdfast.search.script import null_languages
from holdfast.search.stages import gates_of, stages_of
from holdfast.search.supersession import add_successors

if TYPE_CHECKING:
    from holdfast.search.scope import Scope
    from holdfast.search.second_search import Ground

__all__ = ["MAX_RESULTS", "Inquiry", "LookCloser", "hits_of", "search"]

_MAX_NAMES = 8  # ids that are looked for beside what is asked
_CONSIDERED = 60  # candidates that the stages see, however many hits are wanted; the others follow as they are


class _FirstLook(NamedTuple):
    """Holds what one look at the index gave: all that the stages begin with."""

    inquiry: Inquiry
    """The question as it is known now: with the time that it asks for, without words that every note holds."""
    edition: Edition | None
    """None before anything was indexed."""
    retrieved: Retrieval
    null: Null
    found: Candidates
    behind: Candidates
    """Candidates that the stages don't see."""
    window: str = ""
    """What told the day of an event that the question measures time by."""


def search(database: Database, inquiry: Inquiry) -> Results:
    """Return the best passages for a question; without a provider, or with none that answers, keywords answer alone."""
    began = time.perf_counter()
    inquiry.check()
    vector = _vector_of(database, inquiry)
    look = _look_first(database, inquiry, vector)
    inquiry, retrieved = look.inquiry, look.retrieved
    found, best = _arrange(database, look, _run_stages(database, look, vector))
    around = surroundings(database, look.edition, best, inquiry)
    hits, left_out = _keep_confident(hits_of(best, found, retrieved, look.null, around, inquiry), inquiry)
    provider = model = None
    if retrieved.by_vectors and vector.vectors is not None:
        provider, model = vector.vectors.space.provider, vector.vectors.space.model
    return Results(
        query=inquiry.query,
        mode=_mode(inquiry, by_vectors=retrieved.by_vectors),
        because="; ".join(filter(None, (*found.said, left_out))),
        results=hits,
        provider=provider,
        model=model,
        took_ms=(time.perf_counter() - began) * 1000,
        partial=found.partial,
        window=look.window,
    )


def _vector_of(database: Database, inquiry: Inquiry) -> QueryVector:
    question = inquiry.question
    if question.ids and _are_known(database, question.ids):
        # No vector says as much of an id as that it stands there, and a provider need not be asked.
        return QueryVector(None, None, "the question is an id that stands in the notes")
    return ask_providers(database, inquiry.chain, question.text, inquiry.memory, inquiry.since)


def _look_first(database: Database, inquiry: Inquiry, vector: QueryVector) -> _FirstLook:
    """Retrieve the candidates, and all else that depends on them, in one read transaction."""
    pictures = picture_vectors(database, vector.vectors)
    for space in filter(None, (vector.vectors, pictures)):
        space.level()
    with database.connection.reading():
        edition = database.serving()
        if edition is None:
            none = Candidates((), {})
            return _FirstLook(
                inquiry, None, Retrieval([], [], by_vectors=False), Null(by_vectors=False), _told(none, vector), none
            )
        inquiry = inquiry.replace(question=_keep_known_names(inquiry.question, edition))
        if vector.vectors is not None and inquiry.piece_costs is not None:
            inquiry = inquiry.replace(question=leave_out_common(inquiry.question, inquiry.piece_costs, edition))
        question, inside = inquiry.question, _inside(inquiry.scope, edition)
        retrieved = retrieve(edition, question, vector, inquiry, inside, pictures=pictures)
        null = null_of(database, edition, vector.vectors if retrieved.by_vectors else None)
        null = null.of_languages(null_languages(question), at_home=question.at_home)
        candidates, behind = _split_candidates(edition, retrieved, inquiry)
        if inquiry.settings.newest_first:
            candidates = add_successors(edition, candidates)
        inquiry, window = _add_time(edition, inquiry, inside)
        days = passages_of_days(edition, inquiry, inside, vector)
        candidates = candidates._replace(days=days.passages, day_scores=days.scores, elsewhere=days.elsewhere)
        candidates = _told(candidates.saying(retrieved.phrase_gap), vector)
        return _FirstLook(inquiry, edition, retrieved, null, candidates, behind, window)


def _keep_known_names(question: Question, edition: Edition) -> Question:
    """Return the question with few of the ids that stood around it: the last of those that stand in the notes.

    A log is full of addresses and times that no note knows, and they must not push out the one that a note does.
    """
    if len(question.around) <= _MAX_NAMES:
        return question
    known = [word for word in question.around if edition.knows([word])] or question.around
    left = frozenset(question.around) - frozenset(known[-_MAX_NAMES:])
    return question.replace(words=tuple(word for word in question.words if word not in left))


def _told(found: Candidates, vector: QueryVector) -> Candidates:
    """Return the same, with what is to be said of the vector."""
    return found.saying(vector.because)._replace(partial=vector.partial)


def _run_stages(database: Database, look: _FirstLook, vector: QueryVector) -> Candidates:
    inquiry, retrieved = look.inquiry, look.retrieved
    widen = join = None
    if look.edition is not None and (inquiry.expander is not None or inquiry.context):
        ground = _ground(database, look.edition, inquiry, vector, retrieved)
        widen, join = _widen(inquiry, retrieved, ground), _join(inquiry, retrieved, look.null, ground)
    found = look.found
    for stage in stages_of(inquiry, vector.vectors, widen, join, by_id=retrieved.knows_id):
        found = stage(found)
    return found


def _arrange(database: Database, look: _FirstLook, found: Candidates) -> tuple[Candidates, Sequence[NoteGroup]]:
    """Return the candidates with those behind them, and as many as are wanted, the passages of a note together."""
    inquiry, behind = look.inquiry, look.behind
    for gate in gates_of(inquiry):
        behind = gate(behind)
    first = {candidate.fused.row for candidate in found.ranked}
    ranked = lower_to_previous(
        [*found.ranked, *(candidate for candidate in behind.ranked if candidate.fused.row not in found.chunks)]
    )
    every = found._replace(ranked=ranked, chunks={**behind.chunks, **found.chunks})
    every = skip_front_matter(database, look.edition, every)
    arranged = group_by_note(
        every.ranked, every.chunks, inquiry.limit, by_passage=inquiry.by_passage, apart=every.newer.keys()
    )
    return every, balance_origins(arranged, first)[: inquiry.limit]


def _add_time(edition: Edition, inquiry: Inquiry, inside: Within | None) -> tuple[Inquiry, str]:
    """Return the inquiry with the time that it asks for, and what told the day of an event that it measures time by."""
    weighing = inquiry.weighing
    if weighing is None or not inquiry.settings.time:
        return inquiry, ""
    text = inquiry.question.text
    event = occasion(edition, text, weighing.now, inside)
    if event is not None:
        return inquiry.replace(weighing=weighing._replace(window=event.window)), event.explanation
    window = time_asked(text, weighing, inquiry.settings)
    if window is weighing.window:
        return inquiry, ""
    return inquiry.replace(weighing=weighing._replace(window=window)), ""


def _mode(inquiry: Inquiry, *, by_vectors: bool) -> Mode:
    if not by_vectors:
        return Mode.KEYWORD
    if inquiry.settings.hybrid:
        return Mode.HYBRID
    return Mode.VECTOR


def _split_candidates(edition: Edition, retrieved: Retrieval, inquiry: Inquiry) -> tuple[Candidates, Candidates]:
    """Return the candidates that the stages see, in their order, and those behind them.

    There are some behind only where the first are of fewer notes than hits are wanted. What the question calls by its
    title is among the first.
    """
    first = retrieved.first
    if len(first) < _CONSIDERED or first[_CONSIDERED - 1].score == first[-1].score:
        first = retrieved.candidates
    head = {candidate.row: candidate for candidate in _up_to(first, _CONSIDERED)}
    titled = edition.titled(inquiry.question.text)
    every: dict[int, Fused] = {}
    if titled:
        every = {candidate.row: candidate for candidate in retrieved.candidates}
    for row in titled:
        # What the question wants or does not want in a text is true of the candidates only.
        if row in every or not (inquiry.question.without or inquiry.question.strict):
            head[row] = every.get(row) or Fused(row, 0.0, None, None)
    found = _as_candidates(edition, head.values())
    if len({chunk.path for chunk in found.chunks.values()}) >= inquiry.limit:
        return found, Candidates((), {})
    return found, _as_candidates(
        edition, [candidate for candidate in retrieved.candidates if candidate.row not in head]
    )


def _as_candidates(edition: Edition, fused: Iterable[Fused]) -> Candidates:
    """Return candidates as they came, with their passages."""
    rows = {candidate.row: candidate for candidate in fused}
    chunks = edition.chunks(rows)
    every = [as_candidate((rows[row].score, rows[row], {})) for row in chunks]
    return Candidates(sort_candidates(every, chunks), chunks)


def _up_to(fused: Sequence[Fused], most: int) -> Sequence[Fused]:
    """Return so many of them, and all that score as much as the last: among equals no other order than ours decides."""
    if len(fused) <= most:
        return fused
    edge = fused[most - 1].score
    return [*fused[:most], *takewhile(lambda candidate: candidate.score == edge, fused[most:])]


def _ground(
    database: Database, edition: Edition, inquiry: Inquiry, vector: QueryVector, retrieved: Retrieval
) -> Ground:
    """Return what a stage needs that searches once more."""
    from holdfast.search.second_search import Ground

    ask = partial(ask_providers, database, inquiry.chain, memory=inquiry.memory, since=inquiry.since)
    return Ground(
        database,
        edition,
        partial(_inside, inquiry.scope),
        ask,
        vector.packed,
        vector.vectors if retrieved.by_vectors else None,
        inquiry.settings.hybrid or not retrieved.by_vectors,
    )


def _widen(inquiry: Inquiry, retrieved: Retrieval, ground: Ground) -> Stage | None:
    """Return the stage that asks in other words, where there is somebody who knows some."""
    if inquiry.expander is None:
        return None
    from holdfast.search.second_search import search_again

    return partial(search_again, inquiry.expander, inquiry.question, retrieved, ground)


def _join(inquiry: Inquiry, retrieved: Retrieval, null: Null, ground: Ground) -> Stage | None:
    """Return the stage that looks for what was said before the question, where anything was."""
    if not inquiry.context:
        return None
    from holdfast.search.dialogue import join_context

    def is_likely(first: Candidate) -> bool:
        return judge(_evidence(_parts(first, retrieved), first, inquiry), null).likely

    return partial(join_context, inquiry, retrieved, ground, is_likely)


def _are_known(database: Database, ids: Sequence[Word]) -> bool:
    """Say whether all of these stand in the notes, as they were typed."""
    with database.connection.reading():
        edition = database.serving()
        return edition is not None and edition.knows(ids)


def _inside(scope: Scope | None, edition: Edition) -> Within | None:
    """Return what a scope lets through: the one filter of every read. None is all."""
    if scope is None or scope.is_open:
        return None
    from holdfast.search.scope_filter import within

    return within(scope, edition)


def hits_of(
    best: Sequence[NoteGroup], found: Candidates, retrieved: Retrieval, null: Null, around: Around, inquiry: Inquiry
) -> tuple[Hit, ...]:
    """Return the hits as they are shown."""
    cite = wanted(inquiry.memory.citations, [arranged.chunks[0].path for arranged in best])
    return tuple(_hit(arranged, found, retrieved, null, around, inquiry, cite=cite) for arranged in best)


def _keep_confident(hits: Sequence[Hit], inquiry: Inquiry) -> tuple[tuple[Hit, ...], str]:
    """Return the hits that are as likely as was asked for, and what is to be said of the others."""
    least = inquiry.least_confidence
    kept = tuple(hit for hit in hits if hit.confidence >= least)
    left = len(hits) - len(kept)
    message = f"{count_of(left, 'hit')} {agree(left, 'was', 'were')} left out as less likely than {least:g}"
    if not left:
        return kept, ""
    return kept, message


def _hit(
    arranged: NoteGroup,
    found: Candidates,
    retrieved: Retrieval,
    null: Null,
    around: Around,
    inquiry: Inquiry,
    *,
    cite: bool,
) -> Hit:
    score, fused, _ = arranged.candidate
    together = arranged.chunks
    chunk = next(each for each in together if each.row == fused.row)
    parts = _parts(arranged.candidate, retrieved)
    evidence = _evidence(parts, arranged.candidate, inquiry)
    # Who types nothing but a phrase wants that very phrase.
    judgement = judge(evidence, null, in_doubt=inquiry.question.strict and bool(retrieved.phrase_gap))
    of_time = arranged.candidate.later.get(
        "of_time", 0.0
    )  # what is of the only thing that was asked for, its time, answers
    shown = excerpt_of(arranged, around, inquiry, retrieved.near_words, retrieved.weights)
    return Hit(
        chunk_id=chunk.chunk_id,
        path=chunk.path,
        start_line=shown.start,
        end_line=shown.end,
        score=score,
        vector_score=fused.vector_score,
        text_score=fused.text_score,
        snippet=shown.text,
        snippet_line=shown.line,
        citation=citation(chunk.path, shown.start) if cite else None,
        source=chunk.source,
        headings=chunk.headings,
        explain=MappingProxyType({**parts, "evidence": evidence.value, "score": score}),
        fact=chunk.fact,
        confidence=max(judgement.confidence, of_time),
        likely=judgement.likely or of_time > 0.0,
        origin=shown.origin,
        voice=Voice(chunk.voice),
        ranges=_ranges(together),
        newer=_place(found, found.newer.get(fused.row)),
        older=_place(found, found.older.get(fused.row)),
    )


def _place(found: Candidates, row: int | None) -> str:
    if row is None:
        return ""
    return f"{found.chunks[row].path}#{found.chunks[row].start_line}"


def _evidence(parts: Mapping[str, float], candidate: Candidate, inquiry: Inquiry) -> Evidence:
    """Return what speaks for a candidate, given the parts of its score."""
    words = word_count(inquiry.question)
    return evidence_of(words, parts["held"], parts["above"], parts.get("met"), candidate.later)


def _parts(candidate: Candidate, retrieved: Retrieval) -> dict[str, float]:
    """Return the parts of a score, and the evidence.

    That is `held`, of what BM25 could reach, and `above`, the spreads above the background.
    """
    fused, later = candidate.fused, candidate.later
    parts = explain_score(fused, retrieved.legs)
    # In a handful of notes no word is rare: that one holds it is all there is to say.
    if retrieved.ideal > 0:
        held = min(1.0, parts.get("bm25", 0.0) / retrieved.ideal)
    else:
        held = float("bm25" in parts)
    above = spreads_above(fused.vector_score or 0.0, retrieved.near)
    return {
        **parts,
        **later,
        "held": max(held, later.get("held", 0.0)),
        "above": max(above, later.get("above", 0.0)),
    }


def _ranges(together: Iterable[StoredChunk]) -> tuple[tuple[int, int], ...]:
    """Return the lines of several passages, each once, best first."""
    return tuple(dict.fromkeys((chunk.start_line, chunk.end_line) for chunk in together))
