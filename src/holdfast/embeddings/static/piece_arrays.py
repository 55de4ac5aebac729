"""Texts → the pieces that the model's tables know, as arrays; a word is cut once, however often it stands in a text."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain
from typing import TYPE_CHECKING

from holdfast.embeddings.static.token_tables import Part
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["COUNTS", "ENGLISH", "KNOWN", "LETTERS", "PieceCounts", "PieceMatches", "Words"]

LETTERS, KNOWN, ENGLISH = range(3)
"""What is counted of a text for each part: its letters and digits, those in known pieces, and how English it is."""

COUNTS = 3
# The spaces that both tokenizers take for one, and that no part of their tables reaches across.
_WORD = compile_late(r"[^ \t\n\r]+")
_LONGEST_REMEMBERED = 24  # characters; where no spaces are written, a longer one is a sentence and won't come again
_LONGEST_QUESTION = 2_000  # characters of a text that is remembered whole, until the next one comes

_UNSEEN = {0xAD: None, 0x640: None}  # a soft hyphen and the stroke that stretches Arabic words: nobody reads them


def _cut(text: str) -> list[str]:
    if text.isascii() and text.isprintable():
        return text.split()  # the same in half of the time; of control characters it takes others for spaces
    if "\u00ad" in text or "\u0640" in text:
        text = text.translate(_UNSEEN)
    return _WORD.findall(text)


class PieceMatches(NamedTuple):
    """Every known piece and the number of its text; and what is counted: texts x parts x (LETTERS, KNOWN, ENGLISH).

    The rows of a part's table are numbered on from those of the part before.
    """

    texts: NDArray[np.int64]
    pieces: NDArray[np.int64]
    sizes: NDArray[np.int64]


class PieceCounts(NamedTuple):
    """Of one text: how often each known piece stands in it, and what is counted: 1 x parts x COUNTS."""

    pieces: dict[int, int]
    sizes: NDArray[np.int64]


class Words(dict[str, int]):
    """From a word to its number; the pieces of word n stand between `_starts[n]` and `_starts[n + 1]`."""

    limit = 20_000  # words, some 8 MB; all is forgotten when there are more

    def __init__(self, parts: Sequence[Part]) -> None:
        super().__init__()
        self._parts = parts
        self.offsets = [0, *accumulate(len(part.scales) for part in parts)]
        self._width = COUNTS * len(parts)
        self._forget()

    def _forget(self) -> None:
        self.clear()
        self[""] = 0  # no word at all: numpy makes nothing of an empty array
        self._pieces = array("i", [0])
        self._starts = array("i", [1, 1])
        self._sizes = array("i", [0] * self._width)
        self._new: list[str] = []  # words that have a number and no pieces yet
        self._last: tuple[str, PieceCounts] | None = None

    def __missing__(self, word: str) -> int:
        """Number a word that is met for the first time; `_numbers` cuts it before anybody asks for its pieces."""
        number = self[word] = len(self._starts) - 1 + len(self._new)
        self._new.append(word)
        return number

    def _numbers(self, words: Iterable[str]) -> list[int]:
        """Return the numbers of some words, those included that were never met before."""
        new = self._new
        try:
            numbers = list(map(self.__getitem__, words))
            if new:
                self._learn(new)
        except BaseException:  # words that have a number must have pieces
            self._forget()
            raise
        for word in new:
            if len(word) > _LONGEST_REMEMBERED:
                del self[word]
        new.clear()
        return numbers

    def _learn(self, new: Sequence[str]) -> None:
        """Cut words, which have the next numbers."""
        measured = [part.measure_all(new) for part in self._parts]
        all_pieces, all_sizes, starts = self._pieces, self._sizes, self._starts
        for parts in zip(*measured, strict=True):
            for (pieces, letters, known, english), offset in zip(parts, self.offsets, strict=False):
                all_pieces.extend([piece + offset for piece in pieces] if offset else pieces)
                all_sizes.extend((letters, known, english))
            starts.append(len(all_pieces))

    def of(self, texts: Sequence[str]) -> PieceMatches:
        """Return the pieces of some texts."""
        import numpy as np

        if len(self._starts) > self.limit:
            self._forget()
        cut = [_cut(text) for text in texts]
        words = np.array(self._numbers(chain.from_iterable(cut)), np.intp)
        lengths = np.fromiter(map(len, cut), np.intp, len(cut))
        sizes, starts, pieces = (np.frombuffer(buffer, np.intc) for buffer in (self._sizes, self._starts, self._pieces))
        before = np.zeros((len(words) + 1, self._width), np.int64)
        np.cumsum(sizes.reshape(-1, self._width)[words], axis=0, out=before[1:])
        ends = np.cumsum(lengths)
        first = starts[words]
        counts = starts[words + 1] - first
        # Where the pieces of each word stand, laid out one after the other.
        places = np.repeat(first - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
        owners = np.repeat(np.repeat(np.arange(len(texts)), lengths), counts)
        counted = (before[ends] - before[ends - lengths]).reshape(len(texts), len(self._parts), COUNTS)
        return PieceMatches(owners, pieces[places].astype(np.int64), counted)

    def counted(self, text: str) -> PieceCounts:
        """Return the pieces of one text; a question is asked about several times."""
        import numpy as np

        if self._last is not None and self._last[0] == text:
            return self._last[1]
        if len(self._starts) > self.limit:
            self._forget()
        numbers = self._numbers(_cut(text))
        pieces: dict[int, int] = {}
        for number in numbers:
            for piece in self._pieces[self._starts[number] : self._starts[number + 1]]:
                pieces[piece] = pieces.get(piece, 0) + 1
        sizes = np.frombuffer(self._sizes, np.intc).reshape(-1, len(self._parts), COUNTS)
        found = PieceCounts(pieces, sizes[numbers or [0]].sum(axis=0, keepdims=True, dtype=np.int64))
        if len(text) <= _LONGEST_QUESTION:
            self._last = text, found
        return found
