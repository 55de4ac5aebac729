"""The networks that tell roles, for training: numpy alone, with their gradients written out."""

from __future__ import annotations

from typing import Any

import numpy as np
from holdfast.facts.capture.sentence_features import BUCKETS
from holdfast.facts.capture.word_states import DILATIONS
from holdfast.facts.capture.word_vectors import WORD_DIMENSIONS

WIDTH, NARROW, INNER, LAYERS, SHAPE, ROLES = 64, 16, 64, 2, 6, 6
_DROPOUT, _NO_MEANING, _NO_WRITING = 0.2, 0.1, 0.3
_LOW = np.float32(-1e4)
Arrays = dict[str, np.ndarray]


class Batch:
    """Some sentences side by side: the words by number, and which places are filled."""

    def __init__(self, lessons: list[dict[str, Any]]) -> None:
        longest = max(len(lesson["ids"]) for lesson in lessons)
        self.words = np.zeros((len(lessons), longest), np.int64)
        self.mask = np.zeros((len(lessons), longest, 1), np.float32)
        self.shapes = np.zeros((len(lessons), longest, SHAPE), np.float32)
        for row, lesson in enumerate(lessons):
            count = len(lesson["ids"])
            self.words[row, :count], self.mask[row, :count] = lesson["ids"], 1.0
            self.shapes[row, :count] = lesson["shapes"]
        self.count = self.mask.sum(axis=1)
        self.last = self.count[:, 0].astype(np.int64) - 1


