"""Pairs of sentences that people said, and what the second does to the first: one file of them, in five languages."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.facts.duplicates import duplicate_of
from holdfast.facts.fact import Draft, Fact
from holdfast.facts.subject import claim_of
from holdfast.facts.subject_measures import measure_meant, measures_agree
from holdfast.facts.supersede import replaced_by
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_row import Category

DAY: Final = date(2026, 11, 15)
PAIRS: Final = Path(__file__).parents[1] / "data" / "facts" / "pairs.jsonl"
SAME, TAKES, BESIDE = "is the same", "takes its place", "stands beside it"


def then(known: str, said: str) -> str:
    fact = Fact("a", known, Category.FACT)
    if duplicate_of(said, [fact], DAY) is not None:
        return SAME
    return TAKES if replaced_by(Draft(said), Origin.USER, [fact], DAY) else BESIDE


def test_every_pair_does_what_its_line_says() -> None:
    pairs = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    assert len(pairs) > 500
    assert [pair for pair in pairs if then(pair["known"], pair["said"]) != pair["then"]] == []


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("My favourite book is Dune", "is on my desk"),
        ("My favourite book is Dune", "is a classic"),
        ("My favourite book is Dune", "is older than me"),
        ("My favourite restaurant is Nobu", "is Japanese"),
        ("My favourite editor is Vim", "is faster than yours"),
        ("My favourite tea is Assam", "is sold out"),
    ],
)
def test_what_is_said_of_a_favourite_names_none(known: str, said: str) -> None:
    assert then(known, f"{known.partition(' is ')[0]} {said}") == BESIDE


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("My favourite book is the Bible", "My favourite book is Dune"),
        ("My favourite book is Dune", "My favourite book is It"),
        ("My favourite book is Dune", "My favourite book is On the Road"),
        ("My favourite album is Kid A", "My favourite album is In Rainbows"),
        ("My favourite editor is Vim", "My favourite editor is helix"),
        ("my favourite band is muse", "my favourite band is placebo"),
    ],
)
def test_a_favourite_that_begins_as_a_description_does_is_one(known: str, said: str) -> None:
    assert then(known, said) == TAKES


@pytest.mark.parametrize("said", ["I moved to Kreuzberg", "I live in Kreuzberg now", "I no longer live in Berlin"])
def test_a_place_that_nobody_knows_takes_the_place_of_a_town_only_where_the_words_say_so(said: str) -> None:
    assert then("I live in Berlin", said) == TAKES
    assert then("I live in Berlin", "I live in Kreuzberg") == BESIDE
    assert then("I live in Kreuzberg", "I live in Berlin") == BESIDE


def test_a_new_in_the_name_of_a_town_says_of_no_change() -> None:
    assert then("I live in Brooklyn", "I live in New York") == BESIDE


@pytest.mark.parametrize("said", ["We moved to Datadog", "We moved to Kafka last week", "We are based in Munich"])
def test_what_a_team_moved_to_is_nobodys_home(said: str) -> None:
    assert then("I live in Berlin", said) == BESIDE


@pytest.mark.parametrize("said", ["I live in Munich, said Anna", "I live in Munich is what he wrote"])
def test_the_words_of_somebody_else_claim_nothing(said: str) -> None:
    assert claim_of(said) is None


def test_a_height_in_another_unit_is_the_same_height_and_another_one_is_not() -> None:
    assert then("My height is 180 cm", "My height is 1,80 m") == SAME
    assert then("My height is 180 cm", "My height is 5 ft 11") == BESIDE
    assert then("My height is 180 cm", "My height is 181 cm") == TAKES
    assert then("My weight is 176 lbs", "My weight is 177 lbs") == TAKES


def test_a_fuller_name_stands_beside_the_short_one_and_another_person_does_not() -> None:
    assert then("My manager is Smith", "My manager is Anna Smith") == BESIDE
    assert then("My manager is Anna Smith", "My manager is Anna Jones") == TAKES


@given(st.text(max_size=20), st.sampled_from(["", " cm", " kg", " cm~", "' 11", " lbs"]))
def test_no_measure_is_too_strange_to_be_compared(number: str, unit: str) -> None:
    meant = measure_meant(number + unit) or number + unit
    assert measures_agree(meant, meant)
    assert measures_agree(meant, "180 cm") == measures_agree("180 cm", meant)


@given(
    st.sampled_from(["My favourite book is ", "Mein Chef ist ", "Mi teléfono es ", "Minha irmã mora em ", "I weigh 8"]),
    st.text(max_size=60),
)
def test_no_words_are_too_strange_to_be_set_against_others(form: str, words: str) -> None:
    said = form + words
    assert then(said, said) in (SAME, BESIDE)
