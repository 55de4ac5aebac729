"""A message → what the sentence classifier reads: its clauses, their words in order, and the shape of each.

What a word means comes from the embedded vectors, which agree across languages; how it is written, from hashes of the
word, its beginning and its endings, so that persons and tenses are learned and not listed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from zlib import crc32

from holdfast.facts.capture.chat_sentences import Sentence, inside
from holdfast.facts.capture.clauses import clauses
from holdfast.facts.capture.own_words import OwnLine, own_lines
from holdfast.facts.capture.wide_letters import has_wide, is_wide
from holdfast.facts.capture.wide_sentences import wide_quotations, wide_sentences
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = [
    "BUCKETS",
    "CLAUSE_SHAPE",
    "WORD_SHAPE",
    "Message",
    "Part",
    "letters_of",
    "read_message",
    "split_words",
    "word_hashes",
]

BUCKETS = 4_096
WORD_SHAPE = 8
CLAUSE_SHAPE = 16
_MOST_WORDS = 1_200  # of a message
_MOST_KEPT = 4_000  # words whose shape is kept
_WIDE = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff66-\uff9d"
_PLAIN_WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
# It says the same of a sentence without wide signs, and takes four milliseconds to compile.
_WORD = compile_late(rf"[{_WIDE}]+|[^\W{_WIDE}]+(?:['’][^\W{_WIDE}]+)*|[^\w\s]")
# What leads a sentence in and adds nothing. In German it takes the place before the verb, unless a comma parts it.
_LEADS = re.compile(
    r"\A(?:(?:oh|ah|well|so|actually|anyway|also|btw|by the way|fyi|ach|also|übrigens|eigentlich|au fait|en fait|"
    r"d'ailleurs|por cierto|en realidad|aliás|na verdade|a proposito|in realtà|tra l'altro|trouwens|eigenlijk)[,:]\s+|"
    r"(?:actually|btw|by the way|fyi|au fait|por cierto|aliás)\s+|"
    r"(?:对了|其实|顺便说一下|ちなみに|実は|そういえば)[，、,]\s*)+",
    re.IGNORECASE,
)
_LINE, _ITEM = "\n", "\t"  # words that stand for the beginning of a line, and of an item of a list


class Part(NamedTuple):
    """A clause: its sentence, its place there, its first word and the one behind its last, and its shape."""

    sentence: int
    start: int
    end: int
    own: bool
    first: int
    last: int
    shape: tuple[float, ...] = ()


class Message(NamedTuple):
    """The words of a message with their shapes, its sentences with the bounds of their words, and its clauses."""

    words: list[str]
    shapes: list[tuple[float, ...]]
    sentences: list[str]
    asked: list[bool]
    quoted: list[bool]
    lines: list[OwnLine]
    line_of: list[int]
    bounds: list[tuple[int, int]]
    parts: list[Part]
    long: bool


def read_message(text: str, cut: Callable[[str], list[str]]) -> Message:
    """The user's own words of a message, as the model reads them; `cut` parts a run of letters without spaces."""
    said, long = own_lines(text)
    lines = _unwrapped(said)
    dropped = sum(len(line.text) for line in lines) < 0.8 * len(text.strip())
    made = Message([], [], [], [], [], lines, [], [], [], long)
    held: list[Part] = []
    for number, line in enumerate(lines):
        led = bool(line.led_by)
        _add(made, _ITEM if line.item else _LINE, quoted=False, led=led)
        for sentence in map(_without_lead, wide_sentences(line.text)):
            if len(made.words) > _MOST_WORDS:
                break
            spans = wide_quotations(sentence.text)
            begin = len(made.words)
            words = _pattern(sentence.text)
            for clause in clauses(sentence.text):
                first = len(made.words)
                for found in words.finditer(sentence.text, clause.start, clause.end):
                    quoted = sentence.quoted or inside(spans, found.start())
                    for word in _cut(found[0], cut):
                        _add(made, word, quoted=quoted, led=led)
                if len(made.words) > first:
                    held.append(Part(len(made.sentences), *clause, first, len(made.words)))
                following = sentence.text[clause.end : clause.end + 3].strip()[:1]
                if following and not following.isalnum():
                    _add(made, following, quoted=False, led=led)
            _add(made, "?" if sentence.asked else ".", quoted=False, led=led)
            made.sentences.append(sentence.text)
            made.asked.append(sentence.asked)
            made.quoted.append(sentence.quoted)
            made.line_of.append(number)
            made.bounds.append((begin, len(made.words)))
    for at, part in enumerate(held):
        shape = _clause_shape(made, part, at, len(held), dropped=dropped)
        made.parts.append(part._replace(shape=tuple(map(float, shape))))
    return made


