"""A question → signs: its words, each with what it may mean for time in one language.

A word that means nothing here, and a mark that ends a thought, become signs that no rule reads across.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from datetime import date
from functools import cache

from holdfast.named_tuple import NamedTuple
from holdfast.search.calendar_spans import Span, day_of, month_of, valid_date, week_of
from holdfast.search.moment_words import LANGUAGES, SMALL

__all__ = ["Sign", "languages_of", "pieces", "signs", "speaks_of_time"]

_MOST_PIECES = 300  # of the end of the text: who pastes more before a question means the end
_LONGEST_PHRASE = 4
_NOTHING: Mapping[str, int] = {}
_PLACED = ("month", "weekday", "season", "unit")
_TELLING = frozenset((*_PLACED, "day", "feast", "recent"))
_JOINED = frozenset(("", ",", "'", "’"))
_DASHES = frozenset("-–—‐‑")


class Sign(NamedTuple):
    """A word or phrase and what it may mean; `span` for a date written in figures."""

    means: Mapping[str, int]
    begin: int
    end: int
    weak: bool = False
    verb: bool = False
    capital: bool = False
    comma: bool = False
    span: Span | None = None


class Piece(NamedTuple):
    """A word as it stands in the text, and what stands between it and the one before."""

    raw: str
    word: str
    begin: int
    gap: str


class _Lexicon(NamedTuple):
    means: Mapping[str, Mapping[str, int]]
    longest: Mapping[str, int]
    weak: frozenset[str]
    verbs: frozenset[str]
    telling: frozenset[str]


@cache
def _pieces() -> re.Pattern[str]:
    # A date in figures must not be the end or the beginning of an id, a path or a version.
    figures = (
        r"\d{4}([-/.])\d{1,2}\1\d{1,2}(?:T\d\d:\d\d(?::\d\d)?Z?)?"
        r"|\d{1,2}([/.])\d{1,2}\2\d{4}|\d{4}-(?:W?\d\d)|Q[1-4](?= ?[/-]? ?\d{4}\b|\b)"
    )
    return re.compile(rf"(?<![\w./-])(?:{figures})(?![\w/-]|\.\d)|\w+")


def pieces(text: str) -> list[Piece]:
    """Return the words of a text, and its dates in figures."""
    found: list[Piece] = []
    before = 0
    for match in _pieces().finditer(text):
        raw = match[0]
        found.append(Piece(raw, raw.casefold(), match.start(), text[before : match.start()]))
        before = match.end()
    return found[-_MOST_PIECES:]


def languages_of(words: list[Piece]) -> dict[str, int]:
    """Return the languages the question may be in, with how many of their small words it has; English always may be."""
    held = {piece.word for piece in words}
    if any("Ѐ" <= word[0] <= "ӿ" for word in held):
        return {"ru": 1, "en": len(held & SMALL["en"])}
    counts = {language: len(held & small) for language, small in SMALL.items()}
    most = max(counts.values())
    # One small word says little, since languages share them; the words of time then decide.
    likely = {language: count for language, count in counts.items() if count == most or language == "en" or most < 2}
    return {language: count for language, count in likely.items() if language in LANGUAGES}


def speaks_of_time(words: list[Piece], language: str) -> bool:
    """Say whether there is anything to read at all; most questions name no time, and need no closer look."""
    telling = _lexicon(language).telling
    return any(piece.word in telling or (len(piece.word) > 3 and piece.word[0].isdigit()) for piece in words)


def signs(words: list[Piece], language: str, today: date) -> list[Sign]:
    """Return the signs of one language."""
    lexicon = _lexicon(language)
    read: list[Sign] = []
    at = 0
    while at < len(words):
        piece = words[at]
        if read:
            _join(read, words, at)
        length, means = _longest(lexicon, words, at)
        last = words[at + length - 1]
        span: Span | None = None
        if not means and piece.raw[0].isdigit():
            means, span = _figures(piece.raw, language, today)
        elif not means and len(piece.raw) == 2 and piece.word[0] == "q" and "1" <= piece.word[1] <= "4":
            means = {"quarter": int(piece.word[1])}
        key = " ".join(piece.word for piece in words[at : at + length])
        read.append(
            Sign(
                means,
                piece.begin,
                last.begin + len(last.raw),
                weak=key in lexicon.weak,
                verb=key in lexicon.verbs,
                capital=piece.raw[0].isupper() and not (len(piece.raw) > 1 and piece.raw.isupper()),
                comma="," in piece.gap,
                span=span,
            )
        )
        at += length
    return read


def _join(read: list[Sign], words: list[Piece], at: int) -> None:
    """Add what the gap before a word means: nothing, the end of a thought, or `to`."""
    before, piece = words[at - 1], words[at]
    bare = piece.gap.strip()
    if bare in _JOINED:
        return
    if bare in _DASHES:
        read.append(Sign({"to": 1, "dash": 1}, piece.begin - 1, piece.begin))
    elif not (bare == "." and piece.gap[-1].isspace() and (before.raw.isdigit() or len(before.raw) <= 4)):
        read.append(Sign({"break": 1}, piece.begin - 1, piece.begin))


def _longest(lexicon: _Lexicon, words: list[Piece], at: int) -> tuple[int, Mapping[str, int]]:
    most = min(lexicon.longest.get(words[at].word, 1), len(words) - at)
    for length in range(most, 1, -1):
        phrase = words[at : at + length]
        if all(piece.gap.strip() in ("", "'", "’", "-", "‑") for piece in phrase[1:]):
            means = lexicon.means.get(" ".join(piece.word for piece in phrase))
            if means is not None:
                return length, means
    return 1, lexicon.means.get(words[at].word, _NOTHING)


def _figures(raw: str, language: str, today: date) -> tuple[Mapping[str, int], Span | None]:
    """Return what a word that starts with a digit means: a number, a day of the month, a year or a whole date."""
    if raw.isdecimal():
        value = int(raw[:5])
        if len(raw) == 4 and valid_date(value, 1, 1):
            return {"year": value}, None
        return ({"number": value} if len(raw) <= 3 else _NOTHING), None
    ordinal = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th|er|e|º|ª|го|е)", raw, re.IGNORECASE)
    if ordinal:
        return {"nth": int(ordinal[1])}, None
    if not re.fullmatch(r"[\d/.:TWZ-]+", raw):
        return _NOTHING, None
    numbers = [int(number[:5]) for number in re.findall(r"\d+", raw)]
    day: date | None = None
    sure = 96
    if "W" in raw and len(numbers) > 1:
        fourth = valid_date(numbers[0], 1, 4)  # always in the first week
        if fourth and 1 <= numbers[1] <= 53:
            monday = date.fromordinal(week_of(fourth).start.toordinal() + 7 * (numbers[1] - 1))
            return {"date": sure}, week_of(monday)
    elif len(numbers) == 2 and "-" in raw:
        if valid_date(numbers[0], numbers[1], 1):
            years = numbers[1] == (numbers[0] + 1) % 100  # 2011-12 may be two years as well
            return {"date": 60 if years else 95}, month_of(numbers[0], numbers[1])
    elif len(numbers) >= 3 and re.match(r"\d{4}", raw):
        day = valid_date(numbers[0], numbers[1], numbers[2])
    elif len(numbers) == 3:
        first, second, year = numbers
        readings = [valid_date(year, second, first), valid_date(year, first, second)]
        if language == "en" and "/" in raw:
            readings.reverse()
        past = [day for day in readings if day and day <= today] or [day for day in readings if day]
        day = None
        if past:
            day = past[0]
        if len(set(past)) > 1 and "/" in raw:
            sure = 60
        else:
            sure = 95
    if day:
        return ({"date": sure}, day_of(day))
    return (_NOTHING, None)


@cache
def _lexicon(language: str) -> _Lexicon:
    means: dict[str, dict[str, int]] = {}
    weak: set[str] = set()
    verbs: set[str] = set()
    for kind, entries in _entries(LANGUAGES[language]):
        groups = entries.split("|")
        for place, group in enumerate(groups):
            for entry in group.split(","):
                word, _, value = entry.strip().partition("=")
                mark = ""
                if word[0] in "~!":
                    mark, word = word[0], word[1:]
                number = _value(kind, place, value)
                plain = _unaccented(word)
                for form in {word, plain} if len(word) > 4 else {word}:
                    means.setdefault(form, {}).setdefault(kind, number)
                    if mark or (form != word and kind in _PLACED):
                        weak.add(form)
                    if mark == "!":
                        verbs.add(form)
    longest: dict[str, int] = {}
    telling = {"q1", "q2", "q3", "q4"}
    for phrase, kinds in means.items():
        first, *rest = phrase.split(" ")
        if not _TELLING.isdisjoint(kinds):
            telling.add(rest[-1] if rest else first)
        longest[first] = min(_LONGEST_PHRASE, max(longest.get(first, 1), 1 + len(rest)))
    return _Lexicon(means, longest, frozenset(weak), frozenset(verbs), frozenset(telling))


def _entries(table: str) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    for line in table.strip().split("\n"):
        if line.startswith(" "):
            kind, entries = rows.pop()
            rows.append((kind, f"{entries} {line.strip()}"))
        else:
            kind, _, entries = line.partition(": ")
            rows.append((kind, entries))
    return rows


def _value(kind: str, place: int, value: str) -> int:
    if kind == "feast":
        return int(value.replace("-", ""))
    if kind in _PLACED:
        if kind != "month":
            return place
        return place + 1
    if not value:
        return 1
    return int(value)


def _unaccented(word: str) -> str:
    return "".join(
        character for character in unicodedata.normalize("NFD", word) if not "\u0300" <= character <= "\u036f"
    )
