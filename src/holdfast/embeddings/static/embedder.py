"""The model that comes with Holdfast: one vector a word piece, summed; numpy alone, no download, no key.

A text's vector is the sum of count^0.75 x vector over its distinct pieces. A document's last number is for evidence:
the shorter its sum is than the model's floor, the more of the unit length goes there, where a query has zero. So a
line that says little ("Ann: thanks!") is not taken for a pure statement about Ann. Every sum is of whole numbers, exact
in any order, so the bytes are the same on every machine.
"""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Sequence
from itertools import chain
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
CHECKSUM = 0x338DD5AF  # CRC-32 of the file: vectors of a damaged table would stay in the index after it is mended
MODEL_FILE = Path(__file__).with_name("holdfast-static-1.model")

_REMEMBERED = 110_000  # spans; the cache starts again when it is full
_KNOWN = 1 << 32
# Python takes these for spaces; BERT's tokenizer drops them, and with them the gap.
_NO_SPACE = re.compile("[\x0b\x0c\x1c-\x1f\x85]")
_NO_SPACES = dict.fromkeys((0x0B, 0x0C, 0x1C, 0x1D, 0x1E, 0x1F, 0x85))
_KNOWN_SHARE = 0.4  # of a text's letters and digits that must be in pieces the model knows, or it has no vector


class StaticEmbedder:
    """Embeds with the model in this folder; the file is mapped when the first text comes."""

    def __init__(self, path: Path = MODEL_FILE, model: str = MODEL) -> None:
        self.space = SpaceKey("local", model, "", DIMENSIONS)
        self._path = path
        self._loaded: _Loaded | None = None
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Embedded:
        """One vector for each text; None where a text says nothing that the model knows."""
        with self._lock:  # what it remembers of words is shared by all threads
            if self._loaded is None:
                self._loaded = _Loaded(self._path, CHECKSUM if self._path == MODEL_FILE else None)
            return Embedded(self.space, [self._loaded.vector(text, purpose) for text in texts])


class _Loaded:
    """The tokenizer and the table, ready."""

    def __init__(self, path: Path, checksum: int | None) -> None:
        import numpy as np

        from holdfast.embeddings.static.modelfile import read

        model: ModelFile = read(path, checksum)
        self._table = model.table
        self._scales = model.scales.astype(np.float64)
        self._floor = model.floor
        self._spans = _Spans(WordPiece(model.pieces, model.unknown), model.scales.tolist())

    def vector(self, text: str, purpose: Purpose) -> Sequence[float] | None:
        """The vector of one text, or None where there is none to give."""
        import numpy as np

        spans = self._spans.of(text)
        pieces = list(chain.from_iterable(map(self._spans.__getitem__, spans)))
        letters, known = divmod(sum(map(self._spans.sizes.__getitem__, spans)), _KNOWN)
        if not known or known < _KNOWN_SHARE * letters:
            return None
        distinct, counts = np.unique(np.array(pieces, np.intp), return_counts=True)
        # count^0.75 by square roots, which every machine rounds alike; pow() differs in the last bit.
        weights = np.rint(self._scales[distinct] * np.sqrt(counts * np.sqrt(counts)))
        total = weights @ self._table[distinct].astype(np.float64)
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


class _Spans(dict[str, tuple[int, ...]]):
    """From what stands between two spaces to its known pieces; text repeats itself, so each is cut only once.

    `sizes` has the letters and digits of a span, times _KNOWN, plus those of them in words that the model knows: one
    number, so that one sum adds up both.
    """

    def __init__(self, words: WordPiece, scales: Sequence[int]) -> None:
        super().__init__()
        self._words = words
        self._scales = scales
        self.sizes: dict[str, int] = {}

    def of(self, text: str) -> list[str]:
        """The spans of a text."""
        if len(self) > _REMEMBERED:
            self.clear()
            self.sizes.clear()
        return text.translate(_NO_SPACES).split() if _NO_SPACE.search(text) else text.split()

    def __missing__(self, span: str) -> tuple[int, ...]:
        found: list[int] = []
        letters = known = 0
        for word in self._words.words(span):
            cut = self._words.pieces(word) if word else ()
            if word.isascii() and word.isalnum():
                pieces = tuple(piece for piece in cut if self._scales[piece])
                found += pieces
                letters += len(word)
                known += len(word) if len(pieces) == len(cut) else 0
                continue
            size = sum(map(str.isalnum, word))
            # A Greek letter is a sign of science; a word of them is Greek, spelled out in pieces that mean nothing.
            foreign = len(word) > 1 and not any(character.isascii() and character.isalnum() for character in word)
            pieces = () if foreign else tuple(piece for piece in cut if self._scales[piece])
            found += pieces
            letters += size
            known += size if len(pieces) == len(cut) else 0
        self.sizes[span] = letters * _KNOWN + known
        self[span] = cut_span = tuple(found)
        return cut_span
