"""The little syntax of a question: `"a phrase"`, `-without`, `begin*`. Everything else in it is plain text.

Most who ask do not know of it, and agents paste commands, lists and prose. So each sign counts only where it can
hardly mean anything else: a dash inside a word, before a number, alone, as a bullet or in `--flag` is a dash; a quote
that is not closed on its line, or that follows a number of inches, is a quote; a star in `**bold**` is a star.
"""

from __future__ import annotations

import re

from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = ["Parts", "parts_of"]

_MOST_PHRASES = 8  # more quotes than that are a quotation of code or data
_MOST_WORDS = 24  # who writes more than that writes prose
_QUOTES = (('"', '"'), ("“", "”"), ("„", "“"), ("«", "»"), ("「", "」"), ("『", "』"))
_PHRASE = compile_late(
    "|".join(
        rf"(?<![\w{opening}])(-?){opening}(?=[^\s{closing}])([^{opening}{closing}\n]{{1,200}}){closing}(?!\w)"
        for opening, closing in _QUOTES[:4]
    )
    + "|"
    + "|".join(f"(-?){opening}([^{opening}{closing}\n]{{1,200}}){closing}" for opening, closing in _QUOTES[4:])
)
_WITHOUT = compile_late(r"(?:^|(?<=\s))-([^\W\d_][\w'’.-]{2,})(?=[\s,;!?]|$)")
_BEGINNING = compile_late(r"(?<![\w*.-])([^\W_][\w.-]{1,80})\*(?![\w*])")
_FLAG = compile_late(r"(?:^|\s)--\w")
_VOWEL = compile_late("[aeiouy]", re.IGNORECASE)


class Parts(NamedTuple):
    """Holds what a question says in words, and what by its signs; the words of a phrase are among the words too."""

    text: str
    phrases: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    beginnings: tuple[str, ...] = ()
    only_phrases: bool = False


def parts_of(question: str) -> Parts:
    """Read the signs of a question; where there are none, the question is its text."""
    phrases: list[str] = []
    without: list[str] = []

    def phrase(found: re.Match[str]) -> str:
        minus, inside = (group for group in found.groups() if group is not None)
        if not any(map(str.isalnum, inside)) or len(phrases) + len(without) >= _MOST_PHRASES:
            return found[0]
        if minus and negates:
            without.append(inside)
            return " "
        phrases.append(inside)
        if not minus:
            return f" {inside} "
        return found[0]

    negates = _may_negate(question)
    text = _PHRASE.sub(phrase, question)
    outside = _PHRASE.sub(" ", question)
    if "*" in outside:
        beginnings = tuple(_BEGINNING.findall(outside))
    else:
        beginnings = ()
    if negates and "-" in outside:
        words = [word for word in _WITHOUT.findall(outside) if not word.isascii() or _VOWEL.search(word)]
        for word in words:
            text = re.sub(rf"(?:^|(?<=\s))-{re.escape(word)}(?=[\s,;!?]|$)", " ", text)
            outside = re.sub(rf"(?:^|(?<=\s))-{re.escape(word)}(?=[\s,;!?]|$)", " ", outside)
        without += words
    if without and not any(map(str.isalnum, text)):
        return Parts(question)  # nothing would be left to look for
    only = bool(phrases) and not any(map(str.isalnum, outside))
    return Parts(text, tuple(phrases), tuple(without), beginnings, only)


def _may_negate(question: str) -> bool:
    """Say whether a dash before a word can mean "without": not in a list, not in a command, not in a page of prose."""
    return "\n" not in question.strip() and len(question.split()) <= _MOST_WORDS and _FLAG.search(question) is None
