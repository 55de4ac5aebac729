"""Vectors as the index keeps them, one signed byte a number (`embeddings/vector_bytes.py`), to be compared with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from holdfast.embeddings.vector_bytes import quantize
from holdfast.named_tuple import NamedTuple

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np

    Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

__all__ = ["ByteVectors"]

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
            np.vecdot(self.codes[some].astype("<f4", copy=False), query, out=found[some])
        found *= self.steps
        return found
