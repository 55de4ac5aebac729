from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.errors import BadArgument
from holdfast.guard.origin import TRUST, Origin
from holdfast.search.calendar_spans import Span
from holdfast.search.scope import Scope, Source, day_named, source_of

NOW = datetime(2026, 11, 15, 10, tzinfo=UTC)
NAMES = st.sampled_from(
    ["memory", "work", "workshop", "sessions", "a", "a.md", "work.md", "2026-03-05.md", "é", "\U0010fffe"]
)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join) | st.text(st.characters(codec="utf-8"), max_size=8)
ASKED = st.builds(lambda path, end: path + end, PATHS, st.sampled_from(["", "/", "*"]))
DAYS = st.dates(date(2020, 1, 1), date(2030, 1, 1))
WORDS = st.sampled_from(["decision", "person", "user", "agent", "main", "bob"])
SOURCES = st.sampled_from(["memory", "extra"])


@st.composite
def scopes(draw: st.DrawFn) -> Scope:
    since, until = sorted([draw(DAYS), draw(DAYS)])
    return Scope(
        agent=draw(st.none() | WORDS),
        sources=draw(st.none() | st.frozensets(st.sampled_from(list(Source)))),
        paths=draw(st.none() | st.lists(ASKED, max_size=3).map(tuple)),
        without=draw(st.lists(ASKED, max_size=2).map(tuple)),
        categories=draw(st.none() | st.frozensets(WORDS)),
        origins=draw(st.none() | st.frozensets(WORDS)),
        min_importance=draw(st.none() | st.floats(0, 1)),
        min_trust=draw(st.none() | st.sampled_from(TRUST)),
        since=since if draw(st.booleans()) else None,
        until=until if draw(st.booleans()) else None,
    )


def below(path: str, asked: str) -> bool:
    """What a path that is asked for means, said in another way."""
    asked = asked.removeprefix("./")
    if asked.endswith("*"):
        return path.startswith(asked[:-1])
    if asked.endswith("/"):
        return path.startswith(asked.rstrip("/") + "/")
    return not asked or path in (asked, asked + ".md") or path.startswith(asked + "/")


@given(
    scopes(),
    PATHS,
    SOURCES,
    st.none() | WORDS,
    st.none() | WORDS,
    st.none() | WORDS,
    st.none() | DAYS,
    st.none() | DAYS,
    st.none() | st.floats(0, 1),
    st.none() | st.sampled_from(TRUST),
)
def test_nothing_outside_passes_and_nothing_inside_is_lost(
    scope: Scope,
    path: str,
    source: str,
    agent: str | None,
    category: str | None,
    origin: str | None,
    dated: date | None,
    changed: date | None,
    importance: float | None,
    words_of: Origin | None,
) -> None:
    mtime = None if changed is None else datetime(changed.year, changed.month, changed.day, 12, tzinfo=UTC).timestamp()
    when = dated or changed
    expected = (
        scope.agent in (None, agent)
        and (scope.sources is None or source_of(path, source) in scope.sources)
        and (scope.paths is None or any(below(path, one) for one in scope.paths))
        and not any(below(path, one) for one in scope.without)
        and (scope.categories is None or category in scope.categories)
        and (scope.origins is None or origin in scope.origins)
        and (scope.min_importance is None or (importance is not None and importance >= scope.min_importance))
        and (
            scope.min_trust is None
            or (
                words_of is not None
                and TRUST.index(words_of) >= TRUST.index(Origin(scope.min_trust))
                and (words_of != "auto_capture" or category is not None or scope.min_trust != "auto_capture")
            )
        )
        and (scope.since is None or (when is not None and when >= scope.since))
        and (scope.until is None or (when is not None and when <= scope.until))
    )
    known = {"agent": agent, "category": category, "origin": origin, "words_of": words_of}
    assert scope.allows(path, source, dated=dated, mtime=mtime, importance=importance, **known) == expected


