"""Write the clauses of SQL that say where a search may look, and their values."""

from __future__ import annotations

import json
from collections.abc import Sequence

from holdfast.index.store_contract import Within

__all__ = ["lies_in", "negation", "scope_values"]


def negation(within: Within) -> str:
    """Return what stands before a clause of membership."""
    if within.all_but:
        return "NOT "
    return ""


def scope_values(within: Within | None) -> tuple[str, ...]:
    """Return the notes and the chunks as lists in JSON; no value where no clause asks for one."""
    if within is None:
        return ()
    return json.dumps(list(within.notes)), json.dumps(list(within.chunks))


def lies_in(ranges: Sequence[tuple[str, str]]) -> str:
    """Return the clause for a path in one of some ranges, each given by its two ends."""
    return " OR ".join(["(path >= ? AND path < ?)"] * len(ranges)) or "0"
