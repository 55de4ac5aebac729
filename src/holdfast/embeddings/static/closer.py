"""A closer look with the embedded model: how well each word of a question is met by some word of a text.

One vector for a whole text blurs what it says; its word pieces do not. For each piece of the question the nearest piece
of the text counts, weighed by how telling the piece is. It needs no model but the one that is here already, so it also
looks over the shoulder of a provider that knows the notes by other vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from holdfast.embeddings.static.words import Words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Closer"]

_REMEMBERED = 20_000  # texts; their pieces take about 300 bytes each
_SMALL = 200_000  # multiplications that OpenBLAS still does in the calling thread


class Closer:
    """Scores texts for a question, 0 to 1; remembers the pieces of the texts it has seen."""

    def __init__(self, words: Words, table: NDArray[np.int8], scales: NDArray[np.float64]) -> None:
        import numpy as np

        self._np: Any = np
        self._words = words
        self._table = table
        self._scales = scales
        self._pieces: dict[str, NDArray[np.int64]] = {}

    def scores(self, question: str, texts: Sequence[tuple[str, str]]) -> list[float] | None:
        """A score for each text, given with the hash that it is remembered by; None where the question says nothing."""
        np = self._np
        (asked,) = self._of([question])
        if not len(asked):
            return None
        unknown = [pair for pair in texts if pair[0] not in self._pieces]
        if len(self._pieces) + len(unknown) > _REMEMBERED:
            self._pieces.clear()
            unknown = list(texts)
        for (key, _), pieces in zip(unknown, self._of([text for _, text in unknown]), strict=True):
            self._pieces[key] = pieces
        held = [self._pieces[key] for key, _ in texts]
        every, places = np.unique(np.concatenate([*held, asked[:0]]), return_inverse=True)
        if not len(every):
            return [0.0] * len(texts)
        question_rows, lengths = self._rows(asked)
        weights = lengths * self._scales[asked]
        weights = (weights / weights.sum() / lengths).astype(np.float32)
        text_rows, lengths = self._rows(every)
        near = np.empty((len(asked), len(every)), np.float32)
        # In small products: for a large one numpy starts threads, which here cost more than they save.
        step = max(1, _SMALL // (len(asked) * text_rows.shape[1]))
        for at in range(0, len(every), step):
            near[:, at : at + step] = question_rows @ text_rows[at : at + step].T
        near /= lengths
        found: list[float] = []
        start = 0
        for pieces in held:
            end = start + len(pieces)
            found.append(float(weights @ near[:, places[start:end]].max(axis=1)) if end > start else 0.0)
            start = end
        return found

    def _of(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        """The distinct pieces of each text."""
        np = self._np
        if not texts:
            return []
        told = self._words.of(texts)
        ends = np.searchsorted(told.texts, np.arange(len(texts) + 1))
        return [np.unique(told.pieces[first:last]) for first, last in pairwise(ends.tolist())]

    def _rows(self, pieces: NDArray[np.int64]) -> tuple[Any, Any]:
        """The pieces' vectors and their lengths."""
        np = self._np
        rows = self._table[pieces].astype(np.float32)
        return rows, np.maximum(np.sqrt(np.vecdot(rows, rows)), 1.0)
