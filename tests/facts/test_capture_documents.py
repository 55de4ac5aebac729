"""A document that somebody pastes tells nothing of them; what they say beside it does, and so does a long story."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.evaluation.capture import read_labelled
from holdfast.facts.capture.fact_extraction import notice

ARTICLE = (
    "The city council of Harwick has announced four new rules that are intended to reduce traffic in the old "
    "town. Residents of the streets around the market can apply for a permit from Monday on, and visitors have to"
    " leave their cars at the ring road. Earlier this week, the neighbouring town of Selby joined Harwick in "
    "banning lorries from the bridge. Helen Marsh, head of transport at the council, said that the town worked "
    "with researchers to develop the new limits. The relationship between shop owners and the council has come "
    "under renewed scrutiny since the market was moved. Parents of pupils at the grammar school can set a pick-up"
    " time and see a breakdown of the busiest hours. The bus company has ordered twelve electric buses, of which "
    "the first four arrive in June. Tom Fielding owns a bakery on Mill Street and has lived there for thirty "
    "years. He prefers the old rules. The next meeting takes place on 4 May in the town hall, and the council has"
    " decided to keep the car park open on Sundays."
)
TABLE = "\n".join(f"ATOM {number} CA LEU A {number} 11.{number} 8.506 -9.500 1.00 0.00 C" for number in range(1, 30))
LONG = 800  # characters
LABELS = Path(__file__).parents[2] / "training" / "data" / "capture"


def texts(message: str) -> list[str]:
    return [found.text for found in notice(message)]


@pytest.mark.parametrize("document", [ARTICLE, TABLE])
def test_a_pasted_document_tells_nothing_of_who_pastes_it(document: str) -> None:
    assert texts(document) == []


def test_rows_of_numbers_are_a_table_and_one_is_not() -> None:
    row = "Kim 42 1999 12"
    assert notice(f"{row}\n{row} 7\n{row} 8", 0.0) == []
    assert notice(row, 0.0) != []


def test_a_label_with_its_number_says_nothing() -> None:
    noted = [fact.text for fact in notice("Question 61: how would it go on?", 0.0)]
    assert "Question 61" not in noted
    assert [fact.text for fact in notice("Im 16", 0.0)] == ["Im 16"]


def test_what_stands_before_and_behind_a_document_is_its_senders_word() -> None:
    assert texts(f"I work at the town hall.\n\n{ARTICLE}\n\nI live in Selby.") == [
        "I work at the town hall",
        "I live in Selby",
    ]


def test_a_request_to_remember_a_sentence_of_a_document_is_followed() -> None:
    assert texts(f"Remember that the meeting is on 4 May. {ARTICLE}") == ["The meeting is on 4 May"]


def test_long_messages_of_people_who_tell_of_themselves_are_no_documents() -> None:
    told = [row for row in read_labelled([str(LABELS / "long_en.jsonl")]) if row.facts and len(row.text) > LONG]
    assert len(told) > 20
    assert sum(bool(texts(row.text)) for row in told) > 0.9 * len(told)
