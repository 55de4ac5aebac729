"""Vectors as they are kept: one signed byte a number, a quarter of what a provider gives (scalar quantization).

A unit vector is its bytes, divided by their length; so nothing but the bytes has to be kept. The largest number gets
the largest byte. What that rounds away changes a cosine by half a thousandth on average, and by three at the most
(800 paragraphs of docs/ and one question, by the embedded model). An index that an older Holdfast wrote has four bytes
a number: both are read, and told apart by how long they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np

    Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

__all__ = ["ByteVectors", "quantize"]

_LARGEST = 127
_AT_ONCE = 2_048  # rows: as numbers of four bytes they stay in the processor's cache


class ByteVectors(NamedTuple):
    """Rows of signed bytes, and what one step of each row stands for."""

    codes: Array
    steps: Array

    @classmethod
    def of(cls, rows: Sequence[bytes], dimensions: int) -> ByteVectors:
        """Take vectors as they were kept, of either size; none may be empty."""
        import numpy as np

        codes = np.frombuffer(b"".join(quantize(rows, dimensions)), dtype=np.int8).reshape(len(rows), dimensions)
        numbers = codes.astype("<f4")
        return cls(codes, (1.0 / np.sqrt(np.maximum(np.vecdot(numbers, numbers), 1.0))).astype("<f4"))

    def at(self, places: Any) -> ByteVectors:
        """Return some of the rows."""
        return ByteVectors(self.codes[places], self.steps[places])

    def floats(self) -> Array:
        """Return the rows as numbers of four bytes."""
        found: Array = self.codes.astype("<f4") * self.steps[:, None]
        return found

    def cosines(self, query: Array) -> Array:
        """Return the products of all rows with a vector."""
        import numpy as np

        found = np.empty(len(self.codes), dtype="<f4")
        for start in range(0, len(found), _AT_ONCE):
            some = slice(start, start + _AT_ONCE)
            np.vecdot(self.codes[some].astype("<f4"), query, out=found[some])
        found *= self.steps
        return found


def quantize(vectors: Sequence[bytes], dimensions: int) -> Sequence[bytes]:
    """Turn vectors of four bytes a number into bytes; one that is bytes already, or empty, stays as it is."""
    import numpy as np

    long = [place for place, vector in enumerate(vectors) if len(vector) not in (0, dimensions)]
    if not long:
        return vectors
    block = np.frombuffer(b"".join(vectors[place] for place in long), dtype="<f4").reshape(len(long), dimensions)
    largest = np.abs(block).max(axis=1, keepdims=True)
    codes = np.rint(block * (np.float32(_LARGEST) / np.where(largest > 0, largest, 1))).astype(np.int8)
    kept = list(vectors)
    for place, row in zip(long, codes, strict=True):
        kept[place] = row.tobytes()
    return kept
