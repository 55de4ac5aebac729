"""A fitted table with its SentencePiece model, as the runtime would use them: texts in, unit vectors out, in numpy."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sentencepiece import SentencePieceProcessor

__all__ = ["FIRST", "Table", "subset_rows"]

FIRST = 3  # ids of the subset's model that are no rows: unknown, begin, end
POWER = 0.75


def subset_rows(texts: list[str], model: Path, threads: int = -1) -> list[list[int]]:
    """The table's rows of every text, in order; unknown characters have none."""
    cut = SentencePieceProcessor(model_file=str(model))
    out: list[list[int]] = []
    for first in range(0, len(texts), 100_000):
        batch = cut.encode(texts[first : first + 100_000], num_threads=threads)
        out += [[number - FIRST for number in ids if number >= FIRST] for ids in batch]
    return out


class Table:
    """Piece vectors; a text's vector is the sum of count^0.75 of each, over its norm or the floor if that is more."""

    def __init__(self, rows: NDArray[np.float32], model: Path, floor: float = 0.0, power: float = POWER) -> None:
        self.rows, self.model, self.power = rows, model, power
        norms = np.linalg.norm(rows, axis=1)
        self.floor = floor * float(np.median(norms[norms > 0]))

    @classmethod
    def load(cls, path: Path, model: Path, floor: float = 0.0, power: float = POWER) -> Table:
        """The int8 table that fit.py wrote."""
        stored = np.load(path)
        return cls(stored["rows"].astype(np.float32) * stored["scales"][:, None], model, floor, power)

    def embed(self, texts: list[str], floor: bool = False) -> NDArray[np.float32]:
        """Vectors of texts, unit ones but where `floor` says that little evidence counts less."""
        out = np.zeros((len(texts), self.rows.shape[1]), np.float32)
        for number, pieces in enumerate(subset_rows(texts, self.model, 1)):
            counted = Counter(pieces)
            weights = np.fromiter(counted.values(), np.float32, len(counted)) ** self.power
            out[number] = weights @ self.rows[list(counted)]
        lengths = np.linalg.norm(out, axis=1, keepdims=True)
        return out / np.maximum(lengths, self.floor if floor else 1e-9)
