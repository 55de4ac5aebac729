"""The id that a caller gives its change, so that the same request, sent again after a lost answer, finds what it did.

The first change of a request has that id, and the request's own digest beside it. Where the journal has the id already,
nothing is changed, and that one is given; unless it was made by another request.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from holdfast.errors import BadArgument, KeyUsed
from holdfast.pattern import compile_late

__all__ = ["given_id", "given_request", "refuse_other_request", "take_given_id", "use_change_id"]

_SHAPE: Final = compile_late(r"c[0-9a-f]{12}", re.ASCII)


class _GivenId:
    """An id, until a change has it, and the digest of the request that it was given for."""

    def __init__(self, id: str, request: str) -> None:  # noqa: A002 - the name in the journal
        self.id: str | None = id
        self.request = request


_given: Final[ContextVar[_GivenId | None]] = ContextVar("change_id", default=None)


@contextmanager
def use_change_id(id: str, request: str = "", *, name: str = "id") -> Iterator[None]:  # noqa: A002 - as in the journal
    """Have the first change inside the block get this id: 'c' and twelve random hexadecimal digits.

    With `request`, a digest of what is asked, an id that was used for something else is refused with KeyUsed. An error
    calls the id by the `name` that the caller knows it by.
    """
    if not _SHAPE.fullmatch(id):
        raise BadArgument(name, "it must be 'c' and twelve hexadecimal digits, made by chance")
    token = _given.set(_GivenId(id, request))
    try:
        yield
    finally:
        _given.reset(token)


def given_id() -> str | None:
    """Return the id that the next change is to have, where a caller gave one."""
    given = _given.get()
    return None if given is None else given.id


def given_request() -> str:
    """Return the digest that is kept with the next change; "" where there is none."""
    given = _given.get()
    if given is None or given.id is None:
        return ""
    return given.request


def refuse_other_request(request: str) -> None:
    """Raise KeyUsed where the change that has the given id was made by another request than this."""
    given = _given.get()
    if given is not None and given.id is not None and given.request and given.request != request:
        raise KeyUsed(given.id)


def take_given_id() -> str | None:
    """Return that id, which no other change gets from now on."""
    given = _given.get()
    if given is None:
        return None
    taken, given.id = given.id, None
    return taken
