"""Small readings that several formats share: dates, the kind of a sentence, and names for notes."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from hashlib import blake2b
from typing import Any, Final
from unicodedata import normalize

from holdfast.errors import BadArgument
from holdfast.markdown.fact_row import Category

__all__ = ["FOLDER", "category_of_words", "day_of", "foreign", "note_path", "parse_json"]

FOLDER: Final = "memory/imports/"
"""Where the notes of other programs go."""

_PREFERENCE: Final = re.compile(
    r"\b(?:prefer(?:s|red|ences?)?|likes?|loves?|enjoys?|hates?|dislikes?|favou?rites?|would rather|"
    r"wants? (?:responses|answers|replies)|is interested in)\b",
    re.IGNORECASE,
)
_DECISION: Final = re.compile(
    r"\b(?:decided|decision|chose|chosen|settled on|agreed (?:to|on)|switched to|will use)\b", re.IGNORECASE
)
_WORDS: Final = re.compile(r"[a-z0-9]+")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LONGEST_NAME: Final = 80


def category_of_words(text: str) -> Category:
    """Return the category of a sentence about somebody, as far as its verb tells."""
    if _DECISION.search(text):
        return Category.DECISION
    if _PREFERENCE.search(text):
        return Category.PREFERENCE
    return Category.FACT


def day_of(value: object) -> date | None:
    """The day of a time stamp: seconds since 1970, or ISO 8601; None for anything else."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            # Some programs count milliseconds; seconds reach that number in the year 5138.
            return datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC).date()
        if isinstance(value, str) and _DAY.match(value):
            return date.fromisoformat(value[:10])
    except (ValueError, OverflowError, OSError):
        return None
    return None


def note_path(source: str, name: str, where: str, taken: set[str]) -> str:
    """The path of a note from elsewhere, the same each time; two that would have one name are told apart by place."""
    plain = normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    slug = "-".join(_WORDS.findall(plain))[-_LONGEST_NAME:].strip("-")
    if not slug:
        slug = _told_apart(name or where)
    path = f"{FOLDER}{source}-{slug}.md"
    if path in taken:
        path = f"{FOLDER}{source}-{slug}-{_told_apart(where)}.md"
    taken.add(path)
    return path


def parse_json(data: bytes, where: str) -> Any:
    """The JSON of a file; what is none is refused with the reason."""
    try:
        return json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        if isinstance(error, RecursionError):
            why = "it is nested too deeply"
        else:
            why = str(error)
        raise BadArgument("file", f"{where!r} is no JSON that can be read: {why}") from error


def foreign(shown: str, program: str, wanted: str) -> BadArgument:
    """The error for a file or folder that holds nothing as that program writes it."""
    why = f"{shown!r} holds nothing that {program} wrote: {wanted}"
    return BadArgument("file", f"{why}; check the file, and the program that you named (--from)")


def _told_apart(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
