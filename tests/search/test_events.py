from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.search.calendar_spans import EARLIEST, LATEST
from holdfast.search.event_time import Event, Relation, around, event
from holdfast.search.time_window import closeness


@pytest.mark.parametrize(
    ("question", "relation", "words"),
    [
        ("what did we decide before the launch?", Relation.BEFORE, "launch"),
        ("what changed after the Berlin offsite in March", Relation.AFTER, "Berlin offsite"),
        ("who joined since the migration", Relation.SINCE, "migration"),
        ("what did I eat during my trip to Rome", Relation.DURING, "trip"),
        ("was geschah nach dem Umzug?", Relation.AFTER, "Umzug"),
        ("qu'avons-nous décidé avant le lancement ?", Relation.BEFORE, "lancement"),
        ("qué cambió después de la mudanza", Relation.AFTER, "mudanza"),
    ],
)
def test_an_event_is_told_by_its_words(question: str, relation: Relation, words: str) -> None:
    assert event(question) == Event(relation, words)


@pytest.mark.parametrize("question", ["after all", "before we left", "before the end of March", "after the 5th", ""])
def test_what_is_no_event_is_none(question: str) -> None:
    assert event(question) is None


def test_an_event_with_its_day_opens_a_window() -> None:
    launch = date(2026, 3, 5)
    before, after = Event(Relation.BEFORE, "launch"), Event(Relation.AFTER, "launch")
    assert closeness(date(2026, 3, 4), around(before, launch)) == 1.0
    assert closeness(date(2026, 3, 10), around(before, launch)) < 1.0
    assert closeness(date(2026, 3, 10), around(after, launch)) == 1.0
    assert closeness(launch, around(Event(Relation.DURING, "launch"), launch)) == 1.0


@given(st.text(), st.dates(EARLIEST, LATEST), st.sampled_from(Relation))
def test_any_text_and_any_day_are_safe(text: str, day: date, relation: Relation) -> None:
    found = event(f"before the {text}")
    assert found is None or found.words
    opened = around(Event(relation, text), day)
    assert EARLIEST <= opened.start <= opened.end <= LATEST
