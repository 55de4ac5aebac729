"""Whether a recalled text says anything that is not said already: by another one, or by the question itself. Pure.

Two texts say the same only where their letters do, without the name of who speaks, marks and stops. Likeness of words
is not enough: "I don't live in Turku" has all words of "I live in Turku".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from holdfast.chunks.fact import said, uncommented

__all__ = ["Statements", "repeats_question", "statements_of"]

# It begins where a run of bullets and spaces does: tried from within, a long run would cost its square.
_SPEAKER = re.compile(
    r"(?<![-*+>\s])[-*+>\s]*(?:\*\*|__)[^*_\n]{1,40}?(?::(?:\*\*|__)|(?:\*\*|__)(?: \([^()\n]{1,40}\))?[:：])\s*"
)
_WORD = re.compile(r"\w+")
_ASKED_AGAIN = 0.75  # of the words of a text: a copy of the question adds a "so" or a "please", an answer adds more


def statements_of(text: str) -> list[str]:
    """The letters of each line that says something, without headings, speakers, bullets and comments."""
    lines = (_SPEAKER.sub("", line, count=1) for line in uncommented(text).split("\n") if not line.startswith("#"))
    return [letters for line in lines if (letters := _letters(said(line.strip().strip("…").strip())))]


class Statements:
    """What has been said so far: by the prompt, and by the hits that were taken."""

    def __init__(self, texts: Collection[str]) -> None:
        self._held = [_letters(text) for text in texts]

    def hold(self, statements: Sequence[str]) -> bool:
        """Whether one text says all of these."""
        return any(all(one in held for one in statements) for held in self._held)

    def add(self, statements: Sequence[str]) -> None:
        """Take these as said, by one text."""
        self._held.append("".join(statements))


def repeats_question(text: str, query: str) -> bool:
    """Whether a text is an earlier copy of the question: nearly all of either's words stand in the other."""
    plain = " ".join(_SPEAKER.sub("", line, count=1) for line in text.split("\n") if not line.startswith("#"))
    words, asked = set(_words(plain)), set(_words(query))
    if not words or not asked:
        return False
    shared = len(words & asked)
    return shared >= _ASKED_AGAIN * len(words) and shared >= _ASKED_AGAIN * len(asked)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
