"""A sentence → its words, without what only leads up to it or stands behind it, and the pictures at its end.

People say "as you know", "thanks" or 👍 along with what they say. Only closed lists of such words are left out, and
those that can say something only where a pause, or a name before them, shows that they do not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from holdfast.facts.idle_words import BEFORE, CLOSERS, OWN, PAUSED_CLOSERS, POLITE_CLOSERS
from holdfast.pattern import compile_late

__all__ = ["bare", "flat", "parted", "trimmed"]

_SIGNS: Final = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "−": "-", "\ufe0f": None}
    # Compatibility forms would make 102 of 10².
    | {raised: f"^{digit}" for digit, raised in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
)
_PICTURE: Final = compile_late(
    "[\U0001f1e6-\U0001f1ff]{2}|[\u2600-\u27bf\u2b50\u2b55\U0001f300-\U0001faff]"
    "(?:[\U0001f3fb-\U0001f3ff]|\u200d[\u2600-\u27bf\U0001f300-\U0001faff])*|[:=]-?\\)(?=\\s|$)"
)
_TONE: Final = compile_late("[\U0001f3fb-\U0001f3ff]")
_STOPS: Final = " .,;:!…«»"
_LEADS: Final = " ,;:!…\"'«»¡"
_PAUSES: Final = (",", ";", ".", "!", "-", ":", "…")
_PLURAL: Final = frozenset("are were sind sont son são".split())
_SHORTEST: Final = 3  # words of a statement that something can stand behind


def flat(text: str) -> str:
    """Return a text in one line, with one kind of quotes, dashes and letters; case stays, and so do signs."""
    return " ".join(unicodedata.normalize("NFKC", text.translate(_SIGNS)).translate(_SIGNS).split())


def trimmed(text: str) -> str:
    """Return a text or a word without the stops and quotes around it.

    A stop before it may belong to a name, as in .env.
    """
    if text.isalnum():
        return text
    return _ended(text).lstrip(_LEADS)


def _ended(text: str) -> str:
    while True:
        shorter = text.rstrip(_STOPS)
        # Behind a digit it counts feet, minutes or inches.
        if shorter.endswith(("'", '"')) and not shorter[-2:-1].isdigit():
            shorter = shorter[:-1]
        if shorter == text:
            return text
        text = shorter


@lru_cache(maxsize=20_000)
def bare(text: str) -> str:
    """Return a sentence without what only leads up to it or stands behind it, as it is written otherwise."""
    return " ".join(parted(text)[0])


def parted(text: str) -> tuple[list[str], tuple[str, ...]]:
    """Return the words of a sentence, signs and all, and the pictures behind it."""
    line = _PICTURE.sub(lambda found: f" {found[0]} ", flat(text))
    words = _before().sub("", line, count=1).split()
    pictures: list[str] = []
    while True:
        while words and _is_picture(words[-1]):
            pictures.insert(0, _TONE.sub("", words.pop()))
        ends = _closing(words)
        if not ends:
            break
        del words[len(words) - ends :]
    if len(words) < _SHORTEST:
        return line.split(), ()
    words[-1] = _ended(words[-1]) or words[-1]
    return words, tuple(pictures)


def _closing(words: Sequence[str]) -> int:
    """Return how many words at the end of a sentence add nothing to it, a dash before them among these."""
    if len(words) > 1 and not _ended(words[-1]):
        return 1
    ends = [trimmed(word.lower()) for word in words[-4:]]
    for many in range(min(4, len(words) - 1), 0, -1):
        phrase, before = tuple(ends[-many:]), words[-many - 1]
        if phrase in CLOSERS or _polite(phrase, words, before):
            return many + (before == "-")
    return 0


def _polite(phrase: tuple[str, ...], words: Sequence[str], before: str) -> bool:
    if not before.endswith(_PAUSES):
        return phrase in POLITE_CLOSERS and words[0].lower() in OWN and _names(before)
    listed = before.endswith(",") and _lists(words, words[-len(phrase)])
    return not listed and (phrase in POLITE_CLOSERS or phrase in PAUSED_CLOSERS)


def _lists(words: Sequence[str], last: str) -> bool:
    """Say whether what stands behind a comma may be the last of several things: "Genesis, Yes"."""
    commas = sum(word.endswith(",") for word in words)
    return commas > 1 or (last[:1].isupper() and not last.isupper()) or any(word.lower() in _PLURAL for word in words)


def _names(word: str) -> bool:
    return word[:1].isupper() or word[:1].isdigit()


def _is_picture(word: str) -> bool:
    return _PICTURE.fullmatch(word) is not None


@cache
def _before() -> re.Pattern[str]:
    return re.compile(BEFORE, re.IGNORECASE)
