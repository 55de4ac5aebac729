"""Measure a table across and within languages on XQuAD, which is never trained on: R@5 and nDCG@10 by vectors alone.

Across: the question in a language, the passages in English. Within: both in that language. A passage is cut into
sentences and scores as its best one, as notes do in chunks; all 1,190 questions count.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sources import SHARED

__all__ = ["AIMED", "LANGUAGES", "Vectors", "measure", "report"]

Vectors = NDArray[np.float32]
LANGUAGES = ("en", "de", "es", "ru", "zh", "tr", "ar", "th", "hi", "vi", "el", "ro")
AIMED = ("de", "es", "ru", "zh", "tr", "ar", "th")
_END = re.compile(r"(?<=[.!?؟])[\"”»)\]]*\s+|(?<=[。！？])[」』”]*")
_THAI_LENGTH = 100  # Thai marks no sentences: phrases between spaces are joined up to about a sentence's length


def sentences(passage: str, language: str) -> list[str]:
    """The sentences of a passage, each with more than a sign or two."""
    if language != "th":
        return [part.strip() for part in _END.split(passage) if len(part.strip()) > 2] or [passage]
    parts = [""]
    for phrase in passage.split():
        if len(parts[-1]) + len(phrase) > _THAI_LENGTH and parts[-1]:
            parts.append("")
        parts[-1] = f"{parts[-1]} {phrase}".strip()
    return parts


def passages(language: str) -> tuple[list[str], list[int], list[str], list[int]]:
    """(sentences, the passage of each, questions, the passage of each)."""
    articles = json.loads((SHARED / "xquad" / f"xquad.{language}.json").read_text(encoding="utf-8"))["data"]
    found: tuple[list[str], list[int], list[str], list[int]] = ([], [], [], [])
    for number, passage in enumerate(passage for article in articles for passage in article["paragraphs"]):
        cut = sentences(passage["context"], language)
        found[0].extend(cut)
        found[1].extend([number] * len(cut))
        found[2].extend(asked["question"] for asked in passage["qas"])
        found[3].extend([number] * len(passage["qas"]))
    return found


def scored(questions: Vectors, asked_of: list[int], cut: Vectors, part_of: list[int]) -> tuple[float, float]:
    """(R@5, nDCG@10) of questions against passages by their best sentence."""
    near = questions @ cut.T
    starts = np.flatnonzero(np.diff(np.asarray(part_of), prepend=-1))
    best = np.maximum.reduceat(near, starts, axis=1)
    own = best[np.arange(len(best)), asked_of]
    rank = (best > own[:, None]).sum(1)
    return float((rank < 5).mean()), float(np.where(rank < 10, 1 / np.log2(rank + 2), 0).mean())


def measure(embed: Callable[[list[str]], Vectors]) -> dict[str, tuple[float, float, float, float]]:
    """(R@5 across, R@5 within, nDCG@10 across, nDCG@10 within) of every language."""
    found = {}
    cut, part_of, questions, asked_of = passages("en")
    english = embed(cut)
    for language in LANGUAGES:
        own, own_part, questions, asked_of = passages(language)
        asked = embed(questions)
        across = scored(asked, asked_of, english, part_of)
        within = scored(asked, asked_of, embed(own), own_part)
        found[language] = (across[0], within[0], across[1], within[1])
    return found


def report(label: str, found: dict[str, tuple[float, float, float, float]]) -> str:
    """Two rows of a table, across and within, each with the mean of the languages aimed at."""
    rows = []
    for name, column in (("across", 0), ("within", 1)):
        figures = [f"{found[language][column]:.3f}" for language in LANGUAGES]
        middle = np.mean([found[language][column] for language in AIMED])
        rows.append(f"| {label}, {name} | {middle:.3f} | " + " | ".join(figures) + " |")
    return "\n".join(rows)
