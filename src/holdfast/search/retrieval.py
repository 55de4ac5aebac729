"""Words and vectors → candidates with one score each, and what it is made of.

The pool does not depend on how many hits are wanted: it would reorder the first hits when more are asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from types import MappingProxyType

from holdfast.guard.argument_types import display_value
from holdfast.index.analyzer import is_spaceless
from holdfast.index.sqlite.edition import Edition
from holdfast.index.sqlite.vectors import Vectors
from holdfast.index.store_contract import Near, NoteShare, RankedRow, Within, Word
from holdfast.named_tuple import NamedTuple
from holdfast.plural import agree
from holdfast.search.fusion import Fused, Leg, as_fused, best_first, fuse, vector_share
from holdfast.search.inquiry import MAX_RESULTS, Inquiry
from holdfast.search.passage_context import VectorView, add_context, rows_in_blocks
from holdfast.search.picture_hits import add_pictures
from holdfast.search.query import Question
from holdfast.search.query_vector import QueryVector
from holdfast.search.small_talk import is_message, telling_words
from holdfast.settings.memory_settings import MergeStrategy
from holdfast.settings.search_settings import SearchSettings

__all__ = ["Retrieval", "retrieve"]

# Each ranking gives candidate_multiplier x this many candidates, however few hits are wanted.
_POOL = 12
# Twice as many are known by their keyword scores: a neighbour's score counts, whether it is a candidate or not.
_KNOWN = 2
_BESIDE_AN_ID = 0.5  # how much of their weight vectors keep where the question holds an id that stands in the notes
# And how much of it where the question is in another language than English, and the notes are in that: words tell more.
# Chosen of .67 to 1 on squad-es-dev, squad-it-test and covid-faq-de.
_IN_ANOTHER_LANGUAGE = 0.72
_ASSISTANT = 0.9  # what an assistant says counts for, beside what a person says


NOTHING_NEAR = Near([], {}, 0.0)


class Retrieval(NamedTuple):
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
    by_words: Sequence[RankedRow] = ()
    """What the words found, candidate or not."""
    near_words: Sequence[Word] = ()
    """Words of the notes that words of the question may stand for, and that were looked for beside them."""

    @property
    def candidates(self) -> list[Fused]:
        """The same, and behind them what more the words found; few searches ask for it."""
        return _append_rest(self.first, self.by_words, MAX_RESULTS)


class _Look(NamedTuple):
    """One question in one edition: what both rankings go by."""

    edition: Edition
    question: Question
    asked: QueryVector
    settings: SearchSettings
    within: Within | None
    linear: bool
    """Whether scores are added, not places."""

    @property
    def pool(self) -> int:
        """Return how many candidates each ranking gives."""
        return self.settings.candidate_multiplier * _POOL


class _ByWords(NamedTuple):
    """Holds what the words of a question found."""

    sought: Sequence[Word]
    """The words that were looked for; of a message, those that tell."""
    hits: Sequence[RankedRow]
    missing: Sequence[Word]
    """Phrases that no passage holds which may be an answer."""
    knows_id: bool
    notes: NoteShare | None
    """What whole notes hold of the question, where that has been looked up already."""
    near_words: Sequence[Word]


class _Scale(NamedTuple):
    """Says what the words and the vector of a question count for."""

    vector_weight: float
    rarity: float
    """How much of what the words could reach their rare ones reach; 1 where no vector has a say."""


def retrieve(
    edition: Edition,
    question: Question,
    asked: QueryVector,
    inquiry: Inquiry,
    within: Within | None = None,
    *,
    by_subject: bool = False,
    pictures: Vectors | None = None,
) -> Retrieval:
    """Return everything that the words or the vector of a question find; call it inside a read transaction.

    Where not a line but a subject is looked for, entries of a list borrow from their neighbours, too.
    """
    settings, strategy = inquiry.settings, inquiry.memory.search_merge_strategy
    look = _Look(edition, question, asked, settings, within, strategy is MergeStrategy.LINEAR)
    words = _find_by_words(look)
    near = _find_by_vector(look, words)
    scale = _scale_of(look, words, near)
    ideal = edition.ideal(words.sought)
    use_words = settings.hybrid or not near.ranked
    fused, legs = fuse(
        near if near.ranked else None,
        words.hits[: _KNOWN * look.pool] if use_words else None,
        strategy,
        scale.vector_weight,
        settings.text_weight,
        ideal / scale.rarity,
        rows_in_blocks(asked.vectors, chain((hit.row for hit in near.ranked), near.others)),
    )
    pooled = {hit.row for hit in near.ranked} | {hit.row for hit in words.hits[: look.pool]}
    if look.linear:
        fused = _lower_assistant(edition, fused)
        if pictures is not None:
            fused, seen = _add_pictures(look, fused, pictures, scale)
            pooled |= seen
    inside = [candidate for candidate in fused if candidate.row in pooled]
    if settings.context and look.linear:
        inside = _add_context(look, fused, inside, words, near, scale, by_subject=by_subject)
    gap = _phrase_gap(edition, question, words.missing, within)
    rest = words.hits if use_words else ()
    weights = edition.weights((*question.words, *words.near_words))
    return Retrieval(inside, legs, bool(near.ranked), ideal, near, words.knows_id, weights, gap, rest, words.near_words)


def _find_by_words(look: _Look) -> _ByWords:
    edition, question, within = look.edition, look.question, look.within
    notes = None
    sought = question.words
    if is_message(question):
        notes = edition.note_share(question.words, within)
        sought = telling_words(question.words, notes)
    words: Sequence[Word] = sought
    if look.settings.typos:
        words = edition.with_near(sought)
    phrases: Sequence[Word] = ()
    if question.strict:
        phrases = question.phrases
    hits = edition.keywords(
        words, max(_KNOWN * look.pool, MAX_RESULTS), within, without=question.without, strict=phrases
    )
    missing = [phrase for phrase in question.phrases if not edition.hold_all([phrase], within, question.without)]
    heavy = [word for word in question.words if word.heavy and word not in missing]
    return _ByWords(sought, hits, missing, any(edition.knows([word]) for word in heavy), notes, words[len(sought) :])


def _goes_by_id(look: _Look, words: _ByWords) -> bool:
    return words.knows_id and look.settings.hybrid and look.linear


def _find_by_vector(look: _Look, words: _ByWords) -> Near:
    packed, vectors = look.asked.packed, look.asked.vectors
    if vectors is None or packed is None:
        return NOTHING_NEAR
    known = [hit.row for hit in words.hits[: look.pool]]
    if _goes_by_id(look, words):
        # The words say what is a candidate; meaning only helps to put those in order.
        near = vectors.among(packed, known)
    else:
        near = vectors.nearest(packed, look.pool, known, look.within)
    if look.question.without or look.question.strict:
        near = _drop_unwanted(near, look.edition, look.question, {hit.row for hit in words.hits})
    return near


def _scale_of(look: _Look, words: _ByWords, near: Near) -> _Scale:
    vector_weight, rarity = look.settings.vector_weight, 1.0
    if _goes_by_id(look, words):
        vector_weight *= _BESIDE_AN_ID
    at_home = look.question.own_passages
    if near.ranked:
        rarity = look.edition.lexicon.rarity_share(words.sought, at_home)
    # Where pairs of characters are looked for, words tell less than they do elsewhere, and vectors keep their weight.
    if at_home and not any(is_spaceless(word.text) for word in words.sought):
        vector_weight *= 1.0 - (1.0 - _IN_ANOTHER_LANGUAGE) * rarity
    return _Scale(vector_weight, rarity)


def _text_weight(look: _Look) -> float:
    if look.settings.hybrid:
        return look.settings.text_weight
    return 0.0


def _add_pictures(look: _Look, fused: list[Fused], pictures: Vectors, scale: _Scale) -> tuple[list[Fused], set[int]]:
    """Return the candidates with images among them, and the rows of those."""
    if look.asked.packed is None or look.question.strict:
        return fused, set()
    share = vector_share(scale.vector_weight, _text_weight(look), in_block=False)
    fused, seen = add_pictures(fused, pictures, look.asked.packed, look.pool, share, look.within)
    return fused, {hit.row for hit in seen.ranked}


def _add_context(
    look: _Look,
    fused: Sequence[Fused],
    inside: Sequence[Fused],
    words: _ByWords,
    near: Near,
    scale: _Scale,
    *,
    by_subject: bool,
) -> list[Fused]:
    """Return the candidates with what their surroundings lend them, and the neighbours of the best among them."""
    question, within = look.question, look.within
    # A neighbour does not become a candidate where the question says what must or must not be there, nor where the
    # filter goes by chunk: the chunk beside it may be somebody else's fact.
    alone = bool(question.without or question.strict or (within is not None and within.chunks))
    view = None
    packed, vectors = look.asked.packed, look.asked.vectors
    if near.ranked and vectors is not None and packed is not None:
        view = VectorView(vectors, packed, near, scale.vector_weight, _text_weight(look))
    notes = None
    if look.settings.hybrid or not near.ranked:
        notes = words.notes or look.edition.note_share(question.words, within)
        notes = notes._replace(ideal=notes.ideal / scale.rarity)
    return add_context(look.edition, fused, inside, view, notes, alone=alone, by_subject=by_subject)


def _lower_assistant(edition: Edition, fused: Sequence[Fused]) -> list[Fused]:
    """Return the candidates, those that an assistant said with less of their score."""
    spoken = edition.passages.spoken_by_assistant([candidate.row for candidate in fused])
    if not spoken:
        return list(fused)
    lowered = [candidate.scaled(_ASSISTANT) if candidate.row in spoken else candidate for candidate in fused]
    return best_first(lowered)


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


def _append_rest(fused: list[Fused], keyword_hits: Sequence[RankedRow], limit: int) -> list[Fused]:
    """Return the same, and behind them what else the words found, where more hits are asked for than these.

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
