"""The changes that were made while somebody kept count of them.

A command tells of its change on stdout, and stdout may be a full disk. What was done must not be taken for undone then,
so whoever runs a command keeps the receipts of its changes beside what it prints.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from holdfast.checkpoints.change import Change

__all__ = ["add_receipt", "keep_receipts"]

_receipts: Final[ContextVar[list[Change] | None]] = ContextVar("receipts", default=None)


@contextmanager
def keep_receipts() -> Iterator[list[Change]]:
    """Yield the list to which each change made inside the block is added."""
    receipts: list[Change] = []
    token = _receipts.set(receipts)
    try:
        yield receipts
    finally:
        _receipts.reset(token)


def add_receipt(change: Change) -> Change:
    """Add a change to the receipts, where somebody keeps them, and return it."""
    receipts = _receipts.get()
    if receipts is not None:
        receipts.append(change)
    return change
