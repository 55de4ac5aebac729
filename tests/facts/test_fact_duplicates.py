"""What is taken for a second saying is not written down: so two facts are one only where each says all of the other."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.facts.duplicates import (
    count_repeats,
    duplicate_of,
    may_be_one,
    may_say_no_more,
    normalise,
    says_the_same,
)
from holdfast.facts.fact import Fact
from holdfast.markdown.fact_row import Category

DAY = date(2026, 11, 15)


def fact(text: str) -> Fact:
    return Fact("a", text, Category.FACT)


def is_one(new: str, old: str) -> bool:
    """Whether the new one would be taken for a second saying, however similar their vectors are."""
    return duplicate_of(new, [fact(old)], DAY, lambda _: 1.0) is not None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # signs and operators
        ("The freezer runs at -18 degrees", "The freezer runs at 18 degrees"),
        ("The freezer runs at −18 degrees", "The freezer runs at 18 degrees"),
        ("Timeout must be <= 5", "Timeout must be >= 5"),
        ("Timeout must be < 5", "Timeout must be <= 5"),
        ("The build fails where a != b", "The build fails where a == b"),
        ("My left eye has -2.5 dioptres", "My left eye has +2.5 dioptres"),
        ("The discount is 5%", "The discount is 5"),
        ("The rent is 500", "The rent is $500"),
        ("The rent is €500", "The rent is $500"),
        ("The config is in ~/app", "The config is in /app"),
        ("The config is in ../app", "The config is in /app"),
        (".env holds the settings", "env holds the settings"),
        ("The channel is #general", "The channel is general"),
        ("I write C++ at work", "I write C at work"),
        ("I use .NET", "I use NET"),
        ("The grade is A-", "The grade is A+"),
        ("The interval is (0,1]", "The interval is [0,1]"),
        ("I push with --force", "I push with force"),
        ("The bound is 10²", "The bound is 102"),
        ("The answer is yes 👍", "The answer is yes 👎"),
        ("I like the new plan 👎", "I like the new plan"),
        ("I live in Oslo 👎", "I moved to Oslo"),
        ("yes 👍", "yes"),
        ("We deploy on Friday?", "We deploy on Friday"),
        # whose it is
        ("She plays chess on Sundays", "I play chess on Sundays"),
        ("He plays chess on Sundays", "I play chess on Sundays"),
        ("We play chess on Sundays", "I play chess on Sundays"),
        ("Anna plays chess on Sundays", "I play chess on Sundays"),
        ("Her birthday is 3 May", "My birthday is 3 May"),
        ("His name is Bob", "My name is Bob"),
        ("I love my dogs", "I love dogs"),
        ("Needs a review of the code", "I need a review of the code"),
        ("I trust her brother", "I trust my brother"),
        ("Ich mag seinen Hund", "Ich mag meinen Hund"),
        ("Je la vois le lundi", "Je le vois le lundi"),
        # how sure, how often, how much
        ("Avoid deploying on Friday", "Deploy on Friday"),
        ("Never deploy on Friday", "Deploy on Friday"),
        ("I rarely drink coffee", "I drink coffee"),
        ("I hardly ever drink coffee", "I drink coffee"),
        ("I seldom eat meat", "I eat meat"),
        ("I almost bought a boat", "I bought a boat"),
        ("I might buy a house in Spain", "I buy a house in Spain"),
        ("I only eat fish", "I eat fish"),
        ("I just eat fish", "I eat fish"),
        ("I can barely swim", "I can swim"),
        ("I used to smoke cigars", "I smoke cigars"),
        ("I would like a boat", "I like a boat"),
        ("I'm not really tired", "I'm not tired"),
        ("The old database is called heron", "The database is called heron"),
        ("Ich trinke selten Kaffee", "Ich trinke Kaffee"),
        ("Ich trinke kaum Kaffee", "Ich trinke Kaffee"),
        ("Je bois rarement du café", "Je bois du café"),
        ("Apenas bebo café", "Bebo café"),
        ("Quase comprei um barco", "Comprei um barco"),
        ("I live in Berlin, maybe", "I live in Berlin"),
        ("I live in Berlin, but not for long", "I live in Berlin"),
        # when
        ("I played chess at school", "I play chess at school"),
        ("I lived in Oslo", "I live in Oslo"),
        ("I'm having a baby", "I have a baby"),
        ("I stopped to smoke", "I stopped smoking"),
        ("The payment is due on Friday", "The payment is due by Friday"),
        # who does it to whom
        ("The client pays us", "We pay the client"),
        ("The app blocks the user", "The user blocks the app"),
        ("Alice calls Bob every day", "Bob calls Alice every day"),
        ("The tests start the server", "The server starts the tests"),
        ("I work with Bob", "I work for Bob"),
        # how many and which
        ("I own a house", "I own houses"),
        ("I have two kids", "I have 3 kids"),
        ("I have two kids and a dog", "I have two kids"),
        ("I prefer green tea with milk", "I prefer green tea"),
        ("Ich trinke Bier in Maßen", "Ich trinke Bier in Massen"),
        ("Bebo muito café", "Bebo café"),
        ("I have a few friends in Oslo", "I have few friends in Oslo"),
        ("Je parle un peu anglais", "Je parle peu anglais"),
        ("I love Anna", "I like Anna"),
        ("Anna loves sailing", "Anna likes sailing"),
        ("Well water is bad here", "Water is bad here"),
        ("The user told Anna that she should go", "I told Anna that I should go"),
        ("The user asked the manager for her phone", "I asked the manager for my phone"),
        ("I am a lead of Kestrel", "I am the lead of Kestrel"),
        ("I am very allergic to nuts", "I am allergic to nuts"),
        # what looks like an ending and is none
        ("The build is ok", "The build is"),
        ("The answers to Bob are correct", "The answers to Bob are"),
        ("Take exit 5 right", "Take exit 5"),
        ("He is someone you know", "He is someone"),
        ("My favourite bands are Genesis, Yes", "My favourite bands are Genesis"),
        ("My options are no, ok", "My options are no"),
        ("I listen to Genesis, Yes", "I listen to Genesis"),
        ("Note 5 is broken", "5 is broken"),
    ],
)
def test_no_similarity_makes_one_of_two_that_say_different_things(old: str, new: str) -> None:
    assert not is_one(new, old)
    assert not is_one(old, new) or says_the_same(old, new)  # a claim may go on: who lives in Berlin, lives there
    assert not may_be_one(new, old)
    assert count_repeats([old, new]) == 0 or says_the_same(old, new)


@pytest.mark.parametrize(
    "said",
    [
        "I live in Oslo, correct.",
        "I live in Oslo, as you know",
        "I live in Oslo btw",
        "I live in Oslo, thanks",
        "I live in Oslo. Thanks!",
        "I live in Oslo though",
        "I live in Oslo ok",
        "I live in Oslo, obviously",
        "I live in Oslo — thanks",
        "I live in Oslo 🇳🇴",
        "I live in Oslo🇳🇴!",
        "I live in Oslo 👍",
        "I live in Oslo 👍🏽 :)",
        "Yes, I live in Oslo",
        "Please remember that I live in Oslo.",
        "As you know, I live in Oslo",
        "The user lives in Oslo, btw",
    ],
)
def test_what_people_add_without_saying_more_makes_no_second_fact(said: str) -> None:
    for one, other in (("I live in Oslo", said), (said, "I live in Oslo"), ("I moved to Oslo", said)):
        assert duplicate_of(other, [fact(one)], DAY) == fact(one)
    assert count_repeats(["I live in Oslo", said]) == 1


@pytest.mark.parametrize("said", ["I live in Granada 🇳🇮", "I live in Oslo 🇸🇪", "I live in Oslo 🙃", "I live in Oslo?"])
def test_a_flag_or_a_picture_that_says_more_is_kept(said: str) -> None:
    assert not is_one(said, said[:-2].strip())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("My dog is called Rex", "My dog's name is Rex"),
        ("My dog is called Rex", "My dog is named 'Rex'."),
        ("My dog is called Rex", "The name of my dog is Rex"),
        ("The user's dog is called Rex", "My dog's name is Rex, by the way"),
        ("The database is called heron", "The database's name is heron"),
        ("Mein Hund heißt Rex", "Der Name meines Hundes ist Rex"),
        ("Meine Katze heißt Mia", "Der Name meiner Katze ist Mia, übrigens"),
        ("Mon chien s'appelle Rex", "Le nom de mon chien est Rex"),
        ("Mi perro se llama Rex", "El nombre de mi perro es Rex"),
        ("O meu cão chama-se Rex", "O nome do meu cão é Rex"),
        ("Meu cachorro se chama Rex", "O nome do meu cachorro é Rex"),
        ("I prefer green tea", "Prefers green tea"),
        ("I have two kids", "I've got two kids"),
        ("I have two kids", "I have 2 kids"),
        ("I've got 2 kids", "I have two kids, thanks"),
        ("Ich habe zwei Kinder", "Ich habe 2 Kinder, wie gesagt"),
        ("J'ai deux enfants", "J'ai 2 enfants, merci"),
        ("Tengo dos hijos", "Tengo 2 hijos, como ya sabes"),
        ("Tenho dois filhos", "Tenho 2 filhos, claro"),
        ("I don't eat pork", "I do not eat pork"),
        ("I can't swim well", "I cannot swim well"),
        ("J'habite à Lyon", "J'habite à Lyon, comme tu le sais !"),
        ("Vivo en Sevilla", "¡Vivo en Sevilla, gracias!"),
        ("Ich wohne in Bern", "Ja, ich wohne in Bern, stimmt"),
        ("Moro em Lisboa", "Moro em Lisboa, obrigada"),
    ],
)
def test_the_same_in_closed_words_for_it_is_one_fact_without_vectors(one: str, other: str) -> None:
    assert duplicate_of(other, [fact(one)], DAY) == fact(one)
    assert duplicate_of(one, [fact(other)], DAY) == fact(other)
    assert count_repeats([one, other, "I like plums"]) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I really like the green tea", "I like green tea"),
        ("The user is working on the Kestrel project", "I work on Kestrel project"),
        ("On Fridays we deploy the app", "We deploy the app on Fridays"),
        ("Le matin je bois vraiment du thé", "Le matin je bois du thé"),
    ],
)
def test_similarity_makes_one_of_two_that_differ_by_words_of_no_weight(one: str, other: str) -> None:
    assert may_be_one(one, other) and may_be_one(other, one)
    assert is_one(one, other) and is_one(other, one)


def test_a_known_sentence_that_goes_on_says_all_of_a_shorter_one_unless_it_limits_that() -> None:
    assert may_say_no_more("I drink green tea", "I drink green tea every morning")
    assert may_say_no_more("I prefer green tea", "I really prefer green tea with milk")
    assert not may_say_no_more("I drink green tea every morning", "I drink green tea")
    for old in ("I eat fish fingers", "I eat fish but only in May", "I eat fish when I'm not ill", "I never eat fish"):
        assert not may_say_no_more("I eat fish", old)


def test_a_sentence_with_lines_below_it_is_not_taken_for_its_first_line() -> None:
    assert not is_one("I live in Oslo\n  in the yellow house", "I live in Oslo")


def test_equal_words_are_equal_with_their_signs_and_letters() -> None:
    assert normalise("“Hello,  World!”") == normalise("hello, world")
    for one, other in (
        ("-5", "5"),
        (".env", "env"),
        ("The desk is 5' wide", "The desk is 5 wide"),
        ("in Maßen", "in Massen"),
        ("Do it?", "Do it"),
        ("2³", "23"),
    ):
        assert normalise(one) != normalise(other)


def test_each_sentence_that_repeats_one_before_it_is_counted_once() -> None:
    assert count_repeats([]) == 0
    assert (
        count_repeats(["I live in Oslo", "I moved to Oslo", "I live in Oslo btw", "i live in oslo!", "I like plums"])
        == 3
    )
    assert count_repeats(["I have two kids", "Anna has two kids", "I've got 2 kids", "Anna has 2 kids"]) == 2


@given(st.text(max_size=60), st.text(max_size=60))
def test_whatever_the_texts_are_one_is_one_with_itself_and_the_order_does_not_matter(one: str, other: str) -> None:
    assert may_be_one(one, other) == may_be_one(other, one)
    if normalise(one) and one.strip():
        assert count_repeats([one, one]) == 1
    assert 0 <= count_repeats([one, other]) <= 1
    says_the_same(one, other)
