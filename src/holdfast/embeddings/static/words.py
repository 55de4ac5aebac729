"""Texts → the pieces that the model knows, as arrays; a word is cut once, however often it stands in a text."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from holdfast.embeddings.static.unigram import UNKNOWN, Unigram
from holdfast.embeddings.static.wordpiece import WordPiece

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["KNOWN", "Found", "UnigramWords", "WordPieceWords", "Words"]

KNOWN = 1 << 32
_LONGEST_REMEMBERED = 24  # characters; where no spaces are written, a longer one is a sentence and won't come again
# What BERT's tokenizer makes of plain ASCII: runs of letters and digits, and every other sign by itself. A control
# character is dropped, and with it the gap, so a text that has one goes the long way.
_PLAIN = re.compile(r"[a-z0-9]+|[^\sa-z0-9]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class Found(NamedTuple):
    """Every known piece and the number of its text; and for each text its letters x KNOWN + those in known words."""

    texts: NDArray[np.int64]
    pieces: NDArray[np.int64]
    sizes: NDArray[np.int64]


class Measured(NamedTuple):
    """Of one word: its pieces that have a vector, its letters and digits, and those of them that are in such pieces."""

    pieces: list[int]
    letters: int
    known: int


class Words(dict[str, int]):
    """From a word to its number; the pieces of word n stand between `_starts[n]` and `_starts[n + 1]`."""

    limit = 60_000  # words; all is forgotten when there are more

    def __init__(self) -> None:
        super().__init__()
        self._forget()

    def _forget(self) -> None:
        self.clear()
        self[""] = 0  # no word at all: numpy makes nothing of an empty array
        self._pieces = array("q", [0])
        self._starts = array("q", [1, 1])
        self._sizes = array("q", [0])

    def _cut(self, text: str) -> list[str]:
        raise NotImplementedError

    def _measure(self, word: str) -> Measured:
        raise NotImplementedError

    def __missing__(self, word: str) -> int:
        measured = self._measure(word)
        number = len(self._sizes)
        if len(word) <= _LONGEST_REMEMBERED:
            self[word] = number
        self._pieces.extend(measured.pieces)
        self._starts.append(len(self._pieces))
        self._sizes.append(measured.letters * KNOWN + measured.known)
        return number

    def of(self, texts: Sequence[str]) -> Found:
        """The pieces of some texts."""
        import numpy as np

        if len(self._sizes) > self.limit:
            self._forget()
        cut = [self._cut(text) for text in texts]
        words = np.fromiter(map(self.__getitem__, chain.from_iterable(cut)), np.intp)
        lengths = np.fromiter(map(len, cut), np.intp, len(cut))
        sizes, starts, pieces = (np.frombuffer(one, np.int64) for one in (self._sizes, self._starts, self._pieces))
        before = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes[words])))
        ends = np.cumsum(lengths)
        first = starts[words]
        counts = starts[words + 1] - first
        # Where the pieces of each word stand, laid out one after the other.
        places = np.repeat(first - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
        owners = np.repeat(np.repeat(np.arange(len(texts)), lengths), counts)
        return Found(owners, pieces[places], before[ends] - before[ends - lengths])

    def counted(self, text: str) -> tuple[int, int, dict[int, int]]:
        """Of one text: its letters, those in known words, and how often each known piece stands in it."""
        if len(self._sizes) > self.limit:
            self._forget()
        size = 0
        counts: dict[int, int] = {}
        for word in self._cut(text):
            number = self[word]
            size += self._sizes[number]
            for piece in self._pieces[self._starts[number] : self._starts[number + 1]]:
                counts[piece] = counts.get(piece, 0) + 1
        return size // KNOWN, size % KNOWN, counts


class WordPieceWords(Words):
    """The words of BERT's tokenizer; `scales` has a zero for each piece without a vector."""

    def __init__(self, cutter: WordPiece, scales: Sequence[int]) -> None:
        super().__init__()
        self._cutter = cutter
        self._scales = scales

    def _cut(self, text: str) -> list[str]:
        if text.isascii() and not _CONTROL.search(text):
            return _PLAIN.findall(text.lower())
        return [word for word in self._cutter.words(text) if word]

    def _measure(self, word: str) -> Measured:
        cut = self._cutter.pieces(word)
        pieces = [piece for piece in cut if self._scales[piece]]
        if word.isascii():
            letters = len(word) if word.isalnum() else 0
        else:
            letters = sum(map(str.isalnum, word))
            # A Greek letter is a sign of science; a word of them is Greek, spelled out in pieces that mean nothing.
            if len(word) > 1 and not any(character.isascii() and character.isalnum() for character in word):
                pieces = []
        return Measured(pieces, letters, letters if len(pieces) == len(cut) else 0)


class UnigramWords(Words):
    """The words of a SentencePiece tokenizer; `has_vector` has a zero byte for each piece without a vector."""

    limit = 40_000  # with the space before them and with their case there are more, and they are longer

    def __init__(self, cutter: Unigram, has_vector: bytes) -> None:
        super().__init__()
        self._cutter = cutter
        self._has_vector = has_vector

    def _cut(self, text: str) -> list[str]:
        return self._cutter.words(text)

    def _measure(self, word: str) -> Measured:
        cut = self._cutter.cut(word)
        bare = word.removeprefix(" ")
        letters = len(bare) if bare.isalnum() else sum(map(str.isalnum, bare))
        pieces = [piece for piece, _ in cut if piece != UNKNOWN and self._has_vector[piece]]
        if len(pieces) == len(cut):
            return Measured(pieces, letters, letters)
        known = first = 0
        for piece, end in cut:
            if piece != UNKNOWN and self._has_vector[piece]:
                known += sum(map(str.isalnum, word[first:end]))
            first = end
        return Measured(pieces, letters, known)
