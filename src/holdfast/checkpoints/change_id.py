"""The id that a caller gives its change, so that the same request, sent again after a lost answer, finds what it did.

The first change of a request has that id. Where the journal has it already, nothing is changed, and that one is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from holdfast.errors import BadArgument

__all__ = ["given_id", "take_given_id", "use_change_id"]

_SHAPE: Final = re.compile(r"c[0-9a-f]{12}", re.ASCII)


class _Given:
    """An id, until a change has it."""

    def __init__(self, id: str) -> None:  # noqa: A002 - the name in the journal
        self.id: str | None = id


_given: Final[ContextVar[_Given | None]] = ContextVar("change_id", default=None)


@contextmanager
def use_change_id(id: str) -> Iterator[None]:  # noqa: A002 - the name in the journal
    """Have the first change inside the block get this id: 'c' and twelve random hexadecimal digits."""
    if not _SHAPE.fullmatch(id):
        raise BadArgument("id", "it must be 'c' and twelve hexadecimal digits, made by chance")
    token = _given.set(_Given(id))
    try:
        yield
    finally:
        _given.reset(token)


def given_id() -> str | None:
    """Return the id that the next change is to have, where a caller gave one."""
    given = _given.get()
    return None if given is None else given.id


def take_given_id() -> str | None:
    """Return that id, which no other change gets from now on."""
    given = _given.get()
    if given is None:
        return None
    taken, given.id = given.id, None
    return taken
