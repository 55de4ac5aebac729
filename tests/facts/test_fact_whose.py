"""A question about the user is answered with the user's facts; those of others come behind, unless it names them."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.facts.question_owner import asks_of_the_user, is_of_another

OTHERS = (
    "Anna's favourite editor is Emacs",
    "Anna likes the editor Emacs",
    "Anna uses Emacs",
    "My neighbour's dog is called Bello",
    "My sister is vegetarian",
    "Bob used to live in Rome",
    "Bob's phone number is 555-0199",
)
OWN = (
    "My favourite editor is Vim",
    "My dog is called Rex",
    "I am vegetarian",
    "I live in Munich",
    "My phone number is 555-0101",
)


@pytest.mark.parametrize(
    "text",
    [
        *OTHERS,
        "My older brother plays chess",
        "Der Hund meines Nachbarn heißt Bello",
        "Meine Schwester trinkt Tee",
        "Le chien de mon voisin s'appelle Rex",
        "Ma sœur habite à Lyon",
        "El perro de mi vecino es grande",
        "Mi hermana vive en Roma",
        "O cachorro do meu vizinho é grande",
        "Minha irmã mora em Lisboa",
        "Bob Miller likes jazz",
    ],
)
def test_what_is_told_of_somebody_else_is_known_as_such(text: str) -> None:
    assert is_of_another(text, "what do I like?")


@pytest.mark.parametrize(
    "text",
    [
        *OWN,
        "Likes chess",
        "The router lives in the attic",
        "Anna gave me the bike",
        "Ich trinke Tee",
        "Vivo en Sevilla",
        "Vim is my editor",
        "Ich wohne bei meinen Eltern",
        "I live in the house of my parents",
        "Vivo en casa de mi madre",
    ],
)
def test_the_users_own_facts_and_those_of_nobody_are_not_put_behind(text: str) -> None:
    assert not is_of_another(text, "what do I like?")


def test_whom_the_question_names_is_not_put_behind() -> None:
    assert not is_of_another("Anna lives in Oslo", "did I write down where Anna lives?")
    assert not is_of_another("My sister is vegetarian", "what does my sister eat?")


@pytest.mark.parametrize(
    ("question", "own"),
    [
        ("which editor do I like?", True),
        ("name of my dog", True),
        ("welchen Editor benutze ich?", True),
        ("quel éditeur est-ce que j'utilise ?", True),
        ("¿qué editor uso?", True),
        ("que editor eu uso?", True),
        ("where does my sister live?", False),
        ("which editor does Anna use?", False),
    ],
)
def test_a_question_tells_whether_it_asks_of_the_user(question: str, own: bool) -> None:
    assert asks_of_the_user(question) is own


def test_history_and_recall_answer_with_the_users_own_facts(tmp_path: Path) -> None:
    with Memory.open(tmp_path) as memory:
        for text in (*OTHERS, "I live in Berlin", *OWN):
            memory.facts.store(text)
        for question, answer in (
            ("which editor do I like?", "My favourite editor is Vim"),
            ("what editor do I use?", "My favourite editor is Vim"),
            ("name of my dog", "My dog is called Rex"),
            ("what is my dog's name?", "My dog is called Rex"),
            ("am I vegetarian?", "I am vegetarian"),
            ("where did I use to live?", "I live in Munich"),
            ("my phone number", "My phone number is 555-0101"),
        ):
            assert memory.facts.recall(question).results[0].fact.text == answer, question
            assert memory.facts.history(question).facts[-1].text == answer, question
        assert memory.facts.history("which editor does Anna use?").facts[0].text.startswith("Anna")


def test_a_question_about_the_user_has_no_history_where_only_others_were_told_of(tmp_path: Path) -> None:
    with Memory.open(tmp_path) as memory:
        memory.facts.store("My sister is vegetarian")
        assert memory.facts.history("am I vegetarian?").facts == ()
