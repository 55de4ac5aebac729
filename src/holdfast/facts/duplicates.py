"""Duplicate facts: the same words but for case, ends and person, the same claim, or nearly the same vectors.

Vectors hardly see what facts differ by: measured with the embedded model, dark mode and light mode have a similarity of
.97, before and after of .99, and a number, a name or a "not" weigh no more. A duplicate is not written down, so what
it says would be lost: similarity makes two facts one only where each says all that the other one does.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import date
from functools import lru_cache
from typing import Final, TypeAlias

from holdfast.facts.fact import Fact
from holdfast.facts.sentence_edges import bare, flat, trimmed
from holdfast.facts.subject import Claim, claim_of, plainly
from holdfast.facts.subject_forms import two_way_forms
from holdfast.facts.substance import (
    adds_nothing,
    anchor,
    key,
    limits,
    pictured_alike,
    same_freely,
    same_strictly,
    signs,
)
from holdfast.pattern import compile_late

__all__ = [
    "Similar",
    "count_repeats",
    "duplicate_of",
    "longest_word",
    "may_be_one",
    "may_say_no_more",
    "normalise",
    "same_among",
    "says_the_same",
]

Similar: TypeAlias = Callable[[Fact], float]
"""How similar a fact is to the one at hand, within one space; 0 where that is not known."""

_LOVE: Final = frozenset("love loves adore adores encanta encantan adoro".split())
_WITH_NAME: Final = compile_late(r"\s(?!I\b)[^\W\d_a-zà-ÿ]")


@lru_cache(maxsize=20_000)
def normalise(text: str) -> str:
    """Return a text without what does not change what it says: case, spaces, kinds of quotes, the stop at its end."""
    # Not casefold: that would make one of "in Maßen" and "in Massen".
    return trimmed(flat(text).lower())


def duplicate_of(
    text: str, facts: Iterable[Fact], day: date, similar: Similar | None = None, threshold: float = 0.95
) -> Fact | None:
    """Return the live fact that says the same; of several, the most similar one."""
    return same_among(text, [fact for fact in facts if fact.live(day)], similar, threshold)


def same_among(
    text: str, facts: Sequence[Fact], similar: Similar | None = None, threshold: float = 0.95
) -> Fact | None:
    """Return the fact among these that says the same; of several, the most similar one."""
    same = normalise(text)
    for fact in facts:
        if normalise(fact.text) == same:
            return fact
    for fact in facts:
        if says_the_same(text, fact.text):
            return fact
    if similar is None:
        return None
    near = [(score, fact) for fact in facts if (score := similar(fact)) >= threshold and may_be_one(text, fact.text)]
    if near:
        return max(near, key=lambda pair: pair[0])[1]
    return None


def says_the_same(new: str, old: str) -> bool:
    """Say whether a sentence says what a known one does and no more, in another person or in other words for it."""
    sentence = plainly(old)
    # To take a sentence apart costs more than to look for a word in it, and the known ones are thousands.
    if anchor(new).casefold() in sentence:
        first, _, below = old.partition("\n")
        if same_strictly(new, old) or (below and same_strictly(new, first) and not limits(below)):
            return True
    if "\n" in new.strip():
        return False  # the lines below the first say more than the claim does
    claim = _claim_in(new)
    if claim is None or longest_word(claim) not in sentence:
        return False
    known = _claim_in(old)
    if known is None or not claim.repeats(known) or not pictured_alike(new, old):
        return False
    if not claim.means and signs(new) != signs(old):
        return False  # .NET is no net
    if claim.attribute.startswith("likes ") and _loves(new) != _loves(old) and _WITH_NAME.search(f"{new}\n{old}"):
        return False  # of a person or a place, love is more than liking
    return claim.more == known.more or not limits(f"{known.more} {old.partition(chr(10))[2]}")


@lru_cache(maxsize=64)
def longest_word(claim: Claim) -> str:
    """Return the longest word of what is claimed, which stands in every sentence that claims the same.

    "" for none such.
    """
    kind, _, thing = claim.attribute.partition(" ")
    either = claim.value in ("yes", "no")
    if claim.means or (either and kind not in {kind for kind, _ in two_way_forms()}):
        return ""  # what it means has other words as well
    words = claim.value
    if either:
        words = thing
    return max(words.split(), key=len, default="")


def may_be_one(new: str, old: str) -> bool:
    """Say whether two sentences that are very similar say the same.

    No word, sign or order of theirs sets them apart.
    """
    return _can_both_hold(new, old) and same_freely(new, old)


def may_say_no_more(new: str, old: str) -> bool:
    """Say whether a known sentence says all that a new one does, and perhaps goes on: for who has judged them alike."""
    return _can_both_hold(new, old) and adds_nothing(new, old)


def count_repeats(texts: Sequence[str]) -> int:
    """Return how many of some sentences say what one before them says."""
    known: dict[Hashable, list[str]] = {}
    many = 0
    for text in texts:
        claim = _claim_in(text)
        places: list[Hashable] = [normalise(text), key(text)]
        if claim is not None:
            places.append((claim.about, claim.means or claim.value, claim.denied))
        same = any(
            says_the_same(text, other) or says_the_same(other, text) or may_be_one(text, other)
            for place in places
            for other in known.get(place, ())
        )
        many += same or normalise(text) in known
        for place in places:
            if not same:
                known.setdefault(place, []).append(text)
    return many


def _claim_in(text: str) -> Claim | None:
    """Return what a sentence claims, whatever is added to it that says no more; of several lines, the first."""
    first = text.partition("\n")[0]
    trimmed_first = bare(first)
    if trimmed_first == first.strip(" .!…"):
        return claim_of(first)  # as it is written it is asked for elsewhere too, and known by then
    return claim_of(trimmed_first)


def _loves(text: str) -> bool:
    return not _LOVE.isdisjoint(plainly(text).split())


def _can_both_hold(new: str, old: str) -> bool:
    first, second = claim_of(new), claim_of(old)
    return first is None or second is None or first.agrees(second)
