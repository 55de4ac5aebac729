"""The person whose facts a question asks for: Anna's editor does not answer "which editor do I like?"

A sentence about somebody else shares more words with such a question than "I use Vim" does. So what is told of a
relative, a neighbour or somebody with a name ranks behind the rest, unless the question names them as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Final, TypeVar

from holdfast.facts.question import FIRST, speaks_of_the_user
from holdfast.facts.subject_data import word_list
from holdfast.pattern import compile_late

__all__ = ["asks_of_the_user", "given_names", "is_of_another", "name_in", "own_first", "person_in"]

_T = TypeVar("_T")
_MY: Final = (
    r"(?:my|our|mein(?:e[nmrs]?)?|unser(?:e[nmrs]?)?|mon|ma|mes|notre|mis?|nuestr[oa]s?|meus?|minhas?|noss[oa]s?|"
    r"mi[oae]i?|nostr[oaei]|mijn|onze?)"
)
_WHICH: Final = r"(?:(?:older|younger|elder|eldest|youngest|big|little|twin|best|late|old|new|\w+ere|beste|petite?) )?"
_ANY_OF: Final = compile_late(rf"(?P<of>\b(?:of|de|do|da|von) )?\b{_MY} {_WHICH}(?P<who>\w+)")
_BEGINS: Final = compile_late(rf"(?:[oa] )?{_MY} {_WHICH}(?P<who>\w+)(?P<own>'s)?\b", re.IGNORECASE)
_SPOKEN: Final = frozenset(
    "vivo uso tengo soy estoy trabajo prefiero bebo llamo nací moro tenho sou estou trabalho prefiro gosto chamo nasci "
    "habito abito lavoro ho".split()
)
"""Verbs that say "I" by themselves."""
_TOLD: Final = frozenset(
    "is was has had used lives works likes loves prefers uses owns drinks eats plays speaks can does ist war hat wohnt "
    "lebt arbeitet mag nutzt benutzt trinkt spielt heißt est a habite vit travaille aime utilise préfère boit "
    "s'appelle es era tiene vive trabaja prefiere usa bebe é tem mora trabalha prefere gosta".split()
)
_ARTICLES: Final = frozenset(
    "the a an this that there it der die das ein eine es le la les un une ce c'est el los las una o os as um "
    "uma".split()
)
_WORD: Final = compile_late(r"[\w'-]+")
_AND_I: Final = compile_late(r" (?:and|und|et|y|e|ed|en) (?:i|me|ich|moi|yo|eu|io|ik)\b")


def asks_of_the_user(question: str) -> bool:
    """Say whether it asks for something of the one who asks.

    "where does my sister live?" asks for something of hers.
    """
    flat = question.replace("’", "'").casefold()
    # Without somebody's person fewer words say "I", and never more: most messages have none from the first.
    return _says_i(flat) and _says_i(_ANY_OF.sub(_without_person, flat))


def _says_i(flat: str) -> bool:
    return any(word in FIRST or word in _SPOKEN or word.startswith(("j'", "m'")) for word in _words(flat))


def _without_person(found: re.Match[str]) -> str:
    if found["who"] in word_list("people"):
        return ""
    return found[0]


def is_of_another(text: str, question: str) -> bool:
    """Say whether a fact tells of somebody whom a question does not name."""
    flat = text.replace("’", "'").strip()
    asked = {word.removesuffix("'s") for word in _words(question.replace("’", "'").casefold())}
    found = _BEGINS.match(flat)
    if found is not None:
        who = found["who"].casefold()
        if who not in asked and (found["own"] or who in word_list("people")):
            return True
    # "The dog of my neighbour", "der Hund meines Nachbarn": whose it is stands behind.
    lower = flat.casefold()
    every = [whose for whose in _ANY_OF.finditer(lower) if not speaks_of_the_user(lower[: whose.start()])]
    behind = [whose for whose in every if whose["of"] or whose.group().startswith(("meine", "unsere"))]
    if any(whose["who"] in word_list("people") and whose["who"] not in asked for whose in behind):
        return True
    return not speaks_of_the_user(flat) and _is_named(flat, asked)


def person_in(text: str) -> str:
    """Return the relative or colleague whom a sentence tells of; "" where it tells of none.

    Who begins with "My husband and I" tells of the user as well.
    """
    flat = text.replace("’", "'").strip().casefold()
    wide = _without_blanks().match(flat)
    if wide is not None:
        return wide["who"]
    found = _BEGINS.match(flat)
    if found is not None and found["who"] in word_list("people"):
        if _AND_I.match(flat, found.end()):
            return ""
        return found["who"]
    first = next(iter(_words(flat)), "").removesuffix("'s")
    if first in word_list("people"):
        return first
    return ""


def name_in(text: str) -> str:
    """Return the given name with which a sentence begins that does not tell of the user; "" for any other."""
    flat = text.replace("’", "'").strip().casefold()
    first = next(iter(_words(flat)), "").removesuffix("'s")
    if first in given_names() and not speaks_of_the_user(flat):
        return first
    return ""


@cache
def given_names() -> frozenset[str]:
    """Return names that people have, and few companies and things do; "Ben" begins a Dutch sentence about oneself."""
    return (word_list("given_names") | word_list("more_given_names")) - {"ben"}


def own_first(question: str, found: Iterable[_T], text_of: Callable[[_T], str]) -> list[_T]:
    """Return the same in order, but what tells of others behind all else where the question asks of the user."""
    every = list(found)
    if not asks_of_the_user(question):
        return every
    return sorted(every, key=lambda hit: is_of_another(text_of(hit), question))


def _is_named(flat: str, asked: set[str]) -> bool:
    """Say whether a sentence begins with a name: "Anna's …", "Bob Miller likes …"."""
    said = _WORD.findall(flat)
    if len(said) < 2 or not said[0][0].isupper() or said[0].casefold() in _ARTICLES:
        return False
    if said[0].removesuffix("'s").casefold() in asked:
        return False
    verb = next((word for word in said[1:3] if not word[0].isupper()), "")
    return said[0].endswith("'s") or verb in _TOLD


def _words(flat: str) -> list[str]:
    return _WORD.findall(flat)


@cache
def _without_blanks() -> re.Pattern[str]:
    """Return how a sentence about a relative begins in Chinese and Japanese; "my son and I" is about the user."""
    people = "|".join(sorted(word_list("people_without_blanks"), key=len, reverse=True))
    return re.compile(rf"(?:我|私の|うちの)?(?P<who>{people})(?![和跟と]|さん?と)")
