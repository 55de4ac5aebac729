"""English as people type it → one spelling of what means the same: "im", "i am" and "I'm" are read alike."""

from __future__ import annotations

import re

from holdfast.facts.capture.english_words import KIN

__all__ = ["readings"]

_SOME = r"(?= (?:an?|one|two|three|four|five|six|my|our|some|\d{1,2})\b)"
_ALIKE = (
    ("I'm", r"\b(?:i am|im)\b"),
    ("I've", rf"\b(?:i have(?! to\b)(?: got)?|ive(?: got)?|i've got|i got{_SOME})\b"),
    ("we're", r"\bwe are\b"),
    ("we", r"\b(?:both|all|the two|the three) of us\b"),
    ("we", rf"^(?:my (?:[\w-]+ )?{KIN}(?: [A-Z]\w+)? and (?:i|me|myself)|(?:me|i) and my (?:[\w-]+ )?{KIN})\b"),
    ("allergic", r"\bal+erg[a-z]{0,2}[ck]\b"),
    ("we've", rf"\b(?:we have(?! to\b)(?: got)?|weve(?: got)?|we've got|we got{_SOME})\b"),
    ("don't", r"\b(?:dont|do not)\b"),
    ("can't", r"\b(?:cant|cannot|can not)\b"),
    ("doesn't", r"\b(?:doesnt|does not)\b"),
    ("isn't", r"\b(?:isnt|is not)\b"),
    ("won't", r"\b(?:wont|will not)\b"),
    (" has", r"(?: has got|'s got)\b"),
    ("years", r"\byrs\b"),
    ("year", r"\byr\b"),
    ("please", r"\b(?:pls|plz)\b"),
    ("and", r"(?<= )&(?= )"),
)
_ANY = re.compile("|".join(f"({pattern})" for _, pattern in _ALIKE), re.IGNORECASE)


def readings(words: str) -> tuple[str, ...]:
    """The words in the spelling that the English patterns are written in."""
    return (_ANY.sub(lambda found: _ALIKE[(found.lastindex or 1) - 1][0], words),)
