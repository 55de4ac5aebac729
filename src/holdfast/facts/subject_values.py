"""The kinds of values that attributes have (names, dates, places, zones, numbers), and when two values agree.

A sentence that has the form of a value and gives none ("My birthday is next week", "My email is down") would strike the
value that is known. So each kind of value is recognised by what it looks like, and what does not look like it is none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from collections.abc import Set as AbstractSet
from enum import StrEnum
from typing import Final

from holdfast.facts.subject_data import word_list
from holdfast.facts.subject_dates import date_meant, dates_agree
from holdfast.facts.subject_descriptions import may_describe, only_describes
from holdfast.facts.subject_limits import names_no_employer, names_no_place
from holdfast.facts.subject_measures import measure_meant, measures_agree
from holdfast.facts.subject_places import is_known, place_meant, places_agree
from holdfast.facts.subject_zones import zone_meant, zones_agree
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = ["Kind", "SpokenValue", "agree", "capitals_of", "kind_of", "read_value"]


class Kind(StrEnum):
    """Holds what an attribute has as its value."""

    NAME = "name"
    EMPLOYER = "employer"
    PLACE = "place"
    DATE = "date"
    ZONE = "zone"
    NUMBER = "number"
    PHONE = "phone"
    EMAIL = "email"
    ADDRESS = "address"
    TOKEN = "token"  # noqa: S105 - one word without a blank
    JOB = "job"
    ANY = "any"


class SpokenValue(NamedTuple):
    """A value: as it is said, in the spelling that all ways of writing it have in common, and what else is said."""

    value: str
    means: str = ""
    more: str = ""
    named: bool = False
    """Say whether it is written as a name is."""
    vague: bool = False
    """Say whether it may only say how something is."""


_KINDS: Final = {
    name: kind
    for kind, names in (
        (
            Kind.NAME,
            "name/called/first name/last name/surname/nickname/wife/husband/partner/spouse/girlfriend/boyfriend",
        ),
        (
            Kind.NAME,
            "boss/manager/mother/father/landlord/doctor/dentist/therapist/accountant/lead/tech lead/head/owner",
        ),
        (Kind.NAME, "technical lead/product owner/director/ceo/cto/cfo/maintainer/chair/president/captain/editor"),
        (Kind.EMPLOYER, "works-at/company"),
        (Kind.PLACE, "lives-in/home town"),
        (Kind.DATE, "birthday/deadline/due date/launch date/release date/start date"),
        (Kind.ZONE, "time zone"),
        (Kind.NUMBER, "age/height/weight/shoe size/port/budget/price"),
        (Kind.PHONE, "phone number/mobile number"),
        (Kind.EMAIL, "email"),
        (Kind.ADDRESS, "address"),
        (Kind.TOKEN, "host/url/default branch"),
        (Kind.JOB, "works-as"),
    )
    for name in names.split("/")
}
_MINE: Final = frozenset("i my mein meine meiner mon ma mes mi mis meu minha meus minhas o a os as the".split())
"""Written with a capital because a sentence begins with them."""
_OWN_NAME: Final = frozenset(("name", "first name", "last name", "surname", "nickname"))
_TWO_WORDS: Final = frozenset(
    "new san santa saint st st. los las el la são sao rio buenos cape tel abu hong kuala den bad porto belo le".split()
)
"""With these a town of two words begins, also where nobody writes capitals."""
_ARTICLE: Final = compile_late(r"^(?:an?|ein|eine|une?|una|um|uma|uno) ")
_DEFINITE: Final = compile_late(r"^(?:the|der|die|dem|den|le|la|les|el|los|las|il|lo|o|a|os|as) ")
_BESIDE: Final = compile_late(
    r" (?:near|close to|next to|not far|by the|together|alone|nahe|bei|zusammen|allein|près|cerca|perto|vicino)\b.*"
)
_AFTER_A_DATE: Final = compile_late(r"[,;(] ?| (?:and|but|at|with|um|und|aber|mit|à|et|mais|a las|y|pero|às|e|mas) ")
_GROUPED: Final = compile_late(r"(?<=\d)[., '](?=\d{3}(?!\d))")


def kind_of(attribute: str) -> Kind:
    """Return what the value of an attribute is."""
    return _KINDS.get(attribute, Kind.ANY)


def capitals_of(text: str) -> frozenset[str]:
    """Return the words that are written with a capital, in small letters.

    None of a text that is in capitals altogether.
    """
    if text.isupper():
        return frozenset()
    words = unicodedata.normalize("NFKC", text).replace("’", "'").split()
    bare = (word.strip(".,;:!?…()\"'“”„«»") for word in words)
    return frozenset(word.casefold() for word in bare if any(sign.isupper() for sign in word))


def read_value(attribute: str, value: str, capitals: AbstractSet[str], *, called: bool = False) -> SpokenValue | None:
    """Return the value that the words give an attribute; None where they only say something about it."""
    kind = kind_of(attribute)
    match kind:
        case Kind.NAME:
            # Of others too much is said in small letters: that they are abroad, asleep, tall.
            surely = called or attribute in _OWN_NAME or (attribute == "called" and not capitals)
            return _name(value, capitals, surely)
        case Kind.PLACE | Kind.EMPLOYER:
            return _place(value, capitals, kind)
        case Kind.DATE:
            return _date(value)
        case Kind.ZONE:
            means = zone_meant(value, capitals)
            if means:
                return SpokenValue(value, means)
            return None
        case Kind.JOB:
            if _is_job(value, capitals, called):
                return SpokenValue(_ARTICLE.sub("", value, count=1))
            return None
        case Kind.ANY:
            if only_describes(attribute, value, capitals):
                return None
            own = capitals - _MINE
            named = not own.isdisjoint(value.split())
            return SpokenValue(value, named=named, vague=may_describe(attribute, value, capitals))
    return _value_by_signs(kind, value, capitals)


def agree(kind: Kind, value: str, other: str) -> bool:
    """Say whether two values, each in the common spelling, can both be right."""
    if kind is Kind.DATE:
        return dates_agree(value, other)
    if kind is Kind.PLACE:
        return places_agree(value, other)
    if kind is Kind.ZONE:
        return zones_agree(value, other)
    if kind is Kind.NAME:
        return _names_agree(value, other)
    if kind is Kind.NUMBER and measures_agree(value, other):
        return True
    if kind is Kind.ADDRESS and ("@" in value) != ("@" in other):
        return True  # one is where letters go, the other where mail does
    if kind is Kind.ANY and (value.endswith(f" {other}") or other.endswith(f" {value}")):
        return True  # dark blue is blue
    return value == other or value.startswith(f"{other} ") or other.startswith(f"{value} ")


def _name(value: str, capitals: Collection[str], surely: bool) -> SpokenValue | None:
    """Return a name: words with capitals. Without any, only where the sentence says that a name follows."""
    words = value.split()
    no_names, breaks, particles = (word_list(name) for name in ("no_names", "breaks", "particles"))
    if surely and words and words[0] in word_list("also_names"):
        no_names = frozenset()
    if not words or words[0].strip(".") in no_names:
        return None
    if not any(word in capitals for word in words):
        common = word_list("no_values") | breaks
        is_name = surely and len(words) <= 2 and not any(word in common or _ARTICLE.match(f"{word} ") for word in words)
        if is_name:
            return SpokenValue(value)
        return None
    at = next((n for n, word in enumerate(words) if word not in capitals and word not in particles), len(words))
    while at and words[at - 1] not in capitals:  # "of" is a part of a name only with what follows
        at -= 1
    if at == 0 or at > 5 or (at < len(words) and words[at] not in breaks | particles):
        return None
    return SpokenValue(" ".join(words[:at]), more=" ".join(words[at:]))


def _date(value: str) -> SpokenValue | None:
    if means := date_meant(value):
        return SpokenValue(value, means)
    for ends in _AFTER_A_DATE.finditer(value):
        if means := date_meant(value[: ends.start()]):
            return SpokenValue(value[: ends.start()], means, value[ends.end() :])
    return None


def _place(value: str, capitals: Collection[str], kind: Kind) -> SpokenValue | None:
    value, more = _to_its_end(value, capitals)
    words = value.split()
    bare = _DEFINITE.sub("", value, count=1)
    means = ""
    if kind is Kind.PLACE and is_known(value):
        return SpokenValue(bare, place_meant(value), more)
    if kind is Kind.PLACE:
        means = place_meant(bare)
    if kind is Kind.PLACE and is_known(bare):
        return SpokenValue(bare, means, more)
    if not any(word in capitals for word in words):
        # Who writes no capitals at all names a town by one word; more of them describe something.
        if capitals or not _is_short_name(words) or words[0] in word_list("no_values"):
            return None
    elif words[0] not in capitals and not (words[0] in ("the", "o") and words[1] in capitals):
        return None
    # With a capital of its own an article is a part of the name: Le Mans, La Paz.
    elif words[0] in ("the", "o"):
        value = bare
    elif words[0] in _TWO_WORDS and len(words) > 1:
        value = " ".join(words[1:])
    else:
        value = " ".join(words)
    unnamed = names_no_employer
    if kind is Kind.PLACE:
        unnamed = names_no_place
    if unnamed(value):
        return None
    return SpokenValue(bare, means, more)


def _is_short_name(words: list[str]) -> bool:
    """Say whether it is one word, or two where the first is half a name: San, New."""
    return len(words) == 1 + (bool(words) and words[0] in _TWO_WORDS)


def _to_its_end(value: str, capitals: Collection[str]) -> tuple[str, str]:
    """Return the name of a place, without words that say where in it or when."""
    beside = _BESIDE.search(value)
    words = value[: beside.start() if beside is not None else None].split()
    last = next((place for place in reversed(range(len(words))) if words[place] in capitals), len(words) - 1)
    name = " ".join(words[: last + 1])
    return name, value[len(name) :].strip()


def _names_agree(name_said: str, other: str) -> bool:
    """Say whether one name is a part of the other, in its order: Dr. Smith is Dr. Jane Smith."""
    parts = ([word for word in name.split() if not word.endswith(".")] or name.split() for name in (name_said, other))
    fewer, more = sorted(parts, key=len)
    rest = iter(more)
    return all(word in rest for word in fewer)


def _is_job(value: str, capitals: Collection[str], surely: bool) -> bool:
    article = _ARTICLE.match(value)
    words = _ARTICLE.sub("", value, count=1).split()
    if not words or len(words) > 6 or words[0] in word_list("no_values"):
        return False
    head = re.split(r" (?:of|at|for|in|de|für|bei|chez|en) ", " ".join(words), maxsplit=1)[0].split()[-1]
    if head in word_list("no_jobs"):
        return False
    if surely or article or head in capitals or head in word_list("occupations"):
        return True
    return head.endswith(tuple(word_list("occupation_ends")))


def _value_by_signs(kind: Kind, value: str, capitals: Collection[str]) -> SpokenValue | None:
    """Return a value that its signs tell: a number, a telephone number, an address."""
    digits = re.sub(r"\D", "", value)
    first = value.partition(" ")[0]
    if kind is Kind.PHONE:
        alone = re.fullmatch(r"\+?[\d ()./-]+(?: ?(?:x|ext\.?) ?\d+)?", value) is not None
        if value.startswith(("+", "00")):  # the nought in brackets is dialled within the country alone
            digits = re.sub(r"\D", "", value.replace("(0)", "")).removeprefix("00")
        if alone and len(digits) >= 3:
            return SpokenValue(value, digits)
        return None
    if kind is Kind.EMAIL:
        if re.fullmatch(r"[^\s@]+@[^\s@]+", value):
            return SpokenValue(value)
        return None
    if kind is Kind.TOKEN:
        if " " not in value and value not in word_list("no_values"):
            return SpokenValue(value)
        return None
    if kind is Kind.ADDRESS:
        is_said = first not in word_list("no_values") and (digits or first in capitals)
        if is_said or "@" in value:
            return SpokenValue(value)
        return None
    if means := measure_meant(value):
        return SpokenValue(value, means)
    if not digits or first in word_list("no_values"):
        return None
    flat = _GROUPED.sub("", value)
    return SpokenValue(value, "" if flat == value else flat)
