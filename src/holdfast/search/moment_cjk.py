"""Times in Chinese and Japanese, which are written without spaces: patterns over the text itself.

Every pattern is a run of alternatives without nested repeats, so a text is read in linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import cache

from holdfast.search.calendar_spans import (
    EARLIEST,
    NamedSpan,
    Span,
    add_days,
    add_months,
    month_of,
    valid_date,
    year_of,
)
from holdfast.search.moment_calendar import Calendar, Step

__all__ = ["read_cjk"]

_DIGITS = {sign: number for number, sign in enumerate("零一二三四五六七八九")} | {
    "两": 2,
    "兩": 2,
    "〇": 0,
    "几": 4,
    "幾": 4,
    "数": 4,
}
_NUMBER = "[0-9０-９]{1,3}|[一二三四五六七八九两兩几幾数]?十[一二三四五六七八九]?|[一二三四五六七八九两兩几幾数]"
_DAYS = {
    **dict.fromkeys(("今天", "今日", "今早", "今朝", "今晚", "今夜", "きょう", "本日"), 0),
    **dict.fromkeys(("昨天", "昨日", "昨晚", "昨夜", "昨晩", "きのう"), -1),
    **dict.fromkeys(("前天", "一昨日", "おととい"), -2),
    **dict.fromkeys(("大前天",), -3),
    **dict.fromkeys(("明天", "明日", "あした"), 1),
    **dict.fromkeys(("后天", "後天", "明後日", "あさって"), 2),
}
_YEARS = {"去年": -1, "昨年": -1, "今年": 0, "明年": 1, "来年": 1, "來年": 1, "前年": -2, "一昨年": -2, "おととし": -2}
_UNIT = {
    "天": 0,
    "日": 0,
    "周": 1,
    "週": 1,
    "星期": 1,
    "礼拜": 1,
    "禮拜": 1,
    "月": 2,
    "季度": 3,
    "年": 4,
    "小时": 6,
    "時間": 6,
}
_WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
_WEEKDAYS_JA = {sign: number for number, sign in enumerate("月火水木金土日")}
_SEASONS = {"春": 0, "夏": 1, "秋": 2, "冬": 3}
_WEEK = "(?:周|週|星期|礼拜|禮拜)"
_STEP = {"上上": -2, "先々": -2, "上": -1, "先": -1, "这": 0, "這": 0, "本": 0, "今": 0, "下": 1, "来": 1, "來": 1}
_STEPS = "上上|先々|上|先|这|這|本|今|下|来|來"
_YEAR_WORDS = "一昨年|おととし|去年|昨年|今年|明年|来年|來年|前年"

_Rule = Callable[[re.Match[str], Calendar], tuple[Span, float, bool] | None]


def read_cjk(text: str, today: date, first: int = 0) -> list[NamedSpan]:
    """Return every time that a Chinese or Japanese text names; of those that overlap, the one that starts first."""
    calendar = Calendar(today, first=first)
    pattern, rules = _pattern()
    found: list[NamedSpan] = []
    for match in pattern.finditer(text):
        name = match.lastgroup or ""
        inner = rules[name][0].fullmatch(match[0])
        read = None
        if inner:
            read = rules[name][1](inner, calendar)
        if read is not None:
            found.append(NamedSpan(read[0], read[1], match.start(), match.end(), read[2]))
    return [_apply_bound(moment, text, today) for moment in _ranges(found, text)]


def _ranges(found: list[NamedSpan], text: str) -> list[NamedSpan]:
    """Join "三月到五月": two times with a word for `to` between them are one."""
    joined: list[NamedSpan] = []
    for moment in found:
        if joined and text[joined[-1].end : moment.begin].strip() in (
            "到",
            "至",
            "から",
            "~",
            "〜",
            "～",
            "-",
            "和",
            "与",
            "と",
        ):
            first = joined[-1]
            start = first.span.start
            if first.yearly:
                start = add_months(start, 12 * (moment.span.start.year - start.year))
                if start > moment.span.end:
                    start = add_months(start, -12)
            if start <= moment.span.end:
                span = Span(start, moment.span.end)
                joined[-1] = NamedSpan(
                    span, 0.95 * min(first.sure, moment.sure), first.begin, moment.end, moment.yearly
                )
                continue
        joined.append(moment)
    return joined


def _apply_bound(moment: NamedSpan, text: str, today: date) -> NamedSpan:
    """Return a time with a word after it that makes it a beginning or an end."""
    match = _bounds().match(text, moment.end)
    if match is None:
        return moment
    start, end = moment.span
    if match.lastgroup in ("since", "after"):
        if not (match.lastgroup == "since" or "以降" in match[0]):
            start = add_days(end, 1)
        if start <= today:
            end = today
        else:
            end = add_days(start, 366)
    else:
        start, end = EARLIEST, end if match.lastgroup == "until" else add_days(start, -1)
    return NamedSpan(Span(start, max(start, end)), 0.9 * moment.sure, moment.begin, match.end())


def _number(text: str) -> int:
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    value = _DIGITS.get(ones, 0)
    if not ten:
        return value
    return value + 10 * _DIGITS.get(tens, 1)


def _date(match: re.Match[str], calendar: Calendar) -> tuple[Span, float, bool] | None:
    year = None
    if match["y"]:
        year = int(match["y"])
    if match["word"]:
        year = calendar.today.year + _YEARS[match["word"]]
    month = None
    if match["m"]:
        month = _number(match["m"])
    if month is None:
        if year is None or not valid_date(year, 1, 1):
            return None
        return year_of(year), 0.85, False
    if not 1 <= month <= 12 or (year is not None and not valid_date(year, 1, 1)):
        return None
    if match["d"] is None:
        if year is None:
            return (calendar.month(month), 0.7, True)
        return (month_of(year, month), 0.95, False)
    day = valid_date(year or calendar.month(month).start.year, month, _number(match["d"]))
    if day is None:
        return None
    if year is None and day > calendar.today:
        day = add_months(day, -12)
    return Span(day, day), 0.85 if year is None else 0.98, year is None


def _season(match: re.Match[str], calendar: Calendar) -> tuple[Span, float, bool] | None:
    season = _SEASONS[match["season"]]
    if match["word"]:
        return calendar.season_in(season, calendar.today.year + _YEARS[match["word"]]), 0.8, False
    if match["y"]:
        year = int(match["y"])
        if not valid_date(year, 1, 1):
            return None
        return (calendar.season_in(season, year), 0.85, False)
    return calendar.season(season), 0.5, True


def _weekday(match: re.Match[str], calendar: Calendar) -> tuple[Span, float, bool] | None:
    if match["zh"]:
        weekday = _WEEKDAYS[match["zh"]]
    else:
        weekday = _WEEKDAYS_JA[match["ja"]]
    if match["step"] is None:
        return calendar.weekday(weekday), 0.65, False
    monday = calendar.unit(1, _STEP[match["step"]]).start
    day = add_days(monday, weekday)
    return Span(day, day), 0.85, False


def _unit(match: re.Match[str], calendar: Calendar) -> tuple[Span, float, bool] | None:
    unit = 5
    if not match["unit"].endswith("末"):
        unit = _UNIT[match["unit"]]
    return calendar.unit(unit, _STEP[match["step"]]), 0.9, False


def _ago(match: re.Match[str], calendar: Calendar) -> tuple[Span, float, bool] | None:
    return calendar.away(_UNIT[match["unit"] or "月"], -_number(match["n"])), 0.85, False


def _past(match: re.Match[str], calendar: Calendar) -> tuple[Span, float, bool] | None:
    return calendar.past(_UNIT[match["unit"] or "月"], _number(match["n"])), 0.85, False


def _day(match: re.Match[str], calendar: Calendar) -> tuple[Span, float, bool] | None:
    day = add_days(calendar.today, _DAYS[match[0]])
    return Span(day, day), 0.9, False


def _weekend(_: re.Match[str], calendar: Calendar) -> tuple[Span, float, bool] | None:
    return calendar.unit(5, Step.LAST if calendar.today.weekday() < 5 else Step.THIS), 0.6, False


def _recent(_: re.Match[str], calendar: Calendar) -> tuple[Span, float, bool] | None:
    return Span(add_days(calendar.today, -30), calendar.today), 0.3, False


@cache
def _bounds() -> re.Pattern[str]:
    return re.compile(
        "(?P<since>以来|以來|起)|(?P<until>まで|为止|為止)|(?P<after>之后|之後|以后|以後|以降)"
        "|(?P<before>之前|以前|より前|前)"
    )


@cache
def _pattern() -> tuple[re.Pattern[str], dict[str, tuple[re.Pattern[str], _Rule]]]:
    """Return the rules as one pattern, and each alone.

    The first that fits at a place is taken, so the longer come first.
    """
    year = f"(?:(?P<y>[0-9]{{4}})年|(?P<word>{_YEAR_WORDS})の?)"
    count = f"(?P<n>{_NUMBER})"
    # "三月前" is before March; "三个月前" is three months ago.
    units = "天|日|周|週|星期|礼拜|禮拜|年|小时|時間"
    counted = f"{count}(?:(?:个|個|か|ヶ|カ|ケ)?(?P<unit>{units})|(?:个|個|か|ヶ|カ|ケ)(?P<months>月))(?:間|间)?"
    weekday = f"(?:{_WEEK}?の?(?P<ja>[月火水木金土日])曜日?|{_WEEK}(?P<zh>[一二三四五六日天]))"
    month = "(?P<m>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月(?![曜天])"
    unit = f"{_WEEK}末|周|週|星期|礼拜|禮拜|月(?!曜|[0-9一二三四五六七八九十])|季度"
    each: list[tuple[str, str, _Rule]] = [
        ("past", f"(?:过去|過去|最近|近|ここ|この)(?:的|の)?{counted}(?!之?前)", _past),
        ("ago", f"{counted}(?:之|以)?前", _ago),
        ("weekday", f"(?:(?P<step>{_STEPS})(?:个|個|一?{_WEEK}(?=の))?)?{weekday}", _weekday),
        ("season", f"{year}?(?P<season>[春夏秋冬])(?:天|季|に|の|休み|节)", _season),
        ("seasoned", f"{year}(?P<season>[春夏秋冬])", _season),
        ("date", f"{year}?{month}(?:份|(?P<d>{_NUMBER})[日号號])?", _date),
        ("year", f"{year}(?P<m>(?!))?(?P<d>(?!))?", _date),
        ("unit", f"(?P<step>{_STEPS})(?:个|個|一)?(?P<unit>{unit})", _unit),
        ("day", "|".join(sorted(_DAYS, key=len, reverse=True)), _day),
        ("weekend", "周末|週末", _weekend),
        ("recent", "最近|近来|近來|この頃|このごろ", _recent),
    ]
    rules = {name: (re.compile(pattern), rule) for name, pattern, rule in each}
    inner = re.compile(r"\?P<\w+>")
    parts = (f"(?P<{name}>{inner.sub('?:', pattern)})" for name, pattern, _ in each)
    return re.compile("|".join(parts)), rules
