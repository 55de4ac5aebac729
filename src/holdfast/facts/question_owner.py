"""Whose facts a question asks for: to "which editor do I like?" Anna's is no answer, however alike the words are.

A sentence about somebody else shares more words with such a question than "I use Vim" does. So what is told of a
relative, a neighbour or somebody with a name ranks behind the rest, unless the question names them as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Final, TypeVar

from holdfast.facts.question import FIRST, speaks_of_the_user

__all__ = ["asks_of_the_user", "is_of_another", "own_first", "told_of"]

_T = TypeVar("_T")
_PEOPLE: Final = frozenset(
    """sister brother mother father mum mom dad son daughter wife husband partner girlfriend boyfriend friend neighbour
    neighbor boss manager colleague coworker cousin uncle aunt niece nephew grandmother grandfather grandma grandpa
    parents kids children child fiancé fiancée roommate flatmate landlord doctor teacher team sibling siblings
    schwester bruder mutter vater mama papa sohn tochter frau mann partnerin freund freundin nachbar nachbarn nachbarin
    chef chefin kollege kollegen kollegin cousine onkel tante nichte neffe oma opa großmutter großvater eltern kinder
    kind vermieter arzt
    sœur soeur frère mère père maman fils fille femme mari ami amie voisin voisine patron patronne collègue oncle nièce
    neveu parents enfants copain copine
    hermana hermano madre padre mamá papá hijo hija esposa esposo mujer marido pareja amigo amiga vecino vecina jefe
    jefa colega primo prima tío tía sobrino sobrina abuela abuelo padres hijos novia novio
    irmã irmão mãe pai filho filha mulher namorado namorada vizinho vizinha chefe tio tia sobrinho sobrinha avó avô pais
    filhos""".split()
)
_MY: Final = (
    r"(?:my|our|mein(?:e[nmrs]?)?|unser(?:e[nmrs]?)?|mon|ma|mes|notre|mis?|nuestr[oa]s?|meus?|minhas?|noss[oa]s?)"
)
_WHICH: Final = r"(?:(?:older|younger|elder|eldest|youngest|big|little|twin|best|late|old|new|\w+ere|beste|petite?) )?"
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
_WORD: Final = re.compile(r"[\w'-]+")


def asks_of_the_user(question: str) -> bool:
    """Say whether it asks for something of the one who asks.

    "where does my sister live?" asks for something of hers.
    """
    flat = question.replace("’", "'").casefold()
    words = _words(_patterns()[0].sub(lambda found: "" if found["who"] in _PEOPLE else found[0], flat))
    return any(word in FIRST or word in _SPOKEN or word.startswith(("j'", "m'")) for word in words)


def is_of_another(text: str, question: str) -> bool:
    """Say whether a fact tells of somebody whom a question does not name."""
    flat = text.replace("’", "'").strip()
    asked = {word.removesuffix("'s") for word in _words(question.replace("’", "'").casefold())}
    any_of, begins = _patterns()
    found = begins.match(flat)
    if found is not None:
        who = found["who"].casefold()
        if who not in asked and (found["own"] or who in _PEOPLE):
            return True
    # "The dog of my neighbour", "der Hund meines Nachbarn": whose it is stands behind.
    told = flat.casefold()
    every = [one for one in any_of.finditer(told) if not speaks_of_the_user(told[: one.start()])]
    behind = [one for one in every if one["of"] or one.group().startswith(("meine", "unsere"))]
    if any(one["who"] in _PEOPLE and one["who"] not in asked for one in behind):
        return True
    return not speaks_of_the_user(flat) and _is_named(flat, asked)


def told_of(text: str) -> str:
    """Return the relative, friend or colleague whom a sentence tells of, as it calls them.

    "" where it tells of none.
    """
    flat = text.replace("’", "'").strip().casefold()
    found = _patterns()[1].match(flat)
    if found is not None and found["who"] in _PEOPLE:
        return found["who"]
    first = next(iter(_words(flat)), "")
    return first.removesuffix("'s") if first.removesuffix("'s") in _PEOPLE else ""


def own_first(question: str, found: Iterable[_T], text_of: Callable[[_T], str]) -> list[_T]:
    """Return the same in order, but what tells of others behind all else where the question asks of the user."""
    every = list(found)
    if not asks_of_the_user(question):
        return every
    return sorted(every, key=lambda one: is_of_another(text_of(one), question))


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
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    any_of = re.compile(rf"(?P<of>\b(?:of|de|do|da|von) )?\b{_MY} {_WHICH}(?P<who>\w+)")
    return any_of, re.compile(rf"(?:[oa] )?{_MY} {_WHICH}(?P<who>\w+)(?P<own>'s)?\b", re.IGNORECASE)
