"""Words for people: a number with its noun ("1 note", "2,000 notes"), and a clause where there is something to tell."""

from __future__ import annotations

__all__ = ["agree", "clause", "count_of"]


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