@given(scopes(), PATHS)
def test_the_plain_values_say_the_same_of_a_path(scope: Scope, path: str) -> None:
    plain = scope.plain()
    inside = plain.paths is None or any(low <= path < high for low, high in plain.paths)
    kept = inside and not any(low <= path < high for low, high in plain.without)
    assert kept == Scope(paths=scope.paths, without=scope.without).allows(path, "memory")
    # A store compares the bytes of UTF-8; they are in the same order.
    told = path.encode()
    assert inside == (plain.paths is None or any(low.encode() <= told < high.encode() for low, high in plain.paths))


@given(PATHS, SOURCES, st.none() | DAYS, st.none() | WORDS)
def test_an_open_scope_allows_everything(path: str, source: str, dated: date | None, word: str | None) -> None:
    assert Scope().is_open
    assert Scope().allows(path, source, agent=word, dated=dated, category=word, origin=word)


def test_a_path_names_a_note_or_a_folder_and_not_what_only_starts_alike() -> None:
    scope = Scope(paths=("memory/work",))
    assert scope.allows("memory/work.md", "memory")
    assert scope.allows("memory/work/plan.md", "memory")
    assert not scope.allows("memory/workshop.md", "memory")
    assert not scope.allows("memory/work.md.md", "memory")
    assert not Scope(paths=("memory/work/",)).allows("memory/work.md", "memory")
    assert Scope(paths=("memory/2026-03*",)).allows("memory/2026-03-05.md", "memory")
    assert not Scope(paths=("../",)).allows("memory/a.md", "memory")
    assert not scope.is_open


def test_sessions_are_a_source_of_their_own() -> None:
    exported = "memory/sessions/2026-03-05-a.md"
    assert source_of(exported, "memory") is Source.SESSIONS
    assert source_of("memory/a.md", "memory") is Source.MEMORY
    assert source_of("/srv/memory/sessions/a.md", "extra") is Source.EXTRA
    assert not Scope(sources=frozenset({"memory"})).allows(exported, "memory")
    assert Scope(sources=frozenset({"sessions"})).allows(exported, "memory")
    assert not Scope(sources=frozenset()).allows(exported, "memory")


def test_a_note_without_a_date_is_dated_by_its_last_change_in_the_callers_zone() -> None:
    late = datetime(2026, 3, 5, 23, 30, tzinfo=UTC).timestamp()
    assert Scope(until=date(2026, 3, 5)).allows("memory/a.md", "memory", mtime=late)
    there = timezone(timedelta(hours=2))
    assert not Scope(until=date(2026, 3, 5), zone=there).allows("memory/a.md", "memory", mtime=late)
    for unknown in (None, float("nan"), float("inf"), 1e300):
        assert not Scope(since=date(2000, 1, 1)).allows("memory/a.md", "memory", mtime=unknown)


def test_a_note_of_a_month_passes_when_a_day_of_it_does() -> None:
    march = Span(date(2026, 3, 1), date(2026, 3, 31))
    assert Scope(since=date(2026, 3, 20)).allows("memory/2026-03.md", "memory", dated=march)
    assert not Scope(until=date(2026, 2, 28)).allows("memory/2026-03.md", "memory", dated=march)


@pytest.mark.parametrize(
    "wrong",
    [
        {"sources": frozenset({"web"})},
        {"sources": "memory"},
        {"paths": "memory/"},
        {"categories": "person"},
        {"min_importance": -0.1},
        {"since": date(2026, 3, 6), "until": date(2026, 3, 5)},
    ],
)
def test_what_can_not_be_meant_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadArgument):
        Scope(**wrong)


def test_since_and_until_are_told_as_people_say_them() -> None:
    assert day_named("2026-03-05", NOW) == date(2026, 3, 5)
    assert day_named("last week", NOW) == date(2026, 11, 2)
    assert day_named("last week", NOW, last=True) == date(2026, 11, 8)
    assert day_named("10d", NOW) == date(2026, 11, 5)
    assert day_named("2 weeks", NOW) == date(2026, 11, 1)
    assert day_named("yesterday", NOW, last=True) == date(2026, 11, 14)
    for wrong in ("", "soon", "999999d", "in my dreams"):
        with pytest.raises(BadArgument, match="not a date"):
            day_named(wrong, NOW)
