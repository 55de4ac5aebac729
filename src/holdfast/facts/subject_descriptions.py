"""Phrases that describe a favourite and name none: "is closed", "is by Frank Herbert", "ist vergriffen".

A word that begins no name is told by a list. A participle or an adjective in small letters may be a favourite as well
("Blue", "running"), so against a known name it contradicts nothing, and against anything else it is a value.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final

from holdfast.facts.subject_data import word_list
from holdfast.pattern import compile_late

__all__ = ["may_describe", "only_describes"]

_FAVOURITE: Final = "favourite "
_TO_DO: Final = compile_late(
    r"(?:hard|easy|difficult|tough|tricky|impossible|difficile|difícil|fácil|schwer) (?:to|à|de|zu) "
)
_THE_ONE: Final = compile_late(
    r"(?:the ones?|one|that one|this one|whatever|derjenige|der,|die,|das,|celui|celle|el que|la que|aquel\w*) "
)
_COMPARED: Final = compile_late(r"\w+er (?:than|als)\b|(?:more|less|as|plus|moins|más|menos|mais|so) \w+ ")
_STATE_ENDS: Final = ("ing", "ed", "é", "ée", "és", "ées", "ado", "ada", "ido", "ida", "ando", "endo", "indo", "able")


def only_describes(attribute: str, value: str, capitals: AbstractSet[str]) -> bool:
    """Say whether it says how something is; "great" is no book, and "Great Expectations" is one."""
    words = value.split()
    if not words or words[0] in capitals:
        return len(words) == 1 and words[0] in word_list("no_names") - word_list("titles") and _is_named(attribute)
    if _TO_DO.match(value) is not None or set(words) <= word_list("describing") or words[0] in word_list("grading"):
        return True
    if not attribute.startswith(_FAVOURITE):
        return False
    if words[0] in word_list("prepositions") or _COMPARED.match(value) or _THE_ONE.match(f"{value} "):
        return True
    is_idle = words[0] in word_list("no_values") or (words[0].endswith("ly") and len(words) > 1)
    return is_idle and not _of_states(attribute)


def may_describe(attribute: str, value: str, capitals: AbstractSet[str]) -> bool:
    """Say whether a value is written as a participle or an adjective is, and may say no more than how something is."""
    words = value.split()
    if not words or not capitals or words[0] in capitals or not attribute.startswith(_FAVOURITE):
        return False
    if _of_states(attribute):
        return False
    if words[0] in word_list("articles") and len(words) > 1:
        # "The Bible" is one; "a classic" and "the best in town" are said of one.
        return _is_named(attribute) and (words[0] in word_list("indefinite") or words[1] not in capitals)
    # In German all that has a name begins with a capital.
    german = any(word.startswith("lieblings") for word in capitals)
    return german or _is_named(attribute) or words[0] in word_list("states") or words[0].endswith(_STATE_ENDS)


def _is_named(attribute: str) -> bool:
    return attribute.startswith(_FAVOURITE) and attribute.rpartition(" ")[2] in word_list("named_sorts")


def _of_states(attribute: str) -> bool:
    return not word_list("unnamed_sorts").isdisjoint(attribute.split())
