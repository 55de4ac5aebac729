"""A sentence of chat → its clauses: what a comma, a dash, a bracket or "and I" parts (`clause_joints.json`)."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from holdfast.named_tuple import NamedTuple

__all__ = ["Clause", "clauses"]

_FEWEST_WORDS = 3  # behind a comma; fewer are a name, a number or an item of a list
_FEWEST_LETTERS = 4  # where no spaces are written
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff66-\uff9d]")


class Clause(NamedTuple):
    """Says where a clause begins and ends in a sentence, and whether it begins a statement or a request of its own."""

    start: int
    end: int
    own: bool


def clauses(sentence: str) -> list[Clause]:
    """The clauses of a sentence in order; they leave out only the signs and blanks between them."""
    joint, starter = _patterns()
    cuts = [(0, 0), *(match.span() for match in joint.finditer(sentence))]
    bounds = [(left[1], right[0]) for left, right in zip(cuts, [*cuts[1:], (len(sentence), 0)], strict=True)]
    found: list[Clause] = []
    for number, (start, end) in enumerate(bounds):
        text = sentence[start:end]
        if not text.strip():
            continue
        begins = starter.match(text) is not None
        bracketed = sentence[cuts[number][0] : start].strip() in ("(", "（")
        if found and not begins and not bracketed and _is_small(text):
            found[-1] = found[-1]._replace(end=end)
        else:
            found.append(Clause(start, end, begins or bracketed or not found))
    return found


def _is_small(text: str) -> bool:
    if _WIDE.search(text):
        return len(text.strip()) < _FEWEST_LETTERS
    return len(text.split()) < _FEWEST_WORDS


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what parts clauses, and what begins one of its own."""
    words = json.loads((Path(__file__).parent / "clause_joints.json").read_text("utf-8"))
    rows = [tuple(map(_any_of, row)) for name, row in words.items() if name != "note"]
    joined = "|".join(f"(?:{beside}|{below}) (?:{starter})" for beside, below, starter in rows)
    begun = "|".join(f"(?:(?:{beside}) )?(?:{starter})" for beside, _, starter in rows)
    # A sentence has single blanks: where any number might stand, each would be tried from every one of them.
    signs = r"[,;:] | [-–—]+ |—| ?[()（）] ?|[，、；：] ?| ?(?:\.\.\.+|…) ?"
    return re.compile(rf"{signs}| (?={joined})", re.IGNORECASE), re.compile(begun, re.IGNORECASE)


def _any_of(words: str) -> str:
    return "|".join(re.escape(word) + ("" if word.endswith("'") else r"(?![\w'’])") for word in words.split())
