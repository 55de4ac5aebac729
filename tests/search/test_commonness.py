from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.embeddings.static.static_embedder import StaticEmbedder
from holdfast.search.small_words import SMALL_WORDS

ENGLISH = (
    "The ferry to the island leaves at seven from the old harbour.",
    "Our dentist moved her practice to the second floor.",
    "The boiler was serviced and a valve was replaced.",
    "Seedlings of tomato and basil stand on the window sill.",
    "The choir rehearses a mass by Bruckner.",
    "The lease of the workshop ends with the year.",
)
SPANISH = (
    "En la reunión de la que se habló, la vecina de la casa en la que se vive dijo que se va.",
    "El coche en el que se viaja es de la abuela, y se vende en la plaza a la hora de la misa.",
)


def home_of(place: Path, *notes: str) -> Path:
    (place / "memory").mkdir()
    for number, text in enumerate(notes):
        (place / f"memory/n{number:02}.md").write_text(f"{text}\n", encoding="utf-8")
    return place


def test_the_small_words_of_a_language_that_few_notes_are_in_bury_nothing(tmp_path: Path) -> None:
    filler = tuple(f"Shelf {number} holds paint, brushes and a roll of tape." for number in range(30))
    home = home_of(tmp_path, *ENGLISH, *SPANISH, *filler)
    with Memory.open(home) as memory:
        memory.sync()
        for question, path in (
            ("¿En qué piso se encuentra la consulta de la dentista?", "memory/n01.md"),
            ("¿A qué hora sale el ferry de la isla en el que se viaja?", "memory/n00.md"),
        ):
            assert memory.search(question).results[0].path == path


def test_a_question_of_common_words_alone_is_still_asked(tmp_path: Path) -> None:
    with Memory.open(home_of(tmp_path, *ENGLISH, *SPANISH)) as memory:
        memory.sync()
        assert memory.search("se de la en el").results[0].path in {"memory/n06.md", "memory/n07.md"}


@pytest.mark.parametrize("question", ["What did the dentist say about my tooth?", "deadline of the grant application"])
def test_english_is_left_to_its_list(question: str) -> None:
    assert StaticEmbedder().piece_costs(question, question.split()) is None


def test_what_is_common_in_english_by_its_cost_is_mostly_what_the_list_has() -> None:
    words = sorted(word for word in SMALL_WORDS if word.isalpha())
    told = StaticEmbedder().piece_costs("¿Dónde está la llave del sótano de la casa?", words)
    assert told is not None
    cheap = sum(len(pieces) == 1 and pieces[0] <= 10.5 for pieces in told)
    assert cheap > 0.85 * len(words)
