"""The numbers of a vocabulary's pieces by their 64-bit hashes: of one piece, or with numpy of many at once.

The table of a hundred thousand pieces takes thirty milliseconds to make, so that of a model lies beside it in a file,
which is mapped: a question looks at a few of its pages.
"""

from __future__ import annotations

import mmap
import sys
from typing import TYPE_CHECKING

from holdfast.errors import ProviderFailed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.embeddings.static.modelfile import StrPath

__all__ = ["PieceHashes", "character_codes", "extend", "read_hashes"]

_FACTOR = 0x9E37_79B9_7F4A_7C15  # odd; the bits of the golden ratio
_MASK = (1 << 64) - 1
_SHIFT = 29
_BYTES_AT_ONCE = 1 << 16
_NUMBER, _HASH = 4, 8  # bytes
_NOTHING = -1  # the number of what is no piece


class PieceHashes:
    """From a piece, or the hash of one, to its number."""

    def __init__(self, data: bytes | mmap.mmap, count: int) -> None:
        """`data` is what `bytes_of` makes of `count` pieces."""
        import numpy as np

        self._bits = _bits_for(count)
        buckets = 1 << self._bits
        numbers_at, firsts_at = _HASH * count, (_HASH + _NUMBER) * count
        longest_at = firsts_at + _NUMBER * (buckets + 1)
        if len(data) != longest_at + _NUMBER:
            raise ValueError("the index of its pieces is cut short, or of others")
        self._hashes = np.frombuffer(data, "<u8", count)
        self._numbers = np.frombuffer(data, "<i4", count, numbers_at)
        self._firsts = np.frombuffer(data, "<u4", buckets + 1, firsts_at)
        """Where the pieces of each bucket begin; the last one is where all end."""
        self._count = count
        if int(self._firsts[-1]) != count:
            raise ValueError("the index of its pieces is of others")
        self.longest = int.from_bytes(data[longest_at:], "little")
        # Views: taking a number out of an array of numpy's takes five times as long. They need its own byte order.
        hashes, numbers, firsts = self._hashes, self._numbers, self._firsts
        if sys.byteorder == "big":
            hashes, numbers, firsts = hashes.astype("=u8"), numbers.astype("=i4"), firsts.astype("=u4")
        self._hash_view: memoryview[int] = hashes.data
        self._number_view: memoryview[int] = numbers.data
        self._first_view: memoryview[int] = firsts.data

    @staticmethod
    def bytes_of(lines: bytes | memoryview) -> bytes:
        """Return the table of some pieces, one a line, as its file has it; the same pieces give the same bytes."""
        import numpy as np

        hashes, longest = _hash_lines(lines)
        order = np.argsort(hashes, kind="stable")
        hashes = hashes[order]
        if (hashes[1:] == hashes[:-1]).any():
            raise ValueError("two pieces have the same hash")
        bits = _bits_for(len(hashes))
        firsts = np.searchsorted(hashes >> np.uint64(64 - bits), np.arange((1 << bits) + 1, dtype=np.uint64))
        parts = (hashes.astype("<u8"), order.astype("<i4"), firsts.astype("<u4"))
        return b"".join(part.tobytes() for part in parts) + longest.to_bytes(_NUMBER, "little")

    def find(self, piece: str) -> int | None:
        """Return the number of a piece; None where there is no such piece."""
        hashed = 0
        for character in piece:
            hashed = ((hashed ^ (hashed >> _SHIFT) ^ (ord(character) + 1)) * _FACTOR) & _MASK
        bucket = hashed >> (64 - self._bits)
        # In a file that was damaged, it may be anything: what is found then is wrong, as with a damaged hash.
        for row in range(self._first_view[bucket], min(self._first_view[bucket + 1], self._count)):
            if self._hash_view[row] == hashed:
                return self._number_view[row]
        return None

    def find_all(self, hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return the numbers of the pieces with these hashes; -1 where there is none."""
        import numpy as np

        found = np.full(len(hashes), _NOTHING, np.int64)
        buckets = (hashes >> np.uint64(64 - self._bits)).astype(np.int64)
        rows = self._firsts[buckets].astype(np.int64)
        ends = np.minimum(self._firsts[buckets + 1], self._count)
        places = np.flatnonzero(rows < ends)
        rows = rows[places]
        while len(places):
            same = self._hashes[rows] == hashes[places]
            found[places[same]] = self._numbers[rows[same]]
            rows = rows + 1
            going_on = ~same & (rows < ends[places])
            places, rows = places[going_on], rows[going_on]
        return found


def read_hashes(path: StrPath, count: int) -> PieceHashes:
    """Map the table of a model's pieces; raises `ProviderFailed` when it is not whole, or of another model."""
    try:
        with open(path, "rb") as file:
            return PieceHashes(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), count)
    except (OSError, ValueError) as error:
        raise ProviderFailed("local", f"the model file can't be read: {error}") from error


def _bits_for(count: int) -> int:
    """Return how many bits of a hash choose its bucket: two buckets or more for each piece."""
    return max(1, (2 * count - 1).bit_length())


def _hash_lines(lines: bytes | memoryview) -> tuple[NDArray[np.uint64], int]:
    """Return the hash of each line, and how long the longest is; a part of them at a time, for the sake of memory."""
    import numpy as np

    content = np.frombuffer(lines, np.uint8)
    found: list[NDArray[np.uint64]] = [np.zeros(0, np.uint64)]
    longest = first = 0
    while first < len(content):
        # Up to the end of a line, as near as may be to so many bytes further on.
        rest = np.flatnonzero(content[first + _BYTES_AT_ONCE : first + 2 * _BYTES_AT_ONCE] == ord("\n"))
        if len(rest):
            last = first + _BYTES_AT_ONCE + int(rest[0]) + 1
        else:
            last = len(content)
        codes = character_codes(str(lines[first:last], "utf-8"))
        ends = np.flatnonzero(codes == ord("\n"))
        starts = np.concatenate((np.zeros(1, np.int64), ends[:-1] + 1))
        lengths = ends - starts
        hashes = np.zeros(len(starts), np.uint64)
        for place in range(int(lengths.max())):
            longer = lengths > place
            hashes[longer] = extend(hashes[longer], codes[starts[longer] + place])
        found.append(hashes)
        longest = max(longest, int(lengths.max()))
        first = last
    return np.concatenate(found), longest


def character_codes(text: str) -> NDArray[np.uint32]:
    """Return the code points of a text."""
    import numpy as np

    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")


def extend(hashes: NDArray[np.uint64], codes: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """Return the hashes of runs that are one character longer."""
    import numpy as np

    mixed = hashes ^ (hashes >> np.uint64(_SHIFT)) ^ (codes.astype(np.uint64) + np.uint64(1))
    longer: NDArray[np.uint64] = mixed * np.uint64(_FACTOR)
    return longer
