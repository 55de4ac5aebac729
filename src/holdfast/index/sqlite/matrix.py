"""All vectors of one space as one matrix: the quickest exact answer, derived from SQLite and disposable.

The rows on file are memory-mapped, so a cold process pays only for the pages it reads; vectors that came later
wait in a small tail in memory until the file is written again. Row numbers of SQLite only grow (AUTOINCREMENT),
so "everything after the last row on file" is all there is to catch up, and the pair (space uid, last row) is the
generation of the file. Rows that have since gone are sifted out by whoever asks.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np

    Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float32]]
    Rows: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]

__all__ = ["EXACT_UP_TO", "Matrix", "block_of", "engine_for", "similarities"]

# Up to here every row is compared in full precision; above, one bit a dimension chooses candidates that are
# then compared in full: a tenth of the work, and the same order for all but a few in ten thousand.
EXACT_UP_TO = 100_000
_CANDIDATES = 384
_GRAIN = 2e-6  # scores this near to each other may be equal once they are rounded
_HEADER = struct.Struct("<4sIQ32s16x")
_MAGIC = b"HFM1"


def engine_for(count: int, exact_up_to: int = EXACT_UP_TO) -> str:
    """How a matrix of so many rows answers."""
    return "numpy-exact" if count <= exact_up_to else "numpy-1bit"


def block_of(vectors: Sequence[bytes]) -> Floats:
    """Packed vectors as the rows of a block."""
    import numpy as np

    return np.frombuffer(b"".join(vectors), dtype="<f4").reshape(len(vectors), -1)


def similarities(vector: bytes, block: Floats) -> list[float]:
    """The cosines of one unit vector with a few others, rounded as those of a matrix are."""
    import numpy as np

    return _rounded(np.vecdot(block, np.frombuffer(vector, dtype="<f4")))


def _rounded(scores: Any) -> list[float]:
    """Rounded, because the last bits of a dot product depend on the shape of the block it is in."""
    rounded: list[float] = scores.astype("<f8").round(6).tolist()
    return rounded


class Matrix:
    """Unit vectors with their row numbers; answers "which rows are nearest"."""

    def __init__(self, dimensions: int, exact_up_to: int = EXACT_UP_TO) -> None:
        import numpy as np

        self.dimensions = dimensions
        self._exact_up_to = exact_up_to
        self._blocks: list[tuple[Rows, Floats]] = []
        self._bits: list[Any] = []
        self.on_file = 0
        self._np = np

    @property
    def count(self) -> int:
        """How many rows there are."""
        return sum(len(rows) for rows, _ in self._blocks)

    @property
    def last(self) -> int:
        """The highest row number."""
        return int(self._blocks[-1][0][-1]) if self._blocks else 0

    @property
    def engine(self) -> str:
        """How it would answer now."""
        return engine_for(self.count, self._exact_up_to)

    def load(self, path: str, uid: str) -> None:
        """Map the file, if there is one of this space and it is whole."""
        np = self._np
        try:
            with open(path, "rb") as file:
                magic, dimensions, count, of = _HEADER.unpack(file.read(_HEADER.size))
                whole = _HEADER.size + count * (8 + 4 * dimensions) == os.fstat(file.fileno()).st_size
                if (magic, dimensions, of) != (_MAGIC, self.dimensions, uid.encode()) or not (whole and count):
                    return
                mapped = np.memmap(file, dtype=np.uint8, mode="r")
        except (OSError, struct.error):
            return  # no file, or a part of one: the rows are read from SQLite instead
        rows = mapped[_HEADER.size : _HEADER.size + 8 * count].view("<i8")
        vectors = mapped[_HEADER.size + 8 * count :].view("<f4").reshape(count, dimensions)
        self._blocks, self._bits, self.on_file = [(rows, vectors)], [], count

    def append(self, rows: list[tuple[int, bytes]]) -> None:
        """Add rows in ascending order."""
        if not rows:
            return
        np = self._np
        numbers = np.fromiter((row for row, _ in rows), dtype="<i8", count=len(rows))
        vectors = np.frombuffer(b"".join(vector for _, vector in rows), dtype="<f4")
        block = numbers, vectors.reshape(len(rows), self.dimensions)
        if len(self._blocks) > 1:  # keep one tail, however many appends it took
            tail = self._blocks.pop()
            del self._bits[1:]
            block = np.concatenate((tail[0], block[0])), np.concatenate((tail[1], block[1]))
        self._blocks.append(block)

    def save(self, path: str, uid: str) -> None:
        """Write all rows to the file, in one step; readers keep the file they have mapped."""
        _sweep(path)
        part = f"{path}.{secrets.token_hex(4)}.hf-tmp"
        try:
            with open(part, "xb") as file:
                file.write(_HEADER.pack(_MAGIC, self.dimensions, self.count, uid.encode()))
                for rows, _ in self._blocks:
                    file.write(rows.tobytes())
                for _, vectors in self._blocks:
                    file.write(vectors.data)
            os.replace(part, path)
        except OSError:  # a full disk costs speed, not answers
            with contextlib.suppress(OSError):
                os.unlink(part)

    def nearest(self, vector: bytes, limit: int) -> list[tuple[int, float]]:
        """Row numbers by cosine similarity, best first; ties by row number."""
        np = self._np
        query = np.frombuffer(vector, dtype="<f4")
        found: list[tuple[int, float]] = []
        for number, (rows, vectors) in enumerate(self._blocks):
            if self.count <= self._exact_up_to:
                places, scores = slice(None), np.vecdot(vectors, query)
            else:
                chosen = self._candidates(number, query, max(_CANDIDATES, 16 * limit))
                places, scores = chosen, np.vecdot(vectors[chosen], query)
            if len(scores) > limit:
                # Everything that ties with the last one kept must stay in, or the cut would be arbitrary.
                edge = np.partition(scores, len(scores) - limit)[len(scores) - limit]
                best = np.flatnonzero(scores >= edge - _GRAIN)
            else:
                best = np.arange(len(scores))
            found.extend(zip(rows[places][best].tolist(), _rounded(scores[best]), strict=True))
        found.sort(key=lambda pair: (-pair[1], pair[0]))
        return found[:limit]

    def cosines(self, vector: bytes, numbers: Sequence[int]) -> list[float]:
        """The similarities of rows that are there, in the order asked."""
        np = self._np
        query, wanted = np.frombuffer(vector, dtype="<f4"), np.asarray(numbers, dtype="<i8")
        found = np.zeros(len(wanted), dtype="<f4")
        for rows, vectors in self._blocks:
            places = np.searchsorted(rows, wanted)
            here = places < len(rows)
            here[here] = rows[places[here]] == wanted[here]
            found[here] = np.vecdot(vectors[places[here]], query)
        return _rounded(found)

    def _candidates(self, number: int, query: Floats, limit: int) -> Any:
        np = self._np
        while len(self._bits) <= number:
            self._bits.append(self._signs(self._blocks[len(self._bits)][1]))
        bits = self._bits[number]
        if len(bits) <= limit:
            return np.arange(len(bits))
        distance = np.bitwise_count(bits ^ self._signs(query[None, :])).sum(axis=1, dtype=np.uint16)
        return np.sort(np.argpartition(distance, limit)[:limit])

    def _signs(self, vectors: Floats) -> Any:
        """One bit a dimension, in words of 64."""
        np = self._np
        packed = np.packbits(vectors > 0, axis=1)
        spare = -packed.shape[1] % 8
        if spare:
            packed = np.pad(packed, ((0, 0), (0, spare)))
        return np.ascontiguousarray(packed).view(np.uint64)


def _sweep(path: str) -> None:
    """Remove what a process left that died while it wrote the file; one that still writes tries again later."""
    folder, name = os.path.split(path)
    for other in os.listdir(folder):
        if other.startswith(f"{name}.") and other.endswith(".hf-tmp"):
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(folder, other))
