"""XQuAD: 240 paragraphs of Wikipedia and 1,190 questions about them, the same in twelve languages.

A memory a language, a note a paragraph; the paragraph's note is the answer. The language is the category.
"""

from __future__ import annotations

from typing import Any

from holdfast.evaluation.data import parsed, spoilt
from holdfast.evaluation.sets import Collection, Gold, LabelledSet, Question

__all__ = ["LANGUAGES", "xquad"]

LANGUAGES = ("ar", "de", "el", "en", "es", "hi", "ro", "ru", "th", "tr", "vi", "zh")


def xquad(directory: str) -> LabelledSet:
    """The whole set."""
    return LabelledSet("xquad", "XQuAD", tuple(_collection(directory, language) for language in LANGUAGES))


def _collection(directory: str, language: str) -> Collection:
    file = f"xquad/xquad.{language}.json"
    read: Any = parsed(directory, "xquad", file)
    notes: dict[str, str] = {}
    questions: list[Question] = []
    try:
        for number, paragraph in enumerate(p for article in read["data"] for p in article["paragraphs"]):
            path = f"memory/paragraph-{number:03}.md"
            notes[path] = paragraph["context"].strip() + "\n"
            questions += [Question(asked["question"], language, (Gold(path),)) for asked in paragraph["qas"]]
    except (KeyError, TypeError, AttributeError) as error:
        raise spoilt("xquad", file, f"it has another shape ({error})") from None
    return Collection(language, notes, tuple(questions))
