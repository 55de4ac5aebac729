"""Words → their vectors in both embedded tables; and a run of letters without spaces → words."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from holdfast.embeddings.static.piece_blocks import SPACE
from holdfast.embeddings.static.static_embedder import CURRENT, PART_DIMENSIONS
from holdfast.embeddings.static.token_tables import Part, UnigramPart, read_part

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["WORD_DIMENSIONS", "WordVectors"]

WORD_DIMENSIONS: Final = 2 * (PART_DIMENSIONS - 1)
_LONGEST_WORD: Final = 40  # characters that are looked at


class WordVectors:
    """The vectors of single words in every table, each of length one; zeros where no piece of a word is known."""

    def __init__(self) -> None:
        self._parts = [read_part(part.path, part.index_path) for part in CURRENT.parts]
        self._lock = threading.Lock()  # the tables keep what they have cut

    def of(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return one row a word, the tables side by side."""
        short = [word[:_LONGEST_WORD] for word in words]
        made = np.zeros((len(words), len(self._parts), PART_DIMENSIONS - 1), np.float32)
        with self._lock:
            for number, part in enumerate(self._parts):
                _add_vectors(part, short, made[:, number])
        lengths: NDArray[np.float32] = np.sqrt(np.einsum("ijk,ijk->ij", made, made))
        made /= np.maximum(lengths, np.float32(1e-6))[:, :, None]
        return made.reshape(len(words), WORD_DIMENSIONS)

    def cut(self, run: str) -> list[str]:
        """Return the words of a run of letters in a script that writes no spaces, as the table has them."""
        cutter = cast("UnigramPart", self._parts[-1]).cutter
        found: list[str] = []
        with self._lock:
            for word in cutter.words(run):
                start = 0
                for _, end in cutter.cut(word):
                    found.append(word[start:end].strip(f" {SPACE}"))
                    start = end
        return [word for word in found if word]


def _add_vectors(part: Part, words: Sequence[str], made: NDArray[np.float32]) -> None:
    """Put the sum of the pieces of each word into its row."""
    pieces = [measured.pieces for measured in part.measure_all(words)] if words else []
    rows = np.array(list(chain.from_iterable(pieces)), np.int64)
    if len(rows):
        counts = np.fromiter(map(len, pieces), np.int64, len(pieces))
        known = counts.nonzero()[0]
        values = part.table[rows].astype(np.float32) * part.scales[rows, None].astype(np.float32)
        made[known] = np.add.reduceat(values, (counts.cumsum() - counts)[known])  # `add.at` takes five times as long
