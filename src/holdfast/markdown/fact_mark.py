"""The mark behind the words of a fact: a trailing HTML comment that says all that an index could not rebuild.

    - I prefer green tea <!-- fact id=k3x9 importance=.8 origin=user observed=2026-11-15 -->

Reading and writing lose nothing: keys that this version does not know, and values that it can't use, are kept as they
stand and in their order, and a comment that is not ours is left among the words. The last mark of a line counts, and
writing puts it at the end, so no words can bring along a mark that is taken for the one we wrote. No value can end the
comment or the line: what could is written as in URLs (`%3E`), and a value with blanks in it stands in quotes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Any

from holdfast.errors import BadArgument
from holdfast.guard.origin import Origin
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late
from holdfast.value import Value

__all__ = ["Mark", "MarkedLine", "has_mark", "lines_to_mark", "read", "read_entry", "write"]

_NAME = "fact"
_OPEN, _CLOSE = "<!--", "-->"
# Possessive: no input makes it look twice. A quote that nobody closed takes all that follows.
_TOKEN = compile_late(r'(?:[^\s"]++|"[^"]*+"?)++')
_ID = compile_late(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}")
_SHARE = compile_late(r"(?=[.0-9])[01]?(?:\.[0-9]{1,9})?")
_DAY = compile_late(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_COUNT = compile_late(r"[1-9][0-9]{0,8}")
_ORIGINS = frozenset(map(str, Origin))
_ESCAPES = compile_late(r"(?:%[0-9A-Fa-f]{2})+")
_ESCAPED = compile_late(r"[%\"<>]|(?<=-)-|[^\x20-\x7e]")


class Mark(Value):
    """The data of a fact beside its words; None, "" and 0 are what the mark does not say."""

    id: str = ""
    importance: float | None = None
    """0 to 1, in thousandths."""
    origin: Origin | None = None
    observed: date | None = None
    valid_from: date | None = None
    valid_until: date | None = None
    session: str = ""
    supersedes: tuple[str, ...] = ()
    """The ids of the facts whose place it took."""
    superseded_by: str = ""
    reinforced: int = 0
    """The number of times it was said again."""
    reinforced_on: date | None = None
    rule: str = ""
    """The rule by which one fact takes the place of another."""
    category: str = ""
    """The category that it had before it went to the archive."""
    restored: date | None = None
    """The day on which it came back from there."""
    message: str = ""
    """The message of the session that said it."""
    rest: tuple[str, ...] = ()
    """Words of the mark that this version does not understand, as they are written."""

    def settle(self, held: dict[str, Any]) -> None:
        """Raise BadArgument for values that could not be read back as they are."""
        if self.importance is not None:
            if not 0.0 <= self.importance <= 1.0:
                raise BadArgument("importance", f"{self.importance} is not between 0 and 1")
            held["importance"] = round(float(self.importance), 3)
        for name in ("supersedes", "rest"):
            held[name] = tuple(held[name])
        for fact_id in (*self.supersedes, *filter(None, (self.id, self.superseded_by))):
            if not _ID.fullmatch(fact_id):
                raise BadArgument("id", f"{fact_id!r} must be 1 to 64 letters, digits and any of _ . : -")
        if not 0 <= self.reinforced < 10**9:
            raise BadArgument("reinforced", f"{self.reinforced} is no count")
        for name in ("session", "message", "rule", "category"):
            if held[name] and not _is_encodable(held[name]):
                raise BadArgument(name, "it has half a character")
        if not self.rest:
            return
        joined = " ".join(self.rest)
        if tuple(_TOKEN.findall(joined)) != self.rest or _OPEN in joined or _CLOSE in joined:
            raise BadArgument("rest", "these are no words of a mark")
        if not _mark_words(self):
            raise BadArgument("rest", "a mark must say something that is understood, or it is no mark")


class MarkedLine(NamedTuple):
    """A line, or the lines of an entry, without the mark; and the mark, if there is one."""

    words: str
    mark: Mark | None


def read(line: str) -> MarkedLine:
    """The words of a line and its mark; words that stand behind the mark stay words."""
    span = _find_mark(line)
    if span is None:
        return MarkedLine(line, None)
    # An editor that breaks lines may have broken the comment; the lines below must keep their numbers.
    broken = "\n" * line.count("\n", span.begin, span.end)
    return MarkedLine(line[: span.begin].removesuffix(" ") + broken + line[span.end :], span.mark)


def read_entry(text: str) -> MarkedLine:
    """The words of an entry of one or more lines, as many as before, and its mark.

    The mark of the first line counts before any below it; it may stand below where somebody's editor broke the line.
    """
    first, line_end, below = text.partition("\n")
    words, mark = read(first)
    if mark is not None:
        return MarkedLine(f"{words}{line_end}{below}", mark)
    if below:
        return read(text)
    return MarkedLine(text, None)


def lines_to_mark(text: str) -> int:
    """Return how many lines an entry has up to the end of its mark; 0 without one."""
    if _find_mark(text.partition("\n")[0]) is not None:
        return 1
    span = _find_mark(text)
    if span is None:
        return 0
    return text.count("\n", 0, span.end) + 1


def write(words: str, mark: Mark | None) -> str:
    """The line that reads as these words and this mark."""
    if "\n" in words or "\r" in words:
        raise BadArgument("words", "a mark stands on one line; give the first line of the entry")
    if mark is None:
        return words
    return f"{words} {_OPEN} {' '.join((_NAME, *_mark_words(mark), *mark.rest))} {_CLOSE}"


def has_mark(text: str) -> bool:
    """Say whether any line of a text would read as marked.

    Text from elsewhere must not bring its own origin along.
    """
    return read(text).mark is not None


class _MarkSpan(NamedTuple):
    """A mark, and where its comment begins and ends."""

    begin: int
    end: int
    mark: Mark


def _find_mark(text: str) -> _MarkSpan | None:
    """Return the last mark of a text, or None."""
    end = len(text)
    # From the end, and no part of the line twice: a line of nothing but openings costs no more than any other.
    while (close := text.rfind(_CLOSE, 0, end)) >= 0 and (begin := text.rfind(_OPEN, 0, close)) >= 0:
        close = text.find(_CLOSE, begin + len(_OPEN), close + len(_CLOSE))
        # In `code` it is an example.
        mark = None
        if text[begin - 1 : begin] != "`":
            mark = _read_body(text[begin + len(_OPEN) : close])
        if mark is not None:
            return _MarkSpan(begin, close + len(_CLOSE), mark)
        end = begin
    return None


def _mark_words(mark: Mark) -> list[str]:
    """Return the words of a mark, one for each key that it says."""
    entries = [(name, key, getattr(mark, key.field)) for name, key in _KEYS.items()]
    # An importance of 0 is said; a count of 0 is not.
    return [
        f"{name}={key.show(value)}" for name, key, value in entries if value or (value == 0 and name == "importance")
    ]


def _read_body(body: str) -> Mark | None:
    """Return the mark that a comment is, or None where it is somebody else's."""
    name, *tokens = _TOKEN.findall(body.strip()) or [""]
    if name != _NAME:
        return None
    known: dict[str, Any] = {}
    rest: list[str] = []
    for token in tokens:
        key = _KEYS.get(token.partition("=")[0])
        value = None
        if key is not None and key.field not in known:
            value = key.parse(_value_of(token))
        if key is None or value is None:
            rest.append(token)
        else:
            known[key.field] = value
    if rest and not known:
        return None  # <!-- fact check this -->
    return Mark(**known, rest=tuple(rest))


