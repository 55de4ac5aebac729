"""The stages between what was retrieved and what is shown: each takes candidates and gives candidates.

Each can be left out, and docs/quality-ablation.md says what it is worth. They see the same candidates however many hits
are wanted, so the first hits stay the first when more are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from holdfast.index.sqlite.vectors import Vectors
from holdfast.search.candidate import Standing, ordered
from holdfast.search.day_notes import with_days
from holdfast.search.diversity import alike, mmr
from holdfast.search.inquiry import Candidates, Inquiry, Stage
from holdfast.search.note_groups import falling
from holdfast.search.question_echo import answer_first
from holdfast.search.rerank import rerank
from holdfast.search.small_talk import is_message
from holdfast.search.supersession import newest_first

__all__ = ["gates_of", "stages_of"]

_CLOSER = 16  # candidates that are read word by word
_CLOSER_SHARE = 0.4


def stages_of(
    inquiry: Inquiry, vectors: Vectors | None, widen: Stage | None, join: Stage | None, *, by_id: bool
) -> Iterable[Stage]:
    """The stages of one search, in their order.

    Where the question holds an id that stands in the notes (`by_id`), the id decides: a model has no sense of one, and
    what was written last month must not stand before it because the question says so.
    """
    if widen is not None:
        yield widen
    if inquiry.scope is not None and not inquiry.scope.is_open:
        yield partial(_allowed, inquiry)
    if inquiry.look_closer is not None and inquiry.settings.closer and not by_id:
        yield partial(_closer, inquiry)
    if inquiry.weighing is not None:
        yield partial(_weighed, inquiry, by_id=by_id)
    if join is not None:
        # After all that goes by the question alone: a likely first hit is to stay the first.
        yield join
        if inquiry.scope is not None and not inquiry.scope.is_open:
            yield partial(_allowed, inquiry)
    yield partial(with_days, inquiry)
    if inquiry.settings.answer_first:
        yield partial(answer_first, inquiry)
    if inquiry.settings.newest_first:
        yield partial(newest_first, inquiry)
    yield partial(_good_enough, inquiry)
    if inquiry.reranker is not None:
        yield partial(_reranked, inquiry)
        yield partial(_good_enough, inquiry)
    if inquiry.mmr.enabled:
        yield partial(_diverse, inquiry, vectors)


def gates_of(inquiry: Inquiry) -> Iterable[Stage]:
    """The stages that only leave something out: for candidates that follow behind those that the others see."""
    if inquiry.scope is not None and not inquiry.scope.is_open:
        yield partial(_allowed, inquiry)
    yield partial(_good_enough, inquiry)


def _allowed(inquiry: Inquiry, found: Candidates) -> Candidates:
    """Those that the scope allows, once more and by what they are, whatever found them."""
    from holdfast.search.scope_filter import allowed

    assert inquiry.scope is not None
    scope, chunks = inquiry.scope, found.chunks
    return found._replace(ranked=[one for one in found.ranked if allowed(scope, chunks[one.fused.row])])


def _closer(inquiry: Inquiry, found: Candidates) -> Candidates:
    """The first few in the order of a closer look and of what they scored before; none leaves the others' range."""
    first = found.ranked[:_CLOSER]
    if not first or inquiry.look_closer is None:
        return found
    texts = [found.chunks[one.fused.row] for one in first]
    met = inquiry.look_closer(inquiry.question.text, [(chunk.text_hash, chunk.text) for chunk in texts])
    if met is None:
        return found
    low, high, least = first[-1].score, first[0].score, min(met)
    differ = max(met) > least
    scale = (high - low) / (max(met) - least) if differ else 0.0
    looked: list[Standing] = []
    for one, score in zip(first, met, strict=True):
        # Where all meet the question alike there is nothing to put in order, but how well they do still tells.
        gain = _CLOSER_SHARE * (low + scale * (score - least) - one.score) if differ else 0.0
        looked.append(Standing(one.score + gain, one.fused, {**one.later, "closer": gain, "met": score}))
    return found._replace(ranked=[*ordered(looked, found.chunks), *found.ranked[_CLOSER:]])


def _weighed(inquiry: Inquiry, found: Candidates, *, by_id: bool) -> Candidates:
    """With what is known beside the words: dates, use, importance, and the names that the question calls."""
    from holdfast.search.note_weights import weighed

    how, settings = inquiry.weighing, inquiry.settings
    assert how is not None
    if by_id:
        how, settings = how._replace(window=None), settings.replace(time=False)
    goes_on = not by_id and is_message(inquiry.question)
    ranked = weighed(found.ranked, found.chunks, inquiry.question.text, how, settings, goes_on=goes_on)
    return found._replace(ranked=falling(ranked))


def _good_enough(inquiry: Inquiry, found: Candidates) -> Candidates:
    """Those that score as much as was asked for."""
    return found._replace(ranked=[one for one in found.ranked if one.score >= inquiry.least])


def _reranked(inquiry: Inquiry, found: Candidates) -> Candidates:
    """The candidates in the order of somebody who reads them; a reader that fails changes nothing, and is named."""
    ranked, reranker = found.ranked, inquiry.reranker
    if not ranked or reranker is None:
        return found
    texts = [found.chunks[one.fused.row].text for one in ranked]
    done = rerank(reranker, inquiry.question.text, texts, [one.score for one in ranked])
    if done.because:
        return found._replace(partial=True).saying(done.because)
    again: list[Standing] = []
    for place in done.order:
        score, fused, later = ranked[place]
        parts = {**later, "rerank": done.scores[place] - score}
        judged = done.judged[place]
        again.append(Standing(done.scores[place], fused, parts if judged is None else {**parts, "judged": judged}))
    return found._replace(ranked=again)


def _diverse(inquiry: Inquiry, vectors: Vectors | None, found: Candidates) -> Candidates:
    """In an order in which hits that repeat each other give way."""
    by_row = {one.fused.row: one for one in found.ranked}
    texts = {row: found.chunks[row].text for row in by_row}
    similar = alike(texts, vectors.packed_of(list(by_row)) if vectors is not None else None)
    rows = mmr([(row, one.score) for row, one in by_row.items()], similar, inquiry.mmr.relevance)
    return found._replace(ranked=falling([by_row[row] for row in rows]))
