"""A captured sentence that says "yesterday" → the same with the day behind it, so that it stands alone a year later.

Only what names one day beyond doubt is stamped: "next Friday" means either of two, and "every Friday" none.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from holdfast.search.time_window import Window

__all__ = ["is_of_another_day", "stamp_day"]

_SURE: Final = 0.9
# "last Friday", "two days ago"; "next Friday" is as sure a guess, and a wrong one more often.
_SURE_OF_PAST: Final = 0.8
_WEEK: Final = timedelta(days=7)
_STAMP: Final = re.compile(r" ?[(（]\d{4}-\d\d-\d\d[)）]")


def stamp_day(text: str, day: date | None) -> str:
    """Return a sentence said on a day with the day that its words mean behind them; as it is where they mean none."""
    named = None if day is None else _named_day(text, day)
    if named is None or _is_name(text, named.words):
        return text
    end = text.find(named.words) + len(named.words)
    if text[end : end + 1] in ("'", "’"):
        return text  # "yesterday's meeting" has no place for it
    if not named.words.isascii() and named.words[-1] >= "\u3000":
        stamp = f"（{named.start.isoformat()}）"
    else:
        stamp = f" ({named.start.isoformat()})"
    return f"{text[:end]}{stamp}{text[end:]}"


def is_of_another_day(said: str, known: str) -> bool:
    """Say whether two sentences say the same of two days: who gave blood in May and in August did so twice."""
    return said != known and _STAMP.sub("", said).casefold() == _STAMP.sub("", known).casefold()


def _named_day(text: str, day: date) -> Window | None:
    """Return the one day that is named as seen from the day of the message, where that is sure."""
    from holdfast.search.time_window import window

    now = datetime.combine(day, datetime.min.time())
    named = window(text, now)
    if named is None or named.start != named.end or not named.words or named.words not in text:
        return None
    sure = named.certainty >= _SURE or (named.certainty >= _SURE_OF_PAST and named.start < day) or named.start == day
    # What is written out says the same a week later, and needs no stamp.
    later = window(text, now + _WEEK)
    return named if sure and later is not None and later.start - named.start == _WEEK else None


def _is_name(text: str, words: str) -> bool:
    """Say whether it is what something is called: nobody writes "Yesterday" within a sentence for the day before."""
    return words[0].isupper() and " " not in words and not text.startswith(words)
