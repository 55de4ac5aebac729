"""The sum of what searches left about each line: which questions it answered, and when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from holdfast.guard.paths import EXPORTS
from holdfast.index.sqlite.signal_table import LineAnswer, LineSighting
from holdfast.markdown.fact_row import Category, category_of
from holdfast.named_tuple import NamedTuple

__all__ = ["Recall", "is_counted", "is_source", "recalls_of"]

_ELSEWHERE: Final = (
    "MEMORY.md",
    "memory.md",
    EXPORTS,
    "memory/dreams/",
    "memory/inbox.md",
    "sessions/",
)


class Recall(NamedTuple):
    """Says what is known of a line.

    How often it was found, by how many questions, on which days, and how well it fitted.
    """

    claim: str
    paths: tuple[str, ...]
    times: int
    queries: int
    days: tuple[str, ...]
    score: float
    """The mean of the scores it was found with."""
    last: float
    light: LineSighting | None = None
    rem: LineSighting | None = None


def is_source(path: str) -> bool:
    """Say whether lines of this note may be promoted.

    Not those of MEMORY.md itself, of exports, dreams or other places.
    """
    is_elsewhere = path.startswith(_ELSEWHERE) or category_of(path) is Category.ARCHIVE
    return path.startswith("memory/") and not is_elsewhere


def is_counted(path: str) -> bool:
    """Say whether it is counted that lines of this note answer questions: those of MEMORY.md stay there for that."""
    return is_source(path) or path in ("MEMORY.md", "memory.md")


def recalls_of(rows: Iterable[LineAnswer], seen: Mapping[tuple[str, str], LineSighting]) -> list[Recall]:
    """Return what is known of each line, from the rows of the store."""
    by_claim: dict[str, list[LineAnswer]] = {}
    for row in rows:
        by_claim.setdefault(row.claim, []).append(row)
    return [
        Recall(
            claim,
            tuple(dict.fromkeys(row.path for row in reversed(rows))),
            len(rows),
            len({row.query for row in rows}),
            tuple(sorted({row.day for row in rows})),
            sum(row.score for row in rows) / len(rows),
            max(row.last for row in rows),
            seen.get((claim, "light")),
            seen.get((claim, "rem")),
        )
        for claim, rows in by_claim.items()
    ]
