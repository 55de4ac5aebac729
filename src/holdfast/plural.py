"""Words for people: a number with its noun ("1 note", "2,000 notes"), a few of many, and a clause if need be."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["FEW", "agree", "clause", "count_of", "name_few"]

FEW = 3
"""How many of a kind are named, where nobody says another number."""


def count_of(number: int, noun: str, plural: str = "") -> str:
    """The number with the noun; its plural is the noun with an "s" where none is given."""
    return f"{number:,} {agree(number, noun, plural or f'{noun}s')}"


def agree(number: int, singular: str, plural: str) -> str:
    """The word that goes with the number."""
    return singular if number == 1 else plural


def clause(shape: str, value: object) -> str:
    """The value in its part of a sentence, such as " ({})"; nothing where there is no value."""
    if not value:
        return ""
    return shape.format(value)


def name_few(names: Sequence[str], most: int = FEW, between: str = "; ") -> str:
    """The first of some names, and how many more there are."""
    if len(names) > most:
        more = f"{between}and {len(names) - most:,} more"
    else:
        more = ""
    return between.join(names[:most]) + more
