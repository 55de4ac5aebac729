"""Tell what is known of a note beside its words: its date, the time that was asked for, its use and its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.index.store_contract import StoredChunk
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late
from holdfast.search.boost import Boosts, Signals, age_of, booster
from holdfast.search.calendar_spans import Span
from holdfast.search.candidate import Candidate, as_candidate, sort_candidates
from holdfast.search.note_dates import chunk_span, note_span
from holdfast.search.scope import source_of
from holdfast.search.scope_filter import fact_span, last_said
from holdfast.search.title_match import TitleMatcher
from holdfast.settings.search_settings import BoostSettings, SearchSettings, TemporalDecaySettings

if TYPE_CHECKING:
    from holdfast.search.time_window import Window

__all__ = ["SIGN_OF_TIME", "Use", "Weighing", "may_hold_a_time", "time_asked", "weigh_notes"]

# Reading times takes word lists of ten languages; most questions hold no sign of one, and do without.
_SIGNS_OF_TIME = tuple(
    "day week month year recent tonight morning evening night noon since until before after between during earlier "
    "spring summer autumn winter quart christmas easter heute gestern seit woche monat jahr letzt abend semaine mois "
    "jour depuis dernier semana pasad passad settiman giorn scors gister vandaag vorig weken geleden feira".split()
)
"""What tells of a time wherever in a word it stands."""
_BEGIN_A_TIME = tuple(
    "ago last past till jan feb mar apr may jun jul aug sep oct okt nov dec dez fall vor hier ann ayer hoy mes dia "
    "ontem hoje ieri oggi maa jaar dag terca quint sext sab dom lun mier juev vier jeud vend sam mon tue wed thu fri "
    "sat sun dienst mittw donn fre sonn ani luni".split()
)
_ARE_A_TIME = tuple("an ans ano anos fa".split())
_END_A_TIME = tuple("tag tage tagen tags mese mesi".split())
SIGN_OF_TIME = compile_late(
    r"(?<![\w-])(?:\d{1,4}|\d{8})(?![\w-])|\d(?:st|nd|rd|th|er)\b|\bq[1-4]\b|\d{4}-\d|[^\x00-\x7f]|"
    rf"{'|'.join(_SIGNS_OF_TIME)}|(?:{'|'.join(_END_A_TIME)})\b|\b(?:{'|'.join(_BEGIN_A_TIME)})|"
    rf"\b(?:{'|'.join(_ARE_A_TIME)})\b",
    re.IGNORECASE,
)
# What parts words: all of ASCII that no word holds.
_APART = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}
_RECENCY = 0.4
_RECENCY_OF_A_MESSAGE = 1.0  # what goes on with a conversation is mostly about the last ones: all that boosts may do
_TIME = 0.5
_MOST_OF_A_HEADING = 3  # notes: a heading that more have is a form, and names none of them


class Use(NamedTuple):
    """Says how often a text was read after a search had found it, and how many days ago last."""

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
    window: Window | None = None
    """The time that the question asks for, or that an event in it opens."""
    first_weekday: int = 0
    """What a week begins with; 0 is Monday."""


def time_asked(query: str, weighing: Weighing, settings: SearchSettings) -> Window | None:
    """Return the days that a question asks about, if it names any."""
    if weighing.window is not None or not settings.time or not may_hold_a_time(query):
        return weighing.window
    from holdfast.search.time_window import window

    return window(query, weighing.now, weighing.first_weekday)


def may_hold_a_time(query: str) -> bool:
    """Say whether a question holds a sign of a time."""
    low = query.lower()
    if query.isascii() and not any(map(low.__contains__, "0123456789")):
        # As almost always. The pattern tries a hundred beginnings at each letter, and a cold search has to compile it.
        words = low.translate(_APART).split()
        held = any(map(low.__contains__, _SIGNS_OF_TIME))
        return held or any(
            word.startswith(_BEGIN_A_TIME) or word.endswith(_END_A_TIME) or word in _ARE_A_TIME for word in words
        )
    return SIGN_OF_TIME.search(query) is not None


def weigh_notes(
    ranked: Sequence[Candidate],
    chunks: Mapping[int, StoredChunk],
    query: str,
    weighing: Weighing,
    settings: SearchSettings,
    *,
    goes_on: bool = False,
) -> list[Candidate]:
    """Return the same candidates with their boosts; what the question names by its path, title or heading comes first.

    With `goes_on`, the query is a message that continues the conversation, and newness counts for more.
    """
    asked = time_asked(query, weighing, settings)
    named = _named_rows(TitleMatcher(query), ranked, chunks)
    uses: Mapping[str, Use] = {}
    if weighing.uses is not None and weighing.boost.access:
        uses = weighing.uses([chunks[candidate.fused.row].text_hash for candidate in ranked])
    lift = booster(_boosts_of(weighing, goes_on=goes_on))
    plain = asked is None and weighing.project is None
    today = weighing.now.date()
    # What is known of a passage beside its words is mostly that of its note and heading: it is looked up once for each.
    of_place: dict[tuple[str, tuple[str, ...]], Signals | None] = {}
    weighed: list[Candidate] = []
    for candidate in ranked:
        chunk = chunks[candidate.fused.row]
        exact = candidate.fused.row in named
        if exact or chunk.fact is not None or chunk.text_hash in uses:
            signals = _signals(chunk, asked, uses.get(chunk.text_hash, _UNUSED), weighing, exact=exact)
        else:
            signals = None
            if plain:
                signals = _signals_of_day(chunk.path, chunk.headings, today)
            if signals is None:
                place = chunk.path, chunk.headings
                if place not in of_place:
                    of_place[place] = _signals(chunk, asked, _UNUSED, weighing, exact=False)
                signals = of_place[place]
        if signals is None:
            weighed.append(candidate)
            continue
        score, parts = lift(candidate.score, signals)
        if exact:
            parts = {**parts, "named": 1.0}
        weighed.append(as_candidate((score, candidate.fused, {**candidate.later, **parts})))
    if named:
        weighed = _lift_all_named(weighed)
    return sort_candidates(weighed, chunks)


def _named_rows(titles: TitleMatcher, ranked: Sequence[Candidate], chunks: Mapping[int, StoredChunk]) -> frozenset[int]:
    """Return the candidates that the question names by path, title or heading.

    A heading that many notes have, such as "Cause" in every incident, names none of them. Who names a note or a heading
    wants what holds now.
    """
    called = [
        chunk
        for candidate in ranked
        if titles.calls(chunk := chunks[candidate.fused.row]) and not (chunk.fact is not None and chunk.fact.superseded)
    ]
    if len({chunk.path for chunk in called}) > _MOST_OF_A_HEADING:
        by_note = [chunk for chunk in called if titles.calls_note(chunk)]
        if len({chunk.path for chunk in called}) - len({chunk.path for chunk in by_note}) > _MOST_OF_A_HEADING:
            called = by_note
    return frozenset(chunk.row for chunk in called)


def _boosts_of(weighing: Weighing, *, goes_on: bool) -> Boosts:
    """Return how much each signal may add to a score."""
    recency = 0.0
    if weighing.decay.enabled:
        recency = _RECENCY_OF_A_MESSAGE if goes_on else _RECENCY
    return Boosts(
        recency=recency,
        importance=0.5 * weighing.boost.importance,
        access=0.5 * weighing.boost.access,
        project=0.4 * weighing.boost.project,
        time=_TIME,
        half_life_days=float(weighing.decay.half_life_days),
        goes_on=goes_on,
    )


def _signals(chunk: StoredChunk, asked: Window | None, use: Use, weighing: Weighing, *, exact: bool) -> Signals | None:
    """Return what is known of a passage beside its words; None where that would change nothing."""
    fact = chunk.fact
    span = (fact_span(fact) if fact is not None else None) or _span_of(chunk.path, chunk.headings)
    in_project = weighing.project is not None and chunk.path.startswith(weighing.project)
    if span is None and fact is None and chunk.source == "memory" and not (use.times or exact or in_project):
        return None
    if span is not None:
        day: date | None = span.end
    else:
        day = None
    if fact is not None:
        day = last_said(fact) or day
    # what has a date is as old as that
    source = ""
    if day is None:
        source = source_of(chunk.path, chunk.source)
    return Signals(
        age_days=age_of(weighing.now, source, day, chunk.mtime_ns / 1e9),
        importance=fact.importance if fact is not None else None,
        uses=use.times,
        idle_days=use.idle_days,
        in_project=in_project,
        fit=_fit(span, asked),
        exact=exact,
        superseded=fact is not None and fact.superseded,
    )


@lru_cache(maxsize=4096)
def _signals_of_day(path: str, headings: tuple[str, ...], today: date) -> Signals | None:
    """Return the same of a passage by whose date alone it is weighed; None where it has none."""
    span = _span_of(path, headings)
    if span is None:
        return None
    return Signals(age_days=float(max(0, (today - span.end).days)))


def _fit(span: Span | None, asked: Window | None) -> float | None:
    """Return how well the days of a chunk fit the time that was asked for, if both are known."""
    if span is None or asked is None:
        return None
    from holdfast.search.time_window import closeness

    return closeness(span, asked) * asked.certainty


@lru_cache(maxsize=4096)
def _span_of(path: str, headings: tuple[str, ...]) -> Span | None:
    """Return the days that a chunk is about, by its headings or its note's name; the same for as long as both are."""
    return chunk_span(headings, note_span(path))


def _lift_all_named(weighed: Sequence[Candidate]) -> list[Candidate]:
    """Lift what the question names to the best score of what it does not name."""
    best = max((candidate.score for candidate in weighed if not candidate.later.get("named")), default=0.0)
    return [_lift_named(candidate, best) for candidate in weighed]


def _lift_named(candidate: Candidate, best: float) -> Candidate:
    """Lift a candidate to this score, if it was named and has a lower one."""
    if not candidate.later.get("named") or candidate.score >= best:
        return candidate
    return Candidate(
        best, candidate.fused, {**candidate.later, "exact": candidate.later.get("exact", 0.0) + best - candidate.score}
    )
