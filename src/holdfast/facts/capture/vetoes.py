"""Signs that words are not the user's own; the patterns are data (`vetoes.json`), in nine languages.

By kind: off_the_record (a message), credited (a line says whose words it has), letter (a sentence begins one), text (a
sentence asks what to make of a text, which then may be all that stands around it), part (a message gives a part to
play) and withheld ("I prefer not to say" is no preference).
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

__all__ = ["vetoed"]

_ALSO_LETTERS: Final = str.maketrans("ıİſ", "iis")  # which a pattern takes for "i" and "s", and `lower` does not


def vetoed(kind: str, text: str) -> bool:
    """Say whether a text has a sign of this kind."""
    straight = text.replace("’", "'")
    signs = _data()["signs"].get(kind)
    if signs is not None and not any(map(_small_letters(straight).__contains__, signs.split("|"))):
        return False
    return any(pattern.search(straight) for pattern in _patterns(kind))


def _small_letters(text: str) -> str:
    """Return a text in small letters, as a pattern that minds no case takes them."""
    if text.isascii():
        return text.lower()  # some thirty times as fast
    return text.translate(_ALSO_LETTERS).lower()


@cache
def _data() -> dict[str, Any]:
    made: dict[str, Any] = json.loads((Path(__file__).parent / "vetoes.json").read_text("utf-8"))
    return made


@cache
def _patterns(kind: str) -> list[re.Pattern[str]]:
    data = _data()
    made = ["|".join(data[kind])]
    if kind == "text":  # what is done to texts, whose, and the texts; a request is seldom in the language of its text
        made += [
            rf"\b(?:{verbs})\b[^.!?:\n]{{0,12}}?\b(?:{whose})\b(?: [\w'-]+){{0,2}} ?\b(?:{texts})\b"
            for verbs, whose, texts in data["work"].values()
        ]
    return [re.compile(pattern, re.IGNORECASE) for pattern in made]
