"""XQuAD: 240 paragraphs of Wikipedia and 1,190 questions about them, the same in twelve languages.

A note a paragraph; the paragraph's note is the answer. The language of a question is its category. Within languages,
each has a memory of its own; across them, one memory holds the English paragraphs and is asked in the other eleven; and
mixed, one memory holds each paragraph in one of eight languages, turn by turn, and is asked in all eight.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

from holdfast.evaluation.set_files import bad_file_error, read_json
from holdfast.evaluation.sets import Collection, Gold, LabelledSet, Question

__all__ = ["LANGUAGES", "xquad", "xquad_across", "xquad_mixed"]

LANGUAGES = ("ar", "de", "el", "en", "es", "hi", "ro", "ru", "th", "tr", "vi", "zh")

_MIXED = ("en", "de", "es", "ru", "zh", "tr", "ar", "th")  # those that the embedded model knows


def xquad(directory: str) -> LabelledSet:
    """Return the whole set, within each language."""
    return LabelledSet("xquad", "XQuAD", tuple(_collection(directory, "xquad", language) for language in LANGUAGES))


def xquad_across(directory: str) -> LabelledSet:
    """Return the English paragraphs, asked for in the other languages."""
    name = "xquad-across"
    english = _collection(directory, name, "en")
    others = (_collection(directory, name, language).questions for language in LANGUAGES if language != "en")
    return LabelledSet(name, "XQuAD across", (Collection("en", english.notes, tuple(chain(*others))),))


def xquad_mixed(directory: str) -> LabelledSet:
    """Return paragraphs in eight languages in one memory, asked for in all of them."""
    name = "xquad-mixed"
    written = [_collection(directory, name, language) for language in _MIXED]
    notes = {path: written[number % len(written)].notes[path] for number, path in enumerate(written[0].notes)}
    questions = chain(*(collection.questions for collection in written))
    return LabelledSet(name, "XQuAD mixed", (Collection("mixed", notes, tuple(questions)),))


def _collection(directory: str, name: str, language: str) -> Collection:
    file = f"xquad/xquad.{language}.json"
    read: Any = read_json(directory, name, file)
    notes: dict[str, str] = {}
    questions: list[Question] = []
    try:
        for number, paragraph in enumerate(p for article in read["data"] for p in article["paragraphs"]):
            path = f"memory/paragraph-{number:03}.md"
            notes[path] = paragraph["context"].strip() + "\n"
            questions += [Question(asked["question"], language, (Gold(path),)) for asked in paragraph["qas"]]
    except (KeyError, TypeError, AttributeError) as error:
        raise bad_file_error(name, file, f"it has another shape ({error})") from None
    return Collection(language, notes, tuple(questions))
