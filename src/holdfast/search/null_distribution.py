"""The null of a home: the best that questions from elsewhere reach here, which is what chance reaches.

Some hundred questions are shipped (`null_questions.txt`), by language. Each is asked of the index once, without any of
the later stages but a closer look at its first few candidates, and the evidence of the best is stored. This happens at
the end of a sync: all are asked after a sync that the user asked for, a few after a save or a search that found
something new. The null of a question is what those in its writing (`search/script.py`) reach, in the language that
reaches most. The fewer were asked so far, the more the values of other homes stand in for it. A home of few passages is
asked few of them, and a tiny one none: there chance reaches what it does in any home of that size, and neither a first
sync nor a first save takes longer than it must.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.index.sqlite.null_reaches import KEYWORDS_ONLY, Reach, is_stale
from holdfast.named_tuple import NamedTuple
from holdfast.search.evidence import SCALE, evidence_of, word_count
from holdfast.search.script import SCRIPTS

if TYPE_CHECKING:
    from holdfast.embeddings.embedder import SpaceKey
    from holdfast.embeddings.provider_link import Link
    from holdfast.index.sqlite.database import Database
    from holdfast.index.sqlite.edition import Edition
    from holdfast.index.sqlite.vectors import Vectors
    from holdfast.index.store_contract import StoredChunk
    from holdfast.search.frequent_words import PieceCosts
    from holdfast.search.inquiry import LookCloser
    from holdfast.search.query import Question

__all__ = ["Levels", "Null", "NullQuestion", "measure_null", "null_of", "null_questions"]

_QUESTIONS = os.path.join(os.path.dirname(__file__), "null_questions.txt")

LEVELS = (0.3, 0.7, 0.9)
"""The shares of the null that the levels stand for. The middle one is what a likely hit must reach: .6, .65 and .7 were
tried, and .7 taken because it marks about seven tenths of LoCoMo's foreign questions (.697)."""
LEVELS_AT_HOME = (0.3, 0.85, 0.95)
"""The same for a question in another language than English where most notes are in that: right answers are far above
the null there, and its questions, fewer and shorter than the English ones, reach less than others do. .7 and .85 were
tried on XQuAD in seven languages; with .85 about as many questions without an answer are marked as in English."""
_HALF_TRUSTED = 12  # questions at which what they reach here counts for half
_HALF_TRUSTED_ABROAD = 3  # the same without English: what was seen in other homes was seen of that
_CANDIDATES = 5  # of each ranking
_TINY = 4  # passages up to which nothing is asked
_A_PASSAGE = 5  # questions for each passage of the home, at the most
_FEW = 8  # questions in a writing that no note has
_TOGETHER = 128  # questions whose candidates are looked at closer in one go


class Levels(NamedTuple):
    """The evidence that a low, a middle and a high share of the null stays below."""

    low: float
    middle: float
    high: float


# What the English null reaches in the homes of friendsqa, LoCoMo and covid-faq-en, the mean of the three sets; and in a
# home of one line, the first of `bench/data/one-liners`. From there it grows with the logarithm of the passages: with
# 300 of these lines it is what the larger homes have.
_LARGE = 300  # passages
_ALONE = {
    (False, False): Levels(0.01, 0.01, 0.02),
    (True, False): Levels(0.08, 0.13, 0.17),
    (False, True): Levels(0.03, 0.05, 0.05),
    (True, True): Levels(0.18, 0.23, 0.28),
}
_ELSEWHERE = {
    (False, False): Levels(0.10, 0.16, 0.21),
    (True, False): Levels(0.18, 0.28, 0.36),
    (False, True): Levels(0.44, 0.61, 0.71),
    (True, True): Levels(0.55, 0.73, 0.87),
}
"""By whether vectors had a part in it, and whether there was a closer look."""


class NullQuestion(NamedTuple):
    """A question that was made for no home at all."""

    language: str
    text: str


