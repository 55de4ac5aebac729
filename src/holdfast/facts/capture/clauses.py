"""A sentence of chat → its clauses: what a comma, a dash, a bracket or "and I" parts (`clause_joints.json`)."""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from pathlib import Path

from holdfast.facts.capture.wide_letters import has_wide
from holdfast.named_tuple import NamedTuple

__all__ = ["Clause", "clauses"]

_FEWEST_WORDS = 3  # behind a comma; fewer are a name, a number or an item of a list
_MOST_KEPT = 4_000  # words of which it is known whether they join clauses
_FEWEST_LETTERS = 4  # where no spaces are written
# A sentence has single blanks: where any number might stand, each would be tried from every one of them.
_SIGNS = re.compile(
    r"[,;:] | [-–—]+ |—| ?[()（）] ?|[，、；：] ?| ?(?:\.\.\.+|…) ?| (?=(?P<before>[^ ]+) (?P<word>[\w'’]+))"
)
_FIRST = re.compile(r"(?P<word>[\w'’]+)")
_SECOND = re.compile(r"(?P<before>[^ ]+) (?P<word>[\w'’]+)")


class Clause(NamedTuple):
    """Says where a clause begins and ends in a sentence, and whether it begins a statement or a request of its own."""

    start: int
    end: int
    own: bool


def clauses(sentence: str) -> list[Clause]:
    """The clauses of a sentence in order; they leave out only the signs and blanks between them."""
    cuts = [(0, 0), *(found.span() for found in _SIGNS.finditer(sentence) if _parts(found))]
    bounds = [(left[1], right[0]) for left, right in zip(cuts, [*cuts[1:], (len(sentence), 0)], strict=True)]
    found: list[Clause] = []
    for number, (start, end) in enumerate(bounds):
        text = sentence[start:end]
        if not text.strip():
            continue
        begins = _begins(text)
        bracketed = sentence[cuts[number][0] : start].strip() in ("(", "（")
        if found and not begins and not bracketed and _is_small(text):
            found[-1] = found[-1]._replace(end=end)
        else:
            found.append(Clause(start, end, begins or bracketed or not found))
    return found


def _parts(found: re.Match[str]) -> bool:
    """Say whether a sign parts clauses: any but a blank, and that before a conjunction and what may stand behind it."""
    before = found["before"]
    return before is None or any(joints.start(found["word"]) for joints in _joined_by(before))


def _begins(text: str) -> bool:
    """Say whether a clause begins a statement or a request of its own, perhaps behind a conjunction."""
    first = _FIRST.match(text)
    if first is not None and any(joints.start(first["word"]) for joints in _joints()):
        return True
    second = _SECOND.match(text)
    if second is None:
        return False
    before = second["before"]
    return any(joints.start(second["word"]) for joints in _joined_by(before) if before.lower() in joints.beside)


def _is_small(text: str) -> bool:
    if has_wide(text):
        return len(text.strip()) < _FEWEST_LETTERS
    return len(text.split()) < _FEWEST_WORDS


class _Joints(NamedTuple):
    """Of a language: conjunctions of two kinds, words that begin a clause, and elisions that do."""

    beside: frozenset[str]
    below: frozenset[str]
    words: frozenset[str]
    elided: tuple[str, ...]

    def start(self, word: str) -> bool:
        small = word.lower()
        return small in self.words or small.startswith(self.elided)


@lru_cache(_MOST_KEPT)
def _joined_by(word: str) -> list[_Joints]:
    """Return the languages in which a word joins clauses; most do in none."""
    small = word.lower()
    return [joints for joints in _joints() if small in joints.beside or small in joints.below]


@cache
def _joints() -> list[_Joints]:
    """Return what parts clauses, and what begins one; sets, since an alternation of them takes 25 ms to compile."""
    words = json.loads((Path(__file__).parent / "clause_joints.json").read_text("utf-8"))
    rows = [[row.split() for row in rows] for name, rows in words.items() if name != "note"]
    return [
        _Joints(
            frozenset(beside),
            frozenset(below),
            frozenset(word for word in starters if not word.endswith("'")),
            tuple(word for word in starters if word.endswith("'")),
        )
        for beside, below, starters in rows
    ]
