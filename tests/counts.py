"""How often a test repeats: short in `make test`, in full in `make faults`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

__all__ = ["FULL", "by_turns", "counted"]

FULL = os.environ.get("HOLDFAST_FAULTS") == "full"
T = TypeVar("T")


def counted(short: int, full: int) -> int:
    """The number of rounds for this run."""
    return full if FULL else short


def by_turns(values: Sequence[T], turn: int, short: int) -> Sequence[T]:
    """All values in full; in short so many of them, and at the next turn those that follow."""
    if FULL or short >= len(values):
        return values
    return [values[(turn * short + number) % len(values)] for number in range(short)]
