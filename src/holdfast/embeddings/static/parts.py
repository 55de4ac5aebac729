"""The tables that a vector is made with, each with its own tokenizer: BERT's word pieces, or SentencePiece's."""

from __future__ import annotations

import re
import sys
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from holdfast.embeddings.static.charmap import CharMap
from holdfast.embeddings.static.unigram import UNKNOWN, Unigram
from holdfast.embeddings.static.wordpiece import WordPiece

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.embeddings.static.nibbles import NibbleTable

__all__ = ["Measured", "Part", "UnigramPart", "WordPiecePart", "read_part"]

# What BERT's tokenizer makes of plain ASCII: runs of letters and digits, and every other sign by itself. A control
# character is dropped, and with it the gap, so a word that has one goes the long way.
_PLAIN = re.compile(r"[a-z0-9]+|[^\sa-z0-9]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_ASCII_ALNUM = re.compile(r"[A-Za-z0-9]")


class Measured(NamedTuple):
    """Of a word: its pieces that have a vector; its letters and digits, those in such pieces, those in whole words.

    A whole word is one that is a single piece. `cuts`: how many pieces the letters are in, with a vector or without.
    """

    pieces: list[int]
    letters: int
    known: int
    whole: int
    cuts: int


class Part(Protocol):
    """A table, a scale for each of its rows, and what cuts a word into the numbers of rows."""

    floor: int
    least_coverage: int
    scales: NDArray[np.uint16]

    @property
    def table(self) -> NDArray[np.int8] | NibbleTable:
        """The vectors of the pieces."""
        ...

    def measure(self, word: str) -> Measured:
        """Cut a word, as it stands between two spaces of a text."""
        ...


class WordPiecePart:
    """A table of BERT's word pieces."""

    def __init__(self, path: Path, checksum: int | None) -> None:
        from holdfast.embeddings.static.modelfile import read

        model = read(path, checksum)
        self.table = model.table
        self.scales = model.scales
        self.floor = model.floor
        self.least_coverage = model.least_coverage
        self.cutter = WordPiece(model.pieces, model.unknown)
        self._has_vector = (model.scales > 0).tobytes()

    def measure(self, word: str) -> Measured:
        """Cut a word, which may be several to this tokenizer."""
        if word.isascii() and not _CONTROL.search(word):
            words = _PLAIN.findall(word.lower())
        else:
            words = self.cutter.words(word)
        every: list[int] = []
        letters = known = whole = cuts = 0
        for one in words:
            if one.isascii():
                size = len(one) if one.isalnum() else 0
            elif len(one) == 1:
                size = one.isalnum()
            else:
                size = sum(map(str.isalnum, one))
                # A Greek letter is a sign of science; a word of them is Greek, spelled out in pieces without a meaning.
                if not _ASCII_ALNUM.search(one):
                    letters += size
                    cuts += size
                    continue
            letters += size
            cut = self.cutter.pieces(one)
            if size:
                cuts += len(cut)
            if len(cut) == 1:
                if self._has_vector[cut[0]]:
                    every += cut
                    known += size
                    whole += size
                continue
            pieces = [piece for piece in cut if self._has_vector[piece]]
            every += pieces
            if len(pieces) == len(cut):
                known += size
        return Measured(every, letters, known, whole, cuts)


class UnigramPart:
    """A table of SentencePiece's pieces."""

    def __init__(self, path: Path, checksum: int | None) -> None:
        from holdfast.embeddings.static.unigramfile import read

        model = read(path, checksum)
        self.table = model.table
        self.scales = model.scales
        self.floor = model.floor
        self.least_coverage = model.least_coverage
        costs = array("H", model.costs.tobytes())
        if sys.byteorder == "big":
            costs.byteswap()
        self.cutter = Unigram(model.pieces, costs, CharMap(model.charmap, model.joining), model.signs)
        self._has_vector = (model.scales > 0).tobytes()

    def measure(self, word: str) -> Measured:
        """Cut a word, which may be several to this tokenizer."""
        every: list[int] = []
        letters = known = whole = cuts = 0
        for one in self.cutter.words(word):
            cut = self.cutter.cut(one)
            bare = one.removeprefix(" ")
            size = len(bare) if bare.isalnum() else sum(map(str.isalnum, bare))
            pieces = [piece for piece, _ in cut if piece != UNKNOWN and self._has_vector[piece]]
            every += pieces
            letters += size
            if size:
                is_apart = cut[0][1] == 1 and one[0] == " "  # the space before the word is a piece of its own
                cuts += len(cut) - is_apart
            if len(pieces) == len(cut):
                known += size
                if len(cut) == 1:
                    whole += size
                continue
            first = 0
            for piece, end in cut:
                if piece != UNKNOWN and self._has_vector[piece]:
                    known += sum(map(str.isalnum, one[first:end]))
                first = end
        return Measured(every, letters, known, whole, cuts)


def read_part(path: Path, checksum: int | None) -> Part:
    """The table of a model file of either kind."""
    from holdfast.embeddings.static.unigramfile import is_unigram_file

    return UnigramPart(path, checksum) if is_unigram_file(path) else WordPiecePart(path, checksum)
