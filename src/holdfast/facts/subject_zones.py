"""A time zone as a value: by its name, its letters or its hours from UTC, in one spelling."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Final

from holdfast.facts.subject_data import read_lists, word_list
from holdfast.pattern import compile_late

__all__ = ["zone_meant", "zones", "zones_agree"]

_OFFSET: Final = compile_late(r"(?:utc|gmt) ?(?P<sign>[+-]) ?(?P<hours>\d{1,2})(?::?(?P<minutes>\d\d))?")
_ZONE_WORDS: Final = compile_late(r" (?:(?:standard|daylight|european|summer) ){0,4}time$|(?<=central) european time$")
_LONGEST: Final = 4  # words


@cache
def zones() -> dict[str, tuple[str, float]]:
    """Return by name the group of a zone, whose zones are one, and its hours ahead of UTC in the winter."""
    listed = read_lists("subject_words")["zones"]
    return {name: (group, hours) for group, (hours, names) in listed.items() for name in names.split()}


def zone_meant(value: str, capitals: Collection[str]) -> str:
    """Return a zone in one spelling, a group and hours; "" for what is none."""
    offset = _OFFSET.match(value)
    if offset is not None:
        hours = int(offset["hours"]) + int(offset["minutes"] or 0) / 60
        return f"{hours if offset['sign'] == '+' else -hours:g}"
    bare = _ZONE_WORDS.sub("", value)
    name = bare
    if bare == "central":
        name = "cet"
    known = zones().get(name) or zones().get(name.replace(" ", "_"))
    if known is not None:
        return f"{known[0]} {known[1]:g}"
    first = value.partition(" ")[0]
    is_named = ("/" in first or first in capitals) and first not in word_list("no_values")
    if is_named and len(value.split()) <= _LONGEST:
        return f"{bare} ?"
    return ""


def zones_agree(zone: str, other: str) -> bool:
    """Say whether two zones in that spelling can be one."""
    (group, _, ahead), (second, _, hours) = zone.rpartition(" "), other.rpartition(" ")
    if group and second:
        return group == second
    if "?" in (ahead, hours):
        return False
    # An offset and a name: in the summer the zone is an hour further ahead.
    apart = float(hours) - float(ahead)
    if group:
        return apart in (0.0, 1.0)
    if second:
        return apart in (0.0, -1.0)
    return apart == 0.0
