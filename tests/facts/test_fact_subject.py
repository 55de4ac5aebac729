"""What a sentence is about, and which one takes another's place: by what it says, and never by how it sounds."""

from __future__ import annotations

from datetime import date

import pytest

from holdfast.facts.duplicates import duplicate_of, may_be_one, normalise
from holdfast.facts.fact import Draft, Fact
from holdfast.facts.subject import claim_of
from holdfast.facts.supersede import replaced_by
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_row import Category

DAY = date(2026, 11, 15)


def fact(text: str, **more: object) -> Fact:
    return Fact("a", text, Category.FACT, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Berlin", "I moved to Munich last year"),
        ("I live in Berlin.", "Actually, I live in Munich now"),
        ("I live in Berlin", "I no longer live in Berlin"),
        ("I no longer live in Berlin", "I moved to Berlin"),
        ("Ich wohne in Zürich", "Ich bin nach Bern gezogen"),
        ("J'habite à Lyon", "J’ai déménagé à Paris"),
        ("Vivo en Madrid", "Me mudé a Sevilla"),
        ("Vivo a Roma", "Mi sono trasferita a Milano"),
        ("Moro em Lisboa", "Mudei-me para o Porto"),
        ("Ich wohne in Zürich", "I live in Bern"),
        ("I work at Acme", "I'm working for Initech since May"),
        ("My favourite editor is Vim", "My favorite editor is now Helix"),
        ("Mein Lieblingstee ist Assam", "Mein Lieblingstee ist Sencha"),
        ("Mon fromage préféré est le comté", "Mon fromage préféré est le brie"),
        ("I prefer tea over coffee", "I prefer coffee to tea"),
        ("I like fish", "I don't like fish"),
        ("Ich mag Fisch", "Ich mag Fisch nicht mehr"),
        ("No me gusta el café", "Me gusta el café"),
        ("Alice is the team lead for the API project", "Bob is the new lead of the API project"),
        ("The deadline of the Apollo project is 3 March", "The deadline for Apollo project is 10 April"),
        ("The project uses PostgreSQL 16", "The project uses PostgreSQL 17"),
        ("We decided to use Jest for testing", "We settled on Vitest for testing"),
        ("Call me Ada", "Call me Grace"),
        ("My name is Ada", "Ich heiße Zoe"),
        ("My favourite editor is Vim", "My favourite editor is no longer Vim"),
        ("My manager is Bob", "My manager is Dr. Carol Miller from Leeds"),
        ("My wife is called Jane", "My wife's name is Mary"),
        ("my name is ada", "my name is zoe"),
        ("I am 34 years old", "I'm 35 years old"),
        ("The user lives in Oslo", "I moved to Bergen"),
        ("Ada leads Kestrel", "Bob leads Kestrel"),
        ("Ada leads the Kestrel project", "Bob Miller now leads Kestrel"),
        ("The lead of Kestrel is Ada", "Bob is leading the Kestrel project since May"),
        ("Ada leads project Kestrel", "Kestrel is led by Bob"),
        ("I lead Kestrel", "Bob leads Kestrel"),
        ("Ada leads Kestrel", "Ada no longer leads Kestrel"),
        ("Ada leads the design team", "Bob leads the design team"),
        ("Anna leitet das Kestrel-Projekt", "Ben leitet Kestrel"),
        ("Ana dirige el proyecto Kestrel", "Beto lidera el proyecto Kestrel"),
        ("I live in Berlin", "I moved to Munich in the summer"),
        ("I live in Berlin", "I live in Munich since the summer"),
        ("I live in Berlin", "I live in Palm Springs, where I work part-time"),
        ("My birthday is in the summer", "My birthday is in the winter"),
    ],
)
def test_a_fact_takes_the_place_of_one_that_can_not_hold_beside_it(old: str, new: str) -> None:
    (replaced,) = replaced_by(Draft(new), Origin.USER, [fact(old)], DAY)
    assert replaced.rule.startswith("subject:")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Berlin", "I live in a small flat"),
        ("I live in Berlin", "I live in Berlin with my wife"),
        ("I live in Berlin", "Anna lives in Munich"),
        ("I live in Berlin", "I lived in Munich as a child"),
        ("I live in Berlin", "Would I live in Munich?"),
        ("I work at Acme", "I work at home"),
        ("I work at Acme", "I work as a carpenter"),
        ("My cat is called Tom", "My cat is called Mia"),
        ("I like tea", "I like coffee"),
        ("I prefer tea over coffee", "I prefer Vim over Emacs"),
        ("The project uses PostgreSQL 16", "The project uses Redis 7"),
        ("Alice is the lead of Apollo", "Bob is the lead of Gemini"),
        ("She lives in Berlin", "He lives in Munich"),
        ("I no longer live in Berlin", "I live in Munich"),
        ("I like green tea", "I like green tea very much in the morning, with friends and family around"),
        ("I live in Paris during the summer", "I live in Nice during the winter"),
        ("I live in Paris", "I live in Nice when it is cold"),
        ("I live in Paris", "I live in Nice, but only in winter"),
        ("I live in Paris", "I live in Nice from May to October"),
        ("I work at Google on Mondays", "I work at Apple on Tuesdays"),
        ("I work at Google", "I work at Uber two days a week"),
        ("My favourite drink is tea in the winter", "My favourite drink is cola in the summer"),
        ("Ich wohne in Ulm", "Ich wohne in Nizza im Winter"),
        ("J'habite à Lyon", "J'habite à Nice en hiver"),
        ("Vivo en Madrid", "Vivo en Cádiz en verano"),
        ("Moro em Lisboa", "Moro em Faro no verão"),
        ("I live in Paris", "I live in constant fear of segfaults"),
        ("I live in Paris", "I've moved to Linux"),
        ("Ich wohne in Ulm", "Ich lebe in ständiger Angst"),
        ("I work at Google", "I work for free"),
        ("Ada leads Kestrel", "Bob leads Merlin"),
        ("Ada leads Kestrel", "My boss leads Kestrel"),
        ("Ada leads Kestrel on Mondays", "Bob leads Kestrel on Tuesdays"),
        ("Ada leads yoga classes", "Bob leads yoga classes"),
        ("Kestrel leads to Merlin", "Condor leads to Merlin"),
        ("I live in Berlin", "I live in Oslo until June"),
        ("My name is Ada Lovelace", "Call me Addy"),
    ],
)
def test_a_fact_that_can_hold_beside_another_leaves_it_alone(old: str, new: str) -> None:
    assert replaced_by(Draft(new), Origin.USER, [fact(old)], DAY) == []


