"""A table of whole numbers from -7 to 7, two to a byte; the rows that are asked for are unpacked, and no others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["LARGEST", "NibbleTable", "pack_nibbles"]

LARGEST = 7


def pack_nibbles(rows: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Return the rows with two numbers a byte, the first one in the lower half.

    Raise ValueError for a number that is too large.

    Where a row has an odd number of numbers, the last half byte is zero.
    """
    import numpy as np

    if rows.size and (rows.min() < -LARGEST or rows.max() > LARGEST):
        raise ValueError(f"a number of the table is not between -{LARGEST} and {LARGEST}")
    halves = np.zeros((rows.shape[0], rows.shape[1] + rows.shape[1] % 2), np.uint8)
    halves[:, : rows.shape[1]] = rows.view(np.uint8) & 15
    packed: NDArray[np.uint8] = halves[:, ::2] | halves[:, 1::2] << 4
    return packed


class NibbleTable:
    """The packed rows, seen as an int8 table of so many columns."""

    def __init__(self, packed: NDArray[np.uint8], columns: int) -> None:
        import numpy as np

        self.packed = packed
        self.shape = (len(packed), columns)
        # Both numbers of every byte at once: one look-up a byte is quicker than shifts and signs for each number.
        halves = np.arange(256)[:, None] >> np.array([0, 4]) & 15
        self._pairs = np.where(halves > LARGEST, halves - 16, halves).astype(np.int8).view(np.uint16).ravel()

    def __len__(self) -> int:
        return len(self.packed)

    def __getitem__(self, rows: Any) -> NDArray[np.int8]:
        """Return the unpacked rows of an index, a list or a slice of them."""
        import numpy as np

        pairs: NDArray[np.int8] = self._pairs[self.packed[rows]].view(np.int8)
        return pairs[..., : self.shape[1]]
