"""A sentence that asks for something to be remembered → what that is; the phrases are data (`memory_requests.json`)."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

from holdfast.facts.capture.chat_sentences import LONGEST
from holdfast.named_tuple import NamedTuple

__all__ = ["LANGUAGES", "asks_to_remember", "requested"]

LANGUAGES: Final = ("en", "de", "fr", "es", "pt", "it", "nl", "zh", "ja")

_EDGES = " \t,;:–—-.!…*_\"'“”«»，、：。"
_LETTERS = re.compile(r"[^\W_]")
_FEWEST_LETTERS, _FEWEST_WIDE = 4, 2  # the second of a script that writes no letters


class _Phrases(NamedTuple):
    ask: re.Pattern[str]
    after: re.Pattern[str]
    memory: re.Pattern[str]


def requested(sentence: str) -> str | None:
    """Return what a sentence asks to remember, in its words; None where it asks for nothing of that kind."""
    plain = sentence.replace("’", "'")
    for phrases in map(_phrases, _likely(plain)):
        if (found := phrases.ask.match(plain)) is not None:
            rest = plain[found.end() :].strip(_EDGES)
        elif (found := phrases.after.search(plain)) is not None:
            rest = plain[: found.start()].strip(_EDGES)
        else:
            continue
        least = _FEWEST_LETTERS if rest.isascii() else _FEWEST_WIDE
        return None if phrases.memory.match(rest) or len(_LETTERS.findall(rest)) < least else rest
    return None


def asks_to_remember(line: str) -> bool:
    """Say whether a line with a colon at its end asks for what follows it to be remembered."""
    plain = line.replace("’", "'").rstrip()[-LONGEST:]
    found = (phrases.ask.match(plain) for phrases in map(_phrases, _likely(plain)))
    return any(match is not None and match.end() >= len(plain) - 1 for match in found)


def _likely(plain: str) -> list[str]:
    """Return the languages in which a sentence may ask for something."""
    small = plain.casefold()
    return [name for name in LANGUAGES if any(map(small.__contains__, _data()[name]["signs"]))]


@cache
def _data() -> dict[str, Any]:
    made: dict[str, Any] = json.loads((Path(__file__).parent / "memory_requests.json").read_text("utf-8"))
    return made


@cache
def _phrases(name: str) -> _Phrases:
    polite, wide = _data()["polite"], name in ("zh", "ja")
    asks, afters, memories = ("|".join(_data()[name][kind]) for kind in _Phrases._fields)
    ask = asks if wide else rf"(?:(?:{polite}),? ){{0,3}}(?:{asks})(?=[\s:,]|$|(?<=[:,'\s]))\s*"
    before = "" if wide else r"(?:[,;:.]| -| –| und| and| et| y| e| en)? "
    after = rf"{before}(?:(?:{polite}),? )?(?:{afters})(?: (?:please|bitte|stp|por favor))?$"
    return _Phrases(*(re.compile(pattern, re.IGNORECASE) for pattern in (ask, after, f"(?:{memories})")))
