"""The second phase: what was written or said on several days, in other words → patterns, the strongest first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

from holdfast.dreaming.claim import Claim, likeness, stems
from holdfast.dreaming.light_phase import LONGEST, MOST, SHORTEST, near_pairs
from holdfast.named_tuple import NamedTuple

__all__ = ["Pattern", "patterns"]

_LEAST: Final = 0.3  # of their words two claims of a pattern share
_DAYS_ENOUGH: Final = 3
_OF_DAYS: Final = 0.6  # the rest of the strength is how like the words are


class Pattern(NamedTuple):
    """Claims about the same from several days; `centre` is the one most like the others."""

    centre: Claim
    claims: tuple[Claim, ...]
    days: tuple[date, ...]
    strength: float


def patterns(claims: Iterable[Claim], *, limit: int, min_strength: float) -> list[Pattern]:
    """Return what comes back: on two days in nearly the same words, or on three and more in similar ones."""
    fitting = [claim for claim in claims if claim.day is not None and SHORTEST <= len(claim.text) <= LONGEST]
    ordered = sorted(fitting, key=lambda fit: (fit.day or date.min, fit.path, fit.line), reverse=True)[:MOST]
    links: dict[int, set[int]] = {}
    for first, other, share in near_pairs(ordered):
        if share >= _LEAST:
            links.setdefault(first, set()).add(other)
            links.setdefault(other, set()).add(first)
    patterns_found: list[Pattern] = []
    free = set(links)
    # Around the best connected claim, and not along chains: a chain of similar lines ends somewhere else altogether.
    for place in sorted(links, key=lambda index: (-len(links[index]), index)):
        if place not in free:
            continue
        members = [place, *sorted(links[place] & free)]
        pattern = _pattern([ordered[member] for member in members])
        if len(pattern.days) > 1 and pattern.strength >= min_strength:
            free -= set(members)
            patterns_found.append(pattern)
    return sorted(patterns_found, key=lambda each: (-each.strength, each.centre.text))[:limit]


def _pattern(claims: Sequence[Claim]) -> Pattern:
    centre = stems(claims[0].text)
    days = tuple(sorted({claim.day for claim in claims if claim.day is not None}))
    shares = [likeness(centre, stems(claim.text)) for claim in claims[1:]] or [0.0]
    over_days = min(1.0, len(days) / _DAYS_ENOUGH)
    strength = _OF_DAYS * over_days + (1 - _OF_DAYS) * sum(shares) / len(shares)
    return Pattern(claims[0], tuple(claims), days, round(strength, 4))
