"""What the rules notice in French, Spanish and Portuguese as strangers write them (issue 7)."""

from __future__ import annotations

from pathlib import Path

import pytest
from counts import counted
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.evaluation.capture import read_labelled, score
from holdfast.facts.capture.fact_extraction import notice
from holdfast.facts.capture.romance_spelling import READINGS

SET = Path(__file__).parent.parent / "data" / "capture"


def texts(message: str) -> list[str]:
    return [one.text for one in notice(message)]


@pytest.mark.parametrize("language", ["fr", "es", "pt"])
def test_messages_of_every_class_are_read_in_each_language(language: str) -> None:
    messages = [one for one in read_labelled([str(SET / "cap_romance.jsonl")]) if one.language == language]
    found = score(messages)
    assert found.messages >= 180 and 2 * found.silent >= found.messages
    assert found.precision >= 0.97 and found.recall >= 0.93, found.misses


@pytest.mark.parametrize(
    ("message", "facts"),
    [
        (
            "propose un menu, ma mère qui est en fauteuil roulant vient dîner",
            ["Ma mère qui est en fauteuil roulant vient dîner"],
        ),
        ("un regalo para mi hijo Bruno, ¿ideas?", ["Mi hijo Bruno"]),
        ("que presente dou à minha irmã de 15 anos?", ["Minha irmã de 15 anos"]),
        ("quelle poussette, sachant que j'habite au 4e sans ascenseur ?", ["J'habite au 4e sans ascenseur"]),
        ("¿qué cámara compro, ya que hago fotos de aves?", ["Hago fotos de aves"]),
        ("que carrinho escolher, já que moro no quarto andar?", ["Moro no quarto andar"]),
        ("Mon profil : développeuse PHP, Grenoble, 8 ans de métier.", ["Développeuse PHP, Grenoble, 8 ans de métier"]),
    ],
)
def test_a_question_or_a_request_is_searched_for_what_it_takes_for_granted(message: str, facts: list[str]) -> None:
    assert texts(message) == facts


@pytest.mark.parametrize(
    ("message", "facts"),
    [
        (
            "je m'appelle Josette j'ai soixante ans et je voudrais une recette",
            ["Je m'appelle Josette", "J'ai soixante ans"],
        ),
        ("eu chamo-me Rita tenho 67 anos e sou viúva", ["Eu chamo-me Rita", "Tenho 67 anos", "Sou viúva"]),
        ("tous les mercredis je garde mes nièces", ["Tous les mercredis je garde mes nièces"]),
        ("los viernes no trabajo", ["Los viernes no trabajo"]),
    ],
)
def test_sentences_without_stops_fall_into_facts_and_keep_when_they_hold(message: str, facts: list[str]) -> None:
    assert texts(message) == facts


@pytest.mark.parametrize(
    "message",
    [
        "soy celiaco",
        "soy alergica al polen",
        "je suis vegetarienne",
        "sou diabetico",
        "jsuis cariste",
        "soi jubilao",
        "sô agricultô no sul",
        "jabite à Metz",
    ],
)
def test_accents_left_out_and_spelling_by_ear_are_read_and_kept_as_they_were_typed(message: str) -> None:
    assert [one.casefold() for one in texts(message)] == [message.casefold()]


@pytest.mark.parametrize(
    "message",
    [
        "j'ai une question sur mon chien",
        "tengo una duda sobre la diabetes",
        "tengo que sacar al perro",
        "tenho que lavar o carro",
        "mi marido está cansado",
        "mon fils a cassé un verre",
        "si soy autónomo y tengo empleados, ¿qué pago?",
        "je suis actuellement à Rome",
        "je travaille sur le fichier que tu m'as envoyé",
        "uso la función que te pasé y no va",
        "tenho a impressão que sou alérgico a esse gato",
        "la segunda versión me gusta más",
        "j'aime bien",
        "me gusta bastante",
        "écris une bio genre j'aime les balades et je déteste les lundis",
    ],
)
def test_what_passes_or_belongs_to_the_task_yields_nothing(message: str) -> None:
    assert texts(message) == []


@settings(max_examples=counted(10, 240))
@given(st.sampled_from(sorted(READINGS)), st.text(max_size=200))
def test_any_words_have_a_reading_and_the_first_is_as_they_stand(language: str, words: str) -> None:
    readings = READINGS[language](words)
    assert readings[0] == words and 1 <= len(readings) <= 2
