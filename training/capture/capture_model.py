"""The capture model: the clauses of a message → how surely each says something to keep, of which kind, how weighty.

A small network reads the words in order: each is its vector and its hashes; three layers look at its neighbours, 1, 2
and 4 words away; and a clause is judged by what stands in it, in its sentence and in its message. Some such networks,
trained apart, are asked together. `network.py` has the same for training; here numpy is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from holdfast.markdown.fact_row import Category
from message_features import Message, Part, read_message, word_hashes
from word_vectors import WordVectors

CATEGORIES = (Category.PREFERENCE, Category.FACT, Category.DECISION, Category.ENTITY, Category.OTHER)
DILATIONS = (1, 2, 4)


class Judgement(NamedTuple):
    """A clause, how surely it is to be kept, the chance of each category, and its importance."""

    part: Part
    keep: float
    categories: tuple[float, ...]
    importance: float

    @property
    def category(self) -> Category:
        """The likeliest one."""
        return CATEGORIES[max(range(len(CATEGORIES)), key=self.categories.__getitem__)]


class CaptureModel:
    """Some networks, by their arrays: each is stacked, one row a network."""

    def __init__(self, weights: dict[str, np.ndarray], vectors: WordVectors) -> None:
        self._weights = weights
        self._vectors = vectors
        self._known: dict[str, np.ndarray] = {}

    @classmethod
    def load(cls, path: Path) -> CaptureModel:
        """The model of a file."""
        with np.load(path) as arrays:
            return cls({name: array.astype(np.float32) for name, array in arrays.items()}, WordVectors())

    def save(self, path: Path) -> None:
        """Write the weights, in two bytes a number."""
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(path, **{name: array.astype(np.float16) for name, array in self._weights.items()})

    def read(self, text: str) -> tuple[Message, list[Judgement]]:
        """A message as it is read, and its clauses, judged."""
        message = read_message(text, self._vectors.cut)
        return message, self.judge(message) if message.parts else []

    def judge(self, message: Message) -> list[Judgement]:
        """The clauses of a message that has some; what the networks say is averaged."""
        weights = self._weights
        shapes = np.array(message.shapes, np.float32) @ weights["shape"] + weights["shape_bias"][:, None]
        states = self._words(message.words) + shapes
        count, edge = states.shape[1], DILATIONS[-1]
        for number, step in enumerate(DILATIONS):
            padded = np.pad(states, ((0, 0), (edge, edge), (0, 0)))
            around = [padded[:, edge + shift : edge + shift + count] for shift in (-step, 0, step)]
            made = np.concatenate(around, axis=2) @ weights[f"layer{number}"] + weights[f"layer{number}_bias"][:, None]
            states = states + np.maximum(made, 0.0)
        whole = np.concatenate((states.max(axis=1), states.mean(axis=1)), axis=1)
        rows = np.stack([_clause_row(states, part, message, whole) for part in message.parts], axis=1)
        hidden = np.maximum(rows @ weights["head"] + weights["head_bias"][:, None], 0.0)
        out = (hidden @ weights["out"] + weights["out_bias"][:, None]).mean(axis=0)
        kinds = np.exp(out[:, 1:-1] - out[:, 1:-1].max(axis=1, keepdims=True))
        kinds /= kinds.sum(axis=1, keepdims=True)
        sure = 1 / (1 + np.exp(-out[:, [0, -1]]))
        return [
            Judgement(part, float(keep), tuple(kind.tolist()), float(importance))
            for part, (keep, importance), kind in zip(message.parts, sure, kinds, strict=True)
        ]

    def _words(self, words: Sequence[str]) -> np.ndarray:
        """What each network makes of each word, by itself."""
        new = [word for word in dict.fromkeys(words) if word not in self._known]
        if new:
            hashes = np.array([word_hashes(word) for word in new])
            hashed = self._weights["hashes"][:, hashes].sum(axis=2) @ self._weights["writing"]
            rows = self._vectors.of(new) @ self._weights["vectors"] + hashed
            self._known.update(zip(new, rows.transpose(1, 0, 2), strict=True))
        return np.stack([self._known[word] for word in words], axis=1)


def _clause_row(states: np.ndarray, part: Part, message: Message, whole: np.ndarray) -> np.ndarray:
    """What is known of a clause: its own words, the first of them, its sentence, its message and its shape."""
    own = states[:, part.first : part.last]
    first, last = message.bounds[part.sentence]
    shape = np.broadcast_to(np.array(part.shape, np.float32), (len(states), len(part.shape)))
    sentence = states[:, first:last].max(axis=1)
    return np.concatenate((own.max(axis=1), own.mean(axis=1), own[:, 0], sentence, whole, shape), axis=1)
