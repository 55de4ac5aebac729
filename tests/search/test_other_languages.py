"""A question in one language finds notes in another, with nothing but what is in the package."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Memory

NOTES = {
    "trip": "We booked the hotel Astoria for our trip to Vienna in May.",
    "health": "I am allergic to hazelnuts and penicillin.",
    "car": "The winter tyres are stored at the garage in the cellar.",
    "work": "The launch of the new product was moved to the third of March.",
    "school": "The children start school at eight in the morning.",
    "garden": "We planted two apple trees behind the house.",
}
ASKED = {
    "¿A qué soy alérgico?": "health",
    "Wogegen bin ich allergisch?": "health",
    "На что у меня аллергия?": "health",
    "我们订了哪家酒店？": "trip",
    "ホテルはどこを予約しましたか？": "trip",
    "Kış lastikleri nerede?": "car",
    "متى سيتم إطلاق المنتج؟": "work",
    "À quelle heure commence l'école ?": "school",
    "Quali alberi abbiamo piantato?": "garden",
}
GERMAN = {
    "cat": "Unsere Katze heißt Pixel und frisst nur Trockenfutter.",
    "rent": "Die Miete wird am ersten Werktag des Monats überwiesen.",
    "doctor": "Der nächste Termin beim Zahnarzt ist am 12. Dezember.",
    "bike": "Das Fahrrad steht seit dem Sommer in der Werkstatt.",
}


def written(home: Path, notes: dict[str, str]) -> Path:
    (home / "memory").mkdir(parents=True)
    for name, text in notes.items():
        (home / "memory" / f"{name}.md").write_text(f"{text}\n", encoding="utf-8")
    return home


@pytest.mark.parametrize(("question", "note"), ASKED.items())
def test_english_notes_are_found_by_questions_in_other_languages(tmp_path: Path, question: str, note: str) -> None:
    with Memory.open(written(tmp_path / "home", NOTES)) as memory:
        memory.sync()
        found = memory.search(question)
        assert found.results[0].path == f"memory/{note}.md"
        assert found.results[0].likely
        parts = found.results[0].explain
        assert parts["vector"] > parts.get("text", 0.0)
        assert "meaning" in found.to_json(explain=True)["results"][0]["found_by"]


@pytest.mark.parametrize(
    ("question", "note"),
    [("What is our cat called?", "cat"), ("When do we pay the rent?", "rent"), ("Where is the bicycle?", "bike")],
)
def test_notes_in_another_language_are_found_by_english_questions(tmp_path: Path, question: str, note: str) -> None:
    with Memory.open(written(tmp_path / "home", GERMAN)) as memory:
        memory.sync()
        assert memory.search(question).results[0].path == f"memory/{note}.md"


MIXED = {
    "one": "El perro de mi hermana se llama Bruno",
    "two": "Die Miete wird am ersten Werktag des Monats überwiesen.",
    "three": "孩子们早上八点上学。",
    "four": "Мы переехали в новую квартиру в сентябре.",
}


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("what is the name of my sister's dog?", "one"),
        ("When do we pay the rent?", "two"),
        ("what time does school start for the children?", "three"),
        ("since when do we live in the new apartment?", "four"),
        ("Wie heißt der Hund meiner Schwester?", "one"),
    ],
)
def test_among_notes_in_english_those_in_other_languages_are_found(tmp_path: Path, question: str, note: str) -> None:
    english = {name: text for name, text in NOTES.items() if name != "school"}
    with Memory.open(written(tmp_path / "home", {**english, **MIXED})) as memory:
        memory.sync()
        found = memory.search(question).results[0]
        assert found.path == f"memory/{note}.md"
        assert found.likely
        assert found.found_by == "meaning"


def test_a_line_in_another_language_is_found_in_the_midst_of_english_ones(tmp_path: Path) -> None:
    lines = [NOTES["trip"], MIXED["one"], NOTES["car"]]
    with Memory.open(written(tmp_path / "home", {**NOTES, "mixed": "\n".join(lines)})) as memory:
        memory.sync()
        found = memory.search("what is the name of my sister's dog?").results[0]
        assert found.path == "memory/mixed.md"
        assert found.likely


def test_a_question_in_a_language_that_the_model_does_not_know_is_left_to_keywords(tmp_path: Path) -> None:
    notes = {**NOTES, "vi": "Tôi bị dị ứng với hạt phỉ và penicillin."}
    with Memory.open(written(tmp_path / "home", notes)) as memory:
        memory.sync()
        found = memory.search("Tôi bị dị ứng với gì?")
        assert (found.mode, found.results[0].path) == ("keyword", "memory/vi.md")
        assert "keywords only" in found.because
