"""Text → word pieces, exactly as the BERT tokenizer that the model's vocabulary comes from would cut it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

from holdfast.embeddings.static.characters import APART, DROPPED, IDEOGRAPHS, SPACES
from holdfast.embeddings.static.piece_blocks import longest_by_start
from holdfast.embeddings.static.piece_index import FEW_CHARACTERS, PieceIndex

__all__ = ["WordPiece"]

_INNER = "##"  # what a piece begins with that goes on inside a word
_LONGEST_WORD = 100  # characters; BERT's own limit, a longer word is unknown


class _Characters(dict[int, str]):
    """For `str.translate`: what each character becomes, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        became = self[code] = _normalise(code)
        return became


def _normalise(code: int) -> str:
    if code in SPACES:
        return " "
    if code in DROPPED or 0xD800 <= code <= 0xDFFF:
        return ""
    parts = []
    for part in unicodedata.normalize("NFD", chr(code)):
        if ord(part) not in DROPPED:
            # One character at a time: a whole word's lower() would give a Greek sigma its final form.
            parts += [f" {low} " if ord(low) in APART else low for low in part.lower()]
    became = "".join(parts)
    if code not in IDEOGRAPHS:
        return became
    return f" {became} "


class WordPiece:
    """Cuts text into the numbers of a vocabulary's pieces; a word that can't be made of them is `unknown`."""

    limit = 4_000  # words that were cut and are remembered, some half a megabyte: each stands beside other signs again

    def __init__(self, read_pieces: Callable[[], Sequence[str]], unknown: int, index: PieceIndex | None = None) -> None:
        """The pieces of the first words are found by the `index`, if there is one; then all are read."""
        self._read_pieces = read_pieces
        self._index = index
        self._looked_up = 0  # characters
        self._numbers: dict[str, int] = {}
        self._inner_numbers: dict[str, int] = {}  # of the pieces that go on inside a word, without their mark
        self._longest: dict[str, int] = {}
        self._inner_longest: dict[str, int] = {}
        self._cut: dict[str, Sequence[int]] = {}
        self._unknown = unknown
        self._characters = _Characters()

    def words(self, text: str) -> list[str]:
        """Return the text in lower case, without accents, cut at spaces and around punctuation and ideographs."""
        return text.translate(self._characters).split(" ")

    def encode(self, text: str) -> list[int]:
        """Return the pieces of a text, in order."""
        return [number for word in self.words(text) if word for number in self.pieces(word)]

    def pieces(self, word: str) -> Sequence[int]:
        """Return the pieces of one word, as `words` gives it: always the longest that fits next."""
        find, first = self._finder(word), 0
        whole = find(word)
        if whole is not None:
            return (whole,)
        if len(word) > _LONGEST_WORD or len(word) == 1:
            return (self._unknown,)
        if self._index is None:
            cut = self._cut.get(word)
            if cut is None:
                if len(self._cut) >= self.limit:
                    self._cut.clear()
                cut = self._cut[word] = self._longest_pieces(word)
            return cut
        numbers: list[int] = []
        while first < len(word):
            for last in range(len(word) if first else len(word) - 1, first, -1):  # the whole is no piece
                number = find(_INNER + word[first:last] if first else word[:last])
                if number is not None:
                    numbers.append(number)
                    first = last
                    break
            else:
                return (self._unknown,)
        return numbers

    def _longest_pieces(self, word: str) -> Sequence[int]:
        """Return the same by the dictionaries: nothing is looked for that is longer than any piece with its start."""
        size, first = len(word), 0
        find, longest = self._numbers.get, self._longest.get
        numbers: list[int] = []
        while first < size:
            last = first + longest(word[first : first + 2], 1)
            if last > size:
                last = size
            number = find(word[first:last])
            while number is None:
                last -= 1
                if last == first:
                    return (self._unknown,)
                number = find(word[first:last])
            numbers.append(number)
            first = last
            find, longest = self._inner_numbers.get, self._inner_longest.get
        return numbers

    def _finder(self, word: str) -> Callable[[str], int | None]:
        """Return what finds the pieces of a word: in the file, until so much was looked up that all are read."""
        if self._index is not None:
            self._looked_up += len(word)
            if self._looked_up <= FEW_CHARACTERS:
                return self._index.find
            self._index = None
        if not self._numbers:
            pieces = self._read_pieces()
            self._numbers = dict(zip(pieces, range(len(pieces)), strict=True))
            inner = [(piece[2:], number) for piece, number in self._numbers.items() if piece.startswith(_INNER)]
            self._inner_numbers = dict(inner)
            self._longest, self._inner_longest = longest_by_start(pieces), longest_by_start(self._inner_numbers)
        return self._numbers.get
