"""The model that comes with Holdfast: one vector a word piece, summed; numpy alone, no download, no key.

A text's vector is the sum of count^0.75 x vector over its distinct pieces. A document's last number is for evidence:
the shorter its sum is than the model's floor, the more of the unit length goes there, where a query has zero. So a
line that says little ("Ann: thanks!") is not taken for a pure statement about Ann. Every sum is of whole numbers, exact
in any order, so the bytes are the same on every machine.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from holdfast.embeddings.embedder import Embedded, Purpose, SpaceKey
from holdfast.embeddings.static.wordpiece import WordPiece

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.embeddings.static.modelfile import ModelFile

__all__ = ["DIMENSIONS", "MODEL", "MODEL_FILE", "StaticEmbedder"]

MODEL = "holdfast-static-1"
DIMENSIONS = 256
MODEL_FILE = Path(__file__).with_name("holdfast-static-1.model")

_REMEMBERED = 50_000  # words; the cache starts again when it is full
_KNOWN_SHARE = 0.4  # of a text's letters and digits that must be in pieces the model knows, or it has no vector


class StaticEmbedder:
    """Embeds with the model in this folder; the file is mapped when the first text comes."""

    def __init__(self, path: Path = MODEL_FILE, model: str = MODEL) -> None:
        self.space = SpaceKey("local", model, "", DIMENSIONS)
        self._path = path
        self._loaded: _Loaded | None = None

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Embedded:
        """One vector for each text; None where a text says nothing that the model knows."""
        if self._loaded is None:
            self._loaded = _Loaded(self._path)
        return Embedded(self.space, [self._loaded.vector(text, purpose) for text in texts])


class _Loaded:
    """The tokenizer and the table, ready."""

    def __init__(self, path: Path) -> None:
        from holdfast.embeddings.static.modelfile import read

        model: ModelFile = read(path)
        self._words = WordPiece(model.pieces, model.unknown)
        self._table = model.table
        self._scales: list[int] = model.scales.tolist()
        self._floor = model.floor
        # A word's known pieces, its letters and digits, and how many of those are in words the model knows.
        self._cache: dict[str, tuple[tuple[int, ...], int, int]] = {}

    def vector(self, text: str, purpose: Purpose) -> Sequence[float] | None:
        """The vector of one text, or None where there is none to give."""
        import numpy as np

        counts: dict[int, int] = {}
        letters = known = 0
        for word, times in Counter(self._words.words(text)).items():
            pieces, size, understood = self._cache.get(word) or self._look_up(word)
            letters += size * times
            known += understood * times
            for piece in pieces:
                counts[piece] = counts.get(piece, 0) + times
        if not known or known < _KNOWN_SHARE * letters:
            return None
        scales = self._scales
        # count^0.75 by square roots, which every machine rounds alike; pow() differs in the last bit.
        weights = [round(scales[piece] * math.sqrt(n * math.sqrt(n))) if n > 1 else scales[piece]
                   for piece, n in counts.items()]  # fmt: skip
        rows = self._table[list(counts)].astype(np.float64)
        total = np.array(weights, np.float64) @ rows
        return cast("Sequence[float] | None", self._unit(total, purpose))

    def _unit(self, total: NDArray[np.float64], purpose: Purpose) -> NDArray[np.float32] | None:
        import numpy as np

        largest = float(np.abs(total).max())
        if largest == 0.0:
            return None
        # Twenty-two bits a number: the squares of 255 of them add up exactly, whatever the order.
        shift = 2.0 ** (22 - math.frexp(largest)[1])
        whole = np.rint(total * shift)
        norm = math.sqrt(float(whole @ whole))
        vector = np.zeros(DIMENSIONS, np.float32)
        floor = self._floor * shift
        if purpose is Purpose.DOCUMENT and norm < floor:
            vector[:-1] = whole / floor
            vector[-1] = math.sqrt(1.0 - (norm / floor) ** 2)
        else:
            vector[:-1] = whole / norm
        return vector

    def _look_up(self, word: str) -> tuple[tuple[int, ...], int, int]:
        cut = self._words.pieces(word) if word else ()
        size = sum(map(str.isalnum, word))
        # A Greek letter is a sign of science; a word of them is Greek, spelled out in pieces that mean nothing.
        foreign = len(word) > 1 and not any(character.isascii() and character.isalnum() for character in word)
        pieces = () if foreign else tuple(piece for piece in cut if self._scales[piece])
        if len(self._cache) >= _REMEMBERED:
            self._cache.clear()
        found = self._cache[word] = (pieces, size, size if len(pieces) == len(cut) else 0)
        return found
