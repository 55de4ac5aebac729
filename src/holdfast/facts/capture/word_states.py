"""Words in their order → what small networks make of each beside its neighbours; and the files of their weights.

Each word is its vector and its hashes, and each layer looks at its neighbours, 1, 2 and 4 words away. The classifiers
of sentences and of roles stand on this.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from math import prod
from typing import TYPE_CHECKING, Final

import numpy as np

from holdfast.facts.capture.sentence_features import word_hashes
from holdfast.facts.capture.word_vectors import WordVectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["DILATIONS", "WordStates", "panels", "product", "read_arrays", "read_vectors", "read_weights"]

DILATIONS: Final = (1, 2, 4)
_ONE_THREAD: Final = 1 << 18  # multiplications; OpenBLAS shares out what takes more
_PANEL: Final = 64  # columns of a matrix that are multiplied at once, or half of them where it has many rows
_MANY_ROWS: Final = 256
_MOST_KEPT: Final = 4_000  # words whose part of the sum is kept


class WordStates:
    """The lower part of some networks by its arrays, each stacked: one row a network."""

    def __init__(self, weights: Mapping[str, NDArray[np.float32]], vectors: WordVectors) -> None:
        self._weights = weights
        count = sum(f"layer{number}" in weights for number in range(len(DILATIONS)))
        layers = (_side_by_side(weights[f"layer{number}"]) for number in range(count))
        self._layers = [
            (panels(layer), weights[f"layer{number}_bias"], DILATIONS[number]) for number, layer in enumerate(layers)
        ]
        self._meaning = panels(weights["vectors"])
        self._vectors = vectors
        self._known: dict[str, NDArray[np.float32]] = {}

    def of(self, words: Sequence[str], shapes: Sequence[tuple[float, ...]]) -> NDArray[np.float32]:
        """Return the state of each word in each network."""
        weights = self._weights
        shaped = np.array(shapes, np.float32) @ weights["shape"] + weights["shape_bias"][:, None]
        states: NDArray[np.float32] = self._words(words) + shaped
        width = states.shape[2]
        for blocks, bias, step in self._layers:
            both = product(states, blocks)
            made = both[:, :, width : 2 * width] + bias[:, None]
            made[:, step:] += both[:, :-step, :width]
            made[:, :-step] += both[:, step:, 2 * width :]
            states = states + np.maximum(made, 0.0)
        return states

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
            rows = product(self._vectors.of(new)[None], self._meaning) + hashed
            known.update(zip(new, rows.transpose(1, 0, 2), strict=True))
        return np.stack([known[word] for word in words], axis=1)


def product(rows: NDArray[np.float32], blocks: NDArray[np.float32]) -> NDArray[np.float32]:
    """Multiply in blocks so small that BLAS wakes no threads: on a busy machine those take fifty times as long."""
    count = rows.shape[1]
    nets, many, height, width = blocks.shape
    block = _ONE_THREAD // (height * width)
    made = np.empty((nets, count, many, width), np.float32)
    for at in range(0, count, block):
        made[:, at : at + block] = (rows[:, None, at : at + block] @ blocks).swapaxes(1, 2)
    return made.reshape(nets, count, many * width)


def panels(matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return some columns of each matrix at a time, each lot in one piece of memory."""
    nets, height, _ = matrix.shape
    columns = _PANEL if height < _MANY_ROWS else _PANEL // 2
    return np.ascontiguousarray(matrix.reshape(nets, height, -1, columns).swapaxes(1, 2))


def _side_by_side(layer: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return what a layer takes from the word before, the word itself and the one behind, as columns of one matrix."""
    nets, height, width = layer.shape
    return layer.reshape(nets, 3, height // 3, width).swapaxes(1, 2).reshape(nets, height // 3, 3 * width)


@cache
def read_vectors() -> WordVectors:
    """Return the vectors of words, read once a process."""
    return WordVectors()


def read_weights(path: str) -> dict[str, NDArray[np.float32]]:
    """Return the weights of a file, scaled."""
    arrays = read_arrays(path)
    scales = {name.removesuffix("_scale"): array for name, array in arrays.items() if name.endswith("_scale")}
    weights = {name: _scaled(array, scales.get(name)) for name, array in arrays.items() if not name.endswith("_scale")}
    # Of the largest one a message needs few rows: they are scaled when they are.
    return weights | {"hashes": arrays["hashes"], "hashes_scale": scales["hashes"]}


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
