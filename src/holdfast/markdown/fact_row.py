"""A fact as the index and search know it: a bullet of one of the notes of facts, with what its mark says.

A bullet that a person typed has no mark and is a fact all the same. A fact that another one superseded is struck
through, and what is struck through by hand counts as superseded: the strike is what the owner sees, so it decides.
A comment that is no mark is a note of the owner's to themselves: it stays where it stands, and says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.guard.origin import Origin
from holdfast.markdown.list_item import ITEM
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

if TYPE_CHECKING:
    from holdfast.markdown.fact_mark import Mark

__all__ = [
    "IMPORTANCE",
    "Category",
    "Fact",
    "bullet_words",
    "category_of",
    "fact_notes",
    "fact_of",
    "is_struck",
    "note_after",
    "note_of",
    "note_patterns",
    "strike",
    "unstrike",
    "without_comments",
]

IMPORTANCE = 0.5
"""The importance of a fact whose mark says nothing of it: neither lifted nor lowered."""

_INDENT = compile_late(r"[ \t]*")
_STRIKE = "~~"
_OPEN, _CLOSE = "<!--", "-->"
_ENDS_A_STRIKE = compile_late(r"(?<!\\)~~")


class Category(StrEnum):
    """The subject of a fact; each category has notes of its own.

    The archive takes those that made room for others.
    """

    PREFERENCE = "preference"
    FACT = "fact"
    DECISION = "decision"
    ENTITY = "entity"
    OTHER = "other"
    ARCHIVE = "archive"


_STEMS = {
    Category.PREFERENCE: "preferences",
    Category.FACT: "facts",
    Category.DECISION: "decisions",
    Category.ENTITY: "entities",
    Category.OTHER: "other",
    Category.ARCHIVE: "archive",
}
_CATEGORIES = {stem: category for category, stem in _STEMS.items()}
_ORDER = {stem: place for place, stem in enumerate(_CATEGORIES)}
_NOTE = compile_late(
    rf"memory/({'|'.join(_CATEGORIES)})(?:-(20[0-9]{{2}}-(?:0[1-9]|1[0-2]))(?:-([2-9]|[1-9][0-9]{{1,4}}))?)?\.md",
    re.ASCII,
)


class Fact(NamedTuple):
    """The data of a fact beside its words, with defaults for what nobody said."""

    category: Category
    origin: Origin = Origin.OUTSIDE
    importance: float = IMPORTANCE
    observed: date | None = None
    valid_from: date | None = None
    valid_until: date | None = None
    reinforced_on: date | None = None
    superseded: bool = False
    id: str = ""
    superseded_by: str = ""


@lru_cache(maxsize=1024)
def category_of(path: str) -> Category | None:
    """The category of the facts in a note of the workspace; None where it holds no facts."""
    match = _NOTE.fullmatch(path)
    if match is None:
        return None
    return _CATEGORIES[match[1]]


def note_of(category: Category) -> str:
    """The first note that holds the facts of a category; each later one has the month in its name."""
    return f"memory/{_STEMS[category]}.md"


def note_after(path: str, day: date) -> str:
    """The note that goes on from one which is full: that of the month, or the next one of the same month."""
    stem, month, number = _parts_of(path)
    now = f"{day.year:04}-{day.month:02}"
    # A clock that was set back does not put a new note before an older one.
    if now > month:
        return f"memory/{stem}-{now}.md"
    return f"memory/{stem}-{month}-{number + 1}.md"


def note_patterns(*categories: Category) -> tuple[str, ...]:
    """The paths of all notes of some categories, as a search takes them."""
    return tuple(
        pattern for category in categories for pattern in (note_of(category), f"memory/{_STEMS[category]}-20*")
    )


def fact_notes(paths: Iterable[str]) -> list[str]:
    """Return the paths that are notes of facts, in the order in which they are read: the archive's last."""
    return sorted(filter(category_of, paths), key=_place)


def _place(path: str) -> tuple[int, str, int]:
    stem, month, number = _parts_of(path)
    return _ORDER[stem], month, number


def _parts_of(path: str) -> tuple[str, str, int]:
    """Return the category's stem, the month and the number in the name of a fact note."""
    match = _NOTE.fullmatch(path)
    assert match is not None
    return match[1], match[2] or "", int(match[3] or 1)


def fact_of(category: Category, words: str, mark: Mark | None) -> Fact | None:
    """The fact that a bullet is, from its first line without the mark; None for a bullet that says nothing."""
    if not _without_tail(bullet_words(words)):
        return None
    struck = is_struck(words)
    if mark is None:
        return Fact(category, superseded=struck)
    return Fact(
        category,
        mark.origin or Origin.OUTSIDE,
        IMPORTANCE if mark.importance is None else mark.importance,
        mark.observed,
        mark.valid_from,
        mark.valid_until,
        mark.reinforced_on,
        struck,
        mark.id,
        mark.superseded_by,
    )


def bullet_words(words: str) -> str:
    """Return the words of a bullet, without the bullet and the strike."""
    if _STRIKE not in words:
        return words[len(_lead(words)) :]
    return unstrike(words)[len(_lead(words)) :]


def without_comments(text: str) -> str:
    """A text without the comments in it and the lines they filled; all of it where it is nothing but comments.

    One that nobody closed, or that stands in code, is text.
    """
    if _OPEN not in text:
        return text
    kept: list[str] = []
    at = 0
    while (begin := text.find(_OPEN, at)) >= 0 and (end := text.find(_CLOSE, begin + len(_OPEN))) >= 0:
        end += len(_CLOSE)
        if text.count("`", 0, begin) % 2:
            kept.append(text[at:end])
        else:
            before = text[at:begin]
            gap = text[end : end + 1]
            # Of the two blanks around it one goes, so that nothing shows where it stood.
            kept.append(before.rstrip(" \t") if not gap or gap.isspace() else before)
        at = end
    bare = "".join((*kept, text[at:])).strip()
    return "\n".join(line for line in bare.split("\n") if line.strip()) or text


def is_struck(words: str) -> bool:
    """Say whether the whole of a bullet's line is struck through."""
    if _STRIKE not in words:
        return False
    inside = _without_tail(words[len(_lead(words)) :])
    whole = len(inside) > 4 and inside.startswith(_STRIKE) and inside.endswith(_STRIKE)
    return whole and not _ENDS_A_STRIKE.search(inside[2:-2])


def strike(words: str) -> str:
    """The same line struck through; tildes that it had are escaped, and show as such, and blanks at its end stay."""
    lead = _lead(words)
    inside = words[len(lead) :]
    if is_struck(words) or not inside.strip():
        return words
    bare = _without_tail(inside)
    if not bare:
        return words
    return lead + _STRIKE + bare.replace("~", r"\~") + _STRIKE + inside[len(bare) :]


def unstrike(words: str) -> str:
    """The line as it was before it was struck through."""
    if not is_struck(words):
        return words
    lead = _lead(words)
    inside = words[len(lead) :]
    bare = _without_tail(inside)
    return lead + bare[2:-2].replace(r"\~", "~") + inside[len(bare) :]


def _without_tail(inside: str) -> str:
    """Words without the blanks and the comments behind them."""
    bare = inside.rstrip()
    # `<!-->` opens a comment and closes none: the two signs may not share a dash.
    while bare.endswith(_CLOSE) and (begin := bare.rfind(_OPEN, 0, -len(_CLOSE))) >= 0:
        bare = bare[:begin].rstrip()
    return bare


def _lead(words: str) -> str:
    lead = ITEM.match(words) or _INDENT.match(words)
    return lead[0] if lead else ""
