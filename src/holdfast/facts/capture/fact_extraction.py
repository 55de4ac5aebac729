"""A message of the user → the facts in it: the sentences as they were said, a category and an importance. Pure.

A learnt classifier says which sentences tell something to keep; what the user asks to be remembered is kept by rule;
and what is quoted, led in by a colon, in a letter, a part to play, a secret or an order to a model never is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import mul
from typing import TYPE_CHECKING, Final

from holdfast.facts.capture.capture_refusal import holds_secret, orders_a_model
from holdfast.facts.capture.memory_requests import asks_to_remember, requested
from holdfast.facts.capture.vetoes import vetoed
from holdfast.facts.idle_words import BEFORE
from holdfast.markdown.fact_row import Category
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

if TYPE_CHECKING:
    from holdfast.facts.capture.sentence_classifier import Judgement, SentenceClassifier
    from holdfast.facts.capture.sentence_features import Message

__all__ = ["THRESHOLD", "MessageFacts", "Noticed", "find_facts", "notice"]

THRESHOLD: Final = 0.8
"""How sure the classifier must be of a sentence, where nobody says otherwise."""
_STEERS: Final = "nothing of a message that tells facts is kept: something in it reads like an order to a model"
_HOLDS_ONE: Final = "a sentence that tells a fact is not kept: it holds a secret"
_NO_PART: Final = 0.08  # less sure than this of a clause at the edge of a sentence, it is a question or a request
_MOST_FACTS: Final = 12  # in one message; whoever says more pastes
_MOST_TYPED: Final = 4_000  # characters of own words; beyond, it is a document
_MOST_LINES: Final = 40
_PASTED: Final = 800  # characters of a paragraph that nobody types at once
_REQUESTED: Final = 0.8
_FEWEST_ROWS: Final = 3  # of numbers: fewer may be somebody's telephone
_FEWEST_LETTERS: Final = 3
_FEWEST_WIDE: Final = 2  # of a script in which a sign is a word
_EDGES: Final = " \t,;:–—-.!…*_\"'“”«»，、。："
# "En", "ma" and "da" are such words in one language, and say something in another.
_LED: Final = re.compile(
    r"\A(?:and|but|so|because|since|cause|plus|then|though|und|aber|weil|denn|et|mais|car|puisque|donc|y|pero|porque|"
    r"pues|e|mas|pois|então|maar|want|omdat|dus|perché|quindi|però)\s+(?=\S+\s+\S)",
    re.IGNORECASE,
)
_GREETED: Final = re.compile(
    r"\A(?:hi|hey|hello|ok|okay|oh|btw|hallo|salut|bonjour|hola|olá|oi|ciao|hoi)\b[,!]?\s+", re.IGNORECASE
)
_LETTER: Final = re.compile(r"[^\W_]")
_LABEL: Final = re.compile(r"[^\W\d_]+\s+\d+\s*[:：]")  # "Question 61:"
# Latin letters and digits, kana, and the signs of Chinese and Japanese.
_READ: Final = compile_late(r"[0-9A-Za-zÀ-ɏḀ-ỿ\u3040-\u30ff\u3400-\u9fff\uff66-\uff9d]")
_BEFORE: Final = re.compile(BEFORE, re.IGNORECASE)


class Noticed(NamedTuple):
    """A fact as it was said, and what found it."""

    text: str
    category: Category
    importance: float
    rule: str


class MessageFacts(NamedTuple):
    """The facts of a message, and why something that tells one is none."""

    facts: tuple[Noticed, ...] = ()
    refused: tuple[str, ...] = ()


def notice(message: str, threshold: float = THRESHOLD) -> list[Noticed]:
    """Return the facts of a message, in order and each once; none where it tries to steer a model."""
    return list(find_facts(message, threshold).facts)


def find_facts(message: str, threshold: float = THRESHOLD) -> MessageFacts:
    """Return the facts of a message as `notice` does, and what was refused: who asked for it would think it is kept."""
    from holdfast.facts.capture.sentence_classifier import read_classifier

    if not _LETTER.search(message):
        return MessageFacts()
    classifier = read_classifier()
    read, judgements = classifier.read(message)
    for number in _asides(read):
        judgements = _judged_alone(judgements, read, number, classifier)
    found = list(_requests(read, judgements))
    closed = {sentence for sentence, _ in found} | _closed_sentences(read)
    found += _told([clause for clause in judgements if clause.part.sentence not in closed], read, threshold)
    kept: dict[str, Noticed] = {}
    refused: list[str] = []
    for _, fact in sorted(found, key=lambda pair: pair[0]):
        if not _says_something(fact.text) or vetoed("withheld", fact.text):
            continue
        if holds_secret(fact.text):
            refused.append(_HOLDS_ONE)
        else:
            kept.setdefault(fact.text.casefold(), fact)
    # An item is no part of the sentence before it, also where neither ends with a stop.
    if kept and orders_a_model("\n".join(f"- {line.text}" if line.item else line.text for line in read.lines)):
        return MessageFacts(refused=(*refused, _STEERS))
    return MessageFacts(tuple(kept.values())[:_MOST_FACTS], tuple(refused))


def _asides(read: Message) -> list[int]:
    """Return the lines before and behind a paragraph so long that it was pasted: they say nothing of each other."""
    long = [number for number, line in enumerate(read.lines) if len(line.text) > _PASTED]
    return [number for number in range(len(read.lines)) if long and not long[0] <= number <= long[-1]]


def _judged_alone(
    judgements: list[Judgement], read: Message, number: int, classifier: SentenceClassifier
) -> list[Judgement]:
    """Return the judgements with those of a line as it would be judged by itself, where it then tells more."""
    first = next((at for at, line in enumerate(read.line_of) if line == number), 0)
    _, judged = classifier.read(read.lines[number].text)
    alone = {(first + clause.part.sentence, clause.part.start): clause for clause in judged}
    return [
        own._replace(part=clause.part)
        if (own := alone.get((clause.part.sentence, clause.part.start))) is not None and own.keep > clause.keep
        else clause
        for clause in judgements
    ]


def _told(judgements: Sequence[Judgement], read: Message, threshold: float) -> Iterator[tuple[int, Noticed]]:
    """Yield the sentences that the classifier keeps, each with its number."""
    for number, group in groupby(judgements, key=lambda clause: clause.part.sentence):
        clauses = list(group)
        best = max(range(len(clauses)), key=lambda at: clauses[at].keep)
        if clauses[best].keep < threshold:
            continue
        first, last = 0, len(clauses) - 1
        while first < best and clauses[first].keep < _NO_PART and clauses[first + 1].part.own:
            first += 1
        while last > best and clauses[last].keep < _NO_PART and clauses[last].part.own:
            last -= 1
        for run in _runs(clauses[first : last + 1], threshold):
            sure = [clause for clause in run if clause.keep >= threshold]
            sentence, start, end = read.sentences[number], run[0].part.start, run[-1].part.end
            label = _LABEL.match(sentence, start)
            if label is not None and label.end() >= end:
                continue
            words = sentence[start:end]
            yield number, _fact(words, sure, max(clause.importance for clause in sure), "classifier")


def _runs(clauses: Sequence[Judgement], threshold: float) -> list[list[Judgement]]:
    """Part a sentence where a clause of its own tells something of another kind; two of one kind are one fact."""
    runs: list[list[Judgement]] = [[]]
    kind: Category | None = None
    for clause in clauses:
        if clause.keep >= threshold:
            if kind is not None and clause.part.own and clause.category is not kind:
                runs.append([])
            kind = clause.category
        runs[-1].append(clause)
    return runs


def _requests(read: Message, judgements: Sequence[Judgement]) -> Iterator[tuple[int, Noticed]]:
    """Yield what the user asks to be remembered, by itself or in a list behind such a request."""
    for number, sentence in enumerate(read.sentences):
        line = read.lines[read.line_of[number]]
        listed = bool(line.led_by) and asks_to_remember(line.led_by)
        rest = sentence if listed else requested(sentence)
        clauses = [clause for clause in judgements if clause.part.sentence == number]
        if rest is None or not clauses or read.asked[number]:
            continue
        importance = max(_REQUESTED, *(clause.importance for clause in clauses))
        yield number, _fact(rest, clauses, importance, "asked to remember")


def _closed_sentences(read: Message) -> set[int]:
    """Return the sentences that are not the user's word about themselves, whatever they say."""
    every = set(range(len(read.sentences)))
    typed = "\n".join(line.text for line in read.lines)
    if len(typed) > _MOST_TYPED or len(read.lines) > _MOST_LINES or vetoed("part", typed):
        return every
    rows = {number for number in every if _is_row(read.sentences[number])}
    letter = min((number for number in every if vetoed("letter", read.sentences[number])), default=len(every))
    return {
        number
        for number in every
        if number >= letter
        or (number in rows and len(rows) >= _FEWEST_ROWS)
        or read.quoted[number]
        or _is_foreign(read.sentences[number])
        or _is_material(read.lines[read.line_of[number]].led_by)
    }


