"""A vocabulary's pieces, found by their hash where they stand in the mapped model file.

A question has a dozen words, and the hits to it some hundred. A dictionary of all pieces takes longer to fill than
those take to be looked up in the file; it is filled once more words have come.

A file beside the model holds for each bucket how many pieces are in it, uint8, and then the numbers of the pieces,
bucket after bucket, uint32, little-endian. The bucket of a piece is that of the CRC-32 of its line.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING
from zlib import crc32

from holdfast.errors import ProviderFailed

if TYPE_CHECKING:
    from holdfast.embeddings.static.modelfile import StrPath

__all__ = ["FEW_CHARACTERS", "PieceIndex", "index_of", "read_index"]

FEW_CHARACTERS = 6_000  # of words that were looked up: about as many as cost what filling a dictionary does
_BYTES = 4  # of a number


class PieceIndex:
    """From a piece to its number."""

    def __init__(self, lines: bytes | memoryview, data: bytes, count: int) -> None:
        """`lines` are the pieces, one a line, `count` of them; `data` is what `index_of` makes of these."""
        import numpy as np

        buckets = len(data) - _BYTES * count
        if buckets < 1 or buckets & (buckets - 1):
            raise ValueError("the index of its pieces is cut short")
        self._lines = bytes(lines)  # a piece of a view takes twice as long to compare
        self._mask = buckets - 1
        ends = np.flatnonzero(np.frombuffer(lines, np.uint8) == ord("\n")) + 1
        firsts = np.cumsum(np.frombuffer(data, np.uint8, buckets), dtype=np.int64)
        if len(ends) != count or firsts[-1] != count:
            raise ValueError("the index of its pieces is of others")
        # Views: taking a number out of an array of numpy's takes five times as long.
        self._starts: memoryview[int] = np.concatenate(([0], ends)).data
        self._firsts: memoryview[int] = np.concatenate(([0], firsts)).data
        self._numbers: memoryview[int] = np.frombuffer(data, "<u4", count, buckets).astype(np.int64).data

    def find(self, piece: str) -> int | None:
        """Return the number of a piece; None where there is no such piece."""
        line = piece.encode("utf-8", "surrogatepass") + b"\n"
        bucket = crc32(line) & self._mask
        first, last = self._firsts[bucket], self._firsts[bucket + 1]
        if first == last:  # as half of all buckets
            return None
        is_at, starts = self._lines.startswith, self._starts
        for number in self._numbers[first:last]:
            if is_at(line, starts[number]):
                return number
        return None


def read_index(path: StrPath, lines: bytes | memoryview, count: int) -> PieceIndex:
    """Read the index of a model's pieces; raises `ProviderFailed` when it is not whole, or of another model."""
    try:
        with open(path, "rb") as file:
            return PieceIndex(lines, file.read(), count)
    except (OSError, ValueError) as error:
        raise ProviderFailed("local", f"the model file can't be read: {error}") from error


def index_of(pieces: Sequence[str]) -> bytes:
    """Return the index of some pieces, as its file has it; the same pieces give the same bytes."""
    buckets = 1
    while buckets < len(pieces):
        buckets *= 2
    chosen = [crc32(f"{piece}\n".encode()) & (buckets - 1) for piece in pieces]
    counts = bytearray(buckets)
    for bucket in chosen:
        counts[bucket] += 1
    numbers = array("I", sorted(range(len(pieces)), key=chosen.__getitem__))
    if sys.byteorder == "big":
        numbers.byteswap()
    return bytes(counts) + numbers.tobytes()
