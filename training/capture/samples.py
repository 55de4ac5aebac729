"""Labelled messages, and weak labels of whole messages → what the network learns from.

A label's words mark the clauses that they stand in as kept. Of the other clauses of such a sentence only requests and
questions count as not kept, since a label names one of several clauses that say it.
"""

from __future__ import annotations

import json
import lzma
import random
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from capture_model import CATEGORIES
from holdfast.evaluation.capture import Labelled, labelled_messages
from message_features import Message, read_message, word_hashes
from word_vectors import WordVectors

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (ROOT / "training" / "data" / "capture", ROOT / "tests" / "data" / "capture")
NEW = ("en_short", "en_long", "en_tempting", "de_fr_nl_it", "es_pt_zh_ja")
HANDS = {name: (name,) for name in NEW} | {
    "first": ("en", "de", "fr", "es", "pt", "held_out"),
    "second": ("second_hand", "second_hand_more", "second_hand_last", "held_out_second_hand"),
    "third": ("third_hand", "third_hand_more"),
    "en_de": ("cap_en_de",),
    "romance": ("cap_romance",),
    "more": ("cap_more",),
    "tempting": ("tempting",),
}
"""Files by who wrote them. `third_hand_sealed` is in none: nothing here reads it."""
_OLD_WEIGHT = 0.6  # labels by other guidelines
_COMMANDS = ("clinc150", "xsid", "ha-intents")
_LEFT_OUT = ("realmem",)  # measures search; nothing of it is learned


class Sample(NamedTuple):
    """A message with what is known of its clauses: 1, 0, or -1 where it does not count; `whole` for all of it."""

    message: Message
    words: np.ndarray
    keep: np.ndarray
    kinds: np.ndarray
    importance: np.ndarray
    weight: float
    whole: int = -1
    labelled: Labelled | None = None


class Lexicon:
    """Every word that was met, with its vector and its hashes."""

    def __init__(self) -> None:
        self.vectors = WordVectors()
        self._numbers: dict[str, int] = {}

    def of(self, words: list[str]) -> np.ndarray:
        """The numbers of some words."""
        return np.array([self._numbers.setdefault(word, len(self._numbers)) for word in words], np.int64)

    def tables(self) -> tuple[np.ndarray, np.ndarray]:
        """The vectors and the hashes of every word so far."""
        words = list(self._numbers)
        vectors = [self.vectors.of(words[at : at + 500]) for at in range(0, len(words), 500)]
        return np.concatenate(vectors), np.array([word_hashes(word) for word in words])


def hand_samples(lexicon: Lexicon, step: int = 1) -> dict[str, list[Sample]]:
    """The messages of every hand, or every so many of them."""
    made: dict[str, list[Sample]] = {}
    for hand, names in HANDS.items():
        weight = 1.0 if hand in NEW else _OLD_WEIGHT
        made[hand] = []
        for name in names:
            path = next(folder / f"{name}.jsonl" for folder in FOLDERS if (folder / f"{name}.jsonl").exists())
            text = path.read_text("utf-8")
            rows = [json.loads(line) for line in text.split("\n") if line.strip()]
            pairs = list(zip(rows, labelled_messages(text, name), strict=True))[::step]
            found = (_sample(row, lexicon, weight, labelled) for row, labelled in pairs)
            made[hand] += [one for one in found if one is not None]
    return made


def _sample(row: dict[str, Any], lexicon: Lexicon, weight: float, labelled: Labelled) -> Sample | None:
    message = read_message(row["text"], lexicon.vectors.cut)
    if not message.parts:
        return None
    count = len(message.parts)
    keep, kinds, importance = np.zeros(count), np.zeros((count, len(CATEGORIES))), np.full(count, -1.0)
    for fact in row["facts"]:
        names = [fact["category"]] if isinstance(fact["category"], str) else fact["category"]
        for at in _told_clauses(message, [word.casefold() for word in fact["words"]]):
            if fact.get("may"):
                keep[at] = keep[at] or -1
            else:
                keep[at] = 1
                kinds[at] = [float(kind.value in names) for kind in CATEGORIES]
                importance[at] = fact.get("importance", -1.0)
    kept = {part.sentence for part, is_kept in zip(message.parts, keep, strict=True) if is_kept == 1}
    for at, part in enumerate(message.parts):
        if keep[at] == 0 and part.sentence in kept and not (part.own and message.asked[part.sentence]):
            keep[at] = -1
    return Sample(message, lexicon.of(message.words), keep, kinds, importance, weight, -1, labelled)


def _told_clauses(message: Message, words: list[str]) -> list[int]:
    """The clauses of the first sentence that has all words of a label, from the first of the words to the last."""
    for number, sentence in enumerate(message.sentences):
        text = sentence.casefold()
        if all(word in text for word in words):
            start = min(text.find(word) for word in words)
            end = max(text.find(word) + len(word) for word in words)
            numbered = enumerate(message.parts)
            return [at for at, part in numbered if part.sentence == number and part.start < end and start < part.end]
    return []


def weak_samples(path: Path, lexicon: Lexicon, most: int, rng: random.Random) -> list[Sample]:
    """Messages of which only is known whether they tell anything; half of the plain ones get a task behind them."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    rows = [row for row in rows if row["label"] is not None and row["src"] not in _LEFT_OUT and len(row["text"]) < 1500]
    rng.shuffle(rows)
    tasks = defaultdict(list)
    for row in rows:
        if row["src"] in _COMMANDS and len(row["text"]) < 120:
            tasks[row["lang"]].append(row["text"])
    made = []
    for row in rows[:most]:
        message = read_message(row["text"], lexicon.vectors.cut)
        told = row["label"] and len(message.parts) == 1 and tasks[row["lang"]] and rng.random() < 0.5
        if told:
            message = read_message(_with_task(row["text"], row["lang"], tasks, rng), lexicon.vectors.cut)
        count = len(message.parts)
        keep = np.full(count, -1.0)
        if told and count:
            keep[:] = [0.0 if part.sentence else -1.0 for part in message.parts]
            last = max(at for at, part in enumerate(message.parts) if part.sentence == message.parts[0].sentence)
            keep[last] = 1.0 if message.parts[last].own else keep[last]
        nothing = np.zeros((count, len(CATEGORIES))), np.full(count, -1.0)
        known = (0.3, -1) if told else (0.1, int(row["label"]))
        if count:
            made.append(Sample(message, lexicon.of(message.words), keep, *nothing, *known))
    return made


def _with_task(text: str, language: str, tasks: dict[str, list[str]], rng: random.Random) -> str:
    if rng.random() < 0.6:
        end = "。" if language in ("zh", "ja") else rng.choice((". ", "\n", "! "))
        text = f"{text.rstrip(' .。')}{end}{rng.choice(tasks[language])}"
    if language == "en" and rng.random() < 0.4:
        text = f"{rng.choice(('By the way, ', 'btw ', 'FYI, ', 'Hi! ', 'ok so '))}{text}"
    return text
