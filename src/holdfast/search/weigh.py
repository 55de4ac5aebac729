"""What is known of a note beside its words: its date, the time that was asked for, its use and its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from holdfast.index.store import StoredChunk
from holdfast.search.boost import Boosts, Signals, age_of, boosted
from holdfast.search.dates import chunk_span, note_span
from holdfast.search.exact import Named
from holdfast.search.scope import source_of
from holdfast.search.spans import Span
from holdfast.search.standing import Standing, ordered
from holdfast.settings.values import BoostSettings, SearchSettings, TemporalDecaySettings

if TYPE_CHECKING:
    from holdfast.search.moments import Window

__all__ = ["Use", "Weighing", "weighed"]

# Reading times takes word lists of ten languages; most questions hold no sign of one, and do without.
_MAY_HOLD_A_TIME = re.compile(
    r"\d|[^\x00-\x7f]|day|week|month|year|ago|last|past|recent|today|tonight|morning|evening|night|noon|since|until|till|"
    r"before|after|between|during|earlier|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|spring|summer|autumn|fall|"
    r"winter|quarter|christmas|easter|heute|gestern|vor|seit|woche|monat|jahr|letzt|tag|abend|hier|semaine|mois|jour|"
    r"depuis|dernier|an|ayer|hoy|semana|mes|dia|pasad|ano|ontem|hoje|passad|ieri|oggi|settiman|mese|giorno|scors|fa|"
    r"gisteren|vandaag|maa|jaar|vorig|weken|dag|geleden|feira|terca|quint|sext|sab|dom|lun|mier|juev|vier|lundi|jeud|vend|sam|"
    r"mon|tue|wed|thu|fri|sat|sun|die|mit|don|fre|son|ani|luni",
    re.IGNORECASE,
)
_RECENCY = 0.4
_TIME = 0.5


class Use(NamedTuple):
    """How often a text was read after a search had found it, and how many days ago last."""

    times: float
    idle_days: float


_UNUSED = Use(0.0, 0.0)


class Weighing(NamedTuple):
    """The moment a question is asked, by whom, and how much each circumstance may count."""

    now: datetime
    decay: TemporalDecaySettings
    boost: BoostSettings
    project: str | None = None
    uses: Callable[[Sequence[str]], Mapping[str, Use]] | None = None


def weighed(
    ranked: list[Standing], chunks: Mapping[int, StoredChunk], query: str, how: Weighing, settings: SearchSettings
) -> list[Standing]:
    """The same candidates with their boosts; what the question names by its path, title or heading comes first."""
    asked = None
    if settings.time and _MAY_HOLD_A_TIME.search(query):
        from holdfast.search.moments import window

        asked = window(query, how.now)
    named = Named(query)
    boosts = Boosts(
        recency=_RECENCY if how.decay.enabled else 0.0,
        importance=0.0,  # nothing says how important a note is before there are facts
        access=0.5 * how.boost.access,
        project=0.4 * how.boost.project,
        time=_TIME,
        half_life_days=float(how.decay.half_life_days),
    )
    hashes = [chunks[one.fused.row].text_hash for one in ranked]
    uses = how.uses(hashes) if how.uses is not None and how.boost.access else {}
    found = [_boosted(one, chunks[one.fused.row], named, asked, uses, how, boosts) for one in ranked]
    best = max((one.score for one in found if not one.later.get("named")), default=0.0)
    return ordered([_first(one, best) for one in found], chunks)


def _boosted(
    one: Standing,
    chunk: StoredChunk,
    named: Named,
    asked: Window | None,
    uses: Mapping[str, Use],
    how: Weighing,
    boosts: Boosts,
) -> Standing:
    span = _span_of(chunk.path, chunk.headings)
    use = uses.get(chunk.text_hash, _UNUSED)
    exact = bool(named.score(chunk.path, chunk.title, chunk.headings))
    in_project = how.project is not None and chunk.path.startswith(how.project)
    if span is None and chunk.source == "memory" and not (use.times or exact or in_project):
        return one  # nothing is known that would change anything
    day: date | None = span.end if span is not None else None
    signals = Signals(
        age_days=age_of(how.now, source_of(chunk.path, chunk.source), day, chunk.mtime_ns / 1e9),
        uses=use.times,
        idle_days=use.idle_days,
        in_project=in_project,
        fit=_fit(span, asked),
        exact=exact,
    )
    lifted = boosted(one.score, signals, boosts)
    later = {**one.later, **lifted.parts}
    return Standing(lifted.score, one.fused, {**later, "named": 1.0} if exact else later)


def _fit(span: Span | None, asked: Window | None) -> float | None:
    """How well the days of a chunk fit the time that was asked for, if both are known."""
    if span is None or asked is None:
        return None
    from holdfast.search.moments import closeness

    return closeness(span, asked) * asked.certainty


@lru_cache(maxsize=4096)
def _span_of(path: str, headings: tuple[str, ...]) -> Span | None:
    """The days that a chunk is about, by its headings or its note's name; the same for as long as both are."""
    return chunk_span(headings, note_span(path))


def _first(one: Standing, best: float) -> Standing:
    """What was named stands before everything that was not."""
    if not one.later.get("named") or one.score >= best:
        return one
    return Standing(best, one.fused, {**one.later, "exact": one.later.get("exact", 0.0) + best - one.score})
