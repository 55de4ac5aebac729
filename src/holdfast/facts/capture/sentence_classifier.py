"""A message → how surely each of its clauses says something to keep, of which kind, and how weighty; learnt.

Small networks read the words in order: each is its vector and its hashes; three layers look at its neighbours, 1, 2 and
4 words away; and a clause is judged by what stands in it, in its sentence and in its message. What they say is
averaged. `training/capture` makes the weights.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from holdfast.facts.capture.sentence_features import CLAUSE_SHAPE, Message, Part, read_message
from holdfast.facts.capture.word_states import WordStates, panels, product, read_vectors, read_weights
from holdfast.facts.capture.word_vectors import WordVectors
from holdfast.markdown.fact_row import Category
from holdfast.named_tuple import NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "CATEGORIES",
    "WEIGHTS",
    "Judgement",
    "SentenceClassifier",
    "likeliest",
    "read_classifier",
]

CATEGORIES: Final = (Category.PREFERENCE, Category.FACT, Category.DECISION, Category.ENTITY, Category.OTHER)
WEIGHTS: Final = os.path.join(os.path.dirname(__file__), "capture.bin")


class Judgement(NamedTuple):
    """A clause, how surely it is to be kept, the share of each category, and its importance."""

    part: Part
    keep: float
    categories: tuple[float, ...]
    importance: float

    @property
    def category(self) -> Category:
        """The likeliest one."""
        return likeliest(self.categories)


def likeliest(shares: Sequence[float]) -> Category:
    """Return the category that has the largest share."""
    return CATEGORIES[max(range(len(CATEGORIES)), key=shares.__getitem__)]


class SentenceClassifier:
    """Some networks by their arrays, each stacked: one row a network."""

    def __init__(self, weights: Mapping[str, NDArray[np.float32]], vectors: WordVectors) -> None:
        self._weights = weights
        self._states = WordStates(weights, vectors)
        self._head = panels(weights["head"])
        self._vectors = vectors

    def read(self, text: str) -> tuple[Message, list[Judgement]]:
        """Return a message as it is read, and its clauses, judged."""
        message = read_message(text, self._vectors.cut)
        return message, self.judge(message) if message.parts else []

    def judge(self, message: Message) -> list[Judgement]:
        """Judge the clauses of a message that has some."""
        weights = self._weights
        states = self._states.of(message.words, message.shapes)
        inner = np.maximum(product(_clause_rows(states, message), self._head) + weights["head_bias"][:, None], 0.0)
        out = (inner @ weights["out"] + weights["out_bias"][:, None]).mean(axis=0)
        kinds = np.exp(out[:, 1:-1] - out[:, 1:-1].max(axis=1, keepdims=True))
        kinds /= kinds.sum(axis=1, keepdims=True)
        sure = 1 / (1 + np.exp(-out[:, [0, -1]]))
        return [
            Judgement(part, float(keep), tuple(kind.tolist()), float(importance))
            for part, (keep, importance), kind in zip(message.parts, sure, kinds, strict=True)
        ]


def _clause_rows(states: NDArray[np.float32], message: Message) -> NDArray[np.float32]:
    """Return what is known of each clause: its own words, the first, its sentence, its message and its shape."""
    nets, _, width = states.shape
    rows = np.empty((nets, len(message.parts), 6 * width + CLAUSE_SHAPE), np.float32)
    rows[:, :, 4 * width : 5 * width] = np.maximum.reduce(states, axis=1)[:, None]
    rows[:, :, 5 * width : 6 * width] = _mean(states)[:, None]
    rows[:, :, 6 * width :] = [part.shape for part in message.parts]
    for number, part in enumerate(message.parts):
        own = states[:, part.first : part.last]
        first, last = message.bounds[part.sentence]
        rows[:, number, :width] = np.maximum.reduce(own, axis=1)
        rows[:, number, width : 2 * width] = _mean(own)
        rows[:, number, 2 * width : 3 * width] = own[:, 0]
        rows[:, number, 3 * width : 4 * width] = np.maximum.reduce(states[:, first:last], axis=1)
    return rows


def _mean(states: NDArray[np.float32]) -> NDArray[np.float32]:
    total: NDArray[np.float32] = np.add.reduce(states, axis=1)
    return total / np.float32(states.shape[1])


@cache
def read_classifier() -> SentenceClassifier:
    """Return the classifier that comes with Holdfast, read once a process."""
    return SentenceClassifier(read_weights(WEIGHTS), read_vectors())
