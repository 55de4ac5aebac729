"""Sentences that claim nothing lasting: they hold only at times, or what they name is not a place or an employer.

Who lives in Paris during the summer may live in Nice during the winter, and who lives in constant fear lives in some
town as well. Such a sentence is kept like any other, and takes no place of another one.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from holdfast.facts.subject_data import read_lists, word_list
from holdfast.facts.subject_places import is_known
from holdfast.facts.subject_zones import zones
from holdfast.pattern import compile_late

__all__ = ["names_no_employer", "names_no_place", "only_at_times", "only_told"]

_LIGHTS: Final = ("licht", "schein", "wetter")
"""Words of these ends stand behind the German "bei", and pay nobody."""
_OFFSET: Final = compile_late(r"(?:utc|gmt)(?: ?[+-] ?\d.*)?")


def only_at_times(words: str) -> bool:
    """Say whether a part of a sentence goes on to say on which days, in which season or on what condition it holds."""
    clause = _pattern("next_clause").search(words)
    end = clause.start() if clause else len(words)
    return _at_times().search(words, 1, end) is not None


def names_no_place(value: str) -> bool:
    """Say whether what somebody lives in, or has moved to, is no place with a name."""
    words = value.split()
    if not words or words[0] in word_list("descriptions") or not word_list("no_towns").isdisjoint(words):
        return True
    return value in zones() or _OFFSET.fullmatch(value) is not None


def names_no_employer(value: str) -> bool:
    """Say whether what somebody works at or for has no name."""
    first = value.partition(" ")[0]
    if first in word_list("descriptions") or first in word_list("no_employers") or first.endswith(_LIGHTS):
        return True
    # Behind "en" and "em" stands a town or a language as well as an employer.
    lists = (word_list("given_names"), word_list("superiors"), word_list("skills"))
    return any(value in names for names in lists) or is_known(value)


def only_told(words: str) -> bool:
    """Say whether a part of a sentence goes on to say that it is somebody's words, a dream or a title."""
    return _pattern("only_told").search(words) is not None


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(read_lists("subject_words")[name])


@cache
def _at_times() -> re.Pattern[str]:
    # Behind a word of its own: "in the summer" alone is a value, as of a birthday.
    return re.compile(rf"(?<=[\s(,])(?:{'|'.join(read_lists('subject_words')['at_times'])})(?!\w)")
