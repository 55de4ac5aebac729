"""The model that comes with Holdfast: one vector a word piece, summed; numpy alone, no download, no key.

A text's vector is the sum of count^0.75 x vector over its distinct pieces. A document's last number is for evidence:
the shorter its sum is than the model's floor, the more of the unit length goes there, where a query has zero. So a
line that says little ("Ann: thanks!") is not taken for a pure statement about Ann. Every sum is of whole numbers, exact
in any order, so the bytes are the same on every machine.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, cast
from weakref import WeakValueDictionary

from holdfast.embeddings.embedder import Embedded, Purpose, SpaceKey
from holdfast.embeddings.static.charmap import CharMap
from holdfast.embeddings.static.closer import Closer
from holdfast.embeddings.static.unigram import Unigram
from holdfast.embeddings.static.wordpiece import WordPiece
from holdfast.embeddings.static.words import KNOWN, UnigramWords, WordPieceWords, Words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.embeddings.static.modelfile import ModelFile
    from holdfast.embeddings.static.unigramfile import UnigramFile

__all__ = ["DIMENSIONS", "MODEL", "MODEL_FILE", "StaticEmbedder"]

MODEL = "holdfast-static-1"
DIMENSIONS = 256
CHECKSUM = 0x338DD5AF  # CRC-32 of the file: vectors of a damaged table would stay in the index after it is mended
MODEL_FILE = Path(__file__).with_name("holdfast-static-1.model")

_SHORT = 400  # characters: a question
_AT_ONCE = 200_000  # characters: enough for numpy to be quick, few enough to hold


_LOADING = threading.Lock()
# Gone with the last embedder that uses it: a memory that is closed holds no file open.
_MODELS: WeakValueDictionary[tuple[object, ...], _Loaded] = WeakValueDictionary()


class StaticEmbedder:
    """Embeds with the model in this folder; the file is mapped when the first text comes."""

    def __init__(self, path: Path = MODEL_FILE, model: str = MODEL) -> None:
        self.space = SpaceKey("local", model, "", DIMENSIONS)
        self._path = path
        self._loaded: _Loaded | None = None

    def look_closer(self, question: str, texts: Sequence[tuple[str, str]]) -> list[float] | None:
        """How well each text, given with its hash, meets the question word by word, 0 to 1; None for no question."""
        model = self._model()
        with model.lock:
            return model.closer.scores(question, texts)

    def coverage(self, text: str) -> float:
        """The share of a text's letters and digits that are in pieces the model knows; 0 where there are none."""
        model = self._model()
        with model.lock:
            return model.coverage(text)

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Embedded:
        """One vector for each text; None where a text says nothing that the model knows."""
        model = self._model()
        with model.lock:
            vectors = chain.from_iterable(model.vectors(some, purpose) for some in _parts(texts))
            return Embedded(self.space, cast("list[Sequence[float] | None]", list(vectors)))

    def _model(self) -> _Loaded:
        if self._loaded is None:
            self._loaded = _load_shared(self._path)
        return self._loaded


def _load_shared(path: Path) -> _Loaded:
    """Load a model, or take the one that another embedder of this process has: what it knows of words is large."""
    with _LOADING:
        status = path.stat() if path.exists() else None
        key = (str(path), status and status.st_ino, status and status.st_mtime_ns, status and status.st_size)
        model = _MODELS.get(key)
        if model is None:
            model = _MODELS[key] = _Loaded(path, CHECKSUM if path == MODEL_FILE else None)
        return model


def _parts(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """The texts in runs that are worked on at once."""
    first = size = 0
    for place, text in enumerate(texts):
        if place > first and size + len(text) > _AT_ONCE:
            yield texts[first:place]
            first = place
            size = 0
        size += len(text)
    if first < len(texts):
        yield texts[first:]


def _read(path: Path, checksum: int | None) -> tuple[ModelFile | UnigramFile, Words]:
    """A model of either kind of file, and the words that its tokenizer makes."""
    from holdfast.embeddings.static import modelfile, unigramfile

    if unigramfile.is_unigram_file(path):
        model = unigramfile.read(path, checksum)
        charmap = CharMap(model.charmap, model.joining)
        cutter = Unigram(model.pieces, model.costs.tolist(), charmap, model.longest, model.signs)
        return model, UnigramWords(cutter, (model.scales > 0).tobytes())
    english = modelfile.read(path, checksum)
    return english, WordPieceWords(WordPiece(english.pieces, english.unknown), english.scales.tolist())


class _Loaded:
    """The words and the table, ready; whoever uses them holds the lock, for all threads share what it remembers."""

    def __init__(self, path: Path, checksum: int | None) -> None:
        import numpy as np

        self.lock = threading.Lock()
        model, self._words = _read(path, checksum)
        self._table = model.table
        self._scales = model.scales.astype(np.float64)
        self._floor = model.floor
        self._known_share = model.least_coverage / 100
        self.closer = Closer(self._words, self._table, self._scales)

    def vectors(self, texts: Sequence[str], purpose: Purpose) -> list[NDArray[np.float32] | None]:
        """The vectors of some texts, None where there is none to give."""
        import numpy as np

        if len(texts) == 1 and len(texts[0]) < _SHORT:
            return [self._question(texts[0], purpose)]
        found = self._words.of(texts)
        # The pieces of all texts in one go: a piece of text n is counted as n x rows + piece.
        rows = len(self._table)
        distinct, counts = np.unique(found.texts * rows + found.pieces, return_counts=True)
        owners, pieces = np.divmod(distinct, rows)
        # count^0.75 by square roots, which every machine rounds alike; pow() differs in the last bit.
        weights = np.rint(self._scales[pieces] * np.sqrt(counts * np.sqrt(counts)))
        ends = np.searchsorted(owners, np.arange(len(texts) + 1))
        letters, known = found.sizes // KNOWN, found.sizes % KNOWN
        enough = (known > 0) & (known >= self._known_share * letters)
        return [
            self._unit(weights[first:last] @ self._table[pieces[first:last]].astype(np.float64), purpose)
            if told
            else None
            for told, first, last in zip(enough.tolist(), ends[:-1].tolist(), ends[1:].tolist(), strict=True)
        ]

    def coverage(self, text: str) -> float:
        """The share of the letters and digits that are in known pieces."""
        letters, known, _ = self._words.counted(text)
        return known / letters if letters else 0.0

    def _question(self, text: str, purpose: Purpose) -> NDArray[np.float32] | None:
        """The vector of one short text: the same sums, without the arrays that many texts are worth."""
        import numpy as np

        letters, known, counts = self._words.counted(text)
        if not known or known < self._known_share * letters:
            return None
        pieces = sorted(counts)
        scales = self._scales[pieces].tolist()
        times = (counts[piece] for piece in pieces)
        weights = [float(round(scale * math.sqrt(n * math.sqrt(n)))) for scale, n in zip(scales, times, strict=True)]
        return self._unit(np.array(weights) @ self._table[pieces].astype(np.float64), purpose)

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
