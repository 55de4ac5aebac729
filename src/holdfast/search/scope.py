"""The one filter of every read path: what a caller may see of what the index holds.

A scope that names nothing allows everything. What is not known of a chunk does not pass a filter that asks for it:
a filter that let the unknown through would leak. The store may narrow by `plain`, whose values say the same for paths
and sources, and no less for the rest; `allows` has the last word.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from datetime import UTC, date, datetime, tzinfo
from enum import StrEnum
from functools import lru_cache
from typing import Any

from holdfast.errors import BadArgument
from holdfast.guard.origin import TRUST, Origin, origins_at_least
from holdfast.guard.paths import EXPORTS
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late
from holdfast.search.calendar_spans import Span
from holdfast.value import Value

__all__ = ["Plain", "Scope", "Source", "day_named", "source_of"]

_LAST = "\U0010ffff"
# Read here and not by `window`, which knows the years that questions speak of: a filter may name any day there is.
_ISO_DAY = compile_late(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Source(StrEnum):
    """Says where a note comes from, as a caller may ask for it."""

    MEMORY = "memory"
    SESSIONS = "sessions"
    EXTRA = "extra"


def source_of(path: str, stored: str) -> Source:
    """Return the source of a note; the index stores exported sessions with the other notes of the workspace."""
    if stored == Source.MEMORY and path.startswith(EXPORTS):
        return Source.SESSIONS
    return Source(stored)


class Plain(NamedTuple):
    """A scope as values that a store can compare: half-open ranges of paths in the order of their characters.

    None means that there is no such filter. A path passes when it lies in one of `paths` and in none of `without`.
    """

    paths: tuple[tuple[str, str], ...] | None
    without: tuple[tuple[str, str], ...]
    sources: frozenset[Source] | None
    since: date | None
    until: date | None


class Scope(Value):
    """Holds what is asked for. None asks for nothing in particular; an empty set asks for nothing at all.

    A path names a note (with or without .md) or a folder with all below it; with a `*` at its end, all that starts so.
    """

    agent: str | None = None
    sources: frozenset[str] | None = None
    paths: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()
    categories: frozenset[str] | None = None
    origins: frozenset[str] | None = None
    min_importance: float | None = None
    min_trust: str | None = None
    since: date | None = None
    until: date | None = None
    zone: tzinfo = UTC

    def settle(self, held: dict[str, Any]) -> None:
        """Refuse what can't be meant; take any collection for a set."""
        for name in ("sources", "categories", "origins"):
            if held[name] is not None:
                held[name] = _set_of(name, held[name])
        unknown = sorted((self.sources or frozenset()) - set(Source))
        if unknown:
            raise BadArgument("source", f"{unknown[0]!r} is none of {', '.join(Source)}")
        for name in ("paths", "without"):
            if isinstance(held[name], str):
                raise BadArgument(name, f"it must be a list; write [{held[name]!r}]")
            if held[name] is None:
                held[name] = None
            else:
                held[name] = tuple(held[name])
        if self.min_importance is not None and not 0.0 <= self.min_importance <= 1.0:
            raise BadArgument("min_importance", f"{self.min_importance} is not between 0 and 1")
        if self.min_trust is not None and self.min_trust not in TRUST:
            raise BadArgument("min_trust", f"{self.min_trust!r} is none of {', '.join(reversed(TRUST))}")
        if self.since is not None and self.until is not None and self.since > self.until:
            raise BadArgument("since", f"{self.since} is after {self.until}")

    @property
    def is_open(self) -> bool:
        """Say whether everything passes."""
        return self == Scope(zone=self.zone)

    @property
    def asks_for_paths_only(self) -> bool:
        """Say whether a note passes by its path alone."""
        return self == Scope(paths=self.paths, without=self.without, zone=self.zone)

    @property
    def asks_for_facts(self) -> bool:
        """Say whether nothing but facts can pass: only of them a category, an origin and an importance are known."""
        return self.categories is not None or self.origins is not None or self.min_importance is not None

    def allows(
        self,
        path: str,
        source: str,
        *,
        agent: str | None = None,
        dated: date | Span | None = None,
        mtime: float | None = None,
        category: str | None = None,
        origin: str | None = None,
        importance: float | None = None,
        words_of: str | None = None,
    ) -> bool:
        """Say whether a chunk may be shown. Its date is its own or its note's, else the day its file was last changed.

        `origin` is what a fact says of itself; `words_of` is whose words any chunk is.
        """
        return (
            (self.agent is None or agent == self.agent)
            and (self.sources is None or source_of(path, source) in self.sources)
            and (self.paths is None or any(_under(path, folder) for folder in self.paths))
            and not any(_under(path, folder) for folder in self.without)
            and (self.categories is None or category in self.categories)
            and (self.origins is None or origin in self.origins)
            and (self.min_importance is None or (importance is not None and importance >= self.min_importance))
            and (self.min_trust is None or words_of in self.trusted(is_fact=category is not None))
            and ((self.since is None and self.until is None) or self._in_time(dated, mtime))
        )

    def trusted(self, *, is_fact: bool) -> frozenset[str]:
        """Return the origins that pass.

        What was captured as a fact are the user's words. Captured into another note, it is a model's summary or the
        export of a conversation, which holds everybody's words: it is trusted no more than an agent.
        """
        if self.min_trust is None:
            return frozenset(TRUST)
        found = origins_at_least(Origin(self.min_trust))
        if is_fact or Origin.AGENT in found:
            return found
        return found - {Origin.AUTO_CAPTURE}

    def plain(self) -> Plain:
        """Return the same as values for the store."""
        return Plain(
            None if self.paths is None else _ranges(self.paths),
            _ranges(self.without),
            None if self.sources is None else frozenset(Source(source) for source in self.sources),
            self.since,
            self.until,
        )

    def _in_time(self, dated: date | Span | None, mtime: float | None) -> bool:
        if dated is None:
            dated = _day_of(mtime, self.zone)
            if dated is None:
                return False
        first, last = dated if isinstance(dated, Span) else (dated, dated)
        return (self.since is None or last >= self.since) and (self.until is None or first <= self.until)


