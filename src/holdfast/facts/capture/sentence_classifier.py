"""A message → how surely each of its clauses says something to keep, of which kind, and how weighty; learnt.

Small networks read the words in order: each is its vector and its hashes; three layers look at its neighbours, 1, 2 and
4 words away; and a clause is judged by what stands in it, in its sentence and in its message. What they say is
averaged. `training/capture` makes the weights.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from holdfast.facts.capture.sentence_features import Message, Part, read_message, word_hashes
from holdfast.facts.capture.word_vectors import WordVectors
from holdfast.markdown.fact_row import Category

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CATEGORIES", "DILATIONS", "WEIGHTS", "Judgement", "SentenceClassifier", "likeliest", "read_classifier"]

CATEGORIES: Final = (Category.PREFERENCE, Category.FACT, Category.DECISION, Category.ENTITY, Category.OTHER)
DILATIONS: Final = (1, 2, 4)
WEIGHTS: Final = os.path.join(os.path.dirname(__file__), "capture.npz")
_ONE_THREAD: Final = 1 << 18  # multiplications; OpenBLAS shares out what takes more
_MOST_KEPT: Final = 4_000  # words whose part of the sum is kept


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
        self._vectors = vectors
        self._known: dict[str, NDArray[np.float32]] = {}

    def read(self, text: str) -> tuple[Message, list[Judgement]]:
        """Return a message as it is read, and its clauses, judged."""
        message = read_message(text, self._vectors.cut)
        return message, self.judge(message) if message.parts else []

    def judge(self, message: Message) -> list[Judgement]:
        """Judge the clauses of a message that has some."""
        weights = self._weights
        shapes = np.array(message.shapes, np.float32) @ weights["shape"] + weights["shape_bias"][:, None]
        states = self._words(message.words) + shapes
        nets, count, width = states.shape
        for number, step in enumerate(DILATIONS):
            around = np.zeros((nets, count, 3 * width), np.float32)
            around[:, step:, :width] = states[:, :-step]
            around[:, :, width : 2 * width] = states
            around[:, :-step, 2 * width :] = states[:, step:]
            made = _product(around, weights[f"layer{number}"]) + weights[f"layer{number}_bias"][:, None]
            states = states + np.maximum(made, 0.0)
        whole = np.concatenate((states.max(axis=1), states.mean(axis=1)), axis=1)
        rows = np.stack([_clause_row(states, part, message, whole) for part in message.parts], axis=1)
        inner = np.maximum(_product(rows, weights["head"]) + weights["head_bias"][:, None], 0.0)
        out = (inner @ weights["out"] + weights["out_bias"][:, None]).mean(axis=0)
        kinds = np.exp(out[:, 1:-1] - out[:, 1:-1].max(axis=1, keepdims=True))
        kinds /= kinds.sum(axis=1, keepdims=True)
        sure = 1 / (1 + np.exp(-out[:, [0, -1]]))
        return [
            Judgement(part, float(keep), tuple(kind.tolist()), float(importance))
            for part, (keep, importance), kind in zip(message.parts, sure, kinds, strict=True)
        ]

    def _words(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return what each network makes of each word, by itself."""
        if len(self._known) > _MOST_KEPT:
            self._known = {}
        known = self._known  # another thread may begin anew meanwhile
        new = [word for word in dict.fromkeys(words) if word not in known]
        if new:
            hashes = np.array([word_hashes(word) for word in new])
            hashed = self._weights["hashes"][:, hashes].sum(axis=2) @ self._weights["writing"]
            rows = _product(self._vectors.of(new)[None], self._weights["vectors"]) + hashed
            known.update(zip(new, rows.transpose(1, 0, 2), strict=True))
        return np.stack([known[word] for word in words], axis=1)


def _product(rows: NDArray[np.float32], matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """Multiply in blocks so small that BLAS wakes no threads: on a busy machine those take fifty times as long."""
    nets, count, width = rows.shape
    block = max(1, _ONE_THREAD // (width * matrix.shape[2]))
    padded = np.zeros((nets, -(-count // block) * block, width), np.float32)
    padded[:, :count] = rows
    made = padded.reshape(nets, -1, block, width) @ matrix[:, None]
    return made.reshape(len(made), -1, matrix.shape[2])[:, :count]


def _clause_row(
    states: NDArray[np.float32], part: Part, message: Message, whole: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return what is known of a clause: its own words, the first of them, its sentence, its message and its shape."""
    own = states[:, part.first : part.last]
    first, last = message.bounds[part.sentence]
    shape = np.broadcast_to(np.array(part.shape, np.float32), (len(states), len(part.shape)))
    sentence = states[:, first:last].max(axis=1)
    return np.concatenate((own.max(axis=1), own.mean(axis=1), own[:, 0], sentence, whole, shape), axis=1)


@cache
def read_classifier() -> SentenceClassifier:
    """Return the classifier that comes with Holdfast, read once a process."""
    with np.load(WEIGHTS) as file:
        whole = {name: file[name] for name in file.files if not name.endswith("_scale")}
        scales = {name.removesuffix("_scale"): file[name] for name in file.files if name.endswith("_scale")}
    weights = {
        name: array.astype(np.float32) * scales[name] if name in scales else array.astype(np.float32)
        for name, array in whole.items()
    }
    return SentenceClassifier(weights, WordVectors())
