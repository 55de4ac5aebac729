"""The turns before a question: what they find is added where the question alone says too little.

    new = own + lean x share x found x (1 - own)

"And the second one?" has no words to find anything by; what the talk was about does. How far a question leans on the
talk is measured by how much its own words tell in this home: those that only point at what was said tell nothing,
though some passage may happen to hold them, and a question that tells enough is left as it is. No score gets smaller,
and a likely first hit of a question that tells something stays the first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from holdfast.index.sqlite.edition import Edition
from holdfast.index.store_contract import Word
from holdfast.search.candidate import Candidate, sort_candidates
from holdfast.search.fusion import Fused, explain_score, spreads_above
from holdfast.search.inquiry import Candidates, Inquiry
from holdfast.search.pointing_words import POINTING_WORDS
from holdfast.search.query import MAX_QUERY_BYTES, Question, plain_question
from holdfast.search.query_vector import QueryVector
from holdfast.search.retrieval import Retrieval, retrieve
from holdfast.search.second_search import Ground

__all__ = ["MAX_TURNS", "MAX_TURN_CHARS", "join_context", "lean_of", "turns_before"]

MAX_TURNS = 4  # the last ones; "that" seldom means what was said before them
MAX_TURN_CHARS = 600  # of each turn: of a long answer the beginning says what it is about

# Chosen on mtrag-un: any@1 .720 and any@5 .883 alone, .771 and .928 with its own turns, .726 and .889 with those of
# another talk; half gains less (.744, .925). Reported on realmem, whose questions say enough and stay as they are.
SHARE = 0.8  # what the turns before may add at the most
_SURE = 0.6  # of leaning: a question of a word or two has many likely hits
ENOUGH = 4.0  # words as rare as can be in this home: a question that tells as much needs no other


def turns_before(context: Sequence[str]) -> str:
    """Return the last turns as one text, the latest first; "" where nothing was said."""
    kept = [turn.strip()[:MAX_TURN_CHARS] for turn in context[-MAX_TURNS:] if turn.strip()]
    return "\n".join(reversed(kept)).encode("utf-8", "ignore")[:MAX_QUERY_BYTES].decode("utf-8", "ignore")


def lean_of(edition: Edition, question: Question) -> float:
    """Return how far a question leans on what was said before it, 0 to 1, by what its words tell in this home."""
    enough = ENOUGH * edition.rarest()
    own = [word for word in question.words if not _points(word)]
    if enough <= 0.0:
        return 0.0
    return max(0.0, 1.0 - edition.ideal(own) / enough)


def _points(word: Word) -> bool:
    """Say whether a word only points at what was said."""
    return (word.typed or word.text).casefold() in POINTING_WORDS


def join_context(
    inquiry: Inquiry, first: Retrieval, ground: Ground, is_likely: Callable[[Candidate], bool], found: Candidates
) -> Candidates:
    """Return the candidates with what the turns before the question add; as they are where it needs none of that."""
    turns, question = turns_before(inquiry.context), inquiry.question
    if not turns or first.knows_id or question.strict or question.without:
        return found
    with ground.database.connection.reading():
        lean = lean_of(ground.edition, question)
    if lean <= 0.0:
        return found
    before = plain_question(turns)
    if ground.vectors is not None:
        asked = ground.ask(before.text)
    else:
        asked = QueryVector(None, None, "")
    if asked.vectors is None or ground.vectors is None or asked.vectors.space != ground.vectors.space:
        asked = QueryVector(None, None, "")
    with ground.database.connection.reading():
        edition = ground.database.serving()
        if edition is None or edition.number != ground.edition.number:  # then rows have other numbers
            return found
        inside = ground.inside(edition)
        earlier = retrieve(edition, before, asked, inquiry, inside, by_subject=True)
        new = [fused.row for fused in earlier.candidates if fused.row not in found.chunks]
        chunks = {**found.chunks, **edition.chunks(new)}
    is_sure = lean <= _SURE and bool(found.ranked) and is_likely(found.ranked[0])
    kept = None
    if is_sure:
        kept = found.ranked[0]
    return _join_searches(found._replace(chunks=chunks), kept, earlier, SHARE * lean)


def _join_searches(found: Candidates, kept: Candidate | None, earlier: Retrieval, share: float) -> Candidates:
    """Return every candidate of either search, with what the turns before add to it.

    None comes before the one to keep.
    """
    others = {fused.row: fused for fused in earlier.candidates if fused.row in found.chunks}
    own = {candidate.fused.row: candidate for candidate in found.ranked}
    for row in others:
        own.setdefault(row, Candidate(0.0, Fused(row, 0.0, None, None), {}))
    most = 1.0
    if kept is not None:
        most = kept.score
    joined = [
        candidate if (addition := others.get(row)) is None else _add_gain(candidate, addition, earlier, share, most)
        for row, candidate in own.items()
        if kept is None or row != kept.fused.row
    ]
    ranked = sort_candidates(joined, found.chunks)
    if kept is not None:
        ranked = [kept, *ranked]
    return found._replace(ranked=ranked)


def _add_gain(candidate: Candidate, addition: Fused, earlier: Retrieval, share: float, most: float) -> Candidate:
    """Return a candidate with what the turns before add to its score, and with what of theirs speaks for it."""
    score, fused, later = candidate
    gain = max(0.0, min(share * addition.score * (1.0 - score), most - score))
    bm25 = explain_score(addition, earlier.legs).get("bm25", 0.0)
    held = 0.0
    if earlier.ideal > 0.0:
        held = share * min(1.0, bm25 / earlier.ideal)
    above = share * spreads_above(addition.vector_score or 0.0, earlier.near)
    signs = {"held": max(held, later.get("held", 0.0)), "above": max(above, later.get("above", 0.0))}
    return Candidate(score + gain, fused, {**later, **signs, "context": gain})