class Null:
    """Holds what the null reaches in a home, by language; nothing where it was never asked."""

    def __init__(
        self,
        *,
        by_vectors: bool,
        reaches: Mapping[str, Sequence[Reach]] | None = None,
        passages: int = _LARGE,
        at_home: bool = False,
    ) -> None:
        """`at_home`: the questions are in the language of most notes, and that is not English."""
        self.by_vectors = by_vectors
        self.passages = passages
        self.reaches = reaches or {}
        self._levels: dict[bool, Levels] = {}
        if at_home:
            self._shares = LEVELS_AT_HOME
        else:
            self._shares = LEVELS
        self._parts: dict[tuple[frozenset[str], bool], Null] = {}

    def of_languages(self, languages: frozenset[str], *, at_home: bool = False) -> Null:
        """Return what questions in some languages reach."""
        key = languages, at_home
        if key not in self._parts:
            reaches = {language: group for language, group in self.reaches.items() if language in languages}
            self._parts[key] = Null(
                by_vectors=self.by_vectors, reaches=reaches, passages=self.passages, at_home=at_home
            )
        return self._parts[key]

    def levels(self, *, looked: bool) -> Levels:
        """Return the levels of hits with or without a closer look: of the language that reaches most."""
        if looked not in self._levels:
            self._levels[looked] = self._measure_levels(looked=looked)
        return self._levels[looked]

    def _measure_levels(self, *, looked: bool) -> Levels:
        elsewhere = self._elsewhere(looked=looked)
        best, trust = elsewhere, 0.0
        if "en" in self.reaches:
            half_trusted = _HALF_TRUSTED
        else:
            half_trusted = _HALF_TRUSTED_ABROAD
        for group in self.reaches.values():
            values = sorted(reach.looked if looked else reach.plain for reach in group)
            if not values:
                continue
            own = Levels(*(_quantile(values, share) for share in self._shares))
            own_trust = len(values) / (len(values) + half_trusted)
            # Each language counts as far as it is trusted: one in which a single question was asked decides nothing.
            if not trust or own_trust * own.middle > trust * best.middle:
                best, trust = own, own_trust
        return Levels(*(trust * own + (1.0 - trust) * any_home for own, any_home in zip(best, elsewhere, strict=True)))

    def _elsewhere(self, *, looked: bool) -> Levels:
        """Return what it reaches in other homes of that size."""
        kind = self.by_vectors, looked
        share = min(1.0, math.log1p(self.passages) / math.log1p(_LARGE))
        return Levels(
            *(alone + share * (many - alone) for alone, many in zip(_ALONE[kind], _ELSEWHERE[kind], strict=True))
        )