def _is_row(sentence: str) -> bool:
    """Say whether more than half of the words are numbers, as in a table."""
    words = sentence.split()
    return 2 * sum(word[-1].isdigit() and not any(map(str.isalpha, word)) for word in words) > len(words)


def _is_foreign(sentence: str) -> bool:
    """Say whether a sentence is in a script of which the classifier has read nothing."""
    if sentence.isascii():
        return False
    letters = _LETTER.findall(sentence)
    return 2 * len(_READ.findall("".join(letters))) < len(letters)


def _is_material(lead: str) -> bool:
    """Say whether what stands behind a line with a colon at its end is a text to work on."""
    return bool(lead) and vetoed("text", lead)


def _fact(words: str, clauses: Sequence[Judgement], importance: float, rule: str) -> Noticed:
    from holdfast.facts.capture.sentence_classifier import likeliest

    kinds = zip(*(clause.categories for clause in clauses), strict=True)
    sure = [clause.keep for clause in clauses]
    category = likeliest([sum(map(mul, sure, shares)) for shares in kinds])
    return Noticed(_plain(words), category, round(min(1.0, importance), 2), rule)


def _says_something(text: str) -> bool:
    return len(_LETTER.findall(text)) >= (_FEWEST_LETTERS if text.isascii() else _FEWEST_WIDE)


def _plain(words: str) -> str:
    """Return the words without what only leads them in, and with a capital letter before them."""
    text = " ".join(words.replace("’", "'").split()).strip(_EDGES)
    shorter = _LED.sub("", _GREETED.sub("", text, count=1), count=1)
    if (before := _BEFORE.match(shorter)) is not None:
        shorter = shorter[before.end() :].strip(_EDGES) or shorter
    return shorter[:1].upper() + shorter[1:]
