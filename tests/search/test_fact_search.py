"""Facts in a search: filtered without a leak, lifted a little by importance, and behind what took their place."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from commandline import done, holdfast
from counts import counted
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.errors import BadArgument
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_row import Category, Fact, note_of
from holdfast.search.boost import Boosts, Signals, boost_score, largest_turn
from holdfast.search.calendar_spans import Span
from holdfast.search.hit import CONTRIBUTIONS
from holdfast.search.scope_filter import fact_span, last_said

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
KEYWORDS = {"memory.disable_rag": True}
ORIGINS = (Origin.USER, Origin.AGENT, Origin.IMPORT)
SHARES = (0.1, 0.5, 0.9)
DAYS = (date(2026, 1, 10), date(2026, 6, 10), date(2026, 11, 10))


def put(home: Path, path: str, *lines: str) -> None:
    file = home / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture(scope="module", params=["keywords", "vectors"])
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """Facts of every kind beside each other, words between them, and notes that are no facts."""
    home = tmp_path_factory.mktemp("facts")
    number = 0
    for category in Category:
        lines = ["# Harbour", "", "Words about the harbour that are no fact.", ""]
        for origin in ORIGINS:
            for share in SHARES:
                day = DAYS[number % 3]
                mark = f"<!-- fact id=f{number} importance={share} origin={origin} observed={day} -->"
                lines.append(f"- The harbour fact number {number} {mark}")
                number += 1
        put(home, note_of(category), *lines, "- a harbour fact typed by hand")
    put(home, "memory/2026-06-10.md", "The harbour note of a day.")
    put(home, "MEMORY.md", "- The harbour in the prompt <!-- fact id=x origin=user importance=1 -->")
    embedder = FakeEmbedder() if request.param == "vectors" else None
    with Memory.open(home, settings=None if embedder else KEYWORDS, embedder=embedder) as memory:
        memory.sync()
        yield memory


@settings(max_examples=counted(5, 160), deadline=None)
@given(
    st.none() | st.sampled_from(Category),
    st.none() | st.sampled_from(Origin),
    st.none() | st.sampled_from((0.0, 0.3, 0.5, 0.9, 0.95)),
    st.none() | st.sampled_from(("2026-01-01", "2026-06-10")),
    st.none() | st.sampled_from(("2026-06-10", "2026-12-01")),
    st.sampled_from(["harbour", "the harbour fact number 7", "typed by hand"]),
)
def test_no_filter_lets_anything_through_that_it_does_not_allow(
    library: Memory,
    category: Category | None,
    origin: Origin | None,
    share: float | None,
    since: str | None,
    until: str | None,
    query: str,
) -> None:
    scope: dict[str, Any] = {"category": category, "origin": origin, "min_importance": share}
    hits = library.search(query, max_results=100, since=since, until=until, **scope).results
    asked = category is not None or origin is not None or share is not None
    for hit in hits:
        assert hit.fact is not None or not asked
        if hit.fact is None:
            continue
        assert category is None or hit.fact.category == category
        assert category is None or hit.path == note_of(category)
        assert origin is None or hit.fact.origin == origin
        assert share is None or hit.fact.importance >= share
        assert hit.fact.observed is None or since is None or hit.fact.observed >= date.fromisoformat(since)
        assert hit.fact.observed is None or until is None or hit.fact.observed <= date.fromisoformat(until)
    if query == "harbour" and since is None and until is None and asked:
        # The archive is found by who asks for it.
        kinds = [one for one in Category if one is category or one is not Category.ARCHIVE]
        every = [(one, origin_of, of) for one in kinds for origin_of in ORIGINS for of in SHARES]
        every += [(one, Origin.OUTSIDE, 0.5) for one in kinds]
        wanted = [
            found
            for found in every
            if category in (None, found[0]) and origin in (None, found[1]) and found[2] >= (share or 0.0)
        ]
        assert len(hits) == len(wanted)  # nothing that the filter allows is lost either


def test_a_day_is_that_of_the_fact_and_not_that_of_its_file(library: Memory) -> None:
    found = library.search("harbour", max_results=100, since="2026-06-01", until="2026-06-30").results
    assert {hit.fact.observed for hit in found if hit.fact is not None} == {date(2026, 6, 10)}
    assert [hit.path for hit in found if hit.fact is None] == ["memory/2026-06-10.md"]


def test_what_is_no_fact_is_found_only_where_nothing_is_asked_of_facts(library: Memory) -> None:
    assert any(hit.fact is None for hit in library.search("harbour", max_results=100).results)
    scopes: tuple[dict[str, Any], ...] = {"origin": "user"}, {"min_importance": 0.0}, {"category": "fact"}
    for scope in scopes:
        hits = library.search("harbour prompt", max_results=100, **scope).results
        assert hits
        assert all(hit.fact is not None for hit in hits)


@pytest.mark.parametrize(
    "wrong", [{"category": "person"}, {"origin": "bob"}, {"min_importance": 1.5}, {"min_importance": float("nan")}]
)
def test_a_filter_that_can_not_be_meant_is_refused(wrong: dict[str, Any]) -> None:
    with Memory.open(settings=KEYWORDS) as memory, pytest.raises(BadArgument):
        memory.search("x", **wrong)


def test_the_tool_and_the_command_filter_alike(home: Path) -> None:
    put(home, "memory/facts.md", "- The tide is high <!-- fact id=a importance=.9 origin=user observed=2026-11-01 -->")
    put(home, "memory/other.md", "- ~~The tide is low~~ <!-- fact id=b importance=.2 origin=agent -->")
    with Memory.open(home, settings=KEYWORDS) as memory:
        tool = memory.tools().call("memory_search", {"query": "tide", "category": "fact", "min_importance": 0.5})
        assert [hit["fact"] for hit in tool["results"]] == [
            {
                "id": "a",
                "category": "fact",
                "importance": 0.9,
                "origin": "user",
                "observed": "2026-11-01",
                "valid_from": None,
                "valid_until": None,
                "superseded": False,
            }
        ]
    ran = done("search", "tide", "--category", "fact", "--min-importance", ".5", "--json")
    assert [hit["fact"]["id"] for hit in ran.json["results"]] == ["a"]
    shown = done("search", "tide", "--origin", "agent").out
    assert "other · agent · importance 0.2 · superseded" in shown
    assert holdfast("search", "tide", "--origin", "bob").status == 2


def test_the_fact_that_holds_now_stands_before_the_one_it_took_the_place_of(home: Path) -> None:
    put(
        home,
        "memory/facts.md",
        "- ~~I live in Berlin~~ <!-- fact id=a importance=1 observed=2026-11-14 superseded_by=b -->",
        *(f"- The weather on day {day} was mild" for day in range(5)),
        "- I live in Munich now, near the river <!-- fact id=b importance=.1 observed=2025-01-01 supersedes=a -->",
    )
    with Memory.open(home, clock=FakeClock(NOW.timestamp())) as memory:
        memory.sync()
        hits = memory.search("where do I live?").results
        assert [hit.fact.id for hit in hits[:2] if hit.fact] == ["b", "a"]
        old = hits[1]
        assert old.fact is not None
        assert old.fact.superseded
        assert old.explain["superseded"] < 0
        for hit in hits:
            assert sum(hit.explain.get(name, 0.0) for name in CONTRIBUTIONS) == pytest.approx(hit.score)
        # Who asks for the old one by name still gets it.
        assert memory.search("Berlin").results[0].fact == old.fact


def test_importance_decides_between_equals(home: Path) -> None:
    put(home, "memory/decisions.md", "- We deploy with the blue pipeline <!-- fact id=low importance=.1 -->")
    put(home, "memory/facts.md", "- We deploy with the green pipeline <!-- fact id=high importance=.9 -->")
    put(home, "memory/other.md", "- We deploy with the white pipeline <!-- fact id=middle -->")
    with Memory.open(home, settings=KEYWORDS) as memory:
        memory.sync()
        hits = memory.search("how do we deploy with the pipeline?").results
        assert [hit.fact.id for hit in hits if hit.fact] == ["high", "middle", "low"]
        assert hits[0].explain["importance"] > 0 > hits[2].explain["importance"]
        assert "importance" not in hits[1].explain
    with Memory.open(home, settings={**KEYWORDS, "memory.search.boost.importance": 0.0}) as memory:
        assert not any("importance" in hit.explain for hit in memory.search("pipeline").results)


def test_nothing_that_is_known_of_a_fact_buries_what_was_asked_for_by_its_id(home: Path) -> None:
    put(
        home,
        "memory/decisions.md",
        "- ~~The ticket INC-43948-QJV is about the pipeline~~ <!-- fact id=needle importance=0 observed=2023-01-01 -->",
        *(
            f"- The pipeline ticket {n} is about the deploy <!-- fact importance=1 observed=2026-11-14 -->"
            for n in range(9)
        ),
    )
    with Memory.open(home, settings=KEYWORDS, clock=FakeClock(NOW.timestamp())) as memory:
        memory.sync()
        for query in ("INC-43948-QJV", "what is the ticket INC-43948-QJV about?"):
            hit = memory.search(query).results[0]
            assert hit.fact is not None
            assert hit.fact.id == "needle"


def test_a_fact_of_the_time_that_was_asked_for_comes_first(home: Path) -> None:
    put(
        home,
        "memory/facts.md",
        "- I worked at the bakery <!-- fact id=a from=2024-01-01 until=2024-12-31 observed=2026-11-01 -->",
        "",
        "- I worked at the library <!-- fact id=b from=2025-02-01 until=2025-12-31 observed=2026-11-01 -->",
    )
    with Memory.open(home, settings=KEYWORDS, clock=FakeClock(NOW.timestamp())) as memory:
        memory.sync()
        for query, wanted in (("where did I work in March 2024?", "a"), ("where did I work in March 2025?", "b")):
            hit = memory.search(query).results[0]
            assert hit.fact is not None
            assert hit.fact.id == wanted
            assert hit.explain["time"] > 0


@given(*[st.none() | st.dates(date(2020, 1, 1), date(2030, 1, 1))] * 4)
def test_the_days_of_a_fact_are_a_run_of_days(
    observed: date | None, begins: date | None, ends: date | None, again: date | None
) -> None:
    fact = Fact(Category.FACT, observed=observed, valid_from=begins, valid_until=ends, reinforced_on=again)
    span = fact_span(fact)
    known = [day for day in (observed, begins, ends) if day is not None]
    assert (span is None) == (not known)
    if span is not None:
        assert min(known) <= span.start <= span.end <= max(known)
        assert ends is None or span.start <= ends <= span.end
    if begins is not None and ends is not None and begins <= ends:
        assert span == Span(begins, ends)
    assert last_said(fact) == max((day for day in (observed, again) if day is not None), default=None)


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_being_superseded_costs_a_bounded_share(better: float, worse: float, high: float, low: float) -> None:
    boosts = Boosts(time=0.0)
    old = boost_score(better, Signals(importance=low, superseded=True), boosts)
    new = boost_score(worse, Signals(importance=high), boosts)
    assert 0.0 <= old.score <= 1.0
    assert old.score == pytest.approx(better + sum(old.parts.values()), abs=1e-12)
    if better * (1 - boosts.superseded) > worse * largest_turn(boosts) * (1 + 1e-9):
        assert old.score >= min(new.score, 1 - boosts.superseded - 1e-9)
    assert boost_score(better, Signals(superseded=True), boosts).score <= better
