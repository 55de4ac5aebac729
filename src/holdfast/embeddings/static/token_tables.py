"""The tables that a vector is made with, each with its own tokenizer: BERT's word pieces, or SentencePiece's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Protocol

from holdfast.embeddings.static.charmap import CharMap
from holdfast.embeddings.static.modelfile import release_pages
from holdfast.embeddings.static.piece_blocks import SPACE
from holdfast.embeddings.static.piece_hashes import PieceHashes, character_codes, read_hashes
from holdfast.embeddings.static.piece_index import read_index
from holdfast.embeddings.static.unigram import COSTS_PER_NAT, UNKNOWN, Unigram
from holdfast.embeddings.static.unigram_batch import LONGEST_WORD, UnigramBatch
from holdfast.embeddings.static.wordpiece import WordPiece
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.embeddings.static.modelfile import StrPath
    from holdfast.embeddings.static.nibbles import NibbleTable

__all__ = ["Part", "UnigramPart", "WordMeasure", "WordPiecePart", "read_part"]

# What BERT's tokenizer makes of plain ASCII: runs of letters and digits, and every other sign by itself. A control
# character is dropped, and with it the gap, so a word that has one goes the long way.
_PLAIN = compile_late(r"[a-z0-9]+|[^\sa-z0-9]")
_CONTROL = compile_late(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
# So many new words are cut with arrays; a table that no file has takes thirty milliseconds to make, and more to begin.
_FEW, _FEW_TO_BEGIN = 24, 2_000
_MANY = 1_000  # and so many at once: more take more memory, and no less time
_DOTTED = "i\u0307"  # what Python makes of Turkish İ
# An ASCII word with such a sign in it, or with letters and digits, is code, a path, an id or markup, and one without a
# letter is none: it is in no language. Where no spaces are written, a word is a sentence and may well hold one.
_CODE = compile_late(r"[/_={}<>`$\\|#@\[\]~^]|[a-z][.:][a-z]|[a-z]\d|\d[a-z]|^[^a-z]*$", re.ASCII | re.IGNORECASE)
_ASCII_ALNUM = compile_late(r"[A-Za-z0-9]")


def _is_code(word: str) -> bool:
    if word.isascii():
        return _CODE.search(word) is not None
    return not any(map(str.isalpha, word))


class WordMeasure(NamedTuple):
    """Of a word: its pieces that have a vector; its letters and digits; those in such pieces; how English it is."""

    pieces: list[int]
    letters: int
    known: int
    english: int


class Part(Protocol):
    """A table, a scale for each of its rows, and what cuts a word into the numbers of rows."""

    floor: int
    least_coverage: int
    scales: NDArray[np.uint16]
    bridge: NDArray[np.int8] | None
    """The matrix from a text's vector in this table to what the English one would say of it."""

    @property
    def table(self) -> NDArray[np.int8] | NibbleTable:
        """The vectors of the pieces."""
        ...

    def measure_all(self, words: Sequence[str]) -> Iterable[WordMeasure]:
        """Cut words, each as it stands between two spaces of a text."""
        ...

    def release(self) -> None:
        """Let go of what was read of the file."""
        ...


