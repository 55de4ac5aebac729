"""A sentence → what it says, word by word: without what carries nothing, with every sign, in its order.

Two sentences are one where that is the same for both. Strictly, only what stands before and behind a sentence is left
out, numbers are digits, and it is told by the user; freely, also articles and words of no weight within it, and what
may stand first or last. A word that no list knows counts, so that a "rarely", a "might" or a minus is never lost.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from holdfast.facts.idle_words import (
    AGREEABLE,
    ARTICLES,
    CONTRACTED,
    DENYING,
    FILLERS,
    FRONTED,
    LIKING,
    LIMITING,
    NUMBERS,
    ONGOING,
    SCANT,
    SUBJECTS,
    TAILS,
)
from holdfast.facts.person import first_person
from holdfast.facts.sentence_edges import parted, trimmed
from holdfast.facts.subject_forms import wording
from holdfast.facts.subject_places import place_meant
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = [
    "Substance",
    "adds_nothing",
    "anchor",
    "key",
    "limits",
    "pictured_alike",
    "same_freely",
    "same_strictly",
    "signs",
    "substance",
]

_FIRST_FLAG: Final = 0x1F1E6  # a flag is two letters of its country, counted from here on
_NAMED: Final = (
    # Whose name is what, and who is called that: mine is what the claims know.
    (r"(.+)'s name is (.+)", r"\1 is called \2"),
    (r"the name of (.+?) is (.+)", r"\1 is called \2"),
    (r"(.+?) is named (.+)", r"\1 is called \2"),
    (r"der name (?:meines|von meinem) (\w+?)(?:es|s)? ist (.+)", r"mein \1 heißt \2"),
    (r"der name (?:von )?meiner (\w+) ist (.+)", r"meine \1 heißt \2"),
    (r"le nom de (m(?:on|a) .+?) est (.+)", r"\1 s'appelle \2"),
    (r"el nombre de (mi .+?) es (.+)", r"\1 se llama \2"),
    (r"o nome d[oa] (m(?:eu|inha) .+?) é (.+)", r"\1 se chama \2"),
    (r"[oa] (m(?:eu|inha) .+? se chama .+)", r"\1"),
)
_MADE: Final = frozenset(part for words in CONTRACTED.values() for part in words.split()) | {"called", "heißt", "mein"}
# What one uses something for is one's own.
_OWN_USE: Final = compile_late(r"^(i use .+? for) my (?=\S)")
# Other programs leave out whom they tell of. What "works" or "needs" something may be a program as well.
_MIND: Final = frozenset("prefers likes loves enjoys hates dislikes speaks lives".split())
_THIRD: Final = frozenset(
    "he she they him her them his their hers theirs sein seine seinen seinem seiner ihr ihre ihren son sa ses su sus "
    "le seu sua seus suas".split()
)
_TELLING: Final = frozenset(
    "that told tells asked asks gave gives helped helps sent sends showed shows met meets knows thinks says said wants "
    "dass que qu'il qu'elle".split()
)
_EMPHASIS: Final = LIKING | frozenset("use work live have want need eat drink know".split())


class Substance(NamedTuple):
    """Holds what a sentence says: its words, the article before each of them, and the pictures behind it."""

    words: tuple[str, ...]
    articles: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()


@lru_cache(maxsize=20_000)
def substance(text: str) -> Substance:
    """Return what a sentence says, told by the user."""
    words, pictures = parted(text)
    small = (NUMBERS.get(word, word) if place else NUMBERS.get(word.lower(), word) for place, word in enumerate(words))
    sentence = _openers().sub("", " ".join(small).lower(), count=1)
    own = first_person(f"user {sentence}" if sentence.partition(" ")[0] in _MIND else sentence)
    if own == sentence or not _of_another(words, sentence):
        sentence = own
    plain = [trimmed(word) or word for word in sentence.split() if word not in ("«", "»", '"')]
    spelt = [part for word in plain for part in CONTRACTED.get(word, word).split()]
    parts = [
        word
        for place, word in enumerate(spelt)
        if word != "got" or not place or spelt[place - 1] not in ("have", "has")
    ]
    line = " ".join(parts)
    for pattern, form in _named():
        sentence_form = pattern.fullmatch(line)
        if sentence_form:
            line = sentence_form.expand(form)
    return Substance(tuple(line.split()), (), pictures)


def same_strictly(text: str, other: str) -> bool:
    """Say whether two sentences are the same but for what stands before and behind them."""
    first, second = substance(text), substance(other)
    return first.words == second.words != () and pictured_alike(text, other)


def same_freely(text: str, other: str) -> bool:
    """Say whether two sentences say the same and no more, each of the other."""
    return _ordered_alike(_freely(text), _freely(other)) and pictured_alike(text, other)


def adds_nothing(new: str, old: str) -> bool:
    """Say whether a known sentence begins with all that a new one says, and goes on without limiting it."""
    first, second = _freely(new), _freely(old)
    said = len(first.words)
    if not said or first.words != second.words[:said] or not _articled_alike(first.articles, second.articles):
        return False
    rest = second.words[said:]
    return (not rest or rest[0] in TAILS) and LIMITING.isdisjoint(rest) and pictured_alike(new, old)


def limits(text: str) -> bool:
    """Say whether a part of a sentence takes something back of what stands before it."""
    return not LIMITING.isdisjoint(substance(text).words)


@lru_cache(maxsize=64)
def anchor(text: str) -> str:
    """Return the longest word of a sentence that stands as it is in every one that says the same.

    Empty where none does.
    """
    return max((word for word in substance(text).words if word.isalpha() and word not in _MADE), key=len, default="")


def signs(text: str) -> frozenset[str]:
    """Return the words of a sentence that begin or end with a sign."""
    return frozenset(word for word in substance(text).words if not (word[0].isalnum() and word[-1].isalnum()))


def key(text: str) -> tuple[str, ...]:
    """Return what two sentences share that may be one freely, in whatever order: to look for them among many."""
    return tuple(sorted(_freely(text).words))


def _of_another(words: Sequence[str], sentence: str) -> bool:
    """Say whether a "he" or "her" in a sentence about the user may be somebody else, whom it names as well."""
    said = sentence.split()
    if _THIRD.isdisjoint(said):
        return False
    return not _TELLING.isdisjoint(said) or any(word[:1].isupper() and place > 1 for place, word in enumerate(words))


@lru_cache(maxsize=20_000)
def _freely(text: str) -> Substance:
    held = substance(text)
    denied = not DENYING.isdisjoint(held.words)
    words = held.words
    if not denied:
        words = tuple(word for word in words if word not in FILLERS)
    line = list(words)
    for place in range(len(line) - 2, 0, -1):
        before, word, after = line[place - 1 : place + 2]
        if word == "am" and after in ONGOING:
            line[place : place + 2] = [ONGOING[after]]
        elif word == "do" and before in SUBJECTS and after in _EMPHASIS:
            del line[place]
    if not denied:
        line = ["like" if word in LIKING else word for word in line]
    kept = _OWN_USE.sub(r"\1 ", " ".join(line), count=1).split()
    found: list[str] = []
    articles: list[str] = []
    waiting = ""
    for place, word in enumerate(kept):
        if word in ARTICLES and place + 1 < len(kept) and kept[place + 1] not in SCANT:
            waiting = f"{waiting} {ARTICLES[word]}".strip()
            continue
        found.append(word)
        articles.append(waiting)
        waiting = ""
    return Substance(tuple(found), tuple(articles), held.pictures)


def _ordered_alike(first: Substance, other: Substance) -> bool:
    if not first.words or len(first.words) != len(other.words):
        return False
    if first.words == other.words:
        return _articled_alike(first.articles, other.articles)
    return _moved(first, other) or _moved(other, first)


def _moved(first: Substance, other: Substance) -> bool:
    """Say whether one begins with the phrase that the other ends with: "in the morning I drink tea"."""
    if first.words[0] not in FRONTED:
        return False
    for at in range(2, len(first.words)):
        if first.words[at] in SUBJECTS and other.words == first.words[at:] + first.words[:at]:
            return _articled_alike(first.articles[at:] + first.articles[:at], other.articles)
    return False


def _articled_alike(articles: Sequence[str], others: Sequence[str]) -> bool:
    return all(not article or not other or article == other for article, other in zip(articles, others, strict=False))


def pictured_alike(text: str, other: str) -> bool:
    """Say whether the pictures behind two sentences say the same, or nothing."""
    first, second = substance(text), substance(other)
    if first.pictures == second.pictures:
        return True
    said = [sign for sign in first.pictures if _says(sign, first.words)]
    return said == [sign for sign in second.pictures if _says(sign, second.words)]


def _says(picture: str, words: Sequence[str]) -> bool:
    """Say whether a picture behind a sentence says something that its words do not; a flag may be that of its town."""
    if picture in AGREEABLE:
        return False
    country = "".join(chr(ord(sign) - _FIRST_FLAG + ord("a")) for sign in picture if 0 <= ord(sign) - _FIRST_FLAG < 26)
    named = (words[at : at + many] for many in (1, 2, 3) for at in range(len(words)))
    return not country or all(place_meant(" ".join(name)).rpartition(":")[2] != country for name in named)


@cache
def _openers() -> re.Pattern[str]:
    return re.compile(rf"(?!well\b(?!,)){wording('openers').pattern}")  # water from a well is no water from anywhere


@cache
def _named() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), form) for pattern, form in _NAMED)
