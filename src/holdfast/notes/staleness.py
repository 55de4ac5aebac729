"""Stale answers: while the database is away, a caller that allows it is answered by what was known last, and told.

Whoever only reads allows it; whoever is about to change something must not decide by what may be old.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

__all__ = ["Staleness", "allow_stale", "refuse_stale", "tell_stale", "told_stale"]


class Staleness:
    """The reason `why` what one reader was told may be old; "" where all of it came from the truth."""

    why = ""


_allowed: Final[ContextVar[Staleness | None]] = ContextVar("holdfast_staleness", default=None)


@contextmanager
def allow_stale() -> Iterator[Staleness]:
    """Let this thread's reads in the block be answered by what was known last; what this yields says if one was."""
    staleness = Staleness()
    token = _allowed.set(staleness)
    try:
        yield staleness
    finally:
        _allowed.reset(token)


@contextmanager
def refuse_stale() -> Iterator[None]:
    """Have reads in the block fail where the truth can't be asked, also inside of one that allows more."""
    token = _allowed.set(None)
    try:
        yield
    finally:
        _allowed.reset(token)


def told_stale() -> str:
    """Return why what this thread has read so far may be old; "" where all of it came from the truth."""
    staleness = _allowed.get()
    return staleness.why if staleness is not None else ""


def tell_stale(why: str) -> bool:
    """Tell this thread's reader that the answer may be old, and why; says whether such an answer is wanted at all."""
    staleness = _allowed.get()
    if staleness is None:
        return False
    staleness.why = why
    return True
