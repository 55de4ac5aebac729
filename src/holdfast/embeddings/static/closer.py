"""A closer look with the embedded model: how well each word of a question is met by some word of a text.

One vector for a whole text blurs what it says; its word pieces do not. For each piece of the question the nearest piece
of the text counts, weighed by how telling the piece is. Pieces of the English table meet each other, and so do those of
the table for many languages; the more English the question, the more the former count. It needs no model but the one
that is here already, so it also looks over the shoulder of a provider that knows the notes by other vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from holdfast.embeddings.static.parts import Part
from holdfast.embeddings.static.words import Words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Closer"]

_REMEMBERED = 20_000  # texts; their pieces take about 300 bytes each
_SMALL = 200_000  # multiplications that OpenBLAS still does in the calling thread


class Closer:
    """Scores texts for a question, 0 to 1; remembers the pieces of the texts it has seen."""

    def __init__(self, words: Words, parts: Sequence[Part], shares: Callable[[Any], Any]) -> None:
        """`shares`: what each part counts for, by what `Words` counts of a question."""
        import numpy as np

        self._np: Any = np
        self._words = words
        self._parts = parts
        self._shares = shares
        self._pieces: dict[str, NDArray[np.int32]] = {}

    def scores(self, question: str, texts: Sequence[tuple[str, str]]) -> list[float] | None:
        """A score for each text, given with the hash that it is remembered by; None where the question says nothing."""
        np = self._np
        (asked,), sizes = self._of([question])
        if not len(asked):
            return None
        held = self._held(texts)
        lengths = [len(pieces) for pieces in held]
        every, places = np.unique(np.concatenate([*held, asked[:0]]), return_inverse=True)
        found = np.zeros(len(texts))
        for number, share in enumerate(self._shares_of(asked, sizes)):
            if share:
                found += share * self._part_scores(number, asked, every, places, lengths)
        return [float(score) for score in found]

    def _held(self, texts: Sequence[tuple[str, str]]) -> list[NDArray[np.int32]]:
        """The distinct pieces of each text, remembered or cut now."""
        unknown = [pair for pair in texts if pair[0] not in self._pieces]
        if len(self._pieces) + len(unknown) > _REMEMBERED:
            self._pieces.clear()
            unknown = list(texts)
        for (key, _), pieces in zip(unknown, self._of([text for _, text in unknown])[0], strict=True):
            self._pieces[key] = pieces
        return [self._pieces[key] for key, _ in texts]

    def _of(self, texts: Sequence[str]) -> tuple[list[NDArray[np.int32]], Any]:
        """The distinct pieces of each text, and what was counted of it."""
        np = self._np
        if not texts:
            return [], None
        told = self._words.of(texts)
        ends = np.searchsorted(told.texts, np.arange(len(texts) + 1))
        pieces = told.pieces.astype(np.int32)
        return [np.unique(pieces[first:last]) for first, last in pairwise(ends.tolist())], told.sizes

    def _shares_of(self, asked: NDArray[np.int32], sizes: Any) -> list[float]:
        """What each part counts for; one that has no piece of the question counts for nothing."""
        bounds = self._np.searchsorted(asked, self._words.offsets)
        told = [last > first for first, last in pairwise(bounds.tolist())]
        shares = [float(share) if any_told else 0.0 for share, any_told in zip(self._shares(sizes), told, strict=True)]
        total = sum(shares)
        return [share / total for share in shares] if total else [1.0 if any_told else 0.0 for any_told in told]

    def _part_scores(
        self,
        number: int,
        asked: NDArray[np.int32],
        every: NDArray[np.int32],
        places: NDArray[np.int64],
        lengths: Sequence[int],
    ) -> Any:
        """The scores by the pieces of one part."""
        np = self._np
        offset, end = self._words.offsets[number : number + 2]
        asked = asked[(asked >= offset) & (asked < end)] - offset
        first, last = np.searchsorted(every, (offset, end))
        found = np.zeros(len(lengths))
        if last == first:
            return found
        question_rows, norms = self._rows(number, asked)
        weights = norms * self._parts[number].scales[asked]
        weights = (weights / weights.sum() / norms).astype(np.float32)
        text_rows, norms = self._rows(number, every[first:last] - offset)
        near = np.empty((len(asked), len(text_rows)), np.float32)
        # In small products: for a large one numpy starts threads, which here cost more than they save.
        step = max(1, _SMALL // (len(asked) * text_rows.shape[1]))
        for at in range(0, len(text_rows), step):
            near[:, at : at + step] = question_rows @ text_rows[at : at + step].T
        near /= norms
        start = 0
        for place, length in enumerate(lengths):
            own = places[start : start + length]
            own = own[np.searchsorted(own, first) : np.searchsorted(own, last)] - first
            if len(own):
                found[place] = weights @ near[:, own].max(axis=1)
            start += length
        return found

    def _rows(self, number: int, pieces: NDArray[np.int32]) -> tuple[Any, Any]:
        """The vectors of a part's pieces, and their lengths."""
        np = self._np
        rows = self._parts[number].table[pieces].astype(np.float32)
        return rows, np.maximum(np.sqrt(np.vecdot(rows, rows)), 1.0)