def _value_of(token: str) -> str:
    value = token.partition("=")[2]
    if len(value) >= 2 and value[0] == value[-1] == '"':
        value = value[1:-1]
    if "%" in value:
        return _ESCAPES.sub(_unescape, value)
    return value


def _unescape(match: re.Match[str]) -> str:
    try:
        return bytes.fromhex(match[0].replace("%", "")).decode("utf-8")
    except UnicodeDecodeError:
        return match[0]


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    if not character.isascii() and character.isprintable():
        return character
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8"))


def _text(value: str) -> str:
    escaped = _ESCAPED.sub(_escape, value)
    if " " in escaped or not escaped:
        return f'"{escaped}"'
    return escaped


def _share(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".").removeprefix("0") or "0"


def _is_encodable(value: str) -> bool:
    """Say whether a text can be written as UTF-8."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _read_text(value: str) -> str | None:
    if value and _is_encodable(value):
        return value
    return None


def _read_id(value: str) -> str | None:
    return value if _ID.fullmatch(value) else None


def _read_ids(value: str) -> tuple[str, ...] | None:
    ids = tuple(value.split(","))
    if not all(map(_ID.fullmatch, ids)):
        return None
    return ids


def _read_share(value: str) -> float | None:
    if _SHARE.fullmatch(value) and float(value) <= 1.0:
        return float(value)
    return None


def _read_origin(value: str) -> Origin | None:
    if value not in _ORIGINS:
        return None
    return Origin(value)


def _read_day(value: str) -> date | None:
    try:
        if not _DAY.fullmatch(value):
            return None
        return date.fromisoformat(value)
    except ValueError:
        return None


def _read_count(value: str) -> int | None:
    if not _COUNT.fullmatch(value):
        return None
    return int(value)


class _Key(NamedTuple):
    """A key of a mark: the field it fills, and how its value is read and shown."""

    field: str
    parse: Callable[[str], Any]
    show: Callable[[Any], str]


_KEYS = {
    "id": _Key("id", _read_id, _text),
    "importance": _Key("importance", _read_share, _share),
    "origin": _Key("origin", _read_origin, str),
    "observed": _Key("observed", _read_day, date.isoformat),
    "from": _Key("valid_from", _read_day, date.isoformat),
    "until": _Key("valid_until", _read_day, date.isoformat),
    "session": _Key("session", _read_text, _text),
    "message": _Key("message", _read_text, _text),
    "supersedes": _Key("supersedes", _read_ids, lambda ids: _text(",".join(ids))),
    "superseded_by": _Key("superseded_by", _read_id, _text),
    "reinforced": _Key("reinforced", _read_count, str),
    "last": _Key("reinforced_on", _read_day, date.isoformat),
    "rule": _Key("rule", _read_text, _text),
    "category": _Key("category", _read_text, _text),
    "restored": _Key("restored", _read_day, date.isoformat),
}
