"""The script that a question is written in, and with it the languages whose null it is held to.

What a question reaches by chance depends on how it is written: of Thai and Chinese, pairs of characters are looked for,
and two texts in Thai are nearer to each other than two in English.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import cache

from holdfast.search.query import Question

__all__ = ["SCRIPTS", "null_languages"]

_LATIN = "LATIN"
_LANGUAGES = {
    "CYRILLIC": frozenset({"ru"}),
    "ARABIC": frozenset({"ar"}),
    "THAI": frozenset({"th"}),
    "CJK": frozenset({"zh"}),
    "HIRAGANA": frozenset({"ja"}),
    "KATAKANA": frozenset({"ja"}),
    "HANGUL": frozenset({"ko"}),
}
SCRIPTS = {
    "ru": ("\u0400", "\u0500"),
    "ar": ("\u0600", "\u0700"),
    "th": ("\u0e00", "\u0e80"),
    "ja": ("\u3040", "\u3100"),
    "zh": ("\u4e00", "\ua000"),
    "ko": ("\uac00", "\ud7b0"),
}
"""The first code point of the writing that a language of the null is known by, and the one after its last."""
_ENGLISH = frozenset({"en"})
_OTHER_LATIN = frozenset({"de", "fr", "es", "it", "pt", "tr"})
_EVERY = _ENGLISH.union(_OTHER_LATIN, *_LANGUAGES.values())


def null_languages(question: Question) -> frozenset[str]:
    """Return the languages of the null that are written as a question is; all, where none is."""
    if question.text.isascii():
        counts = Counter({_LATIN: 1} if any(map(str.isalpha, question.text)) else {})
    else:
        counts = Counter(filter(None, map(_writing, question.text)))
    if not counts:
        return _ENGLISH
    if counts["HIRAGANA"] or counts["KATAKANA"]:
        writing = "HIRAGANA"
    else:
        writing = counts.most_common(1)[0][0]
    if writing != _LATIN:
        return _LANGUAGES.get(writing, _EVERY)
    if question.foreign:
        return _OTHER_LATIN
    return _ENGLISH | _OTHER_LATIN


@cache
def _writing(character: str) -> str:
    """Return the first word of a letter's name, which is its writing; "" for what is no letter."""
    if not character.isalpha():
        return ""
    return unicodedata.name(character, "").partition(" ")[0]
