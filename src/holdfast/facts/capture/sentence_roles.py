"""A text → how likely each of its sentences is a plain statement, a wish for how to answer, a task, a harm; learnt.

Small networks read the words in order, as those of capture do. What speaks a language that they have read little of
looks surely like nothing, so whoever lets pass only what is surely harmless lets it wait. `training/gate` makes the
weights; the guideline of the roles is in its data's README.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from holdfast.facts.capture.role_words import role_sentences, word_shapes
from holdfast.facts.capture.word_states import WordStates, read_vectors, read_weights
from holdfast.named_tuple import NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["WEIGHTS", "RoleClassifier", "Roles", "read_roles", "role_classifier"]

WEIGHTS: Final = os.path.join(os.path.dirname(__file__), "roles.bin")


class Roles(NamedTuple):
    """The share of each role that a sentence may have: 1 together."""

    plain: float
    style: float
    task: float
    harm: float
    sensitive: float
    attack: float

    @property
    def harmless(self) -> float:
        """How surely it may stand in every prompt, whoever said it."""
        return self.plain + self.style


class RoleClassifier:
    """Some networks by their arrays, each stacked: one row a network."""

    def __init__(self, weights: Mapping[str, NDArray[np.float32]]) -> None:
        self._weights = weights
        self._states = WordStates(weights, read_vectors())

    def judge(self, words: Sequence[str]) -> Roles:
        """Judge a sentence by its words."""
        weights = self._weights
        states = self._states.of(words, word_shapes(words))
        ends = states[:, 0], states[:, -1]
        row = np.concatenate((states.max(axis=1), states.mean(axis=1), *ends), axis=1)[:, None]
        inner = np.maximum(row @ weights["head"] + weights["head_bias"][:, None], 0.0)
        out = (inner @ weights["out"] + weights["out_bias"][:, None]).mean(axis=0)[0]
        shares = np.exp(out - out.max())
        return Roles(*(shares / shares.sum()).tolist())


@cache
def role_classifier() -> RoleClassifier:
    """Return the classifier that comes with Holdfast, read once a process."""
    return RoleClassifier(read_weights(WEIGHTS))


def read_roles(text: str) -> list[Roles]:
    """Return the roles of the sentences of a text; none where it has no words."""
    classifier = role_classifier()
    return [classifier.judge(words) for words in role_sentences(text, read_vectors().cut)]
