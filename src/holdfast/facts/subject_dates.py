"""The days and years that a sentence names: since when it holds, and a date as a value, however it is written.

Only what is written out counts: which week "next week" is, a sentence does not say once it is a month old.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import cache
from typing import Final

from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = ["Began", "DatedSentence", "date_meant", "dates_agree", "said_since"]

_MONTHS: Final = (
    "january jan januar janvier enero janeiro gennaio jänner",
    "february feb februar février febrero fevereiro febbraio",
    "march mar märz mars marzo março",
    "april apr avril abril aprile",
    "may mai mayo maio maggio",
    "june jun juni juin junio junho giugno",
    "july jul juli juillet julio julho luglio",
    "august aug août agosto",
    "september sept sep septembre septiembre setembro settembre",
    "october oct oktober octobre octubre outubro ottobre",
    "november nov novembre noviembre novembro",
    "december dec dezember décembre diciembre dezembro dicembre",
)
_MONTH_OF: Final = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_SEASON_OF: Final = {
    name: season
    for season, names in (
        ("spring", "spring frühling frühjahr printemps primavera"),
        ("summer", "summer sommer été verano estate verão"),
        ("autumn", "autumn fall herbst automne otoño autunno outono"),
        ("winter", "winter hiver invierno inverno"),
    )
    for name in names.split()
}
_WEEKDAYS: Final = (
    "monday montag lundi lunes lunedì segunda-feira",
    "tuesday dienstag mardi martes martedì terça-feira",
    "wednesday mittwoch mercredi miércoles mercoledì quarta-feira",
    "thursday donnerstag jeudi jueves giovedì quinta-feira",
    "friday freitag vendredi viernes venerdì sexta-feira",
    "saturday samstag sonnabend samedi sábado sabato",
    "sunday sonntag dimanche domingo domenica",
)
_WEEKDAY_OF: Final = {name: number for number, names in enumerate(_WEEKDAYS) for name in names.split()}
_YEAR: Final = r"(?:19|20)\d\d"
_DAY: Final = r"\d{1,2}(?:st|nd|rd|th|\.|er|º|°)?"
_OF: Final = r"(?: of| de| del| di)?"
_HAS_YEAR: Final = compile_late(r"(?:19|20)[0-9][0-9]")
_UNKNOWN: Final = "?"


class Began(NamedTuple):
    """A time that a sentence names: the first and the last day that it can mean."""

    first: date
    last: date


class DatedSentence(NamedTuple):
    """A sentence without the words that say since when, and that time; `once` where it is when something happened.

    `several` marks one that names another year as well: then it tells a story, and not one thing.
    """

    sentence: str
    began: Began
    once: bool
    several: bool


def said_since(sentence: str) -> DatedSentence | None:
    """Return when what a sentence says began, where it names a year: "since May 2020", "im Jahr 2019"."""
    if not _HAS_YEAR.search(sentence):
        return None
    for pattern, once in _times():
        found = pattern.search(sentence)
        began = None
        if found is not None:
            began = _period(found["d"])
        if found is not None and began is not None:
            # With a gap in its place: what stood behind it is no part of what stood before.
            left = f"{sentence[: found.start()]} {sentence[found.end() :]}"
            return DatedSentence(" ".join(left.split()).strip(" ,"), began, once, _HAS_YEAR.search(left) is not None)
    return None


def date_meant(value: str) -> str:
    """Return a date as a value, in one spelling; "" for what is none. Its first letter says what kind of date it is."""
    bare = _lead().sub("", value.strip(" .,"), count=1)
    if bare in _SEASON_OF:
        return f"s{_SEASON_OF[bare]}"
    if bare in _WEEKDAY_OF:
        return f"w{_WEEKDAY_OF[bare]}"
    if re.fullmatch(rf"(?:q[1-4])(?: {_YEAR})?", bare):
        return f"q{bare}"
    if re.fullmatch(r"\d{1,2}[/-]\d{1,2}(?:[/-]\d{2,4})?", bare):
        return f"n{bare.replace('-', '/')}"  # which of the two is the month differs from country to country
    parts = _parts(bare)
    if parts is None:
        return ""
    return "d" + "-".join(str(part or _UNKNOWN) for part in parts)


def dates_agree(day: str, other: str) -> bool:
    """Say whether two dates can be the same day, as far as each says; a weekday can be any date."""
    if day[:1] != other[:1]:
        return True
    if not day.startswith("d"):
        return day == other
    return all(
        first == second or _UNKNOWN in (first, second)
        for first, second in zip(day[1:].split("-"), other[1:].split("-"), strict=True)
    )


def _parts(words: str) -> tuple[int, int, int] | None:
    """Return the year, month and day that a date names; 0 for those that it does not."""
    found = _date().fullmatch(words)
    if found is None:
        return None
    said = {name: text for name, text in found.groupdict().items() if text}
    month = next((text for name, text in said.items() if name.startswith("m")), "")
    year, day = (next((text for name, text in said.items() if name.startswith(kind)), "0") for kind in "yd")
    number = _MONTH_OF.get(month, 0)
    if month.isdecimal():
        number = int(month)
    days = int(re.sub(r"\D", "", day))
    if number <= 12 and days <= 31:
        return (int(year), number, days)
    return None


def _period(words: str) -> Began | None:
    parts = _parts(words)
    if parts is None or not parts[0]:
        return None
    year, month, day = parts
    try:
        first = date(year, month or 1, day or 1)
    except ValueError:
        return None
    if day:
        return Began(first, first)
    if month in (0, 12):
        after = date(year + 1, 1, 1)
    else:
        after = date(year, month + 1, 1)
    return Began(first, after - timedelta(1))


def _named() -> str:
    return "|".join(sorted(_MONTH_OF, key=len, reverse=True))


@cache
def _date() -> re.Pattern[str]:
    month = _named()
    return re.compile(
        rf"(?P<d1>{_DAY}){_OF} (?P<m1>{month})\.?(?:,?{_OF} (?P<y1>{_YEAR}))?"
        rf"|(?P<m2>{month})\.? (?P<d2>{_DAY})(?:,? (?P<y2>{_YEAR}))?"
        rf"|(?P<m3>{month})\.?(?:{_OF} (?P<y3>{_YEAR}))?"
        rf"|(?P<y4>{_YEAR})-(?P<m4>\d\d)(?:-(?P<d4>\d\d))?"
        rf"|(?P<d5>\d{{1,2}})\. ?(?P<m5>\d{{1,2}})\.? ?(?P<y5>{_YEAR})?"
        rf"|(?P<y6>{_YEAR})"
    )


@cache
def _lead() -> re.Pattern[str]:
    days = "|".join(_WEEKDAY_OF)
    small = r"(?:on|in|at|am|im|in|le|el|en|em|no|na|dia|day|the|der|den|dem|l'|il|nel|a|o|au)"
    return re.compile(rf"(?:{small} |l')*(?:(?:{days}),? (?=\d)(?:the |den |le |el )?)?")


@cache
def _times() -> tuple[tuple[re.Pattern[str], bool], ...]:
    named = _named()
    when = (
        rf"(?P<d>(?:{_DAY}{_OF} (?:{named})\.?,?{_OF} |(?:{named})\.? {_DAY},? |(?:{named})\.?{_OF} )?{_YEAR}"
        rf"|{_YEAR}-\d\d(?:-\d\d)?|\d{{1,2}}\. ?\d{{1,2}}\. ?{_YEAR})(?![\w-])"
    )
    since = r"(?:since|as of|seit(?: dem| anfang| ende| mitte)?|depuis(?: le)?|desde(?: el| o)?|dal|dall'|a partir de)"
    year = r"(?:(?: the)? year| jahre?| l'année| el año| o ano)?"
    at = rf"(?:back )?(?:in|on|im|am|en|le|el|em|nel|no)(?: the)?{year}"
    return (
        (re.compile(rf"(?<!\w){since} {when}"), False),
        (re.compile(rf"(?<!\w){at} {when}"), True),
        # In German a year needs no word before it.
        (re.compile(rf"(?:^|(?<=\bbin )){when}(?= bin ich| (?:von|nach) )"), True),
    )