class Network:
    """The same as `RoleClassifier.judge`, for many sentences at once, and what teaches it."""

    def __init__(self, tables: tuple[np.ndarray, np.ndarray], seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.vectors, self.hashes = tables
        weights: Arrays = {
            "hashes": self._drawn(BUCKETS, NARROW, 0.05), "writing": self._drawn(NARROW, WIDTH, 0.3),
            "vectors": self._drawn(WORD_DIMENSIONS, WIDTH, 0.09), "shape": self._drawn(SHAPE, WIDTH, 0.1),
            "shape_bias": np.zeros(WIDTH, np.float32),
        }  # fmt: skip
        for number in range(LAYERS):
            weights[f"layer{number}"] = self._drawn(3 * WIDTH, WIDTH, 0.07)
            weights[f"layer{number}_bias"] = np.zeros(WIDTH, np.float32)
        weights |= {
            "head": self._drawn(4 * WIDTH, INNER, 0.09), "head_bias": np.zeros(INNER, np.float32),
            "out": self._drawn(INNER, ROLES, 0.125), "out_bias": np.zeros(ROLES, np.float32),
        }  # fmt: skip
        self.weights = weights
        self._first = {name: np.zeros_like(array) for name, array in weights.items()}
        self._second = {name: np.zeros_like(array) for name, array in weights.items()}
        self._steps = 0

    def judge(self, batch: Batch) -> np.ndarray:
        """Return how likely each role of each sentence is, before it is made a share."""
        return self._forward(batch, taught=False)[0]

    def learn(self, batch: Batch, wanted: np.ndarray, weight: np.ndarray, rate: float, decay: float) -> None:
        """Move a step towards what is wanted, by Adam."""
        out, seen = self._forward(batch, taught=True)
        gradients = self._backward(batch, (shares(out) - wanted) * weight[:, None] / len(weight), seen)
        self._steps += 1
        for name, gradient in gradients.items():
            first, second, held = self._first[name], self._second[name], self.weights[name]
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient * gradient - second)
            step = first / (1 - 0.9**self._steps) / (np.sqrt(second / (1 - 0.999**self._steps)) + 1e-8)
            held -= np.float32(rate) * (step + (decay * held if held.ndim > 1 else 0.0)).astype(np.float32)

    def _drawn(self, height: int, width: int, spread: float) -> np.ndarray:
        return (self.rng.standard_normal((height, width)) * spread).astype(np.float32)

    def _kept(self, shape: tuple[int, ...], share: float, taught: bool) -> np.ndarray:
        """Return what is left where a share is taken away, made up for in the rest."""
        if not taught:
            return np.ones(1, np.float32)
        return (self.rng.random(shape, dtype=np.float32) > share).astype(np.float32) / np.float32(1 - share)

    def _forward(self, batch: Batch, *, taught: bool) -> tuple[np.ndarray, Arrays]:
        held, mask, size = self.weights, batch.mask, batch.words.shape
        words, places = np.unique(batch.words, return_inverse=True)
        places = places.reshape(size)
        hashed = held["hashes"][self.hashes[words]].sum(axis=1)
        # A word's meaning or its writing is taken away now and then, and not made up for.
        meant = self._kept((*size, 1), _NO_MEANING, taught) * np.float32(1 - _NO_MEANING if taught else 1)
        written = self._kept((*size, 1), _NO_WRITING, taught) * np.float32(1 - _NO_WRITING if taught else 1)
        states = (self.vectors[words] @ held["vectors"])[places] * meant + (hashed @ held["writing"])[places] * written
        states += batch.shapes @ held["shape"] + held["shape_bias"]
        seen: Arrays = {"words": words, "places": places, "hashed": hashed, "meant": meant, "written": written}
        seen["drop"] = self._kept(states.shape, _DROPOUT, taught)
        states = states * seen["drop"] * mask
        for number in range(LAYERS):
            around = _around(states, DILATIONS[number])
            inner = around @ held[f"layer{number}"] + held[f"layer{number}_bias"]
            drop = self._kept(inner.shape, _DROPOUT, taught)
            seen |= {f"around{number}": around, f"inner{number}": inner, f"drop{number}": drop}
            states = (states + np.maximum(inner, 0.0) * drop) * mask
        rows = np.arange(size[0])
        highest = np.where(mask > 0, states, _LOW).argmax(axis=1)
        high = np.take_along_axis(states, highest[:, None], 1)[:, 0]
        row = np.concatenate((high, states.sum(axis=1) / batch.count, states[:, 0], states[rows, batch.last]), axis=1)
        seen["row_drop"] = self._kept(row.shape, _DROPOUT, taught)
        row = row * seen["row_drop"]
        inner = row @ held["head"] + held["head_bias"]
        seen["head_drop"] = self._kept(inner.shape, _DROPOUT, taught)
        last = np.maximum(inner, 0.0) * seen["head_drop"]
        seen |= {"states": states, "highest": highest, "row": row, "inner": inner, "last": last}
        return last @ held["out"] + held["out_bias"], seen

    def _backward(self, batch: Batch, wrong: np.ndarray, seen: Arrays) -> Arrays:
        held, made = self.weights, {}
        wrong = wrong.astype(np.float32)
        made["out"], made["out_bias"] = seen["last"].T @ wrong, wrong.sum(axis=0)
        inner = (wrong @ held["out"].T) * seen["head_drop"] * (seen["inner"] > 0)
        made["head"], made["head_bias"] = seen["row"].T @ inner, inner.sum(axis=0)
        row = (inner @ held["head"].T) * seen["row_drop"]
        states = np.zeros_like(seen["states"])
        np.put_along_axis(states, seen["highest"][:, None], row[:, None, :WIDTH], 1)
        states += (row[:, WIDTH : 2 * WIDTH] / batch.count)[:, None]
        states[:, 0] += row[:, 2 * WIDTH : 3 * WIDTH]
        states[np.arange(len(row)), batch.last] += row[:, 3 * WIDTH :]
        for number in reversed(range(LAYERS)):
            states = states * batch.mask
            layer = states * seen[f"drop{number}"] * (seen[f"inner{number}"] > 0)
            flat = layer.reshape(-1, WIDTH)
            made[f"layer{number}"] = seen[f"around{number}"].reshape(-1, 3 * WIDTH).T @ flat
            made[f"layer{number}_bias"] = flat.sum(axis=0)
            states = states + _gathered(layer @ held[f"layer{number}"].T, DILATIONS[number])
        states = states * batch.mask * seen["drop"]
        flat = states.reshape(-1, WIDTH)
        made["shape"], made["shape_bias"] = batch.shapes.reshape(-1, SHAPE).T @ flat, flat.sum(axis=0)
        count, places = len(seen["words"]), seen["places"].reshape(-1)
        meant = _summed((states * seen["meant"]).reshape(-1, WIDTH), places, count)
        written = _summed((states * seen["written"]).reshape(-1, WIDTH), places, count)
        made["vectors"] = self.vectors[seen["words"]].T @ meant
        made["writing"] = seen["hashed"].T @ written
        numbers = self.hashes[seen["words"]]
        each = np.repeat(written @ held["writing"].T, numbers.shape[1], axis=0)
        made["hashes"] = _summed(each, numbers.reshape(-1), BUCKETS)
        return made


def shares(out: np.ndarray) -> np.ndarray:
    """Return what is said of roles as shares that are 1 together."""
    raised = np.exp(out - out.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def _around(states: np.ndarray, step: int) -> np.ndarray:
    padded = np.pad(states, ((0, 0), (step, step), (0, 0)))
    return np.concatenate((padded[:, : -2 * step], states, padded[:, 2 * step :]), axis=2)


def _gathered(around: np.ndarray, step: int) -> np.ndarray:
    """Return to each word what its neighbours learnt of it: `_around`, backwards."""
    many, count, width = around.shape[0], around.shape[1], WIDTH
    padded = np.zeros((many, count + 2 * step, width), np.float32)
    padded[:, : -2 * step] += around[..., :width]
    padded[:, 2 * step :] += around[..., 2 * width :]
    return around[..., width : 2 * width] + padded[:, step:-step]


def _summed(rows: np.ndarray, places: np.ndarray, count: int) -> np.ndarray:
    """Return the rows that belong to the same place, added up."""
    order = np.argsort(places, kind="stable")
    sorted_places = places[order]
    starts = np.flatnonzero(np.r_[True, sorted_places[1:] != sorted_places[:-1]])
    made = np.zeros((count, rows.shape[1]), np.float32)
    made[sorted_places[starts]] = np.add.reduceat(rows[order], starts)
    return made
