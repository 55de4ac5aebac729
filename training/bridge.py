"""The bridge: what the English table would say of a text, by what the table of many languages says of it.

A matrix, fitted by ridge regression on English text, where both tables speak. The vectors of many languages agree, so
it holds for text in the others too: a note in Chinese gets a place among the English ones, and an English question,
which goes by the English table, finds it there.
"""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.static.static_embedder import PART_DIMENSIONS, STATIC_1, ModelPart, StaticEmbedder, StaticModel
from numpy.typing import NDArray

import multilingual
from sources import WORK

__all__ = ["fit_bridge"]

_COLUMNS = PART_DIMENSIONS - 1
_TEXTS = 60_000
_SHORTEST = 40  # characters: a word or two say too little to learn from
_RIDGE = 10.0  # beside some 60,000 unit vectors: any value from 1 to 100 gives the same answers


def fit_bridge(many: Path, seed: int = 20261115) -> NDArray[np.int8]:
    """Return the matrix from the vectors of this model file to those of the English one, in eight bits."""
    texts = lzma.decompress((WORK / "languages" / "texts.xz").read_bytes()).decode("utf-8").splitlines()
    languages = np.load(WORK / "languages" / "rows.npz")["languages"]
    english = np.flatnonzero(languages == multilingual.LANGUAGES.index("en"))
    english = english[[len(texts[row]) > _SHORTEST for row in english]]
    np.random.default_rng(seed).shuffle(english)
    chosen = [texts[row] for row in english[:_TEXTS]]
    one = _vectors(StaticModel("many", (ModelPart(many),)), chosen)
    other = _vectors(STATIC_1, chosen)
    matrix = np.linalg.solve(one.T @ one + _RIDGE * np.eye(_COLUMNS), one.T @ other)
    return np.rint(matrix / np.abs(matrix).max() * 127).astype(np.int8)


def _vectors(model: StaticModel, texts: list[str]) -> NDArray[np.float64]:
    rows = np.zeros((len(texts), _COLUMNS))
    for row, vector in enumerate(StaticEmbedder(model).embed(texts, Purpose.QUERY).vectors):
        if vector is not None:
            rows[row] = np.asarray(vector)[:_COLUMNS]
    return rows
