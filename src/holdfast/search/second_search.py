"""A first search that leaves room → its candidates and more: found by a model's other words, and by a made-up answer.

    new = first + half x found x (1 - first)

No score gets smaller, so nothing that was found is lost; and what only the model's words found scores half at the most,
so it never stands before a good match of the question's own words. The later stages (a closer look, boosts, names,
reranking) judge all of them by the question itself.

A model may take seconds: it is asked outside any transaction, and the index is looked at again afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.edition import Edition
from holdfast.index.sqlite.vectors import Vectors
from holdfast.index.store_contract import Within
from holdfast.named_tuple import NamedTuple
from holdfast.plural import count_of
from holdfast.search.candidate import Candidate, sort_candidates
from holdfast.search.fusion import Fused, nearness, spreads_above
from holdfast.search.hit import FAINT
from holdfast.search.inquiry import Candidates
from holdfast.search.query import Question, words_of
from holdfast.search.query_expansion import Expander, Expansion, needs_expansion
from holdfast.search.query_vector import QueryVector
from holdfast.search.retrieval import Retrieval

__all__ = ["WEIGHT", "Ground", "search_again"]

WEIGHT = 0.5
_EACH = 24  # chunks that each variant, and the answer, may bring
# BM25 saturates: a chunk that says every word once has about half of what a chunk could have.
_ONCE = 2.0


class Ground(NamedTuple):
    """Holds what the first search stood on: its index, the notes that it may look into, and its vectors."""

    database: Database
    edition: Edition
    inside: Callable[[Edition], Within | None]
    """Where the question may look; None is everywhere."""
    ask: Callable[[str], QueryVector]
    """A text → its vector."""
    packed: bytes | None = None
    vectors: Vectors | None = None
    words: bool = True
    """Whether keywords have a say."""


class _Match(NamedTuple):
    """Says how well a chunk meets another way to ask (0 to 1), the name of that way, and what speaks for it."""

    score: float
    way: str
    bm25: float = 0.0
    ideal: float = 0.0


def search_again(
    expander: Expander, question: Question, first: Retrieval, ground: Ground, found: Candidates
) -> Candidates:
    """Return the same candidates, and where the first search leaves room, those that other ways to ask find as well."""
    ranked, chunks = found.ranked, found.chunks
    if first.knows_id or question.strict:
        return found.saying("the question was not expanded: it names what it looks for")
    if not needs_expansion([candidate.score for candidate in ranked]):
        return found.saying("the question was not expanded: its first hit is good enough")
    expansion = expander.expand(question.text)
    if not expansion.variants and not expansion.answer:
        return found._replace(partial=found.partial or expansion.failed).saying(expansion.because)
    by_answer = _answer_of(expansion, question, ground)
    with ground.database.connection.reading():
        edition = ground.database.serving()
        if edition is None or edition.number != ground.edition.number:  # then rows have other numbers
            return found.saying("the question was not expanded: the index was built anew meanwhile")
        others = _found_by_variants(edition, expansion, by_answer, question, ground)
        chunks = {**chunks, **edition.chunks(others.keys() - chunks.keys())}
        if ground.vectors and ground.packed:
            cosines = ground.vectors.cosines(ground.packed, others)
        else:
            cosines = {}
    known = {candidate.row: candidate for candidate in first.candidates}
    known.update((candidate.fused.row, candidate.fused) for candidate in ranked)
    rows = dict.fromkeys([*(candidate.fused.row for candidate in ranked), *(row for row in others if row in chunks)])
    again = [
        _add_variant_gain(known.get(row) or Fused(row, 0.0, None, None), others.get(row), cosines, first)
        for row in rows
    ]
    return found._replace(ranked=sort_candidates(again, chunks), chunks=chunks).saying(
        _said(expansion, bool(by_answer))
    )


def _answer_of(expansion: Expansion, question: Question, ground: Ground) -> bytes | None:
    """Return the made-up answer as a vector of the space that the question was asked in.

    A vector knows no unwanted word.
    """
    if not expansion.answer or ground.vectors is None or question.without:
        return None
    packed, vectors, _, _ = ground.ask(expansion.answer)
    if vectors is not None and vectors.space == ground.vectors.space:
        return packed
    return None


def _found_by_variants(
    edition: Edition, expansion: Expansion, by_answer: bytes | None, question: Question, ground: Ground
) -> dict[int, _Match]:
    """Return every chunk that another way to ask finds, by the way that it meets best.

    Call it inside a read transaction.
    """
    within = ground.inside(edition)
    best: dict[int, _Match] = {}
    for variant in expansion.variants if ground.words else ():
        words = words_of(variant)
        ideal = edition.ideal(words)
        for row, score in edition.keywords(words, _EACH, within, without=question.without):
            # In a handful of notes no word is rare; that one of them holds it is all there is to say.
            held = 1.0
            if ideal > 0.0:
                held = min(1.0, _ONCE * score / ideal)
            best[row] = max(best.get(row, _Match(0.0, "")), _Match(held, "variant", score, ideal))
    if by_answer is not None and ground.vectors is not None:
        near = ground.vectors.nearest(by_answer, _EACH, (), within)
        for row, cosine in near.ranked:
            score = nearness(cosine, near)
            if score >= FAINT:
                best[row] = max(best.get(row, _Match(0.0, "")), _Match(score, "answer"))
    return best


def _add_variant_gain(
    candidate: Fused, found: _Match | None, cosines: Mapping[int, float], first: Retrieval
) -> Candidate:
    """Return a candidate with what the other ways to ask add to its score, and how likely it answers by their words."""
    if found is None:
        return Candidate(candidate.score, candidate, {})
    gain = WEIGHT * found.score * (1.0 - candidate.score)
    later = {"expand": gain, f"{found.way}_score": found.score}
    # The words are the variant's, the cosine is the question's own: what was made up proves nothing.
    if found.way == "variant":
        if found.ideal > 0:
            later["held"] = min(1.0, found.bm25 / found.ideal)
        else:
            later["held"] = 1.0
    if candidate.row in cosines:
        later["above"] = spreads_above(nearness(cosines[candidate.row], first.near), first.near)
    return Candidate(candidate.score + gain, candidate, later)


def _said(expansion: Expansion, by_answer: bool) -> str:
    count = len(expansion.variants)
    if count:
        ways = [f"in {count_of(count, 'other way')}"]
    else:
        ways = []
    if by_answer:
        ways.append("with a made-up answer")
    if not ways:
        return ""
    return f"the question was also asked {' and '.join(ways)}"
