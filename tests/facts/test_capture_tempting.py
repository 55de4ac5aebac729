"""Sentences of the first person that are not about who typed them: labels, reports, games, roles (issue 7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.evaluation.capture import read_labelled, score
from holdfast.facts.capture.fact_extraction import LANGUAGES, notice

SET = Path(__file__).parent.parent / "data" / "capture"


def texts(message: str) -> list[str]:
    return [one.text for one in notice(message)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_that_only_look_like_the_users_own_words_stay_silent(language: str) -> None:
    messages = [one for one in read_labelled([str(SET / "tempting.jsonl")]) if one.language == language]
    silent = [one for one in messages if not one.facts]
    assert len(silent) >= 100
    noted = [one.text for one in silent if notice(one.text)]
    assert len(noted) * 100 <= len(silent), noted


def test_what_is_told_among_them_is_still_noticed() -> None:
    found = score(one for one in read_labelled([str(SET / "tempting.jsonl")]) if one.facts)
    assert found.messages >= 200
    assert found.precision >= 0.98 and found.recall >= 0.88, found.misses


@pytest.mark.parametrize(
    "message",
    [
        "Gardener: I have two spades and I live in Ghent.",
        "Gärtner (heute): Ich wohne in Gent.",
        "Jardinier : j'habite à Gand.",
        "Jardinero: vivo en Gante.",
        "Jardineiro: moro em Gante.",
        "<Bob> I live in Ghent",
    ],
)
def test_a_label_before_a_colon_makes_the_words_behind_it_somebody_elses(message: str) -> None:
    assert texts(message) == []


@pytest.mark.parametrize(
    ("message", "facts"),
    [
        ("Addendum: I live in Ghent.", ["I live in Ghent"]),
        ("Clarification: I don't eat pork.", ["I don't eat pork"]),
        ("Nachtrag: Ich wohne in Gent.", ["Ich wohne in Gent"]),
        ("Pour info : j'habite à Gand.", ["J'habite à Gand"]),
        ("Aclaración: vivo en Gante.", ["Vivo en Gante"]),
        ("Lembrete: moro em Gante.", ["Moro em Gante"]),
    ],
)
def test_a_label_that_only_says_what_kind_of_news_it_is_leaves_the_words_the_users_own(
    message: str, facts: list[str]
) -> None:
    assert texts(message) == facts


@pytest.mark.parametrize(
    "message",
    [
        "The landlord swears I own a dog.",
        "Die Bank vermutet, ich bin verheiratet.",
        "Laut Vermieter habe ich einen Hund.",
        "Selon la banque, je suis marié.",
        "Según el banco, tengo dos hijos.",
        "Conforme o banco, tenho dois filhos.",
        "My uncle wrote the following. I live in a tent. I hate rain.",
    ],
)
def test_what_somebody_else_says_or_thinks_about_the_user_is_not_noted(message: str) -> None:
    assert texts(message) == []


def test_what_the_user_says_after_somebody_elses_opinion_is_noted() -> None:
    assert texts("Google thinks I live in Oslo. I live in Rome.") == ["I live in Rome"]


@pytest.mark.parametrize(
    "message",
    [
        "In Morrowind I live in Balmora. I have two guars.",
        "In this riddle, I live in a bottle. For the sake of the game I am a cork.",
        "Im Krimi bin ich Kommissar.",
        "Dans la série je suis chirurgien.",
        "En la serie soy cirujano.",
        "Na série sou cirurgião.",
        "For the workshop my name is Zoe.",
    ],
)
def test_what_begins_in_a_game_a_story_or_a_theory_is_not_noted(message: str) -> None:
    assert texts(message) == []


@pytest.mark.parametrize(
    ("message", "facts"),
    [
        ("In Berlin I work at Siemens.", ["I work at Siemens"]),
        ("En Madrid trabajo en Telefónica.", ["Trabajo en Telefónica"]),
        ("Im Winter wohne ich in Spanien.", ["Im Winter wohne ich in Spanien"]),
        ("In Leeds I have a son.", ["I have a son"]),
    ],
)
def test_what_begins_with_a_time_or_a_place_that_there_is_is_noted(message: str, facts: list[str]) -> None:
    assert texts(message) == facts


@pytest.mark.parametrize(
    "message",
    [
        "Your name is Gus. I am Lea, your aunt. I live in Ghent.",
        "Du bist Lehrer. Ich bin dein Schüler. Ich habe Asthma.",
        "Tu es professeur. Je suis ton élève. J'ai de l'asthme.",
        "Eres profesor. Soy tu alumno. Tengo asma.",
        "Você é professor. Sou seu aluno. Tenho asma.",
    ],
)
def test_where_the_assistant_is_given_a_part_nothing_is_noted(message: str) -> None:
    assert texts(message) == []


def test_thanks_and_praise_give_nobody_a_part() -> None:
    assert texts("You're the best! I live in Ghent.") == ["I live in Ghent"]
    assert texts("Tu es génial ! J'habite à Gand.") == ["J'habite à Gand"]


@pytest.mark.parametrize(
    "message",
    ["I got a ValueError.", "I have a FileNotFoundException in my script.", "Ich habe einen TypeError."],
)
def test_an_error_that_a_program_printed_is_nobodys_belonging(message: str) -> None:
    assert texts(message) == []
