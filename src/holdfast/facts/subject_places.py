"""Countries, regions and large towns in the languages of the sentence forms; the gazetteer is `subject_places.json`.

Who lives in Rome lives in Italy, and both sentences are true. A small gazetteer tells the two apart: a town that it
does not know may lie in any country, and contradicts none.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import Final

from holdfast.facts.subject_data import read_lists
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = ["Place", "is_in_a_country", "is_known", "is_quarter_of", "place_meant", "places_agree"]

_DATA: Final = "subject_places"
_PART: Final = compile_late(
    r"(?:north|south|east|west|central|greater|inner|downtown|upper|lower|nord|süd|ost)(?:ern)?[ -](?=\w)"
)


class _Kind(StrEnum):
    TOWN = "town"
    REGION = "region"
    AREA = "area"
    COUNTRY = "country"
    CONTINENT = "continent"


class Place(NamedTuple):
    """A place: what it is, the name that is the same in all languages, and its country where that is known."""

    kind: str
    name: str
    country: str = ""


def is_known(value: str) -> bool:
    """Say whether the gazetteer has a place."""
    return value in _places()


def place_meant(value: str) -> str:
    """Return a place in one spelling for all languages; what the gazetteer does not know is a town."""
    known = _places()
    bare = value.strip(" .,")
    found = known.get(bare) or known.get(_PART.sub("", bare, count=1))
    if found is None:
        found = Place(_Kind.TOWN, _PART.sub("", bare, count=1))
    return ":".join(found)


def places_agree(place: str, other: str) -> bool:
    """Say whether somebody can live in both: one lies in the other, or nobody here knows that it does not."""
    first, second = (Place(*name.split(":")) for name in (place, other))
    if first.kind == second.kind != _Kind.AREA:
        parts = (first.name, second.name), (second.name, first.name)
        return any(part == whole or part.startswith((f"{whole} ", f"{whole}-")) for part, whole in parts)
    if first.country and second.country and _Kind.CONTINENT not in (first.kind, second.kind):
        return first.country == second.country
    return True


def is_in_a_country(place: str) -> bool:
    """Say whether a place, in the one spelling, is known well enough to say in which country it is."""
    return bool(place.rpartition(":")[2])


def is_quarter_of(place: str, other: str) -> bool:
    """Say whether one is a quarter of the other, as Kreuzberg is of Berlin.

    Of a place that nobody here knows that is not assumed: most are towns and villages, and who names another one does
    not live in the first any more.
    """
    first, second = (Place(*name.split(":")) for name in (place, other))
    return second.name in _quarters().get(first.name, ()) or first.name in _quarters().get(second.name, ())


@cache
def _quarters() -> dict[str, frozenset[str]]:
    """Return by the name of a quarter the towns that have one of that name."""
    found: dict[str, frozenset[str]] = {}
    for town, quarters in read_lists(_DATA)["quarters"].items():
        found |= {name: found.get(name, frozenset()) | {town} for name in quarters}
    return found


@cache
def _places() -> dict[str, Place]:
    listed = read_lists(_DATA)
    found = {name: Place(_Kind.CONTINENT, name) for name in listed["continents"]}
    for kind, parts in ((_Kind.REGION, listed["regions"]), (_Kind.AREA, listed["areas"])):
        for code, regions in parts.items():
            for spellings in regions:
                found |= {name: Place(kind, spellings[0], code) for name in spellings}
    for code, (names, *towns) in listed["countries"].items():
        found |= {name: Place(_Kind.COUNTRY, code, code) for name in names}
        for spellings in towns:
            found |= {name: Place(_Kind.TOWN, spellings[0], code) for name in spellings}
    return found
