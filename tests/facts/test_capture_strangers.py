"""What the rules do with messages of a stranger, and with what only looks like somebody speaking about themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.evaluation.capture import read_labelled, score
from holdfast.facts.capture.chat_sentences import sentences
from holdfast.facts.capture.fact_extraction import notice
from holdfast.facts.capture.quick import at_words

SET = Path(__file__).parent.parent / "data" / "capture"


def texts(message: str) -> list[str]:
    return [one.text for one in notice(message)]


def test_the_strangers_further_messages_are_read_once_they_were_opened() -> None:
    found = score(read_labelled([str(SET / "third_hand_more.jsonl")]))
    assert found.messages == 100 and found.silent == 50
    assert found.precision >= 0.97 and found.recall >= 0.95, found.misses


def test_messages_of_the_classes_that_a_stranger_brought_up_are_read() -> None:
    found = score(read_labelled([str(SET / "cap_more.jsonl")]))
    assert found.messages >= 800 and 2 * found.silent >= found.messages
    assert found.precision >= 0.96 and found.recall >= 0.92, found.misses


@pytest.mark.parametrize(
    "message",
    [
        "No, I don't have a dog, you made that up",
        "Yo no tengo ninguna empresa, eso lo entendiste mal",
        "Nein, ich habe keinen Hund, das hast du falsch verstanden",
    ],
)
def test_what_somebody_denies_because_they_were_misread_is_no_news(message: str) -> None:
    assert texts(message) == []


def test_what_is_so_is_noted_though_something_was_misread() -> None:
    assert texts("No, I never said Leeds. I live in Lugo") == ["I live in Lugo"]


@pytest.mark.parametrize(
    "message",
    [
        "claro, como soy rico y me sobra el tiempo, me leo las 900 páginas. Resúmelas",
        "yeah because I'm obviously a millionaire with a yacht. cheapest way to Mallorca??",
        "in Stardew I have two cows and a barn, what crop pays best in spring",
        "In Minecraft hab ich zwei Schafe und ne Farm, wie vermehre ich die",
        "the lyrics go I'm a creep I'm a weirdo, who sang it first",
        "any mistakes here? Dear committee, I am a single mother of four and I am applying for the bursary.",
        "me llamo al orden y vuelvo al tema: qué es un bucle for",
        "moro de amores por este teclado, onde compro",
        "je suis une formation en ligne et le module 2 est incompréhensible",
        "Immer wenn ich die App öffne, stürzt sie ab",
        "whenever I try to make a call it drops",
    ],
)
def test_boasts_games_songs_letters_and_idioms_tell_nothing_about_anybody(message: str) -> None:
    assert texts(message) == []


def test_what_stands_in_brackets_is_heard_and_left_out_of_what_stands_around_it() -> None:
    assert texts("Necesito ideas de desayuno (mi peque es intolerante al huevo) que no sean galletas") == [
        "Mi peque es intolerante al huevo"
    ]
    assert texts("Is skiing safe (I had a hip replacement in 2019) or should I stick to walking?") == [
        "I had a hip replacement in 2019"
    ]


def test_a_laugh_does_not_take_back_what_holds_for_a_lifetime() -> None:
    assert texts("soy hincha de Nacional de toda la vida jaja, contame la final") != []
    assert texts("soy hincha de Nacional jaja") == []


def test_a_number_before_a_stop_is_an_ordinal_only_where_it_stands_like_one() -> None:
    assert len(sentences("Postgres 15. le build casse")) == 2
    assert len(sentences("our year ends on June 30. Now draft the timeline")) == 2
    assert len(sentences("Hochzeitstag ist der 14. Juni, wie immer")) == 1
    assert len(sentences("bin Lehrerin in Linz, 3. Klasse, und müde")) == 1


def test_a_colon_behind_what_somebody_struggles_with_leads_in_no_text_to_work_on() -> None:
    assert texts("Estoy montando una estantería y no me salen las cuentas: el hueco mide 183. Soy zurdo.") == [
        "Soy zurdo"
    ]
    assert texts("I'm a baker. Improve this headline: We are new. We use oats.") == ["I'm a baker"]


def test_signs_are_put_together_by_the_letter_they_begin_with() -> None:
    assert at_words(r"\bab|\bac|\bd") == r"\b(?:a(?:b|c)|d)"
    assert at_words(r"\b(?:x|y)z|\bab") == r"\b(?:ab|(?=[xy])(?:x|y)z)"
    assert at_words(r"\ba?b|\bc") == r"\b(?:c|a?b)"
