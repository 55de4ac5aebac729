"""One check of doctor: what was looked at, whether it is well, what was seen, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from holdfast.named_tuple import NamedTuple

__all__ = ["SHOWN", "Check", "name_few"]

SHOWN: Final = 3
"""How many of a kind are named."""


class Check(NamedTuple):
    """`warn` is for what works and could be better: nothing needs mending."""

    name: str
    ok: bool
    detail: str = ""
    remedy: str = ""
    warn: bool = False


def name_few(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are."""
    if len(names) > SHOWN:
        more = f"; and {len(names) - SHOWN:,} more"
    else:
        more = ""
    return "; ".join(names[:SHOWN]) + more
