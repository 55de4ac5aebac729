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

# Rows: as numbers of four bytes they stay in the processor's cache, and in memory that is used again. To ask the system
# for megabytes each time costs a thread of a server more than the products do.
_AT_ONCE = 256


class ByteVectors(NamedTuple):
    """Rows of signed bytes, and what one step of each row stands for."""

    codes: Array
    steps: Array

    @classmethod
    def of(cls, rows: Sequence[bytes], dimensions: int) -> ByteVectors:
        """Take vectors as they were kept, of either size; none may be empty."""
        import numpy as np

        codes = np.frombuffer(b"".join(quantize(rows, dimensions)), dtype=np.int8).reshape(len(rows), dimensions)
        squares = np.empty(len(rows), dtype="<f4")
        for start in range(0, len(rows), _AT_ONCE):
            numbers = codes[start : start + _AT_ONCE].astype("<f4")
            np.vecdot(numbers, numbers, out=squares[start : start + _AT_ONCE])
        return cls(codes, (1.0 / np.sqrt(np.maximum(squares, 1.0))).astype("<f4"))

    def floats(self) -> Array:
        """Return the rows as numbers of four bytes."""
        found: Array = self.codes.astype("<f4") * self.steps[:, None]
        return found

    def cosines(self, query: Array, places: Any = None) -> Array:
        """Return the products of all rows, or of those at some places, with a vector."""
        import numpy as np

        if places is None and self.codes.dtype == query.dtype:  # a sample that is held as numbers of four bytes
            whole: Array = np.vecdot(self.codes, query) * self.steps
            return whole
        count = len(self.codes if places is None else places)
        found = np.empty(count, dtype="<f4")
        numbers = np.empty((min(count, _AT_ONCE), self.codes.shape[1]), dtype="<f4")
        for start in range(0, count, _AT_ONCE):
            some = slice(start, min(start + _AT_ONCE, count))
            part = numbers[: some.stop - start]
            part[...] = self.codes[some if places is None else places[some]]
            np.vecdot(part, query, out=found[some])
        found *= self.steps if places is None else self.steps[places]
        return found
