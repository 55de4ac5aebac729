"""The first phase: what the last days' notes and conversations say → candidates, each once and the newest first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

from holdfast.dreaming.claim import Claim, likeness, stems
from holdfast.facts.duplicates import may_be_one
from holdfast.named_tuple import NamedTuple

__all__ = ["DatedClaim", "gather", "near_pairs"]

SHORTEST: Final = 8
LONGEST: Final = 280
"""Characters of a candidate, as in OpenClaw: what is longer is a document."""

MOST: Final = 2_000
"""Claims that a phase looks at, whatever the notes hold."""

_TOO_COMMON: Final = 60  # claims that share a word: such a word tells nothing, and would cost the square of them


class DatedClaim(NamedTuple):
    """A candidate, and every day on which it was written or said."""

    claim: Claim
    days: tuple[date, ...]


def gather(claims: Iterable[Claim], *, limit: int, similarity: float) -> list[DatedClaim]:
    """The candidates: claims of a fitting length, those that say the same taken together."""
    fitting = [claim for claim in claims if claim.day is not None and SHORTEST <= len(claim.text) <= LONGEST]
    ordered = sorted(fitting, key=lambda fit: (fit.day or date.min, -fit.line), reverse=True)[:MOST]
    unique: dict[str, list[Claim]] = {}
    for claim in ordered:
        unique.setdefault(claim.key, []).append(claim)
    groups = list(unique.values())
    firsts = [group[0] for group in groups]
    taken: dict[int, int] = {}
    for first, other, share in near_pairs(firsts):
        if share >= similarity and first not in taken and may_be_one(firsts[first].text, firsts[other].text):
            taken.setdefault(other, first)
    merged: dict[int, list[Claim]] = {place: list(group) for place, group in enumerate(groups) if place not in taken}
    for other, first in taken.items():
        if first in merged:
            merged[first] += groups[other]
    gathered = [
        DatedClaim(group[0], tuple(sorted({claim.day for claim in group if claim.day is not None})))
        for group in merged.values()
    ]
    return gathered[:limit]


def near_pairs(claims: Sequence[Claim]) -> list[tuple[int, int, float]]:
    """Pairs of claims with two words in common or more, and how alike they are; each pair once, the first one first."""
    words = [stems(claim.text) for claim in claims]
    holders: dict[str, list[int]] = defaultdict(list)
    pairs: dict[tuple[int, int], int] = {}
    for place, own in enumerate(words):
        for word in own:
            earlier = holders[word]
            if len(earlier) < _TOO_COMMON:
                for other in earlier:
                    pairs[other, place] = pairs.get((other, place), 0) + 1
                earlier.append(place)
    return [
        (first, other, likeness(words[first], words[other]))
        for (first, other), shared in pairs.items()
        if shared >= 2 or words[first] == words[other]
    ]