class WordPiecePart:
    """A table of BERT's word pieces."""

    def __init__(self, path: StrPath, index_path: StrPath | None = None) -> None:
        from holdfast.embeddings.static.modelfile import read

        model = read(path)
        self.table = model.table
        self.scales = model.scales
        self.floor = model.floor
        self.least_coverage = model.least_coverage
        index = None
        if index_path is not None:
            index = read_index(index_path, model.lines, len(model.scales))
        self.cutter = WordPiece(lambda: model.pieces, model.unknown, index)
        self._has_vector = (model.scales > 0).tobytes()
        self._mapped = model.mapped
        self.bridge: NDArray[np.int8] | None = None

    def release(self) -> None:
        """Let go of what was read of the file."""
        release_pages(self._mapped)

    def measure_all(self, words: Sequence[str]) -> Iterable[WordMeasure]:
        """Cut words, each of which may be several to this tokenizer."""
        return map(self._measure, words)

    def _measure(self, word: str) -> WordMeasure:
        if word.isascii() and word.isalnum():  # as most are
            cut, size = self.cutter.pieces(word.lower()), len(word)
            pieces = [piece for piece in cut if self._has_vector[piece]]
            return WordMeasure(pieces, size, size if len(pieces) == len(cut) else 0, 0)
        if word.isascii() and not _CONTROL.search(word):
            words = _PLAIN.findall(word.lower())
        else:
            words = self.cutter.words(word)
        every: list[int] = []
        letters = known = 0
        for piece_word in words:
            if piece_word.isascii():
                size = 0
                if piece_word.isalnum():
                    size = len(piece_word)
            elif len(piece_word) == 1:
                size = piece_word.isalnum()
            else:
                size = sum(map(str.isalnum, piece_word))
                # A Greek letter is a sign of science; a word of them is Greek, spelled out in pieces without a meaning.
                if not _ASCII_ALNUM.search(piece_word):
                    letters += size
                    continue
            letters += size
            cut = self.cutter.pieces(piece_word)
            pieces = [piece for piece in cut if self._has_vector[piece]]
            every += pieces
            if len(pieces) == len(cut):
                known += size
        return WordMeasure(every, letters, known, 0)


