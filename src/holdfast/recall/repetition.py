"""Recognise a recalled text that repeats another one, or the question itself. Pure.

Two texts say the same only where their letters do, without the name of who speaks, marks and stops. Likeness of words
is not enough: "I don't live in Turku" has all words of "I live in Turku".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from holdfast.index.analyzer import SHARED_ANALYSER, is_spaceless
from holdfast.markdown.fact_row import bullet_words, without_comments
from holdfast.pattern import compile_late
from holdfast.recall.trivial_message import topic_words
from holdfast.search.question_echo import is_question

__all__ = ["Statements", "repeats_question", "says_little", "statements_of", "telling_forms"]

_SPEAKER = compile_late(
    r"\A[-*+>\s]*(?:\*\*|__)[^*_\n]{1,40}?(?::(?:\*\*|__)|(?:\*\*|__)(?: \([^()\n]{1,40}\))?[:：])\s*"
)
_ASKED_AGAIN = 0.75  # of the telling words of either: a copy asks for the same, an answer says more or something else
_LITTLE = 2  # telling words that a reply has at least which says something by itself
_SPACELESS_WORD = 3  # characters without spaces that are more than one word


def statements_of(text: str) -> list[str]:
    """The letters of each line that says something, without headings, speakers, bullets and comments."""
    lines = (_SPEAKER.sub("", line, count=1) for line in without_comments(text).split("\n") if not line.startswith("#"))
    return [letters for line in lines if (letters := _letters(bullet_words(line.strip().strip("…").strip())))]


class Statements:
    """Says what has been said so far: by the prompt, and by the hits that were taken."""

    def __init__(self, texts: Collection[str]) -> None:
        self._held = [_letters(text) for text in texts]

    def hold(self, statements: Sequence[str]) -> bool:
        """Say whether one text says all of these."""
        return any(all(statement in held for statement in statements) for held in self._held)

    def add(self, statements: Sequence[str]) -> None:
        """Take these as said, by one text."""
        self._held.append("".join(statements))


def repeats_question(text: str, query: str) -> bool:
    """Say whether a text is an earlier copy of the question: both ask for the same, and no reply says more."""
    first, *rest = _spoken_lines(text) or [""]
    # "The launch is late." has all words of "Is the launch late?", and is its answer.
    is_copy = is_question(first) and _are_nearly_same(telling_forms(first), telling_forms(query))
    return (is_copy or _letters(first) == _letters(query)) and all(map(says_little, rest))


def says_little(text: str, least: int = _LITTLE) -> bool:
    """Say whether a text has so few telling words that it helps nobody alone: "Good." has none, "Nice names!" one."""
    spoken = " ".join(_spoken_lines(text))
    words = topic_words(spoken)
    if any(map(str.isdigit, spoken)) or any(len(word) > _SPACELESS_WORD and is_spaceless(word[0]) for word in words):
        return False
    return len(words) < least


def telling_forms(text: str) -> frozenset[str]:
    """The telling words of a text as the index has them: "cats" and "cat" are one."""
    return frozenset(SHARED_ANALYSER.index(" ".join(topic_words(text))).split())


def _are_nearly_same(held: frozenset[str], asked: frozenset[str]) -> bool:
    shared = len(held & asked)
    return shared > 0 and shared >= _ASKED_AGAIN * max(len(held), len(asked))


def _spoken_lines(text: str) -> list[str]:
    """The lines of a text without headings and speakers."""
    return [_SPEAKER.sub("", line, count=1) for line in text.split("\n") if line.strip() and not line.startswith("#")]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
