"""Sentences with a role → the lessons of the networks: as they stand, in small letters, with other names, and joined.

Sentences of capture's labels have no role, but it is known what they are: one that tells a fact is plain mostly, a
question is a task mostly, and a demand of an assistant an attack. `PRIORS` says how often. Documents and public chats
teach what is no attack.
"""

from __future__ import annotations

import json
import lzma
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from holdfast.facts.capture.flat_text import flattened
from holdfast.facts.capture.role_words import EDGE, role_words
from holdfast.facts.capture.sentence_roles import Roles
from holdfast.facts.capture.wide_sentences import wide_sentences
from holdfast.facts.capture.word_states import read_vectors

from sources import WORK, document_rows, foreign_rows

DATA = Path(__file__).resolve().parents[1] / "data"
ROLES = Roles._fields
HELD_BACK = "held_back"  # a file whose name begins so measures and teaches nothing
PRIORS = {
    "fact": (0.900, 0.050, 0.020, 0.005, 0.025, 0.000),
    "asked": (0.020, 0.010, 0.930, 0.020, 0.010, 0.010),
    "demand": (0.010, 0.010, 0.060, 0.220, 0.020, 0.680),
    "silent": (0.400, 0.040, 0.480, 0.040, 0.030, 0.010),
    "document": (0.600, 0.005, 0.330, 0.015, 0.048, 0.002),
    "chat": (0.700, 0.030, 0.240, 0.010, 0.018, 0.002),
}
"""Of sentences that capture's labels call so, the share of each role, as far as one can tell by looking."""
_UNLIKE = ("document", "chat")  # what is so unlike all other lessons that little is to be given on the network's word
MOST_WORDS = 64
_WORST = ("plain", "style", "task", "sensitive", "harm", "attack")
_NAME = re.compile(r"(?<=[a-zß-ÿ,] )[A-ZÀ-Þ][a-zß-ÿ]{2,}\b(?!['’])")
_NAMED = ("en", "fr", "es", "pt", "it", "nl")  # languages in which a capital inside a sentence is a name
_LONGEST, _MOST_LINES = 200, 4
_CHATS, _BACKGROUND = 6_000, 14_000
Lesson = dict[str, Any]


def read_lessons() -> dict[str, list[Lesson]]:
    """Return the sentences with roles, by the hand that wrote them."""
    files = sorted((DATA / "gate").glob("*.jsonl"))
    return {path.stem: _rows(path) for path in files if not path.stem.startswith(HELD_BACK)}


def capture_lessons() -> list[Lesson]:
    """Return the sentences of capture's labels, each once, with what is known of them."""
    files = sorted((DATA / "capture").glob("*.jsonl"))
    found: dict[str, Lesson] = {}
    for path in files:
        if not path.stem.startswith(HELD_BACK):
            for row in _rows(path):
                for text, kind in _told(row, path.stem):
                    found.setdefault(text, {"text": text, "language": row["language"], "kind": kind})
    return list(found.values())


def background_lessons(rng: random.Random) -> list[Lesson]:
    """Return sentences of documents and public chats, which order nothing: no other lesson looks like them."""
    pages = document_rows(rng) + foreign_rows(rng)
    with lzma.open(WORK / "unlabelled.jsonl.xz", "rt", encoding="utf-8") as lines:
        chats = [{"text": row["text"], "language": row["lang"]} for row in map(json.loads, lines)]
    made: dict[str, Lesson] = {}
    for rows, kind in ((pages, "document"), (rng.sample(chats, _CHATS), "chat")):
        for row in rows:
            for line in row["text"].split("\n"):
                for sentence in wide_sentences(line):
                    if 8 <= len(sentence.text) <= _LONGEST:
                        lesson = {"text": sentence.text, "language": row["language"], "kind": kind}
                        made.setdefault(sentence.text, lesson)
    return rng.sample(list(made.values()), min(_BACKGROUND, len(made)))


def more_lessons(rows: list[Lesson], rng: random.Random) -> list[Lesson]:
    """Return variants of lessons: in small letters, with other names, and behind or before another one."""
    names = sorted({name for row in rows if row["language"] in _NAMED for name in _NAME.findall(row["text"])})
    made: list[Lesson] = []
    for row in rows:
        text = row["text"]
        if text.isascii() and text != text.lower() and rng.random() < 0.4:
            made.append(row | {"text": text.lower().rstrip("."), "weight": 0.5})
        if row["role"] != "style" and row["language"] in (*_NAMED, "de") and _NAME.search(text):
            made.append(row | {"text": _NAME.sub(lambda _: rng.choice(names), text), "weight": 0.5})
    by_language: dict[str, list[Lesson]] = {}
    for row in rows:
        by_language.setdefault(row["language"], []).append(row)
    for row in rows:
        if rng.random() < 0.25:
            other = rng.choice(by_language[row["language"]])
            role = max(row["role"], other["role"], key=_WORST.index)
            both = [row["text"].rstrip(".。"), other["text"]]
            rng.shuffle(both)
            stop = "。" if row["language"] in ("zh", "ja") else ". "
            made.append(row | {"text": stop.join(both), "role": role, "weight": 0.3})
    return made


def words_of(text: str) -> list[str]:
    """Return the words of a lesson, between its edges, as the product reads a short text."""
    return [EDGE, *role_words(flattened(text), read_vectors().cut)[: MOST_WORDS - 2], EDGE]


def likely_roles(kind: str, judged: np.ndarray) -> np.ndarray:
    """Return how likely each role is of a sentence of which the kind is known, and what a network says."""
    trust = 0.3 if kind in _UNLIKE else 0.7
    shares = judged**trust * np.array(PRIORS[kind]) + 1e-6
    return (shares / shares.sum()).astype(np.float32)


def _rows(path: Path) -> list[Lesson]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]


def _told(row: Lesson, file: str) -> Iterator[tuple[str, str]]:
    lines = [line for line in row["text"].split("\n") if line.strip()]
    sentences = [sentence for line in lines for sentence in wide_sentences(line)]
    facts, demand = row.get("facts", ()), file == "demands"
    for sentence in sentences if len(lines) <= _MOST_LINES else ():
        text = sentence.text
        if sentence.quoted or not 3 <= len(text) <= _LONGEST:
            continue
        told = [fact for fact in facts if all(word.casefold() in text.casefold() for word in fact["words"])]
        if sentence.asked:
            yield f"{text}?", "demand" if demand else "asked"
        elif any(not fact.get("may") for fact in told):
            yield text, "fact"
        elif demand and not facts:
            yield text, "demand"
        elif not facts:
            yield text, "silent"
