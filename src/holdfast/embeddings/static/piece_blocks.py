"""The pieces of a vocabulary and their numbers, of which those of a script are read when its first letter is met.

A dictionary of a hundred thousand pieces takes thirty milliseconds to fill and sixteen megabytes to hold; most texts
need the pieces of one script. A piece belongs to the block of 256 code points that its first character is in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from holdfast.embeddings.static.piece_hashes import PieceHashes
from holdfast.embeddings.static.piece_index import FEW_CHARACTERS
from holdfast.named_tuple import NamedTuple

__all__ = ["SPACE", "Block", "PieceBlocks", "block_of", "longest_by_start"]

SPACE = "\u2581"  # how a piece writes the space before a word
_MAX_REMEMBERED = 20_000  # characters


class Block(NamedTuple):
    """The place where a block's pieces begin, and the pairs of characters they start with: the number, and the byte."""

    code: int
    piece: int
    piece_byte: int
    start: int
    start_byte: int


class PieceBlocks:
    """From a piece to its number, and from two characters to the longest piece that starts with them."""

    def __init__(
        self,
        pieces: bytes | memoryview = b"",
        starts: bytes | memoryview = b"",
        lengths: bytes | memoryview = b"",
        blocks: Sequence[Block] = (),
    ) -> None:
        """`pieces` and `starts` are one a line, in the order of the `blocks`, the last of which is their end.

        The pieces of the first words are found by the `index`, if it is given one.
        """
        self.numbers: dict[str, int] = {}
        self.longest: dict[str, int] = {}
        self.lines = pieces
        self._starts = starts
        self._lengths = lengths
        self._unread = {block.code: (block, end) for block, end in pairwise(blocks)}
        self._without_starts = self._unread.copy()
        self._met: set[str] = set()
        self.index: PieceHashes | None = None
        self._looked_up = 0  # characters

    @classmethod
    def of(cls, pieces: Sequence[str]) -> PieceBlocks:
        """Return the pieces of a list, all at hand."""
        made = cls()
        made.numbers = dict(zip(pieces, range(len(pieces)), strict=True))
        made.longest = longest_by_start(pieces)
        return made

    def all(self) -> list[str]:
        """Return every piece, in order."""
        for code in list(self._unread):
            self._read(code)
        return sorted(self.numbers, key=self.numbers.__getitem__)

    def finders(self, word: str) -> tuple[Callable[[str], int | None], Callable[[str], int | None]]:
        """Return what finds the number of a piece of a word, and of two characters of it how long a piece may be.

        The first looks in the file, until so much was looked up that it is quicker to read the blocks.
        """
        if self.index is not None:
            self._looked_up += len(word)
            if self._looked_up <= FEW_CHARACTERS:
                for code in _codes(word):
                    self._read_starts(code)
                return self.index.find, self.longest.get
            self.index = None
        self.ready(word)
        return self.numbers.get, self.longest.get

    def ready(self, word: str) -> None:
        """Read the blocks of a word's characters, those that are not read yet."""
        if self._unread and not self._met.issuperset(word):
            if len(self._met) > _MAX_REMEMBERED:
                self._met.clear()
            self._met.update(word)
            for code in _codes(word):
                if code in self._unread:
                    self._read(code)

    def _read(self, code: int) -> None:
        self._read_starts(code)
        block, end = self._unread.pop(code)
        pieces = _lines(self.lines, block.piece_byte, end.piece_byte)
        self.numbers.update(zip(pieces, range(block.piece, end.piece), strict=True))

    def _read_starts(self, code: int) -> None:
        if code in self._without_starts:
            block, end = self._without_starts.pop(code)
            starts = _lines(self._starts, block.start_byte, end.start_byte)
            self.longest.update(zip(starts, self._lengths[block.start : end.start], strict=True))


def _codes(word: str) -> set[int]:
    """Return the blocks that the characters of a word are in."""
    return {ord(character) >> 8 for character in word}


def _lines(text: bytes | memoryview, first: int, end: int) -> list[str]:
    """Return the lines between two bytes; each ends with a line feed."""
    return str(text[first:end], "utf-8").split("\n")[:-1]


def block_of(piece: str) -> int:
    """Return the block that a piece is in, or the two characters that a piece starts with."""
    return ord((piece.removeprefix(SPACE) or SPACE)[0]) >> 8


def longest_by_start(pieces: Iterable[str]) -> dict[str, int]:
    """Map each two characters that a piece begins with to the length of the longest such piece.

    Nothing longer is looked for, which matters where a word is a whole sentence: a third of the look-ups in Thai.
    """
    longest: dict[str, int] = {}
    for piece in pieces:
        if len(piece) > 1:
            start = piece[:2]
            longest[start] = max(longest.get(start, 0), len(piece))
    return longest
