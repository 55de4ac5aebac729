"""A message → how surely each of its clauses says something to keep, of which kind, and how weighty; learnt.

Small networks read the words in order: each is its vector and its hashes; three layers look at its neighbours, 1, 2 and
4 words away; and a clause is judged by what stands in it, in its sentence and in its message. What they say is
averaged. `training/capture` makes the weights.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from functools import cache
from math import prod
from typing import TYPE_CHECKING, Final

import numpy as np

from holdfast.facts.capture.sentence_features import CLAUSE_SHAPE, Message, Part, read_message, word_hashes
from holdfast.facts.capture.word_vectors import WordVectors
from holdfast.markdown.fact_row import Category
from holdfast.named_tuple import NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "CATEGORIES",
    "DILATIONS",
    "WEIGHTS",
    "Judgement",
    "SentenceClassifier",
    "likeliest",
    "read_arrays",
    "read_classifier",
]

CATEGORIES: Final = (Category.PREFERENCE, Category.FACT, Category.DECISION, Category.ENTITY, Category.OTHER)
DILATIONS: Final = (1, 2, 4)
WEIGHTS: Final = os.path.join(os.path.dirname(__file__), "capture.bin")
_ONE_THREAD: Final = 1 << 18  # multiplications; OpenBLAS shares out what takes more
_PANEL: Final = 64  # columns of a matrix that are multiplied at once, or half of them where it has many rows
_MANY_ROWS: Final = 256
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
        layers = (_side_by_side(weights[f"layer{number}"]) for number in range(len(DILATIONS)))
        self._layers = [(_panels(layer), weights[f"layer{number}_bias"]) for number, layer in enumerate(layers)]
        self._meaning, self._head = _panels(weights["vectors"]), _panels(weights["head"])
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
        width = states.shape[2]
        for (panels, bias), step in zip(self._layers, DILATIONS, strict=True):
            both = _product(states, panels)
            made = both[:, :, width : 2 * width] + bias[:, None]
            made[:, step:] += both[:, :-step, :width]
            made[:, :-step] += both[:, step:, 2 * width :]
            states = states + np.maximum(made, 0.0)
        inner = np.maximum(_product(_clause_rows(states, message), self._head) + weights["head_bias"][:, None], 0.0)
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
            counted = self._weights["hashes"][:, hashes].sum(axis=2, dtype=np.float32) * self._weights["hashes_scale"]
            hashed = counted @ self._weights["writing"]
            rows = _product(self._vectors.of(new)[None], self._meaning) + hashed
            known.update(zip(new, rows.transpose(1, 0, 2), strict=True))
        return np.stack([known[word] for word in words], axis=1)


def _product(rows: NDArray[np.float32], panels: NDArray[np.float32]) -> NDArray[np.float32]:
    """Multiply in blocks so small that BLAS wakes no threads: on a busy machine those take fifty times as long."""
    count = rows.shape[1]
    nets, many, height, width = panels.shape
    block = _ONE_THREAD // (height * width)
    made = np.empty((nets, count, many, width), np.float32)
    for at in range(0, count, block):
        made[:, at : at + block] = (rows[:, None, at : at + block] @ panels).swapaxes(1, 2)
    return made.reshape(nets, count, many * width)


def _panels(matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return some columns of each matrix at a time, each lot in one piece of memory."""
    nets, height, _ = matrix.shape
    columns = _PANEL if height < _MANY_ROWS else _PANEL // 2
    return np.ascontiguousarray(matrix.reshape(nets, height, -1, columns).swapaxes(1, 2))


def _side_by_side(layer: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return what a layer takes from the word before, the word itself and the one behind, as columns of one matrix."""
    nets, height, width = layer.shape
    return layer.reshape(nets, 3, height // 3, width).swapaxes(1, 2).reshape(nets, height // 3, 3 * width)


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
    arrays = read_arrays(WEIGHTS)
    scales = {name.removesuffix("_scale"): array for name, array in arrays.items() if name.endswith("_scale")}
    weights = {name: _scaled(array, scales.get(name)) for name, array in arrays.items() if not name.endswith("_scale")}
    # Of the largest one a message needs few rows: they are scaled when they are.
    weights |= {"hashes": arrays["hashes"], "hashes_scale": scales["hashes"]}
    return SentenceClassifier(weights, WordVectors())


def _scaled(array: NDArray[np.float32], scale: NDArray[np.float32] | None) -> NDArray[np.float32]:
    if scale is None:
        return array.astype(np.float32)
    return array * scale


def read_arrays(path: str) -> dict[str, NDArray[np.float32]]:
    """Return the arrays of a file: a line of JSON with their names, kinds and shapes, and the numbers behind it.

    An archive of numpy's takes 15 ms longer to import what unpacks it, and to unpack it.
    """
    with open(path, "rb") as file:
        heads = json.loads(file.readline())
        data = file.read()
    made: dict[str, NDArray[np.float32]] = {}
    at = 0
    for name, kind, shape in heads:
        made[name] = np.frombuffer(data, kind, prod(shape), at).reshape(shape)
        at += made[name].nbytes
    return made