@lru_cache(maxsize=1)
def null_questions() -> tuple[NullQuestion, ...]:
    """Return the questions that are shipped, languages by turns: the first few are of every language."""
    by_language: dict[str, list[NullQuestion]] = {}
    language = ""
    with open(_QUESTIONS, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for line in lines:
        text = line.strip()
        if text.startswith("["):
            language = text.strip("[]")
        elif text and not text.startswith("#"):
            by_language.setdefault(language, []).append(NullQuestion(language, text))
    placed = [
        ((place + 0.5) / len(group), name, question)
        for name, group in by_language.items()
        for place, question in enumerate(group)
    ]
    return tuple(question for _, _, question in sorted(placed))


def null_of(database: Database, edition: Edition, vectors: Vectors | None) -> Null:
    """Return what is stored of the null of an edition, in one space or for keywords alone.

    Call it in a read transaction.
    """
    if vectors is None:
        space = KEYWORDS_ONLY
    else:
        space = vectors.number
    return database.null_reaches.summary(
        edition.number, space, SCALE, lambda stored: _null(stored, vectors is not None, edition.lexicon.total())
    )


def _null(stored: Mapping[str, Reach], by_vectors: bool, passages: int) -> Null:
    groups: dict[str, list[Reach]] = {}
    for question in null_questions() if stored else ():
        if question.text in stored:
            groups.setdefault(question.language, []).append(stored[question.text])
    return Null(by_vectors=by_vectors, reaches=groups, passages=passages)


def measure_null(
    database: Database,
    links: Sequence[Link],
    look_closer: LookCloser | None,
    piece_costs: PieceCosts | None,
    limit: int | None,
) -> int:
    """Ask the questions of the null that are missing or out of date, at most `limit`; says how many were asked.

    `links` are the providers whose vectors cost nothing.
    """
    with database.connection.reading():
        edition = database.serving()
        passages = 0
        if edition is not None:
            passages = edition.lexicon.total()
        if edition is None or passages <= _TINY:
            return 0
        local = [database.vectors(space).number for link in links if (space := _local_space(link)) is not None]
        # Whether the vectors cover the notes is only asked where something is due: to know it, all are counted.
        likely = [KEYWORDS_ONLY, *local]
        due = _due(database, edition, likely, passages)
        if not due:
            return 0
        spaces = [_Space(link, vectors) for link in links if (vectors := _covering(database, link)) is not None]
        numbers = [KEYWORDS_ONLY, *(space.vectors.number for space in spaces)]
        due = (due if numbers == likely else _due(database, edition, numbers, passages))[:limit]
    if not due:
        return 0
    packed = [space.ask([question.text for question in due]) for space in spaces]
    with database.connection.reading():
        now = database.serving()
        if now is None or now.number != edition.number:
            return 0  # it was built anew meanwhile
        now.lexicon.learn(word for question in due for word in _understood(question.text).words)
        # All at once: the vectors that they are compared with are read and unpacked once.
        asked = _ask_questions(now, [question.text for question in due], packed, spaces, piece_costs)
        chunks: Mapping[int, StoredChunk] = {}
        if look_closer is not None:
            chunks = now.chunks(dict.fromkeys(row for answer in asked for row in answer.rows))
    found: list[tuple[int, str, Reach]] = []
    for place, (question, answer) in enumerate(zip(due, asked, strict=True)):
        if look_closer is not None and chunks and place % _TOGETHER == 0:
            # This looks at many at once, which cuts their words in a third of the time.
            near = dict.fromkeys(row for other in asked[place : place + _TOGETHER] for row in other.rows)
            look_closer(question.text, [(chunks[row].text_hash, chunks[row].text) for row in near if row in chunks])
        reaches = _reaches(question.text, answer, chunks, look_closer, passages)
        found += [(number, question.text, reach) for number, reach in zip(numbers, reaches, strict=True)]
    database.null_reaches.put(edition.number, SCALE, found)
    return len(due)


class _Space(NamedTuple):
    link: Link
    vectors: Vectors

    def ask(self, texts: Sequence[str]) -> Sequence[bytes]:
        from holdfast.embeddings.embedder import Purpose

        return self.link.ask(texts, Purpose.QUERY)


def _due(database: Database, edition: Edition, spaces: Sequence[int], passages: int) -> list[NullQuestion]:
    """Return the questions that were not asked in each of some spaces, or when there was much more or less than now."""
    stored = [database.null_reaches.of(edition.number, number, SCALE) for number in spaces]
    return [
        question
        for question in _choose_questions(edition, _A_PASSAGE * passages)
        if any(question.text not in known or is_stale(known[question.text], passages) for known in stored)
    ]


def _choose_questions(edition: Edition, limit: int) -> list[NullQuestion]:
    """Return the first `limit` questions; but few in a writing that no note has: those reach by meaning alone."""
    absent = {language for language, bounds in SCRIPTS.items() if not edition.lexicon.has_terms(*bounds)}
    counts: Counter[str] = Counter()
    chosen: list[NullQuestion] = []
    for question in null_questions()[:limit]:
        counts[question.language] += 1
        if question.language not in absent or counts[question.language] <= _FEW:
            chosen.append(question)
    return chosen


def _local_space(link: Link) -> SpaceKey | None:
    if link.remote:
        return None
    return link.known_space()


def _covering(database: Database, link: Link) -> Vectors | None:
    """Return the vectors of a provider on this machine that cover the notes."""
    space = _local_space(link)
    if space is None:
        return None
    vectors = database.vectors(space)
    texts, embedded = vectors.coverage()
    if embedded and embedded >= texts:
        return vectors
    return None


@lru_cache(maxsize=256)
def _understood(text: str) -> Question:
    """A question of the null, understood once for all homes of a process."""
    from holdfast.search.query import question_of

    return question_of(text)


def _ask_questions(
    edition: Edition,
    texts: Sequence[str],
    packed: Sequence[Sequence[bytes]],
    spaces: Sequence[_Space],
    piece_costs: PieceCosts | None,
) -> list[_Findings]:
    """Return what each question finds: by its words alone, and in each space."""
    by_words = [_by_words(edition, _understood(text)) for text in texts]
    beside = by_words
    if spaces and piece_costs is not None:
        beside = [_telling(edition, text, own, piece_costs) for text, own in zip(texts, by_words, strict=True)]
    ways = [[_Way(own, {})] for own in by_words]
    for space, vectors in zip(spaces, packed, strict=True):
        above = _above(space, [(vector, list(own.held)) for vector, own in zip(vectors, beside, strict=True) if vector])
        for own_ways, own, vector in zip(ways, beside, vectors, strict=True):
            own_ways.append(_Way(own, next(above)) if vector else own_ways[0])
    return [
        _Findings(own, list(dict.fromkeys(row for way in own for row in (*way.words.held, *way.above)))) for own in ways
    ]


def _telling(edition: Edition, text: str, by_words: _ByWords, piece_costs: PieceCosts) -> _ByWords:
    """Return what a question finds by those of its words that tell something, beside vectors."""
    from holdfast.search.frequent_words import leave_out_common

    question = _understood(text)
    telling = leave_out_common(question, piece_costs, edition)
    if telling.words == question.words:
        return by_words._replace(telling=word_count(telling))
    return _by_words(edition, telling)


def _reaches(
    text: str, asked: _Findings, chunks: Mapping[int, StoredChunk], look_closer: LookCloser | None, passages: int
) -> list[Reach]:
    """Return what one question reaches at best: by its words alone, and in each space."""
    known = [row for row in asked.rows if row in chunks]
    texts = [(chunks[row].text_hash, chunks[row].text) for row in known]
    scores = None
    if look_closer is not None and texts:
        scores = look_closer(text, texts)
    if scores is not None:
        met = dict(zip(known, scores, strict=True))
    else:
        met = {}
    reaches: list[Reach] = []
    for (words, held), above in asked.ways:
        plain, looked = 0.0, 0.0
        for row in {**held, **above}:
            parts = held.get(row, 0.0), above.get(row, 0.0)
            plain = max(plain, evidence_of(words, *parts, None).value)
            looked = max(looked, evidence_of(words, *parts, met.get(row, 0.0)).value)
        reaches.append(Reach(plain, looked, passages))
    return reaches


class _ByWords(NamedTuple):
    """Says how many words a question has, and which share of what BM25 could reach the best rows have."""

    telling: float
    held: Mapping[int, float]


class _Way(NamedTuple):
    """The best rows of one way to search: by words, and by how many spreads they are above the background."""

    words: _ByWords
    above: Mapping[int, float]


class _Findings(NamedTuple):
    """Holds what a question finds each way, and all rows of that."""

    ways: Sequence[_Way]
    rows: Sequence[int]


def _by_words(edition: Edition, question: Question) -> _ByWords:
    ideal = edition.ideal(question.words)
    keyword_hits = edition.keywords(question.words, _CANDIDATES)
    held = {row: score / ideal if ideal > 0 else 1.0 for row, score in keyword_hits}
    return _ByWords(word_count(question), held)


def _above(space: _Space, asked: Sequence[tuple[bytes, Sequence[int]]]) -> Iterator[dict[int, float]]:
    """Yield for each vector, given with rows that are known, how many spreads above the background rows are."""
    from holdfast.search.fusion import nearnesses, spreads_above

    for near in space.vectors.nearest_each(asked, _CANDIDATES):
        cosines = {**near.others, **dict(near.ranked)}
        yield {row: spreads_above(score, near) for row, score in nearnesses(cosines, near).items()}


def _quantile(values: Sequence[float], share: float) -> float:
    """Return the value that this share of the sorted ones stays below.

    It lies between two of them, by how near it is to each.
    """
    place = share * (len(values) - 1)
    first = int(place)
    after = values[min(first + 1, len(values) - 1)]
    return values[first] + (place - first) * (after - values[first])
