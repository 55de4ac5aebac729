"""Words and vectors → candidates with one score each, and what it is made of.

The pool does not depend on how many hits are wanted: it would reorder the first hits when more are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from holdfast.guard.argument_types import display_value
from holdfast.index.analyzer import is_spaceless
from holdfast.index.sqlite.edition import Edition
from holdfast.index.sqlite.vectors import Vectors
from holdfast.index.store_contract import Near, NoteShare, Places, Ranked, Within, Word
from holdfast.plural import agree
from holdfast.search.fusion import Fused, Leg, best_first, fuse, nearnesses, vector_share
from holdfast.search.inquiry import MAX_RESULTS, Inquiry
from holdfast.search.neighbour_scores import NOTE, WORDS, beside, lent
from holdfast.search.picture_hits import with_pictures
from holdfast.search.query import Question
from holdfast.search.small_talk import is_message, telling_words
from holdfast.settings.memory_settings import MergeStrategy

__all__ = ["Retrieved", "retrieve"]

# Each ranking gives candidate_multiplier x this many candidates, however few hits are wanted.
_POOL = 12
# Twice as many are known by their keyword scores: a neighbour's score counts, whether it is a candidate or not.
_KNOWN = 2
_LOOKED_AROUND = 40  # candidates whose neighbours are looked at, and become candidates themselves
_AROUND = 2  # how far
_TELLING_NOTES = 12  # whose best lines are candidates, whatever else was found
_WHOLE = 1.0 / (1.0 + NOTE)
_BESIDE_AN_ID = 0.5  # how much of their weight vectors keep where the question holds an id that stands in the notes
# And how much of it where the question is in another language than English, and the notes are in that: words tell more.
# Chosen of .67 to 1 on squad-es-dev, squad-it-test and covid-faq-de.
_IN_ANOTHER_LANGUAGE = 0.72
_OF_A_NOTE = 0.5  # of what BM25 could give to a note: one that has more holds the question
_ASSISTANT = 0.9  # what an assistant says counts for, beside what a person says


NOTHING_NEAR = Near([], {}, 0.0)


class Retrieved(NamedTuple):
    """The candidates, best first, and whether vectors had a part in it."""

    candidates: list[Fused]
    legs: Sequence[Leg]
    by_vectors: bool
    ideal: float = 0.0
    near: Near = NOTHING_NEAR
    knows_id: bool = False
    """Whether an id of the question stands in the notes, as it was typed."""
    weights: Mapping[str, float] = MappingProxyType({})
    """How much each word of the question tells in this home, by its text."""
    phrase_gap: str = ""
    """What is to be said where a phrase of the question stands nowhere, or no passage holds all that it asks for."""


def retrieve(
    edition: Edition,
    question: Question,
    vectors: Vectors | None,
    packed: bytes | None,
    inquiry: Inquiry,
    within: Within | None = None,
    *,
    by_subject: bool = False,
    pictures: Vectors | None = None,
) -> Retrieved:
    """Everything that the words or the vector of a question find; call it inside a read transaction.

    Where not a line but a subject is looked for, entries of a list borrow from their neighbours, too.
    """
    settings, strategy = inquiry.settings, inquiry.memory.search_merge_strategy
    pool = settings.candidate_multiplier * _POOL
    notes = edition.note_share(question.words) if is_message(question) else None
    sought = question.words if notes is None else telling_words(question.words, notes)
    words = edition.with_near(sought) if settings.typos else sought
    told = edition.keywords(
        words,
        max(_KNOWN * pool, MAX_RESULTS),
        within,
        without=question.without,
        strict=question.phrases if question.strict else (),
    )
    missing = _missing_phrases(edition, question, within)
    heavy = [word for word in question.words if word.heavy and word not in missing]
    knows_id = bool(heavy) and any(edition.knows([word]) for word in heavy)
    by_id = knows_id and settings.hybrid and strategy is MergeStrategy.LINEAR
    near = NOTHING_NEAR
    if vectors is not None and packed is not None:
        known = [one.row for one in told[:pool]]
        # Where the question holds an id that stands in the notes, the words say what is a candidate; meaning only
        # helps to put those in order.
        near = vectors.among(packed, known) if by_id else vectors.nearest(packed, pool, known, within)
        if question.without or question.strict:
            near = _kept(near, edition, question, {one.row for one in told})
    use_words = settings.hybrid or not near.ranked
    by_words = told[: _KNOWN * pool] if use_words else None
    rankings = (near if near.ranked else None), by_words
    by_vector = settings.vector_weight * (_BESIDE_AN_ID if by_id else 1.0)
    rarity = edition.lexicon.rarity_share(sought, question.own_passages) if near.ranked else 1.0
    # Where pairs of characters are looked for, words tell less than they do elsewhere, and vectors keep their weight.
    if question.own_passages and not any(is_spaceless(word.text) for word in sought):
        by_vector *= 1.0 - (1.0 - _IN_ANOTHER_LANGUAGE) * rarity
    ideal = edition.ideal(sought)
    in_blocks = _in_blocks(vectors, [*(one.row for one in near.ranked), *near.others])
    fused, legs = fuse(*rankings, strategy, by_vector, settings.text_weight, ideal / rarity, in_blocks)
    if strategy is MergeStrategy.LINEAR:
        spoken = edition.passages.spoken_by_assistant([one.row for one in fused])
        fused = best_first([one.scaled(_ASSISTANT) if one.row in spoken else one for one in fused])
    pooled = {one.row for one in near.ranked} | {one.row for one in told[:pool]}
    if pictures is not None and packed is not None and strategy is MergeStrategy.LINEAR and not question.strict:
        share_of = vector_share(by_vector, settings.text_weight if settings.hybrid else 0.0, in_block=False)
        fused, seen = with_pictures(fused, pictures, packed, pool, share_of, within)
        pooled |= {one.row for one in seen.ranked}
    inside = [one for one in fused if one.row in pooled]
    if settings.context and strategy is MergeStrategy.LINEAR:
        # Where the question says what must or must not be there, a neighbour is no candidate for standing beside one.
        # Nor where the filter goes by chunk: the one beside it may be another's fact.
        alone = bool(question.without or question.strict or (within is not None and within.chunks))
        text_weight = settings.text_weight if settings.hybrid else 0.0
        share = partial(vector_share, by_vector, text_weight)
        if use_words and notes is None:
            notes = edition.note_share(question.words)
        if notes is not None:
            notes = notes._replace(ideal=notes.ideal / rarity)
        inside = _in_context(
            edition,
            fused,
            inside,
            vectors,
            packed,
            near,
            share,
            notes if use_words else None,
            alone=alone,
            by_subject=by_subject,
        )
    found = _with_rest(inside, told if use_words else [], MAX_RESULTS)
    weights, gap = edition.weights(question.words), _phrase_gap(edition, question, missing, within)
    return Retrieved(found, legs, bool(near.ranked), ideal, near, knows_id, weights, gap)


def _missing_phrases(edition: Edition, question: Question, within: Within | None) -> list[Word]:
    """The phrases of a question that no passage holds which may be an answer."""
    return [phrase for phrase in question.phrases if not edition.hold_all([phrase], within, question.without)]


def _phrase_gap(edition: Edition, question: Question, missing: Sequence[Word], within: Within | None) -> str:
    """What is to be said of phrases that were asked for and are not there."""
    if missing:
        place = "no note" if within is None and not question.without else "none of the notes that were asked for"
        named = ", ".join(display_value(phrase.typed) for phrase in missing)
        return f"{place} holds the {agree(len(missing), 'phrase', 'phrases')} {named}"
    if question.strict and not edition.hold_all(question.phrases, within, question.without):
        return "no passage holds all of the phrases"
    return ""


def _kept(near: Near, edition: Edition, question: Question, told: set[int]) -> Near:
    """What the vectors found, without what the question does not want: a vector knows nothing of a word."""
    unwanted = edition.holding(question.without)
    ranked = [one for one in near.ranked if one.row not in unwanted and (not question.strict or one.row in told)]
    return near._replace(ranked=ranked)


def _in_context(
    edition: Edition,
    fused: Sequence[Fused],
    inside: Sequence[Fused],
    vectors: Vectors | None,
    packed: bytes | None,
    near: Near,
    share: Callable[..., float],
    notes: NoteShare | None,
    *,
    alone: bool,
    by_subject: bool,
) -> list[Fused]:
    """The candidates with what their surroundings lend them, and the neighbours of the best among them."""
    by_row = {one.row: one for one in fused}
    looked = [one.row for one in inside[:_LOOKED_AROUND]]
    telling = _telling_notes(notes) if notes is not None and not alone else []
    if telling:
        looked += edition.passages.openings(telling)
    places = edition.passages.places(looked)
    next_to, around = beside(places, looked, 1, _AROUND)
    # All lines of a note that holds the question are looked at, wherever in it the words stand.
    for note in telling:
        around.update(places.rows_of(note))
    around -= by_row.keys()
    if around and vectors is not None and packed is not None and near.ranked:
        in_blocks = _in_blocks(vectors, around)
        whole, of_block = share(in_block=False), share(in_block=True)
        for row, score in nearnesses(vectors.cosines(packed, around), near).items():
            part = (of_block if row in in_blocks else whole) * score
            by_row[row] = Fused(row, part, score, None, vector=part)
    rows = {one.row for one in inside} | (set() if alone else next_to)
    rows |= _best_of_notes(by_row, places, telling)
    scores = {row: one.score for row, one in by_row.items()}
    loans = lent(scores, places, rows, () if by_subject else edition.passages.list_entries(rows))
    gifts = _of_notes(edition, rows, places, notes)
    found: list[Fused] = []
    for row in rows:
        one = by_row.get(row) or Fused(row, 0.0, None, None)
        neighbours, best = loans.get(row) or (0.0, NOTE * one.score)
        gift = max(0.0, gifts.get(row, 0.0) - WORDS * (one.text_score or 0.0))
        found.append(_lifted(one, neighbours, best + gift))
    return _within_one(best_first(found))


def _in_blocks(vectors: Vectors | None, rows: Collection[int]) -> frozenset[int]:
    return vectors.in_blocks(rows) if vectors is not None and rows else frozenset()


def _telling_notes(notes: NoteShare) -> list[int]:
    """The notes that hold most of the question, best first."""
    return [note for _, note in sorted([(-score, note) for note, score in notes.scores.items()])[:_TELLING_NOTES]]


def _best_of_notes(by_row: Mapping[int, Fused], places: Places, notes: Iterable[int]) -> set[int]:
    """The best line of each of these notes."""
    best = (
        max(((by_row[row].score, -row) for row in places.rows_of(note) if row in by_row), default=None)
        for note in notes
    )
    return {-one[1] for one in best if one is not None}


def _of_notes(edition: Edition, rows: Collection[int], places: Places, notes: NoteShare | None) -> dict[int, float]:
    """What each row gets for how much of the question its whole note holds."""
    if notes is None or not any(notes.scores.values()):
        return {}
    best = max(*notes.scores.values(), _OF_A_NOTE * notes.ideal)
    note_of = {row: note for row in rows if (note := places.note_of(row)) is not None}
    note_of |= edition.passages.notes_of([row for row in rows if row not in note_of])
    return {row: WORDS * notes.scores.get(note, 0.0) / best for row, note in note_of.items()}


def _lifted(one: Fused, neighbours: float, note: float) -> Fused:
    """With its loans; scaled so that a note of a single chunk keeps the score that it had."""
    row, score, near, told, vector, text, _, _ = one
    whole = (score + neighbours + note) * _WHOLE
    return Fused(row, whole, near, told, vector * _WHOLE, text * _WHOLE, neighbours * _WHOLE, note * _WHOLE)


def _within_one(ranked: list[Fused]) -> list[Fused]:
    """Scaled down together where the best is above 1; the order stays."""
    if not ranked or ranked[0].score <= 1.0:
        return ranked
    return [one.scaled(1.0 / ranked[0].score) for one in ranked]


def _with_rest(fused: list[Fused], told: Sequence[Ranked], limit: int) -> list[Fused]:
    """The same, and behind them what more the words found: for who asks for more hits than there are candidates.

    None of it scores above the last of the candidates, whose order must not depend on how many hits are wanted.
    """
    if len(fused) >= limit:
        return fused
    known = {one.row for one in fused}
    least = fused[-1].score if fused else 1.0
    rest = [one for one in told if one.row not in known]
    scores = (min(least, least * one.score / told[0].score) if told[0].score > 0 else least for one in rest)
    return fused + [Fused(one.row, score, None, score, text=score) for one, score in zip(rest, scores, strict=True)]
