"""Time in a question → a soft window over the days of notes.

The words are read in English, German, French, Spanish, Portuguese, Italian, Dutch, Russian, Chinese and Japanese; which
of them a question is in, its small words tell. The window is soft: what lies outside scores less, and is not left out.
An event ("before the launch") names no day by itself; `event_time.py` tells what to look for first.
"""

from __future__ import annotations

from datetime import date, datetime
from functools import lru_cache
from unicodedata import is_normalized, normalize

from holdfast.named_tuple import NamedTuple
from holdfast.search.calendar_spans import EARLIEST, LATEST, NamedSpan, Span, add_days, add_months
from holdfast.search.moment_signs import languages_of, pieces, signs, speaks_of_time

__all__ = ["OTHER_YEAR", "Window", "closeness", "window"]

_MOST_CHARACTERS = 8_000
# Days over which closeness falls to a half. What falls off over more than a season is no fall, and within less than a
# day there is nothing to tell apart.
_LONGEST_FALL = 92
_SHORTEST_FALL = 1
_FALL_OF_OPEN = 14  # of a window without a beginning
# "in March" names no year: the March of another year may be meant as well, though less likely.
OTHER_YEAR = 0.5
_FULL_WIDTH = {ord("０") + number: str(number) for number in range(10)}


class Window(NamedTuple):
    """The days a question asks about, how surely (0 to 1), the words that say so, and whether no year was named."""

    start: date
    end: date
    certainty: float
    words: str
    yearly: bool = False

    @property
    def span(self) -> Span:
        """The days alone."""
        return Span(self.start, self.end)

    @property
    def open(self) -> bool:
        """Say whether it has no beginning, as "until March" has none."""
        return self.start <= EARLIEST


def window(question: str, now: datetime, first_weekday: int = 0) -> Window | None:
    """Return the surest time that a question names, seen from `now`; the first of equals; None where it names none.

    A week begins with `first_weekday`, which is Monday if it is 0.
    """
    return _surest_window(question[-_MOST_CHARACTERS:], min(max(now.date(), EARLIEST), LATEST), first_weekday)


@lru_cache(maxsize=64)  # a search asks twice
def _surest_window(text: str, today: date, first_weekday: int) -> Window | None:
    if not is_normalized("NFC", text):
        text = normalize("NFC", text)
    text = text.translate(_FULL_WIDTH)
    found: list[NamedSpan] = []
    if not text.isascii() and any("\u3040" <= character <= "\u9fff" for character in text):
        from holdfast.search.moment_cjk import read_cjk

        found = read_cjk(text, today, first_weekday)
    words = pieces(text)
    if words:
        languages = languages_of(words)
        for language, count in languages.items():
            if not speaks_of_time(words, language):
                continue
            from holdfast.search.moment_reader import read

            spoken = count > 0 and count == max(languages.values())
            found += read(signs(words, language, today), today, language, spoken=spoken, first=first_weekday)
    if not found:
        return None
    best = min(found, key=_place)
    for moment in found:  # "the end of March 2024" in one language, "March 2024" in another: the longer says more
        if moment.begin <= best.begin and best.end <= moment.end and moment.end - moment.begin > best.end - best.begin:
            best = moment
    (start, end), sure, begin, stop, yearly = best
    return Window(start, end, sure, text[begin:stop].strip(), yearly)


def closeness(when: date | Span, asked: Window) -> float:
    """Return how well a day, or a run of days, fits a window: 1 inside; half of it one length of the window away."""
    if isinstance(when, Span):
        span = when
    else:
        span = Span(when, when)
    near = _nearness(span, asked.span, asked)
    if asked.yearly and near < OTHER_YEAR:
        for years in {span.start.year - asked.start.year, span.end.year - asked.start.year}:
            if years:
                # Its last day is found from the day after: the last of February moves.
                end = add_days(add_months(add_days(asked.end, 1), 12 * years), -1)
                same_days = Span(add_months(asked.start, 12 * years), end)
                if same_days.start <= same_days.end:
                    near = max(near, OTHER_YEAR * _nearness(span, same_days, asked))
    return near


def _nearness(span: Span, inside: Span, asked: Window) -> float:
    if span.meets(inside):
        shared = (min(span.end, inside.end) - max(span.start, inside.start)).days + 1
        # A note of a month that only touches the window is less to the point than one of a day in it.
        return 0.5 + 0.5 * min(1.0, shared / min(span.days, inside.days))
    if span.end < inside.start:
        gap = (inside.start - span.end).days
    else:
        gap = (span.start - inside.end).days
    if asked.open:
        fall = _FALL_OF_OPEN
    else:
        fall = min(max(inside.days, _SHORTEST_FALL), _LONGEST_FALL)
    if gap >= 60 * fall:
        return 0.0
    return float(0.5 ** (gap / fall))


def _place(moment: NamedSpan) -> tuple[float, int, int]:
    return -moment.sure, moment.begin, -moment.end