def day_named(text: str, now: datetime, *, last: bool = False, first_weekday: int = 0) -> date:
    """Return the day that `--since` or (`last`) `--until` means: a date, or a time such as "last week" or "10 days"."""
    from holdfast.search.time_window import window

    phrase = text.strip()
    if _ISO_DAY.fullmatch(phrase):
        with suppress(ValueError):  # 2026-02-30
            return date.fromisoformat(phrase)
    number, _, unit = phrase.partition(" ") if " " in phrase else (phrase[:-1], "", phrase[-1:])
    unit = {"d": "days", "w": "weeks", "m": "months", "y": "years"}.get(unit, unit)
    if number.isdecimal() and len(number) <= 3:  # "7d", "2 weeks"
        if not last:
            phrase = f"the past {number} {unit}"
        else:
            phrase = f"{number} {unit} ago"
    span = window(phrase, now, first_weekday)
    if span is None:
        raise BadArgument("until" if last else "since", f"{text!r} is not a date; write 2026-03-05, last week or 10d")
    if last:
        return span.end
    return span.start


def _set_of(name: str, values: Collection[str]) -> frozenset[str]:
    if isinstance(values, str):
        raise BadArgument(name, f"it must be a list; write [{values!r}]")
    return frozenset(str(value) for value in values)


def _day_of(mtime: float | None, zone: tzinfo) -> date | None:
    try:
        if mtime is None:
            return None
        return datetime.fromtimestamp(mtime, zone).date()
    except (OverflowError, OSError, ValueError):  # a time stamp that no calendar has
        return None


def _under(path: str, asked: str) -> bool:
    return any(low <= path < high for low, high in _range(asked))


def _ranges(paths: Iterable[str]) -> tuple[tuple[str, str], ...]:
    return tuple(bounds for path in paths for bounds in _range(path))


@lru_cache(maxsize=256)  # a search asks this of every note and every candidate
def _range(asked: str) -> tuple[tuple[str, str], ...]:
    """Return the runs of paths that one asked path stands for."""
    asked = asked.removeprefix("./")
    if asked.endswith("*"):
        start = asked[:-1]
        return ((start, _after(start)),)
    bare = asked.rstrip("/")
    if not bare:
        if not asked:
            return (("", _LAST),)
        return (("/", "0"),)
    below = (bare + "/", bare + "0")  # "0" is the character after "/"
    if asked.endswith("/"):
        return (below,)
    return (bare, bare + "\0"), (bare + ".md", bare + ".md\0"), below


def _after(start: str) -> str:
    """Return the first text that is behind all that begin with `start`."""
    bare = start.rstrip(_LAST)
    if not bare:
        return _LAST
    code = ord(bare[-1]) + 1
    return bare[:-1] + chr(0xE000 if code == 0xD800 else code)  # no text of ours has the halves between
