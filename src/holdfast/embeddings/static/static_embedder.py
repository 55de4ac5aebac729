"""The model that comes with Holdfast: one vector a word piece, summed; numpy alone, no download, no key.

A model has one part or two: a table for English, and one for many languages. In each part a text's vector is the sum
of count^0.75 x vector over its distinct pieces. A document's last number is for evidence: the shorter its sum is than
the part's floor, the more of the unit length goes there, where a query has zero. So a line that says little ("Ann:
thanks!") is not taken for a pure statement about Ann. The two are laid side by side. A document gives both the same
room; in a question it depends on how English that is (`english_degree`), so one and the same document is found by the
English table in English and by the other in German. Every sum is of whole numbers, exact in any order, and what follows
is rounded alike everywhere, so the bytes are the same on every machine.
"""

from __future__ import annotations

import os
import threading
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, pairwise
from typing import TYPE_CHECKING, cast
from weakref import WeakValueDictionary

from holdfast.embeddings.embedder import Embedded, Purpose, SpaceKey
from holdfast.embeddings.static.modelfile import verify_checksum
from holdfast.embeddings.static.piece_arrays import ENGLISH, KNOWN, LETTERS, Words
from holdfast.embeddings.static.token_tables import Part, UnigramPart, read_part
from holdfast.embeddings.static.word_match import Closer
from holdfast.errors import ProviderFailed
from holdfast.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.embeddings.static.modelfile import StrPath

__all__ = [
    "CURRENT",
    "MODELS",
    "PART_DIMENSIONS",
    "STATIC_1",
    "STATIC_2",
    "ModelPart",
    "StaticEmbedder",
    "StaticModel",
    "english_degree",
    "model_named",
]

PART_DIMENSIONS = 256

_SHORT = 400  # characters: a question
_AT_ONCE = 100_000  # characters: enough for numpy to be quick, few enough to hold
_TEXTS_AT_ONCE = 500
_ROWS_AT_ONCE = 512  # that are unpacked together: few enough to stay in the processor's second cache
_NARROW = 1 << 31

# What the English part counts for in a question, of 1, in another language and in English; and how much of its room it
# fills in a document in another language. Chosen by vectors alone on LoCoMo, SciFact and XQuAD in five languages:
# within a language both parts find more than either; an English question finds a foreign note by the other part.
_WEIGHT_FOREIGN, _WEIGHT_ENGLISH = 0.15, 0.95
_FILLED_FOREIGN = 0.35
# The odds of a letter, as `training/odds.py` counts them, at which a text is foreign and at which it is English: names,
# numbers and code are about 0, foreign text mostly below -5.
_FOREIGN, _ENGLISH = -4.8, -1.6
_BITS = 22
_UNIT = 2.0**_BITS
# Where nothing tells, a question is rather English: so much a letter, as if of this many more letters. Of single words
# 97 of 100 English ones are taken for English, and of others 7 (Polish) to 26 (German), which have the word. A line of
# a document is English then: headings of names and code are in every English note.
_PRIOR_ASKED, _PRIOR_WRITTEN = -2.4, 0.0
_PRIOR_LETTERS = 8


class ModelPart(NamedTuple):
    """A file of a model, that of the index of its pieces, and the CRC-32 of both.

    Vectors of a damaged table would stay in the index after it is mended.
    """

    path: StrPath
    checksum: int | None = None
    index_path: StrPath | None = None
    index_checksum: int | None = None


class StaticModel(NamedTuple):
    """A model: the name of its space, and its parts, the English one first."""

    name: str
    parts: tuple[ModelPart, ...]

    @property
    def space(self) -> SpaceKey:
        """The space of its vectors."""
        return SpaceKey("local", self.name, "", PART_DIMENSIONS * len(self.parts))


