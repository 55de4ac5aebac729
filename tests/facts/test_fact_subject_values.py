"""A value must look like one, and is compared by what it means: whatever only sounds like one strikes nothing."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.facts.duplicates import duplicate_of
from holdfast.facts.fact import Draft, Fact
from holdfast.facts.subject import claim_of
from holdfast.facts.supersede import replaced_by
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_row import Category

DAY = date(2026, 11, 15)


def fact(text: str) -> Fact:
    return Fact("a", text, Category.FACT)


def replaces(new: str, old: str) -> bool:
    return bool(replaced_by(Draft(new), Origin.USER, [fact(old)], DAY))


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (
            "My wife is called Jane.",
            ["is from Peru.", "is a doctor", "is German", "is 34", "is away", "is Head of Sales"],
        ),
        ("My manager is Bob", ["is on holiday", "is very strict", "is leaving", "is great", "is Swiss and tall"]),
        (
            "My birthday is 3 May.",
            ["is next week!", "is around the corner", "is coming up", "is on a Sunday this year"],
        ),
        (
            "My name is Ada.",
            ["is a mystery to most people.", "is hard to pronounce", "is spelled A-d-a", "is too long"],
        ),
        ("My timezone is CET", ["is annoying for calls", "is different from yours"]),
        ("My phone number is 555-0101", ["is unlisted", "is on my card"]),
        ("My phone is 555-0101", ["is a Pixel 9", "is dead"]),
        ("My job is teaching.", ["is boring.", "is a nightmare", "is at risk", "is harder now", "is killing me"]),
        ("My email is a@x.org", ["is down", "is full of spam"]),
        ("My employer is Acme", ["is hiring", "is paying for it"]),
        ("My address is 5 Elm Street", ["is confidential", "is going to change"]),
        ("My height is 180 cm", ["is average"]),
        ("My favourite editor is Vim", ["is slow", "is hard to choose", "is very old"]),
        ("The deadline of Apollo is 3 March", ["is tight", "is flexible", "is next week"]),
        ("The owner of Kestrel is Bob", ["is on leave", "is unknown"]),
        ("The database of Kestrel is Postgres", ["is down", "is broken"]),
    ],
)
def test_what_is_only_said_about_something_takes_no_place_of_its_value(known: str, said: list[str]) -> None:
    assert claim_of(known) is not None
    subject = known.partition(" is ")[0]
    for one in said:
        assert not replaces(f"{subject} {one}", known), one


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Mein Name ist Ada", "Mein Name ist schwer auszusprechen"),
        ("Je m'appelle Ada", "Mon nom est difficile à prononcer"),
        ("Me llamo Ada", "Mi nombre es difícil de pronunciar"),
        ("Me chamo Ada", "Meu nome é difícil de pronunciar"),
        ("Mein Geburtstag ist am 3. Mai", "Mein Geburtstag ist bald"),
        ("Mon anniversaire est le 3 mai", "Mon anniversaire est bientôt"),
        ("Mi cumpleaños es el 3 de mayo", "Mi cumpleaños es mañana"),
        ("Meu aniversário é em 3 de maio", "Meu aniversário é amanhã"),
        ("Mein Beruf ist Schreiner", "Mein Beruf ist anstrengend"),
        ("Mon métier est boulanger", "Mon métier est difficile"),
        ("J'habite à Rome.", "J'habite à deux pas du métro."),
        ("J'habite à Rome.", "J'habite au centre-ville"),
        ("Ich arbeite bei Siemens.", "Ich arbeite bei offenem Fenster."),
        ("Ich arbeite bei Siemens.", "Ich arbeite bei Kerzenlicht"),
        ("Je travaille chez Renault", "Je travaille chez moi"),
        ("Trabajo en Telefónica", "Trabajo en casa"),
        ("Moro em Lisboa", "Moro no centro"),
        ("Call me Ada", "Call me later"),
        ("Call me Ada", "Call me crazy"),
        ("I work at Acme", "Works for me"),
        ("my manager is called bob", "my manager is asleep"),
    ],
)
def test_in_other_languages_and_letters_as_well(known: str, said: str) -> None:
    assert claim_of(known) is not None
    assert not replaces(said, known)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I live in Rome.", "I live in Italy."),
        ("J'habite à Paris.", "J'habite en France."),
        ("Ich wohne in Ulm", "Ich lebe in Deutschland"),
        ("Vivo en Sevilla", "Vivo en España"),
        ("Moro no Porto", "Moro em Portugal"),
        ("I live in Tiny Village", "I live in Austria"),
        ("I live in Munich", "I live in Bavaria"),
        ("I live in Oslo", "I live in Europe"),
        ("I live in Berlin", "I live in Berlin-Kreuzberg"),
        ("I live in London", "I live in East London"),
        ("Ich wohne in München", "I live in Munich"),
        ("My timezone is CET", "My timezone is Europe/Berlin"),
        ("My timezone is CET", "My timezone is UTC+1"),
        ("My birthday is 3 May", "My birthday is in May"),
        ("The deadline of Apollo is 3 March", "The deadline of Apollo is 3 March 2027"),
        ("The deadline of Apollo is 3 March", "The deadline of Apollo is Friday"),
    ],
)
def test_what_says_the_same_more_or_less_exactly_is_no_contradiction(one: str, other: str) -> None:
    assert not replaces(one, other)
    assert not replaces(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I live in Rome.", "I've moved to Germany."),
        ("I live in Italy", "I live in Germany"),
        ("Ich wohne in der Schweiz", "I live in Norway"),
        ("I live in Los Angeles", "I live in The Hague"),
        ("My timezone is CET", "My timezone is now Asia/Tokyo"),
        ("My timezone is UTC+1", "My time zone is UTC+2"),
        ("My phone number is 555-0101", "My phone is 555-0199"),
        ("The launch date of Kestrel is 3 May", "The launch of Kestrel is on 9 May"),
        ("My job title is nurse", "I work as a surgeon"),
        ("My job is head of sales", "I work as a team lead"),
        ("My favourite color is blue", "My favourite colour is red"),
        ("My birthday is 3 May", "Ich bin am 4. Mai 1990 geboren"),
        ("The price of Kestrel is 5,000 euros", "The price of Kestrel is 6000 euros"),
    ],
)
def test_another_value_takes_the_place_in_whatever_words_the_attribute_is_named(one: str, other: str) -> None:
    assert replaces(one, other)
    assert replaces(other, one)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My birthday is 3 May", "My birthday is on May 3rd"),
        ("My birthday is 3 May 1990", "My birthday is 1990-05-03"),
        ("My birthday is 3 May", "Mein Geburtstag ist am 3. Mai"),
        ("My phone number is 555-0101", "My phone is 555 0101"),
        ("The price of Kestrel is 5,000 euros", "The price of Kestrel is 5000 euros"),
        ("My favourite colour is blue", "My favorite color is blue"),
        ("Ich wohne in München", "I live in Munich"),
        ("I live in Coimbra", "Lives in Coimbra"),
        ("My name is Ada", "Name is Ada"),
        ("I work as a nurse", "Works as a nurse"),
        ("I prefer tea", "Prefers tea"),
        ("I am allergic to nuts", "Is allergic to nuts"),
    ],
)
def test_one_value_in_another_format_is_one_fact(old: str, new: str) -> None:
    assert duplicate_of(new, [fact(old)], DAY) == fact(old)


def test_who_moved_from_somewhere_with_somebody_said_both() -> None:
    old, new = "I moved from Paris to Berlin", "I moved from Paris to Berlin with my wife"
    assert duplicate_of(new, [fact(old)], DAY) is None


@pytest.mark.parametrize(
    "text",
    ["I moved to Berlin in 2019 and to Oslo in 2021", "I live in Oslo from 2019 to 2021", "My husband is Christian"],
)
def test_what_tells_a_story_or_may_mean_two_things_claims_nothing(text: str) -> None:
    assert claim_of(text) is None


@pytest.mark.parametrize("text", ["Works like a charm", "Uses of iron", "Plays by Shakespeare", "Name is required"])
def test_a_sentence_without_a_subject_that_is_about_something_else_is_nobodys(text: str) -> None:
    assert claim_of(text) is None


@given(st.sampled_from(["My birthday is ", "My timezone is ", "I live in ", "My name is ", "My job is "]), st.text())
def test_no_words_are_too_strange_to_be_looked_at(form: str, words: str) -> None:
    claim_of(form + words)