def _unwrapped(lines: Sequence[OwnLine]) -> list[OwnLine]:
    """Return the lines with those joined that an editor broke: "I am not" alone would make its second half a claim.

    Who begins a paragraph with a small letter may begin every line so, and ends each thought with it.
    """
    joined: list[OwnLine] = []
    for line in lines:
        before = joined[-1] if joined else None
        if (
            before is not None
            and not (line.apart or line.item)
            and line.led_by == before.led_by
            and line.text[0].islower()
            and before.text[0].isupper()
            and (before.text[-1].isalnum() or before.text[-1] == ",")
        ):
            joined[-1] = before._replace(text=f"{before.text} {line.text}")
        else:
            joined.append(line)
    return joined


def split_words(text: str, cut: Callable[[str], list[str]]) -> list[str]:
    """Return the words and signs of a text, in order."""
    return [word for found in _pattern(text).finditer(text) for word in _cut(found[0], cut)]


def _pattern(text: str) -> re.Pattern[str]:
    return _WORD if has_wide(text) else _PLAIN_WORD


def _cut(word: str, cut: Callable[[str], list[str]]) -> Sequence[str]:
    return cut(word) if is_wide(word[0]) else (word,)


def _without_lead(sentence: Sentence) -> Sentence:
    """Return a sentence without the words before it that add nothing: "actually, …", "by the way …"."""
    found = _LEADS.match(sentence.text)
    return (
        sentence._replace(text=sentence.text[found.end() :]) if found and found.end() < len(sentence.text) else sentence
    )


def _clause_shape(message: Message, part: Part, at: int, count: int, *, dropped: bool) -> tuple[float, ...]:
    line = message.lines[message.line_of[part.sentence]]
    return (
        message.asked[part.sentence], message.quoted[part.sentence], part.own,
        at == 0, at == count - 1, at / max(1, count - 1), min(1.0, count / 12),
        min(1.0, (part.last - part.first) / 24),
        line.item, bool(line.led_by), line.plain, dropped, message.long, any(message.asked),
        line.text.endswith((":", "：")), min(1.0, len(message.lines) / 8),
    )  # fmt: skip


def word_hashes(word: str) -> tuple[int, ...]:
    """The numbers under which the model has learned how a word is written."""
    small = word.lower()
    parts = (small, f"^{small[:3]}", f"{small[-2:]}$", f"{small[-3:]}$", f"{small[-4:]}$", f"^{small[:-2]}")
    return tuple(crc32(part.encode("utf-8", "surrogatepass")) % BUCKETS for part in parts)


def _add(message: Message, word: str, *, quoted: bool, led: bool) -> None:
    upper, shout, number, has_digit, sign, size = letters_of(word)
    message.words.append(word)
    message.shapes.append((upper, shout, number, has_digit, sign, float(quoted), float(led), size))


@lru_cache(_MOST_KEPT)
def letters_of(word: str) -> tuple[float, ...]:
    """Return what the signs of a word say of it, wherever it stands."""
    shape = (
        word[:1].isupper(), len(word) > 1 and word.isupper(), word.isdigit(), any(map(str.isdigit, word)),
        not word[:1].isalnum(), min(1.0, len(word) / 12),
    )  # fmt: skip
    return tuple(map(float, shape))
