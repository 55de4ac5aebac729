"""The judged clauses of a message → facts in the words that were said.

`assemble` is what the model makes of a message by itself. `facts_of` adds the rules around it: what the user asks to
remember is kept, and what is a part to play, a text to work on, a secret or an order to a model never is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from capture_model import Judgement
from holdfast.facts.capture.capture_refusal import holds_secret, orders_a_model
from holdfast.facts.capture.fact_extraction import Noticed
from holdfast.facts.idle_words import BEFORE
from memory_requests import asks_to_remember, requested
from message_features import Message
from vetoes import vetoed

_DRAWN = 0.4  # of the threshold: so sure must a clause be that only goes on with the one before it
_MOST_FACTS = 8  # in one message; whoever says more pastes
_REQUESTED = 0.8
_FEWEST_LETTERS = 3
_EDGES = " \t,;:–—-.!…*_\"'“”«»，、。："
# "En", "ma" and "da" are such words in one language, and say something in another.
_LED = re.compile(
    r"\A(?:and|but|so|because|since|cause|plus|then|though|und|aber|weil|denn|et|mais|car|puisque|donc|y|pero|porque|"
    r"pues|e|mas|pois|então|maar|want|omdat|dus|perché|quindi|però)\s+(?=\S+\s+\S)",
    re.IGNORECASE,
)
_GREETED = re.compile(
    r"\A(?:hi|hey|hello|ok|okay|oh|btw|hallo|salut|bonjour|hola|olá|oi|ciao|hoi)\b[,!]?\s+", re.IGNORECASE
)
_LETTER = re.compile(r"[^\W_]")
_BEFORE = re.compile(BEFORE, re.IGNORECASE)


def assemble(message: Message, judgements: Sequence[Judgement], threshold: float) -> list[Noticed]:
    """What the model alone makes of a message."""
    return [one for _, one in _assembled(message, judgements, threshold)]


def facts_of(message: Message, judgements: Sequence[Judgement], threshold: float) -> list[Noticed]:
    """The facts of a message, in order and each once; none where it tries to steer a model."""
    found = list(_requests(message, judgements))
    closed = {sentence for sentence, _ in found} | _silent_sentences(message)
    closed |= {number for number, quoted in enumerate(message.quoted) if quoted or message.long}
    found += _assembled(message, [one for one in judgements if one.part.sentence not in closed], threshold)
    if not found or orders_a_model("\n".join(line.text for line in message.lines)):
        return []
    kept: dict[str, Noticed] = {}
    for _, one in sorted(found, key=lambda pair: pair[0]):
        refused = holds_secret(one.text) or vetoed("withheld", one.text)
        if not refused and len(_LETTER.findall(one.text)) >= _FEWEST_LETTERS:
            kept.setdefault(one.text.casefold(), one)
    return list(kept.values())[:_MOST_FACTS]


def _assembled(message: Message, judgements: Sequence[Judgement], threshold: float) -> Iterator[tuple[int, Noticed]]:
    """The clauses that are kept, with those that belong to them, and the number of their sentence."""
    for sentence, group in groupby(judgements, key=lambda one: one.part.sentence):
        parts = list(group)
        for first, last in _runs(parts, threshold, asked=message.asked[sentence]):
            run = parts[first:last]
            words = message.sentences[sentence][run[0].part.start : run[-1].part.end]
            yield sentence, _fact(words, max(run, key=lambda one: one.keep), max(one.importance for one in run))


def _runs(parts: Sequence[Judgement], threshold: float, *, asked: bool) -> list[tuple[int, int]]:
    """Which clauses of a sentence make a fact: the first, and the one behind the last.

    One that only goes on with the clause before it says nothing without that; and two of one kind are one fact.
    """
    runs: list[tuple[int, int]] = []
    for at, one in enumerate(parts):
        end = runs[-1][1] if runs else 0
        last_asked = asked and at == len(parts) - 1
        drawn = one.keep >= threshold * _DRAWN and not last_asked
        if runs and end == at and not one.part.own and (one.keep >= threshold or drawn):
            runs[-1] = (runs[-1][0], at + 1)
        elif one.keep >= threshold:
            first = at
            while first > end and not parts[first].part.own:
                first -= 1
            if runs and first == end and parts[runs[-1][0]].category is one.category:
                runs[-1] = (runs[-1][0], at + 1)
            else:
                runs.append((first, at + 1))
    return runs


def _requests(message: Message, judgements: Sequence[Judgement]) -> Iterator[tuple[int, Noticed]]:
    """What the user asks to be remembered, by itself or in a list behind such a request."""
    for number, sentence in enumerate(message.sentences):
        line = message.lines[message.line_of[number]]
        listed = bool(line.led_by) and asks_to_remember(line.led_by)
        rest = sentence if listed else requested(sentence)
        if rest is None or (message.asked[number] and listed):
            continue
        best = max((one for one in judgements if one.part.sentence == number), key=lambda one: one.keep, default=None)
        if best is not None:
            yield number, _fact(rest, best, max(best.importance, _REQUESTED))


def _silent_sentences(message: Message) -> set[int]:
    """The sentences that are a part to play, a text to work on, or in a letter."""
    every = set(range(len(message.sentences)))
    if vetoed("part", "\n".join(line.text for line in message.lines)):
        return every
    asking = {number for number in every if vetoed("text", message.sentences[number])}
    if asking:
        return every - asking
    letter = min((number for number in every if vetoed("letter", message.sentences[number])), default=len(every))
    return {number for number in every if number >= letter}


def _fact(words: str, judgement: Judgement, importance: float) -> Noticed:
    return Noticed(_plain(words), judgement.category, round(min(1.0, importance), 2), "model", "")


def _plain(words: str) -> str:
    """The words without what only leads them in, and with a capital letter before them."""
    text = " ".join(words.replace("’", "'").split()).strip(_EDGES)
    shorter = _LED.sub("", _GREETED.sub("", text, count=1), count=1)
    if (before := _BEFORE.match(shorter)) is not None:
        shorter = shorter[before.end() :].strip(_EDGES) or shorter
    return shorter[:1].upper() + shorter[1:]
