"""A question and what a search found for it → which lines answered; and those counts → what is known of each line.

Of the question only a hash of its telling words is kept: the same question in another order, or with other small
words, is the same question.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Final, NamedTuple

from holdfast.dreaming.claim import claims_in, stems
from holdfast.index.sqlite.signals import Asked, Seen

__all__ = ["LEAST_SCORE", "MOST_HITS", "Recall", "answering", "counted", "is_source", "query_key", "recalls_of"]

LEAST_SCORE: Final = 0.35
"""The score of a hit that counts as an answer; what has nothing to do with a question scores below .2."""

MOST_HITS: Final = 6
_MOST_CLAIMS: Final = 2  # of one hit: a chunk of a daily note holds many, and one or two of them answered
_ELSEWHERE: Final = ("MEMORY.md", "memory.md", "memory/sessions/", "memory/dreams/", "memory/archive.md", "sessions/")


class Recall(NamedTuple):
    """What is known of a line: how often it was found, by how many questions, on which days, and how well it fitted."""

    claim: str
    paths: tuple[str, ...]
    times: int
    queries: int
    days: tuple[str, ...]
    score: float
    """The mean of the scores it was found with."""
    last: float
    light: Seen | None = None
    rem: Seen | None = None


def is_source(path: str) -> bool:
    """Whether lines of this note may be promoted: not those of MEMORY.md itself, of exports, dreams or other places."""
    return path.startswith("memory/") and not path.startswith(_ELSEWHERE)


def counted(path: str) -> bool:
    """Whether it is counted that lines of this note answer questions: those of MEMORY.md stay there for that."""
    return is_source(path) or path in ("MEMORY.md", "memory.md")


def query_key(query: str) -> str:
    """A question's name: a hash of its telling words."""
    return sha256(" ".join(sorted(stems(query))).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def answering(query: str, text: str, path: str) -> list[str]:
    """The claims of a chunk that answer a question: those with most of its words, or the only one there is."""
    claims = claims_in(text, path, first_line=2)
    if len(claims) <= 1:
        return [claim.key for claim in claims]
    asked = stems(query)
    shared = [(len(asked & stems(claim.text)), claim.key) for claim in claims]
    best = max(number for number, _ in shared)
    # Where no word is common, the vectors of the whole chunk answered, and nobody can say for which of its lines.
    return [key for number, key in shared if number == best][:_MOST_CLAIMS] if best else []


def recalls_of(rows: Iterable[Asked], seen: Mapping[tuple[str, str], Seen]) -> list[Recall]:
    """What is known of each line, from the rows of the store."""
    by_claim: dict[str, list[Asked]] = {}
    for row in rows:
        by_claim.setdefault(row.claim, []).append(row)
    return [
        Recall(
            claim,
            tuple(dict.fromkeys(row.path for row in reversed(found))),
            len(found),
            len({row.query for row in found}),
            tuple(sorted({row.day for row in found})),
            sum(row.score for row in found) / len(found),
            max(row.last for row in found),
            seen.get((claim, "light")),
            seen.get((claim, "rem")),
        )
        for claim, found in by_claim.items()
    ]
