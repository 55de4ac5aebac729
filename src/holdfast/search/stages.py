"""The stages between what was retrieved and what is shown: each takes candidates and gives candidates.

Each can be left out, and docs/quality-ablation.md says what it is worth. They see the same candidates however many hits
are wanted, so the first hits stay the first when more are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from holdfast.index.sqlite.vectors import Vectors
from holdfast.search.candidate import Candidate, sort_candidates
from holdfast.search.day_notes import add_day_notes
from holdfast.search.inquiry import Candidates, Inquiry, Stage
from holdfast.search.note_groups import lower_to_previous
from holdfast.search.question_echo import answer_first
from holdfast.search.small_talk import is_message
from holdfast.search.supersession import newest_first

__all__ = ["gates_of", "stages_of"]

_CLOSER = 16  # candidates that are read word by word
_CLOSER_SHARE = 0.4


def stages_of(
    inquiry: Inquiry, vectors: Vectors | None, widen: Stage | None, join: Stage | None, *, by_id: bool
) -> Iterable[Stage]:
    """Return the stages of one search, in their order.

    If the question holds an id that stands in the notes (`by_id`), the id decides: a model has no sense of one, and
    what was written last month must not stand before it because the question says so.
    """
    if widen is not None:
        yield widen
    if inquiry.scope is not None and not inquiry.scope.is_open:
        yield partial(_drop_forbidden, inquiry)
    if inquiry.look_closer is not None and inquiry.settings.closer and not by_id:
        yield partial(_look_closer, inquiry)
    if inquiry.weighing is not None:
        yield partial(_weigh, inquiry, by_id=by_id)
    if join is not None:
        # After all that goes by the question alone: a likely first hit is to stay the first.
        yield join
        if inquiry.scope is not None and not inquiry.scope.is_open:
            yield partial(_drop_forbidden, inquiry)
    yield partial(add_day_notes, inquiry)
    if inquiry.settings.answer_first:
        yield partial(answer_first, inquiry)
    if inquiry.settings.newest_first:
        yield partial(newest_first, inquiry)
    yield partial(_drop_low_scores, inquiry)
    if inquiry.reranker is not None:
        yield partial(_rerank, inquiry)
        yield partial(_drop_low_scores, inquiry)
    if inquiry.mmr.enabled:
        yield partial(_diversify, inquiry, vectors)


def gates_of(inquiry: Inquiry) -> Iterable[Stage]:
    """Return the stages that only leave something out: for candidates that follow behind those that the others see."""
    if inquiry.scope is not None and not inquiry.scope.is_open:
        yield partial(_drop_forbidden, inquiry)
    yield partial(_drop_low_scores, inquiry)


def _drop_forbidden(inquiry: Inquiry, found: Candidates) -> Candidates:
    """Return those that the scope allows, once more and by what they are, whatever found them."""
    from holdfast.search.scope_filter import allowed

    assert inquiry.scope is not None
    scope, chunks = inquiry.scope, found.chunks
    return found._replace(
        ranked=[candidate for candidate in found.ranked if allowed(scope, chunks[candidate.fused.row])]
    )


def _look_closer(inquiry: Inquiry, found: Candidates) -> Candidates:
    """Put the first few in the order of a closer look and of what they scored before; none leaves the others' range."""
    first = found.ranked[:_CLOSER]
    if not first or inquiry.look_closer is None:
        return found
    texts = [found.chunks[candidate.fused.row] for candidate in first]
    met = inquiry.look_closer(inquiry.question.text, [(chunk.text_hash, chunk.text) for chunk in texts])
    if met is None:
        return found
    low, high, least = first[-1].score, first[0].score, min(met)
    differ = max(met) > least
    scale = 0.0
    if differ:
        scale = (high - low) / (max(met) - least)
    looked: list[Candidate] = []
    for candidate, score in zip(first, met, strict=True):
        # Where all meet the question alike there is nothing to put in order, but how well they do still tells.
        gain = 0.0
        if differ:
            gain = _CLOSER_SHARE * (low + scale * (score - least) - candidate.score)
        looked.append(
            Candidate(candidate.score + gain, candidate.fused, {**candidate.later, "closer": gain, "met": score})
        )
    return found._replace(ranked=[*sort_candidates(looked, found.chunks), *found.ranked[_CLOSER:]])


def _weigh(inquiry: Inquiry, found: Candidates, *, by_id: bool) -> Candidates:
    """Weigh what is known beside the words: dates, use, importance, and the names that the question calls."""
    from holdfast.search.note_weights import weigh_notes

    weighing, settings = inquiry.weighing, inquiry.settings
    assert weighing is not None
    if by_id:
        weighing, settings = weighing._replace(window=None), settings.replace(time=False)
    goes_on = not by_id and is_message(inquiry.question)
    ranked = weigh_notes(found.ranked, found.chunks, inquiry.question.text, weighing, settings, goes_on=goes_on)
    return found._replace(ranked=lower_to_previous(ranked))


def _drop_low_scores(inquiry: Inquiry, found: Candidates) -> Candidates:
    """Return those that score as much as was asked for."""
    least = inquiry.least
    return found._replace(ranked=[candidate for candidate in found.ranked if candidate.score >= least])


def _rerank(inquiry: Inquiry, found: Candidates) -> Candidates:
    """Put candidates in the order of somebody who reads them; a reader that fails changes nothing, and is named."""
    from holdfast.search.rerank import rerank

    ranked, reranker = found.ranked, inquiry.reranker
    if not ranked or reranker is None:
        return found
    texts = [found.chunks[candidate.fused.row].text for candidate in ranked]
    done = rerank(reranker, inquiry.question.text, texts, [candidate.score for candidate in ranked])
    if done.because:
        return found._replace(partial=True).saying(done.because)
    again: list[Candidate] = []
    for place in done.order:
        score, fused, later = ranked[place]
        parts = {**later, "rerank": done.scores[place] - score}
        judged = done.judged[place]
        again.append(Candidate(done.scores[place], fused, parts if judged is None else {**parts, "judged": judged}))
    return found._replace(ranked=again)


def _diversify(inquiry: Inquiry, vectors: Vectors | None, found: Candidates) -> Candidates:
    """Put candidates in an order in which hits that repeat each other give way."""
    from holdfast.search.diversity import mmr, similarity_of

    by_row = {candidate.fused.row: candidate for candidate in found.ranked}
    texts = {row: found.chunks[row].text for row in by_row}
    similar = similarity_of(texts, vectors.packed_of(list(by_row)) if vectors is not None else None)
    rows = mmr([(row, candidate.score) for row, candidate in by_row.items()], similar, inquiry.mmr.relevance)
    return found._replace(ranked=lower_to_previous([by_row[row] for row in rows]))
