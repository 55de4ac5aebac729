"""Names for facts: short enough to type, and no two alike."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection
from typing import Final

__all__ = ["new_id"]

# Without letters and digits that are taken for each other (l and 1, o and 0), and without vowels, so that no id is a
# word. 26**6 is about three hundred million.
_SIGNS: Final = "23456789bcdfghjkmnpqrstvwxz"
_LENGTH: Final = 6


def new_id(taken: Collection[str], choose: Callable[[str], str] = secrets.choice) -> str:
    """Return an id that none of these is, with a letter in front: a bare number would read as a count."""
    while True:
        made = choose(_SIGNS[8:]) + "".join(choose(_SIGNS) for _ in range(_LENGTH - 1))
        if made not in taken:
            return made
