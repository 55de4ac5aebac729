"""The same claim in other words, in another person or in another language is one fact; what says more is another."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from holdfast.facts.duplicates import duplicate_of, longest_word, says_the_same
from holdfast.facts.fact import Draft, Fact, State
from holdfast.facts.fact_insert import Notes, Outcome, add_fact, all_facts
from holdfast.facts.person import first_person
from holdfast.facts.subject import claim_of, plainly
from holdfast.facts.supersede import replaced_by
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_row import Category

DAY = date(2026, 11, 15)
LANGUAGES = ("de", "en", "es", "fr", "pt")


def fact(text: str, **more: object) -> Fact:
    return Fact("a", text, Category.FACT, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I moved to Berlin", "I live in Berlin"),
        ("I live in Berlin", "I've just moved to Berlin."),
        ("I live in Berlin with my wife", "I now live in Berlin"),
        ("I live in Berlin", "I live in Berlin now"),
        ("I live in Berlin", "My home is in Berlin"),
        ("I no longer live in Berlin", "I don't live in Berlin"),
        ("I work at Acme", "I'm currently working for Acme"),
        ("I work at Acme", "My employer is Acme"),
        ("I work as a carpenter", "My job is carpenter"),
        ("My favourite editor is Helix", "I prefer Helix as my editor"),
        ("My preferred editor is Helix", "Helix is my favorite editor"),
        ("I prefer tea over coffee", "I prefer tea to coffee"),
        ("My name is Ada", "Call me Ada"),
        ("I am 34 years old", "I'm 34"),
        ("Alice is the lead of Apollo", "Apollo is led by Alice"),
        ("Ich bin nach Bern gezogen", "Ich wohne in Bern"),
        ("Ich wohne in Bern", "Mittlerweile wohne ich in Bern"),
        ("Ich arbeite bei Acme", "Mein Arbeitgeber ist Acme"),
        ("Ich bin Schreiner von Beruf", "Ich arbeite als Schreiner"),
        ("Mein Lieblingseditor ist Helix", "Ich bevorzuge Helix als Editor"),
        ("Mein Lieblingstee ist Assam", "Assam ist mein Lieblingstee"),
        ("J'ai déménagé à Lyon", "J’habite à Lyon"),
        ("Je vis à Lyon", "Je me suis installée à Lyon"),
        ("Je travaille chez Acme", "Mon employeur est Acme"),
        ("Mon éditeur préféré est Helix", "Je préfère Helix comme éditeur"),
        ("Le brie est mon fromage préféré", "Mon fromage préféré est le brie"),
        ("Me mudé a Sevilla", "Vivo en Sevilla"),
        ("Yo vivo en Sevilla", "Estoy viviendo en Sevilla"),
        ("Mi editor favorito es Helix", "Prefiero Helix como editor"),
        ("Helix es mi editor preferido", "Mi editor favorito es Helix"),
        ("Mudei-me para Lisboa", "Moro em Lisboa"),
        ("Estou morando em Lisboa", "Eu vivo em Lisboa"),
        ("O meu editor favorito é Helix", "Prefiro Helix como editor"),
        ("Helix é o meu editor preferido", "Meu editor favorito é Helix"),
        ("I live in Bern", "Ich wohne in Bern"),
    ],
)
def test_the_same_claim_in_other_words_is_one_fact(old: str, new: str) -> None:
    assert duplicate_of(new, [fact(old)], DAY) == fact(old)
    assert replaced_by(Draft(new), Origin.USER, [fact(old)], DAY) == []


@pytest.mark.parametrize(
    ("own", "told"),
    [
        ("I prefer dark mode in all my editors", "The user prefers dark mode in all their editors."),
        ("I never drink coffee", "User never drinks coffee"),
        ("My sister studies in Ghent", "The user's sister studies in Ghent"),
        ("I'm not a smoker", "The user isn't a smoker"),
        ("I don't like fish", "User doesn't like fish"),
        ("Ich trinke morgens Tee", "Der Nutzer trinkt morgens Tee"),
        ("Ich wohne in Bern", "Die Benutzerin wohnt in Bern"),
        ("Je bois du thé le matin", "L'utilisateur boit du thé le matin"),
        ("J'aime mes chats", "L'utilisatrice aime ses chats"),
        ("Bebo té por la mañana", "El usuario bebe té por la mañana"),
        ("Me gusta el té verde", "Al usuario le gusta el té verde"),
        ("Bebo chá de manhã", "O usuário bebe chá de manhã"),
        ("Não gosto de peixe", "A usuária não gosta de peixe"),
        ("I live in Bern", "Der Nutzer wohnt in Bern"),
    ],
)
def test_what_is_told_of_the_user_is_what_the_user_says(own: str, told: str) -> None:
    for one, other in ((own, told), (told, own)):
        assert says_the_same(one, other) or first_person(other.casefold()) == one.casefold()
        assert duplicate_of(one, [fact(other)], DAY) == fact(other)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Berlin", "I live in Berlin with my wife"),
        ("I live in Berlin", "I moved to Berlin last year"),
        ("I live in Berlin", "I moved from Paris to Berlin"),
        ("I live in Berlin", "I live in Berlin, near the zoo"),
        ("I live in Berlin", "I lived in Berlin"),
        ("I live in Berlin", "Anna lives in Berlin"),
        ("I work at Acme", "I work at Acme as a carpenter"),
        ("My favourite editor is Helix", "My favourite editor is Helix because it is fast"),
        ("I prefer tea over coffee", "I prefer tea over milk"),
        ("I like green tea", "I like green tea in the morning"),
        ("Ich wohne in Bern", "Ich bin von Zug nach Bern gezogen"),
        ("Vivo en Sevilla", "Me mudé de Cádiz a Sevilla"),
        ("The user prefers tea", "Anna prefers tea"),
        ("I have a dog", "The user had a dog"),
    ],
)
def test_what_says_more_or_something_else_is_a_fact_of_its_own(old: str, new: str) -> None:
    assert duplicate_of(new, [fact(old)], DAY) is None


def test_a_claim_that_was_taken_back_is_news_when_it_is_said_in_other_words() -> None:
    assert duplicate_of("I live in Berlin", [fact("I moved to Berlin", struck=True)], DAY) is None


def test_what_a_model_stored_and_the_user_says_is_one_live_fact() -> None:
    first = add_fact({}, Draft("The user lives in Oslo", Category.FACT), Origin.AGENT, DAY)
    again = add_fact(first.changes, Draft("I moved to Oslo", Category.OTHER), Origin.AUTO_CAPTURE, DAY)
    assert (again.outcome, again.id) == (Outcome.REINFORCED, first.id)


@pytest.mark.parametrize("origin", [Origin.IMPORT, Origin.MCP_TOOL])
def test_what_the_user_says_takes_the_place_of_the_same_from_elsewhere(origin: Origin) -> None:
    first = add_fact({}, Draft("My favourite editor is Helix", Category.PREFERENCE), origin, DAY)
    said = add_fact(first.changes, Draft("I prefer Helix as my editor", Category.PREFERENCE), Origin.USER, DAY)
    assert (said.outcome, said.replaced, said.rule) == (Outcome.SUPERSEDED, (first.id,), f"origin:{origin.value}")
    notes: Notes = said.changes
    live = [one for one in all_facts(notes) if one.state(DAY) is State.LIVE]
    assert [(one.origin, one.text) for one in live] == [(Origin.USER, "I prefer Helix as my editor")]
    again = add_fact(notes, Draft("My favourite editor is Helix"), origin, DAY)
    assert again.outcome is Outcome.REINFORCED


def test_a_model_that_repeats_what_a_file_said_makes_it_nobody_elses() -> None:
    first = add_fact({}, Draft("My favourite editor is Helix"), Origin.IMPORT, DAY)
    said = add_fact(first.changes, Draft("The user's favourite editor is Helix"), Origin.AGENT, DAY + timedelta(1))
    assert (said.outcome, said.id) == (Outcome.REINFORCED, first.id)
    (one,) = all_facts(said.changes)
    assert (one.origin, one.importance) == (Origin.IMPORT, 0.55)


def test_the_word_that_tells_a_claim_stands_in_every_sentence_that_makes_it() -> None:
    said = Path(__file__).parents[1] / "data" / "capture"
    texts = [
        json.loads(line)["text"]
        for name in LANGUAGES
        for line in (said / f"{name}.jsonl").read_text("utf-8").splitlines()
    ]
    sentences = [one for text in texts for one in text.replace("!", ".").split(".") if one.strip()]
    claims = [(claim, one) for one in sentences if (claim := claim_of(one)) is not None]
    assert len(claims) > 50
    for claim, one in claims:
        assert longest_word(claim) in plainly(one)