def test_what_is_over_or_still_to_come_or_of_an_earlier_time_takes_no_place() -> None:
    old = fact("I live in Berlin", observed=date(2026, 6, 1))
    for times in (
        {"valid_until": date(2020, 1, 1)},
        {"valid_from": date(2027, 1, 1)},
        {"valid_from": date(2020, 1, 1)},
    ):
        assert replaced_by(Draft("I live in Munich", **times), Origin.USER, [old], DAY) == []  # type: ignore[arg-type]
    assert replaced_by(Draft("I live in Munich", valid_from=date(2026, 7, 1)), Origin.USER, [old], DAY)


@pytest.mark.parametrize("origin", [Origin.IMPORT, Origin.MCP_TOOL])
def test_what_comes_from_elsewhere_takes_no_place_of_the_users_own(origin: Origin) -> None:
    for own in (Origin.USER, Origin.OUTSIDE, Origin.AUTO_CAPTURE, Origin.AGENT, Origin.API):
        assert replaced_by(Draft("I live in Munich"), origin, [fact("I live in Berlin", origin=own)], DAY) == []
    assert replaced_by(Draft("I live in Munich"), origin, [fact("I live in Berlin", origin=Origin.IMPORT)], DAY)


def test_a_very_long_or_strange_text_is_about_nothing() -> None:
    assert claim_of("I live in " + "x" * 500) is None
    assert claim_of("I live in\n") is None
    assert claim_of("") is None


def test_what_the_first_line_of_a_fact_says_is_known() -> None:
    for old in ("I take the early train\n  from platform 9", "My manager is Bob\n  - in the Leeds office"):
        assert duplicate_of(old.partition("\n")[0], [fact(old)], DAY) == fact(old)
    assert duplicate_of("I take the late train", [fact("I take the early train\n  from platform 9")], DAY) is None


@pytest.mark.parametrize("below", ["  near the river", "  - the third floor\n  - with a balcony", "\n  and I like it"])
def test_lines_below_a_fact_leave_what_its_first_line_says(below: str) -> None:
    old = fact(f"I live in Berlin\n{below}")
    assert replaced_by(Draft("I live in Munich"), Origin.USER, [old], DAY)
    assert not replaced_by(Draft("I live in Berlin"), Origin.USER, [old], DAY)
    claim = claim_of(old.text)
    assert claim is not None
    assert (claim.value, claim.more) == ("berlin", " ".join(below.casefold().split()))
    assert claim_of("My manager is\n  Bob") == claim_of("My manager is Bob")


def test_the_same_words_are_one_fact_whatever_their_case_and_end() -> None:
    assert normalise("  I prefer  GREEN tea! ") == normalise("i prefer green tea")
    assert normalise("I like C++") != normalise("I like C")
    facts = [fact("I prefer green tea", struck=True), fact("I like plums")]
    assert duplicate_of("I prefer green tea", facts, DAY) is None  # it was taken back: saying it again is news
    assert duplicate_of("i like plums.", facts, DAY) == facts[1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I have two cats and 3 dogs", "I have two cats and 4 dogs"),
        ("I always drink tea in the morning", "I never drink tea in the morning"),
        ("The main office of the company is in Berlin", "The main office of the company is in Munich"),
        ("I live in Berlin", "I live in Munich"),
        ("I prefer light mode in all my editors", "I prefer dark mode in all my editors"),
        ("We deploy on fridays after the review", "We deploy on fridays before the review"),
        ("I prefer green tea with milk", "I prefer green tea"),
        ("I love travel maps", "I love travel markets"),
        ("I had a dog", "I have a dog"),
        ("the red line goes from the harbour to the market", "the red line goes from the market to the harbour"),
        ("The manager of Alice is Bob", "The manager of Bob is Alice"),
    ],
)
def test_no_similarity_makes_one_of_what_a_name_a_number_or_a_not_sets_apart(one: str, other: str) -> None:
    assert not may_be_one(one, other)
    assert duplicate_of(one, [fact(other)], DAY, lambda _: 0.99) is None


def test_similarity_makes_one_of_other_words_for_the_same() -> None:
    facts = [fact("I like plums"), fact("I really do prefer green tea")]
    scores = {facts[0]: 0.2, facts[1]: 0.97}
    assert duplicate_of("I do prefer green tea", facts, DAY, scores.__getitem__) == facts[1]
    assert duplicate_of("I do prefer green tea", facts, DAY, scores.__getitem__, 0.98) is None
    for one, other in (
        ("I drink coffee in the morning", "In the morning I drink coffee"),
        ("The user likes dark mode", "User prefers dark mode"),
        ("I use Vim for notes", "I'm using Vim for my notes"),
    ):
        assert may_be_one(one, other)