_FOLDER = os.path.dirname(__file__)
_ENGLISH_PART = ModelPart(
    os.path.join(_FOLDER, "holdfast-static-1.model"),
    0x338DD5AF,
    os.path.join(_FOLDER, "holdfast-static-1.pieces"),
    0xF837286D,
)
_LANGUAGES_PART = ModelPart(
    os.path.join(_FOLDER, "holdfast-static-2.model"),
    0x4C16F151,
    os.path.join(_FOLDER, "holdfast-static-2.pieces"),
    0xED581DD0,
)
STATIC_1 = StaticModel("holdfast-static-1", (_ENGLISH_PART,))
STATIC_2 = StaticModel("holdfast-static-2", (_ENGLISH_PART, _LANGUAGES_PART))
CURRENT = STATIC_2
MODELS: tuple[StaticModel, ...] = (STATIC_1, STATIC_2)


def model_named(name: str | None) -> StaticModel:
    """Return the model of this name; the current one where none is called that."""
    return next((model for model in MODELS if model.name == name), CURRENT)


_LOADING = threading.Lock()
# Gone with the last embedder that uses it: a memory that is closed holds no file open.
_LOADED: WeakValueDictionary[tuple[object, ...], _Loaded] = WeakValueDictionary()


class StaticEmbedder:
    """Embeds with a model in this folder; its files are mapped when the first text comes."""

    rows_kept = 5_000
    """Rows that were looked up before the pages of the files are let go: they lie all over them."""

    def __init__(self, model: StaticModel = CURRENT) -> None:
        self.space = model.space
        self._model = model
        self._loaded: _Loaded | None = None

    @property
    def is_loaded(self) -> bool:
        """True where its files were mapped, by this embedder or another of this process."""
        return self._loaded is not None or _model_key(self._model) in _LOADED

    def older(self, space: SpaceKey) -> StaticEmbedder | None:
        """Return an embedder for the space of another model that comes with Holdfast; None where it is of none."""
        return next((StaticEmbedder(model) for model in MODELS if model.space == space != self.space), None)

    def look_closer(self, question: str, texts: Sequence[tuple[str, str]]) -> list[float] | None:
        """Return how well each text, given with its hash, meets the question word by word, 0 to 1.

        It is None where nothing tells.

        Nor does a model that can't be read: that was said when the question was embedded.
        """
        try:
            model = self._load()
        except ProviderFailed:
            return None
        with model.lock:
            if not model.knows(question):
                return None
            return model.closer.scores(question, texts)

    def piece_costs(self, question: str, words: Sequence[str]) -> list[list[float]] | None:
        """Return what the pieces of each word of a question cost, in nats; None for a question in English.

        A cost is the negative logarithm of how often a piece stands in text of all the model's languages. A model that
        can't be read has none to tell, either: another one may have made the question's vector.
        """
        try:
            model = self._load()
        except ProviderFailed:
            return None
        with model.lock:
            return model.piece_costs(question, words)

    def coverage(self, text: str) -> float:
        """Return the largest share of a text's letters and digits that a part knows; 0 where there are none."""
        model = self._load()
        with model.lock:
            return model.coverage(text)

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Embedded:
        """Return one vector for each text; None where a text says nothing that the model knows."""
        model = self._load()
        with model.lock:
            if purpose is Purpose.DOCUMENT or len(texts) > 1:
                model.verify()
            vectors = list(chain.from_iterable(model.vectors(some, purpose) for some in _runs(texts)))
            model.release(self.rows_kept)
            return Embedded(self.space, cast("list[Sequence[float] | None]", vectors))

    def _load(self) -> _Loaded:
        if self._loaded is None:
            self._loaded = _load_shared(self._model)
        return self._loaded


def _load_shared(model: StaticModel) -> _Loaded:
    """Load a model, or take the one that another embedder of this process has: what it knows of words is large."""
    with _LOADING:
        key = _model_key(model)
        loaded = _LOADED.get(key)
        if loaded is None:
            loaded = _LOADED[key] = _Loaded(model)
        return loaded


def _model_key(model: StaticModel) -> tuple[object, ...]:
    return tuple(chain.from_iterable(_identity(part.path) for part in model.parts))


