"""A question tells which facts are meant: those about the subject and the attribute that it asks for."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.facts import question as forms
from holdfast.facts.fact import Fact
from holdfast.facts.question import answers_to, asked_about, speaks_of_the_user, successors
from holdfast.facts.subject import claim_of
from holdfast.markdown.fact_row import Category


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("where do I live?", "I've moved to Munich"),
        ("Where do I live now", "I live in Oslo"),
        ("what city do I live in?", "I live in Oslo"),
        ("do you know where I live?", "I live in Oslo"),
        ("where does the user live?", "I live in Oslo"),
        ("what's my name?", "My name is Ada"),
        ("who is my manager", "My manager is Carol"),
        ("what is my wife called?", "My wife is Jane"),
        ("when is my birthday?", "My birthday is 3 May"),
        ("how old am I?", "I am 34 years old"),
        ("what is my favourite colour?", "My favourite colour is green"),
        ("where do I work?", "I work at Siemens"),
        ("where does Anna live?", "Anna lives in Rome"),
        ("who leads Kestrel?", "Bob leads Kestrel"),
        ("what is the deadline of Kestrel?", "The deadline of Kestrel is 10 March"),
        ("do I like tea?", "I don't like tea"),
        ("am I vegetarian?", "I'm a vegetarian"),
        ("wo wohne ich?", "Ich wohne in Ulm"),
        ("Wie heiße ich?", "Ich heiße Ada"),
        ("wann habe ich Geburtstag?", "Mein Geburtstag ist am 3. Mai"),
        ("was ist meine Lieblingsfarbe?", "Meine Lieblingsfarbe ist Blau"),
        ("où est-ce que j'habite ?", "J'habite à Lyon"),
        ("comment je m'appelle ?", "Je m'appelle Ada"),
        ("¿Dónde vivo?", "Vivo en Madrid"),
        ("¿Cómo me llamo?", "Me llamo Ada"),
        ("onde moro?", "Moro em Lisboa"),
        ("qual é o meu nome?", "Me chamo Ada"),
        ("dove abito?", "Vivo a Torino"),
        ("wo wohne ich?", "I live in Oslo"),
    ],
)
def test_a_question_asks_for_what_its_answer_claims(question: str, answer: str) -> None:
    claim = claim_of(answer)
    assert claim is not None
    assert asked_about(question) == claim.about


@given(st.data())
def test_a_question_of_any_form_begins_with_a_word_that_stands_before_it(data: st.DataObject) -> None:
    words, form, _ = data.draw(st.sampled_from(forms._FORMS))
    asked = data.draw(st.from_regex(re.compile(form, re.IGNORECASE), fullmatch=True))
    assert asked.partition(" ")[0].casefold() in words.split()


@pytest.mark.parametrize(
    "question",
    ["where do pandas live?", "where do my parents live?", "harbour master", "I live in Rome", "why?", "", "?" * 500],
)
def test_what_asks_for_nothing_of_one_subject_is_left_to_a_search(question: str) -> None:
    assert asked_about(question) is None


@given(st.text(max_size=80))
def test_any_text_can_be_asked(question: str) -> None:
    asked_about(question)
    asked_about(f"what is my {question}")
    asked_about(f"who leads {question}")


def test_what_was_true_last_answers_first_and_what_is_struck_out_last() -> None:
    def fact(name: str, text: str, year: int, *, by: str = "") -> Fact:
        return Fact(name, text, Category.FACT, observed=date(year, 1, 1), superseded_by=by, struck=bool(by), line=1)

    old, new = fact("a", "I live in Berlin", 2020, by="b"), fact("b", "I've moved to Munich", 2024)
    other = fact("c", "Pandas live in China", 2025)
    assert answers_to("where do I live?", [other, old, new]) == [new, old]
    assert successors(old, [other, old, new]) == [new]
    assert successors(new, [other, old, new]) == []
    round_about = [fact("d", "I live in Rome", 2020, by="e"), fact("e", "I live in Bari", 2021, by="d")]
    assert len(successors(round_about[0], round_about)) == 1


def test_what_has_no_word_for_the_user_is_not_about_the_user() -> None:
    assert speaks_of_the_user("Berlin is where I live") and speaks_of_the_user("Lives in Coimbra")
    assert not speaks_of_the_user("Pandas live in China")
