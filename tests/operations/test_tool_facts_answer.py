"""The facts that a question asks for come first, whatever else has its words: in recall, history and the prompt."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.dreaming.dream_counts import signals_of
from holdfast.guard.origin import Origin
from holdfast.markdown.claim_key import key_of

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC).timestamp()
ASKED = "where do I live?"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(NOW)


@pytest.fixture
def memory(home: Path, clock: FakeClock) -> Iterator[Memory]:
    settings = {"memory.recall.deadline_ms": 60_000}
    with Memory.open(home, origin=Origin.USER, clock=clock, settings=settings) as opened:
        yield opened


def moved(memory: Memory) -> list[str]:
    """Somebody who moved, among facts that have more of the question's words."""
    first = memory.facts.store("I live in Berlin", valid_from="2020-01-01")
    for text in ("Pandas live in China", "My parents live in Bremen", "Where the eels live nobody knows"):
        memory.facts.store(text)
    return [first.id, memory.facts.store("I've moved to Munich").id]


def test_a_history_tells_of_the_one_who_was_asked_for(memory: Memory) -> None:
    both = moved(memory)
    assert [fact.id for fact in memory.facts.history("where do I live").facts] == both
    assert [fact.id for fact in memory.facts.history("wo wohne ich?").facts] == both
    assert [fact.id for fact in memory.facts.history(ASKED, as_of="2021-01-01").facts] == both[:1]


def test_a_history_of_what_nobody_said_is_empty_and_not_about_pandas(memory: Memory) -> None:
    memory.facts.store("Pandas live in China")
    assert memory.facts.history("where do I live").facts == ()
    told = memory.facts.store("Berlin is where I live")
    assert [fact.id for fact in memory.facts.history("where do I live").facts] == [told.id]


@pytest.mark.parametrize("question", [ASKED, "wo wohne ich?", "¿Dónde vivo?"])
def test_what_was_asked_for_is_recalled_first_in_whatever_words_it_was_said(memory: Memory, question: str) -> None:
    _, now = moved(memory)
    found = memory.facts.recall(question).results
    assert (found[0].fact.id, found[0].score, found[0].confidence) == (now, 1.0, 1.0)
    assert all(one.score <= found[0].score for one in found)
    assert [one.fact.id for one in memory.facts.recall(question, limit=1).results] == [now]


def test_what_a_file_claims_of_the_user_does_not_come_before_what_the_user_said(memory: Memory) -> None:
    mine = memory.facts.store("I live in Berlin")
    theirs = Memory(memory.ctx.for_origin(Origin.MCP_TOOL)).facts.store("I live in Moscow")
    found = [one.fact.id for one in memory.facts.recall(ASKED).results]
    assert found[0] == mine.id
    assert theirs.id in found


def test_the_filters_of_a_recall_hold_for_what_was_asked_for_too(memory: Memory) -> None:
    first, now = moved(memory)
    assert memory.facts.recall(ASKED, category="preference").results == ()
    assert now not in [one.fact.id for one in memory.facts.recall(ASKED, origin="import").results]
    assert now not in [one.fact.id for one in memory.facts.recall(ASKED, min_importance=0.9).results]
    assert memory.facts.recall(ASKED, since="2027-01-01").results == ()
    assert memory.facts.recall(ASKED, as_of="2021-01-01").results[0].fact.id == first
    both = [one.fact.id for one in memory.facts.recall(ASKED, include_superseded=True).results[:2]]
    assert both == [now, first]


def test_a_prompt_shows_what_was_asked_for_and_not_what_it_took_the_place_of(memory: Memory) -> None:
    moved(memory)
    with memory.session() as session:
        text = session.recall(ASKED).text
        assert "Munich" in text and "Berlin" not in text
        assert "China" not in text or text.index("Munich") < text.index("China")


def test_in_a_prompt_too_a_struck_line_lets_what_took_its_place_stand_in_for_it(memory: Memory) -> None:
    memory.facts.store("The Kestrel project is led by Alice Smith")
    memory.facts.store("Bob leads Kestrel")
    for number in range(30):
        memory.facts.store(f"Shelf {number} holds jar {number} of plum jam")
    with memory.session() as session:
        text = session.recall("What about Alice Smith?").text
        assert "Bob leads Kestrel" in text
        assert "Alice" not in text


def test_a_group_is_told_nothing_by_its_question(memory: Memory) -> None:
    moved(memory)
    with memory.session("crowd", kind="group") as session:
        assert session.recall(ASKED).text == ""


def test_what_is_shown_is_counted_and_not_the_struck_line_that_led_to_it(memory: Memory) -> None:
    memory.facts.store("I live in Berlin")
    memory.facts.store("I've moved to Munich")
    memory.facts.store("The tide is high")
    assert memory.facts.stats().never_recalled == 2
    assert [one.fact.text for one in memory.facts.recall("Berlin").results] == ["I've moved to Munich"]
    assert memory.facts.stats().never_recalled == 1


def test_an_undated_fact_is_neither_listed_nor_recalled_for_some_days(memory: Memory, home: Path) -> None:
    (home / "memory").mkdir(exist_ok=True)
    (home / "memory/other.md").write_text("- The kettle is red\n")
    said = memory.facts.store("The kettle is old", category="fact")
    assert len(memory.facts.recall("kettle").results) == memory.facts.list().total == 2
    today = "2026-11-15"
    for since, until in ((today, None), (None, today)):
        assert [one.id for one in memory.facts.list(since=since, until=until).facts] == [said.id]
        assert [one.fact.id for one in memory.facts.recall("kettle", since=since, until=until).results] == [said.id]


def test_dreaming_hears_of_what_was_shown_and_not_of_what_was_struck_out(memory: Memory) -> None:
    memory.facts.store("I live in Berlin")
    memory.facts.store("I've moved to Munich")
    memory.facts.recall("Berlin")
    with memory.session() as session:
        session.recall(ASKED)
    assert {row.claim for row in signals_of(memory.ctx).asked(0.0, 1)} == {key_of("I've moved to Munich")}
