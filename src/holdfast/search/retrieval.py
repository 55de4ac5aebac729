"""Words and vectors → candidates with one score each, and what it is made of.

The pool does not depend on how many hits are wanted: it would reorder the first hits when more are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import itemgetter
from types import MappingProxyType

from holdfast.guard.argument_types import display_value
from holdfast.index.analyzer import is_spaceless
from holdfast.index.sqlite.edition import Edition
from holdfast.index.sqlite.vectors import Vectors
from holdfast.index.store_contract import Near, NoteShare, Ranked, Within, Word
from holdfast.named_tuple import NamedTuple
from holdfast.plural import agree
from holdfast.search.fusion import Fused, Leg, as_fused, best_first, fuse, nearnesses, vector_share
from holdfast.search.inquiry import MAX_RESULTS, Inquiry
from holdfast.search.neighbour_scores import (
    LEANS,
    NOTE,
    WORDS,
    LineScores,
    Loan,
    neighbour_loans,
    neighbour_rows,
    shortness,
)
from holdfast.search.picture_hits import add_pictures
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
_WHOLE_SCORE = itemgetter(0)
_ASSISTANT = 0.9  # what an assistant says counts for, beside what a person says


NOTHING_NEAR = Near([], {}, 0.0)


class Retrieved(NamedTuple):
    """The candidates, best first, and whether vectors had a part in it."""

    first: list[Fused]
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
    by_words: Sequence[Ranked] = ()
    """What the words found, candidate or not."""

    @property
    def candidates(self) -> list[Fused]:
        """The same, and behind them what more the words found; few searches ask for it."""
        return _append_rest(self.first, self.by_words, MAX_RESULTS)


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
    """Return everything that the words or the vector of a question find; call it inside a read transaction.

    Where not a line but a subject is looked for, entries of a list borrow from their neighbours, too.
    """
    settings, strategy = inquiry.settings, inquiry.memory.search_merge_strategy
    pool = settings.candidate_multiplier * _POOL
    notes = None
    sought = question.words
    if is_message(question):
        notes = edition.note_share(question.words, within)
        sought = telling_words(question.words, notes)
    words: Sequence[Word] = sought
    if settings.typos:
        words = edition.with_near(sought)
    phrases: Sequence[Word] = ()
    if question.strict:
        phrases = question.phrases
    keyword_hits = edition.keywords(
        words,
        max(_KNOWN * pool, MAX_RESULTS),
        within,
        without=question.without,
        strict=phrases,
    )
    missing = _missing_phrases(edition, question, within)
    heavy = [word for word in question.words if word.heavy and word not in missing]
    knows_id = bool(heavy) and any(edition.knows([word]) for word in heavy)
    by_id = knows_id and settings.hybrid and strategy is MergeStrategy.LINEAR
    near = NOTHING_NEAR
    if vectors is not None and packed is not None:
        known = [hit.row for hit in keyword_hits[:pool]]
        if by_id:
            # The words say what is a candidate; meaning only helps to put those in order.
            near = vectors.among(packed, known)
        else:
            near = vectors.nearest(packed, pool, known, within)
        if question.without or question.strict:
            near = _drop_unwanted(near, edition, question, {hit.row for hit in keyword_hits})
    use_words = settings.hybrid or not near.ranked
    by_words = None
    if use_words:
        by_words = keyword_hits[: _KNOWN * pool]
    by_vector = settings.vector_weight
    if by_id:
        by_vector *= _BESIDE_AN_ID
    by_meaning = None
    rarity = 1.0
    if near.ranked:
        by_meaning = near
        rarity = edition.lexicon.rarity_share(sought, question.own_passages)
    # Where pairs of characters are looked for, words tell less than they do elsewhere, and vectors keep their weight.
    if question.own_passages and not any(is_spaceless(word.text) for word in sought):
        by_vector *= 1.0 - (1.0 - _IN_ANOTHER_LANGUAGE) * rarity
    ideal = edition.ideal(sought)
    in_blocks = _rows_in_blocks(vectors, (hit.row for hit in near.ranked), near.others)
    fused, legs = fuse(by_meaning, by_words, strategy, by_vector, settings.text_weight, ideal / rarity, in_blocks)
    if strategy is MergeStrategy.LINEAR:
        fused = _lower_assistant(edition, fused)
    text_weight = 0.0
    if settings.hybrid:
        text_weight = settings.text_weight
    pooled = {hit.row for hit in near.ranked} | {hit.row for hit in keyword_hits[:pool]}
    if pictures is not None and packed is not None and strategy is MergeStrategy.LINEAR and not question.strict:
        share_of = vector_share(by_vector, text_weight, in_block=False)
        fused, seen = add_pictures(fused, pictures, packed, pool, share_of, within)
        pooled |= {hit.row for hit in seen.ranked}
    inside = [candidate for candidate in fused if candidate.row in pooled]
    if settings.context and strategy is MergeStrategy.LINEAR:
        # Where the question says what must or must not be there, a neighbour is no candidate for standing beside one.
        # Nor where the filter goes by chunk: the one beside it may be another's fact.
        alone = bool(question.without or question.strict or (within is not None and within.chunks))
        share = partial(vector_share, by_vector, text_weight)
        if not use_words:
            notes = None
        elif notes is None:
            notes = edition.note_share(question.words, within)
        if notes is not None:
            notes = notes._replace(ideal=notes.ideal / rarity)
        inside = _add_context(
            edition,
            fused,
            inside,
            vectors,
            packed,
            near,
            share,
            notes,
            alone=alone,
            by_subject=by_subject,
        )
    weights, gap = edition.weights(question.words), _phrase_gap(edition, question, missing, within)
    rest = keyword_hits if use_words else ()
    return Retrieved(inside, legs, bool(near.ranked), ideal, near, knows_id, weights, gap, rest)


def _lower_assistant(edition: Edition, fused: Sequence[Fused]) -> list[Fused]:
    """Return the candidates, those that an assistant said with less of their score."""
    spoken = edition.passages.spoken_by_assistant([candidate.row for candidate in fused])
    if not spoken:
        return list(fused)
    lowered = [candidate.scaled(_ASSISTANT) if candidate.row in spoken else candidate for candidate in fused]
    return best_first(lowered)


def _missing_phrases(edition: Edition, question: Question, within: Within | None) -> list[Word]:
    """Return the phrases of a question that no passage holds which may be an answer."""
    return [phrase for phrase in question.phrases if not edition.hold_all([phrase], within, question.without)]


def _phrase_gap(edition: Edition, question: Question, missing: Sequence[Word], within: Within | None) -> str:
    """Return what is to be said of phrases that were asked for and are not there."""
    if missing:
        if within is None and not question.without:
            place = "no note"
        else:
            place = "none of the notes that were asked for"
        named = ", ".join(display_value(phrase.typed) for phrase in missing)
        return f"{place} holds the {agree(len(missing), 'phrase', 'phrases')} {named}"
    if question.strict and not edition.hold_all(question.phrases, within, question.without):
        return "no passage holds all of the phrases"
    return ""


def _drop_unwanted(near: Near, edition: Edition, question: Question, held: set[int]) -> Near:
    """Return what the vectors found, without what the question does not want: a vector knows nothing of a word."""
    unwanted = edition.holding(question.without)
    ranked = [hit for hit in near.ranked if hit.row not in unwanted and (not question.strict or hit.row in held)]
    return near._replace(ranked=ranked)


def _add_context(
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
    """Return the candidates with what their surroundings lend them, and the neighbours of the best among them."""
    looked = [candidate.row for candidate in inside[:_LOOKED_AROUND]]
    if notes is not None and not alone:
        telling = _telling_notes(notes)
    else:
        telling = []
    if telling:
        looked += edition.passages.openings(telling)
    places = edition.passages.places(looked)
    spoken = edition.passages.spoken_by_assistant(places.rows)
    next_to, around = neighbour_rows(places, looked, 1, _AROUND, spoken)
    # All lines of a note that holds the question are looked at, wherever in it the words stand.
    for note in telling:
        around.update(places.rows_of(note))
    # Of some hundred lines most only lend: each is a number, and what becomes a candidate is made into one at the end.
    scores = {candidate.row: candidate.score for candidate in fused}
    around -= scores.keys()
    nearby: Mapping[int, float] = {}
    if around and vectors is not None and packed is not None and near.ranked:
        in_blocks = _rows_in_blocks(vectors, around)
        nearby = nearnesses(vectors.cosines(packed, around), near)
        whole, of_block = share(in_block=False), share(in_block=True)
        scores |= {row: (of_block if row in in_blocks else whole) * score for row, score in nearby.items()}
    rows = {candidate.row for candidate in inside}
    if not alone:
        rows |= next_to
    in_notes = LineScores(scores, places)
    rows |= _best_of_notes(in_notes, telling)
    entries: Collection[int] = ()
    if not by_subject:
        entries = edition.passages.list_entries(rows)
    loans = neighbour_loans(in_notes, places, rows, entries, spoken)
    gifts = _note_gifts(edition, rows, notes, in_notes)
    return _add_loans(rows, {candidate.row: candidate for candidate in fused}, scores, nearby, loans, gifts)


def _rows_in_blocks(vectors: Vectors | None, *rows: Iterable[int]) -> frozenset[int]:
    if vectors is None or not vectors.space.by_block:
        return frozenset()
    return vectors.in_blocks(list(chain.from_iterable(rows)))


def _telling_notes(notes: NoteShare) -> list[int]:
    """Return the notes that hold most of the question, best first."""
    return [note for _, note in sorted([(-score, note) for note, score in notes.scores.items()])[:_TELLING_NOTES]]


def _best_of_notes(scores: LineScores, notes: Iterable[int]) -> set[int]:
    """Return the best line of each of these notes, of equals the first that was stored."""
    return {best[0] for note in notes if (best := scores.best_of(note)) is not None}


def _note_gifts(
    edition: Edition, rows: Collection[int], notes: NoteShare | None, scores: LineScores
) -> dict[int, float]:
    """Return what each row gets for how much of the question its whole note holds.

    The best line of a note stands for all of it. A long one that is not the best has had its own say: it gets less.
    """
    if notes is None or not any(notes.scores.values()):
        return {}
    best = max(*notes.scores.values(), _OF_A_NOTE * notes.ideal)
    in_note = edition.passages.notes_of(rows)
    gift_of = {note: WORDS * notes.scores.get(note, 0.0) / best for note in set(in_note.values())}
    first = _best_of_notes(scores, gift_of)
    gifts = {row: gift_of[note] for row, note in in_note.items()}
    for row, size in edition.passages.sizes_of([row for row in gifts if gifts[row] and row not in first]).items():
        if size > LEANS:
            gifts[row] *= shortness(size, LEANS)
    return gifts


def _add_loans(
    rows: Iterable[int],
    fused: Mapping[int, Fused],
    scores: Mapping[int, float],
    nearby: Mapping[int, float],
    loans: Mapping[int, Loan],
    gifts: Mapping[int, float],
) -> list[Fused]:
    """Return the rows as candidates with their loans, best first; the best scores 1 at the most.

    They are scaled so that a note of a single chunk keeps the score that it had.
    """
    wholes: list[tuple[float, int, float, float]] = []
    for row in rows:
        candidate, score = fused.get(row), scores.get(row, 0.0)
        gift = gifts.get(row, 0.0)
        if gift and candidate is not None and candidate.text_score:
            gift -= WORDS * candidate.text_score
        neighbours, note = loans.get(row) or (0.0, NOTE * score)
        if gift > 0.0:
            note += gift
        wholes.append(((score + neighbours + note) * _WHOLE, row, neighbours, note))
    wholes.sort(key=_WHOLE_SCORE, reverse=True)
    scale = 1.0
    if wholes:
        scale = 1.0 / max(1.0, wholes[0][0])
    found: list[Fused] = []
    for whole, row, neighbours, note in wholes:
        candidate = fused.get(row)
        if candidate is not None:
            _, _, near, text_score, vector, text, _, _ = candidate
        else:
            near, text_score, vector, text = nearby.get(row), None, scores.get(row, 0.0), 0.0
        found.append(
            as_fused(
                (
                    row,
                    whole * scale,
                    near,
                    text_score,
                    vector * _WHOLE * scale,
                    text * _WHOLE * scale,
                    neighbours * _WHOLE * scale,
                    note * _WHOLE * scale,
                )
            )
        )
    return found


def _append_rest(fused: list[Fused], keyword_hits: Sequence[Ranked], limit: int) -> list[Fused]:
    """Return the same, and behind them what more the words found: for who asks for more hits than there are candidates.

    None of it scores above the last of the candidates, whose order must not depend on how many hits are wanted.
    """
    if len(fused) >= limit:
        return fused
    known = {candidate.row for candidate in fused}
    least = 1.0
    if fused:
        least = fused[-1].score
    rest = [hit for hit in keyword_hits if hit.row not in known]
    found = list(fused)
    for hit in rest:
        score = least
        if keyword_hits[0].score > 0:
            score = min(least, least * hit.score / keyword_hits[0].score)
        found.append(as_fused((hit.row, score, None, score, 0.0, score, 0.0, 0.0)))
    return found