def _identity(path: StrPath) -> tuple[object, ...]:
    """Return what tells a file from another, and from itself before it was written anew."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return (str(path), None, None, None)
    return str(path), status.st_ino, status.st_mtime_ns, status.st_size


def _runs(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the texts in runs that are worked on at once."""
    first = size = 0
    for place, text in enumerate(texts):
        if place > first and (size + len(text) > _AT_ONCE or place - first == _TEXTS_AT_ONCE):
            yield texts[first:place]
            first = place
            size = 0
        size += len(text)
    if first < len(texts):
        yield texts[first:]


class _Loaded:
    """The words and the tables, ready; whoever uses them holds the lock, for all threads share what it remembers."""

    def __init__(self, model: StaticModel) -> None:
        import numpy as np

        self.lock = threading.Lock()
        self._parts: tuple[Part, ...] = tuple(read_part(part.path, part.index_path) for part in model.parts)
        self._words = Words(self._parts)
        self._offsets = self._words.offsets
        self._scales = np.concatenate([part.scales for part in self._parts])
        self._least = np.array([part.least_coverage / 100 for part in self._parts])
        self._looked_up = 0
        bridges = [part.bridge for part in self._parts[1:] if part.bridge is not None]
        self._bridge: NDArray[np.float64] | None = None
        if bridges:
            self._bridge = bridges[0].astype(np.float64)
        sums = [(part.path, part.checksum) for part in model.parts]
        sums += [(part.index_path, part.index_checksum) for part in model.parts if part.index_path is not None]
        self._unverified = [(path, checksum) for path, checksum in sums if checksum is not None]
        asked = partial(_foreign_degree, prior=_PRIOR_ASKED)
        self.closer = Closer(self._words, self._parts, asked, _foreign_degree)

    def verify(self) -> None:
        """Check the files' checksums, once: before the first vectors that may be kept.

        It takes as long as all the rest of loading. The vector of a question is gone with its answer, so a single
        search does not wait for it.
        """
        while self._unverified:
            verify_checksum(*self._unverified[-1])
            self._unverified.pop()

    def vectors(self, texts: Sequence[str], purpose: Purpose) -> list[NDArray[np.float32] | None]:
        """Return the vectors of some texts, None where there is none to give."""
        import numpy as np

        if len(texts) == 1 and len(texts[0]) < _SHORT and (purpose is Purpose.QUERY or "\n" not in texts[0]):
            return self._join(self._question(texts[0]), purpose)
        # Line by line: a note may have lines in several languages.
        lines = [text.split("\n") for text in texts]
        owners = np.repeat(np.arange(len(texts)), [len(own) for own in lines])
        found = self._words.of(list(chain.from_iterable(lines)))
        sizes = np.zeros((len(texts), *found.sizes.shape[1:]), np.int64)
        np.add.at(sizes, owners, found.sizes)
        degrees = english_degree(sizes)
        texts_of_pieces = owners[found.texts]
        totals = self._totals(texts_of_pieces, found.pieces, self._enough(sizes, degrees))
        if self._bridge is None:
            return self._join(_Sums(totals, degrees, _foreign_degree(sizes), totals[-1]), purpose)
        foreign_degrees = _foreign_degree(found.sizes)
        letters = found.sizes[:, 1, LETTERS]
        foreign = np.bincount(owners, letters * foreign_degrees, len(texts)) / np.maximum(sizes[:, 1, LETTERS], 1)
        is_abroad = foreign_degrees > 0
        counts = np.bincount(owners, is_abroad & (letters > 0), len(texts))
        mixed = (counts > 0) & (counts < np.bincount(owners, letters > 0, len(texts)))
        abroad = totals[1]
        if mixed.any():
            chosen = (is_abroad & mixed[owners])[found.texts]
            enough = np.stack((np.zeros(len(texts), np.bool_), mixed & (np.abs(totals[1]).max(axis=1) > 0)), axis=1)
            only = self._totals(texts_of_pieces[chosen], found.pieces[chosen], enough)[1]
            abroad = np.where(mixed[:, None], only, totals[1])
        return self._join(_Sums(totals, degrees, foreign, abroad), purpose)

    def _totals(
        self, texts: NDArray[np.int64], pieces: NDArray[np.int64], enough: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        """Return the sums of each part for each text, by the pieces and the texts that they stand in.

        They are zeros where a part does not know enough.
        """
        import numpy as np

        # Every text has a sum in each part. The pieces of all sums in one go: piece p of sum n is n x rows + p.
        rows, count = self._offsets[-1], len(enough)
        keys = texts * rows + pieces
        for offset in self._offsets[1:-1]:
            keys += (pieces >= offset) * (count * rows)
        if len(self._parts) * count * rows < _NARROW:
            keys = keys.astype(np.int32)  # which are sorted in half of the time
        distinct, counts = np.unique(keys, return_counts=True)
        sums, pieces = np.divmod(distinct, rows)
        has_enough = enough.T.ravel()[sums]
        if not has_enough.all():
            sums, pieces, counts = sums[has_enough], pieces[has_enough], counts[has_enough]
        # count^0.75 by square roots, which every machine rounds alike; pow() differs in the last bit.
        weights = np.rint(self._scales[pieces] * np.sqrt(counts * np.sqrt(counts)))
        vectors, places = self._vectors_of(pieces)
        bounds = np.searchsorted(sums, np.arange(len(self._parts) * count + 1))
        return _weighted_sums(vectors, places, weights, bounds).reshape(len(self._parts), count, -1)

    def _vectors_of(self, pieces: NDArray[np.int64]) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
        """Return the vectors of some pieces, each unpacked once, and which of them is each piece's."""
        import numpy as np

        numbers = np.zeros(self._offsets[-1], np.int64)
        numbers[pieces] = 1
        every = np.flatnonzero(numbers)
        numbers[every] = np.arange(len(every))
        self._looked_up += len(every)
        cuts = np.searchsorted(every, self._offsets).tolist()
        own = (every[first:last] - offset for first, last, offset in zip(cuts, cuts[1:], self._offsets, strict=False))
        return np.concatenate([part.table[rows] for part, rows in zip(self._parts, own, strict=True)]), numbers[pieces]

    def release(self, rows_kept: int) -> None:
        """Let go of what was read of the files, where that is more than so many rows."""
        if self._looked_up > rows_kept:
            self._looked_up = 0
            for part in self._parts:
                part.release()

    def coverage(self, text: str) -> float:
        """Return the largest share of the letters and digits that are in known pieces."""
        sizes = self._words.counted(text).sizes[0].tolist()
        return max(part[KNOWN] / part[LETTERS] if part[LETTERS] else 0.0 for part in sizes)

    def _question(self, text: str) -> _Sums:
        """Return the sums of one short text of one line, without the sorting that many texts are worth."""
        import numpy as np

        found, sizes = self._words.counted(text)
        pieces = sorted(found)
        self._looked_up += len(pieces)
        counts = np.array([found[piece] for piece in pieces], np.float64)
        rows = np.array(pieces, np.int64)
        weights = np.rint(self._scales[rows] * np.sqrt(counts * np.sqrt(counts)))
        bounds = [bisect_left(pieces, offset) for offset in self._offsets]
        totals = np.zeros((len(self._parts), 1, PART_DIMENSIONS - 1))
        degrees = english_degree(sizes)
        for number, is_told in enumerate(self._enough(sizes, degrees)[0].tolist()):
            if is_told:
                first, last = bounds[number : number + 2]
                own = self._parts[number].table[rows[first:last] - self._offsets[number]]
                np.matmul(weights[first:last], own.astype(np.float64), out=totals[number, 0])
        return _Sums(totals, degrees, _foreign_degree(sizes), totals[-1])

    def piece_costs(self, question: str, words: Sequence[str]) -> list[list[float]] | None:
        """Return what the pieces of each word cost; None for a question in English, and where no part has costs."""
        if self.is_english(question):
            return None
        return next((list(map(part.piece_costs, words)) for part in self._parts if isinstance(part, UnigramPart)), None)

    def is_english(self, text: str) -> bool:
        """Say whether a text is English rather than in another language."""
        return bool(english_degree(self._words.counted(text).sizes)[0] > 0.5)

    def knows(self, text: str) -> bool:
        """Say whether some part knows enough of a text."""
        sizes = self._words.counted(text).sizes
        return bool(self._enough(sizes, english_degree(sizes)).any())

    def _enough(self, sizes: NDArray[np.int64], degrees: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Say whether each part knows enough of each text.

        The English one alone does of no text in another language.
        """
        known = sizes[..., KNOWN]
        enough: NDArray[np.bool_] = (known > 0) & (known >= self._least * sizes[..., LETTERS])
        if len(self._parts) > 1:
            enough[:, 0] &= enough[:, 1] | (degrees > 0.5)
        return enough

    def _join(self, sums: _Sums, purpose: Purpose) -> list[NDArray[np.float32] | None]:
        """Return the vectors of the sums of each part, which are zero where a part has nothing to say."""
        import numpy as np

        has_sum = np.abs(sums.totals).max(axis=2) > 0
        vectors = np.zeros((has_sum.shape[1], len(self._parts), PART_DIMENSIONS), np.float32)
        heights = _heights(has_sum, sums.degrees, purpose)
        floors = [part.floor if purpose is Purpose.DOCUMENT else 0 for part in self._parts]
        ctx = [_fill(totals, floor) for totals, floor in zip(sums.totals, floors, strict=True)]
        if purpose is Purpose.DOCUMENT and self._bridge is not None:
            self._translate(ctx[0], _fill(sums.abroad, floors[1]), sums.foreign)
        for number, room in enumerate(ctx):
            vectors[:, number, :-1] = room.said * heights[number][:, None]
            if purpose is Purpose.DOCUMENT:
                vectors[:, number, -1] = np.sqrt(1.0 - room.length * room.length) * heights[number]
        flat = vectors.reshape(len(vectors), -1)
        return [row if any_sum else None for row, any_sum in zip(flat, has_sum.any(axis=0).tolist(), strict=True)]

    def _translate(self, english: _Room, abroad: _Room, foreign: NDArray[np.float64]) -> None:
        """Put what the other part knows of foreign lines into the English part's room, as that would say it.

        An English question goes by the English part, which makes little of a line in another language.
        """
        import numpy as np

        some = np.flatnonzero((foreign > 0) & (abroad.length > 0))
        if not len(some):
            return
        # Whole numbers of fourteen bits: the sums of the product are exact.
        bridged, _ = _whole_numbers(np.rint(abroad.said[some] * 2**14) @ self._bridge)
        norms = np.sqrt(np.vecdot(bridged, bridged))
        scales = abroad.length[some] / np.where(norms > 0, norms, 1.0)
        own = 1.0 - (1.0 - _FILLED_FOREIGN) * foreign[some]
        rest = np.sqrt(1.0 - own * own)
        said = np.rint((english.said[some] * own[:, None] + bridged * (scales * rest)[:, None]) * _UNIT)
        norms = np.sqrt(np.vecdot(said, said))
        lengths = np.maximum(norms, _UNIT)
        english.said[some] = said / lengths[:, None]
        english.length[some] = norms / lengths


class _Sums(NamedTuple):
    """The sums over some texts."""

    totals: NDArray[np.float64]
    """Parts x texts x numbers."""
    degrees: NDArray[np.float64]
    """How English each text is."""
    foreign: NDArray[np.float64]
    """The share of its letters in lines in another language."""
    abroad: NDArray[np.float64]
    """Of those lines alone, by the part of many languages: texts x numbers; of all, where all are of one kind."""


class _Room(NamedTuple):
    """The numbers of a part for each text, in its own room of the vector, and their length, 1 at the most."""

    said: NDArray[np.float64]
    length: NDArray[np.float64]


def _weighted_sums(
    vectors: NDArray[np.int8], places: NDArray[np.int64], weights: NDArray[np.float64], bounds: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the sums of the rows of `vectors` at the `places` between two bounds each, times their weights.

    All sums of as many rows are made in one go: a sum by itself costs more to begin than to make.
    """
    import numpy as np

    totals = np.zeros((len(bounds) - 1, vectors.shape[1]))
    sizes = np.diff(bounds)
    order = np.argsort(sizes, kind="stable")
    sizes = sizes[order]
    cuts = [*(np.flatnonzero(np.diff(sizes, prepend=0))).tolist(), len(order)]
    own = np.empty((max(_ROWS_AT_ONCE, int(sizes[-1]) if len(sizes) else 0), vectors.shape[1]))
    for first, last in pairwise(cuts):
        size = int(sizes[first])
        step = max(1, _ROWS_AT_ONCE // size)
        for begin in range(first, last, step):
            some = order[begin : min(begin + step, last)]
            at = bounds[some][:, None] + np.arange(size)
            block = own[: at.size]
            block[...] = vectors.take(places[at.ravel()], axis=0)
            weighted = weights[at][:, None, :] @ block.reshape(len(some), size, -1)
            totals[some] = weighted[:, 0]
    return totals


def _fill(totals: NDArray[np.float64], floor: int) -> _Room:
    """Return sums at their length, and what is less than the floor at less."""
    import numpy as np

    whole, shifts = _whole_numbers(totals)
    norms = np.sqrt(np.vecdot(whole, whole))
    lengths = np.maximum(np.where(norms > 0, norms, 1.0), floor * shifts)
    return _Room(whole / lengths[:, None], norms / lengths)


def _whole_numbers(totals: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return rows as whole numbers of twenty-two bits, and what each was multiplied by.

    The squares of 255 of them add up exactly, whatever the order.
    """
    import numpy as np

    shifts = np.ldexp(1.0, _BITS - np.frexp(np.abs(totals).max(axis=1))[1])
    return np.rint(totals * shifts[:, None]), shifts


def _heights(has_sum: NDArray[np.bool_], degrees: NDArray[np.float64], purpose: Purpose) -> NDArray[np.float64]:
    """Return the room of each part in each vector: parts x texts.

    In a document every part has the same room, one with nothing to say too: else what a single part knows would be
    nearer to every question than what both know. A question gives more room to the part that knows its language.
    """
    import numpy as np

    heights = np.ones(has_sum.shape)
    if purpose is Purpose.QUERY:
        heights *= has_sum
        if len(has_sum) > 1:
            english = _WEIGHT_FOREIGN + (_WEIGHT_ENGLISH - _WEIGHT_FOREIGN) * degrees
            heights[0] *= english
            heights[1] *= 1.0 - english
    lengths = np.sqrt((heights * heights).sum(axis=0))
    joined: NDArray[np.float64] = heights / np.where(lengths > 0, lengths, 1.0)
    return joined


def _foreign_degree(sizes: NDArray[np.int64], prior: float = _PRIOR_WRITTEN) -> NDArray[np.float64]:
    """Return how foreign lines are, 0 to 1: what is mostly English counts as that."""
    import numpy as np

    foreign: NDArray[np.float64] = np.maximum(1.0 - 2.0 * english_degree(sizes, prior), 0.0)
    return foreign


def english_degree(sizes: NDArray[np.int64], prior: float = _PRIOR_ASKED) -> NDArray[np.float64]:
    """Return how English texts are, 0 to 1, by what was counted of them.

    The counts are texts x parts x COUNTS; it is 1 where there is one part.

    By how much likelier their pieces are in English than in the other languages, a letter.
    """
    import numpy as np

    if sizes.shape[1] == 1:
        return np.ones(len(sizes))
    odds = (sizes[:, 1, ENGLISH] + prior * _PRIOR_LETTERS) / (sizes[:, 1, LETTERS] + _PRIOR_LETTERS)
    # Not np.clip(): for the one row of a question it takes three times as long.
    degree: NDArray[np.float64] = np.minimum(np.maximum((odds - _FOREIGN) / (_ENGLISH - _FOREIGN), 0.0), 1.0)
    return degree