class UnigramPart:
    """A table of SentencePiece's pieces."""

    limit = 4_000  # parts of words that are remembered, some megabyte: each stands beside other signs again

    def __init__(self, path: StrPath, index_path: StrPath | None = None) -> None:
        import numpy as np

        from holdfast.embeddings.static.unigramfile import read

        model = read(path)
        self.table = model.table
        self.scales = model.scales
        self.floor = model.floor
        self.least_coverage = model.least_coverage
        costs: memoryview[int] = np.ascontiguousarray(model.costs, "=u2").data
        self._hashes: PieceHashes | None = None
        if index_path is not None:
            self._hashes = model.pieces.index = read_hashes(index_path, len(model.scales))
        charmap = CharMap(model.charmap, model.joining)
        self.cutter = Unigram(model.pieces, costs, charmap, model.signs, int(model.costs.max(initial=0)))
        self._has_vector = (model.scales > 0).tobytes()
        self._english: memoryview[int] = model.english.data
        self.bridge = model.bridge
        self._model = model
        self._batch: UnigramBatch | None = None
        self._met: dict[str, WordMeasure] = {}

    def release(self) -> None:
        """Let go of what was read of the file."""
        release_pages(self._model.mapped)

    def piece_costs(self, word: str) -> list[float]:
        """Return what the pieces of a word cost, in small letters, in nats."""
        cut = (self.cutter.cut(lowered) for lowered in self.cutter.words(word.lower()))
        return [self.cutter.cost(piece) / COSTS_PER_NAT for piece, _ in chain.from_iterable(cut)]

    def measure_all(self, words: Sequence[str]) -> Iterable[WordMeasure]:
        """Cut words, each of which may be several to this tokenizer."""
        if len(words) < (_FEW_TO_BEGIN if self._hashes is None else _FEW) or len(max(words, key=len)) > LONGEST_WORD:
            return map(self._measure, words)
        runs = (words[first : first + _MANY] for first in range(0, len(words), _MANY))
        return chain.from_iterable(map(self._measure_batch, runs))

    def _words(self, word: str) -> list[str]:
        """Return the words of a word between spaces, in small letters where it shouts.

        Few pieces are written in capitals.
        """
        words = self.cutter.words(word)
        if len(word) > 1 and word.isupper():
            return [part if self.cutter.holds(part) else part.lower().replace(_DOTTED, "i") for part in words]
        return words

    def _measure_batch(self, words: Sequence[str]) -> Iterable[WordMeasure]:
        """Return the same as `_measure` for many words, with arrays."""
        cut = [self._words(word) for word in words]
        met = self._met
        if len(met) > self.limit:
            met.clear()
        new = [part for part in dict.fromkeys(chain.from_iterable(cut)) if part not in met]
        if new:
            met.update(zip(new, self._measure_parts(new), strict=True))
        for word, parts in zip(words, cut, strict=True):
            if len(parts) == 1:  # as most have
                found = met[parts[0]]
            else:
                found = _joined([met[part] for part in parts])
            yield found._replace(english=0) if found.english and _is_code(word) else found

    def _measure_parts(self, parts: Sequence[str]) -> Iterable[WordMeasure]:
        """Cut parts of words, as `_words` gives them, each of which is in some language."""
        import numpy as np

        if self._hashes is None:
            self._hashes = PieceHashes(PieceHashes.bytes_of(self._model.pieces.lines), len(self._model.scales))
        if self._batch is None:
            self._batch = UnigramBatch(self._hashes, self._model.costs, self.cutter.unknown_cost)
        text = "".join(parts).replace(" ", SPACE)
        codes = character_codes(text)
        count = len(parts)
        sizes = np.fromiter(map(len, parts), np.int64, count)
        found = self._batch.cut(codes, sizes)
        # What lies between two places of the text: how many letters and digits.
        before = np.concatenate(
            (np.zeros(1, np.int64), np.cumsum(np.fromiter(map(str.isalnum, text), np.int64, len(text))))
        )
        ends = np.cumsum(sizes)
        firsts = ends - sizes
        letters = before[ends] - before[firsts]
        has_vector = np.append(self._model.scales > 0, [False])[found.pieces]  # the last is for UNKNOWN
        words_with_vector = found.words[has_vector]
        with_vector = np.bincount(words_with_vector, minlength=count)
        spans = (before[found.ends] - before[found.starts])[has_vector]
        known = np.bincount(words_with_vector, spans, count).astype(np.int64)
        odds = np.append(self._model.english, [0])[found.pieces]
        english = np.bincount(found.words, odds, count).astype(np.int64)
        order = np.argsort(words_with_vector, kind="stable")
        rows = found.pieces[has_vector][order].tolist()
        bounds = [0, *np.cumsum(with_vector).tolist()]
        pieces = [rows[first:last] for first, last in pairwise(bounds)]
        return map(WordMeasure, pieces, letters.tolist(), known.tolist(), english.tolist())

    def _measure(self, word: str) -> WordMeasure:
        every: list[int] = []
        letters = known = english = 0
        for piece_word in self._words(word):
            cut = self.cutter.cut(piece_word)
            bare = piece_word.removeprefix(" ")
            if bare.isalnum():
                size = len(bare)
            else:
                size = sum(map(str.isalnum, bare))
            pieces = [piece for piece, _ in cut if piece != UNKNOWN and self._has_vector[piece]]
            every += pieces
            letters += size
            english += sum(self._english[piece] for piece, _ in cut if piece != UNKNOWN)
            if len(pieces) == len(cut):
                known += size
                continue
            first = 0
            for piece, end in cut:
                if piece != UNKNOWN and self._has_vector[piece]:
                    known += sum(map(str.isalnum, piece_word[first:end]))
                first = end
        return WordMeasure(every, letters, known, 0 if _is_code(word) else english)


def _joined(parts: Sequence[WordMeasure]) -> WordMeasure:
    """Return what is measured of a word by its parts."""
    every: list[int] = []
    letters = known = english = 0
    for pieces, letters_in, known_in, english_in in parts:
        every += pieces
        letters += letters_in
        known += known_in
        english += english_in
    return WordMeasure(every, letters, known, english)


def read_part(path: StrPath, index_path: StrPath | None = None) -> Part:
    """Return the table of a model file of either kind; with the index of its pieces the first words take less time."""
    from holdfast.embeddings.static.unigramfile import is_unigram_file

    if is_unigram_file(path):
        return UnigramPart(path, index_path)
    return WordPiecePart(path, index_path)
