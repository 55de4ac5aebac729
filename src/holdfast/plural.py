"""A number and a noun → what people say: "1 note", "2,000 notes"."""

from __future__ import annotations

__all__ = ["agree", "count_of"]


def count_of(number: int, noun: str, plural: str = "") -> str:
    """The number with the noun; its plural is the noun with an "s" where none is given."""
    return f"{number:,} {agree(number, noun, plural or f'{noun}s')}"


def agree(number: int, singular: str, plural: str) -> str:
    """The word that goes with the number."""
    return singular if number == 1 else plural
