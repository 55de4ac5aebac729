"""Delta storage: bytes that differ in one place from bytes already stored are kept as that difference.

A note that gains or changes a line would otherwise be kept whole each time, and take space that grows with the square
of its lines. The first line of a splice names the bytes it is made from, how many of them it begins and ends with, and
how many splices lie one upon the other. They are never many, so that no checkpoint depends on a long row of files, each
of which may be damaged.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = ["Splice", "common_prefix", "parse_splice", "splice_for"]

_HEAD: Final = compile_late(rb"holdfast-splice ([0-9a-f]{64}) ([0-9]{1,2}) ([0-9]{1,12}) ([0-9]{1,12})\n")
_MAX_SPLICES_IN_ROW: Final = 16  # splices: to open so many files takes about a millisecond


class Splice(NamedTuple):
    """The bytes of a base with others in the middle.

    `row` counts the splices from bytes that are stored whole.
    """

    base: str
    row: int
    front: int
    """The number of bytes of the base that come first."""
    back: int
    """The number of bytes of the base that come last."""
    middle: bytes

    def encode(self) -> bytes:
        """Return the splice as it is stored."""
        head = f"holdfast-splice {self.base} {self.row} {self.front} {self.back}\n"
        return head.encode("ascii") + self.middle

    def apply_to(self, base: bytes) -> bytes:
        """Return the bytes it stands for, made from those of its base."""
        return b"".join((base[: self.front], self.middle, base[len(base) - self.back :] if self.back else b""))


def parse_splice(stored: bytes, digest: str) -> Splice | None:
    """Return the splice stored under a hash; None where those are the bytes themselves."""
    head = _HEAD.match(stored)
    if head is None or hashlib.sha256(stored).hexdigest() == digest:
        return None
    base, row, front, back = head.groups()
    return Splice(base.decode("ascii"), int(row), int(front), int(back), stored[head.end() :])


def splice_for(data: bytes, onto: bytes, row: int) -> Splice | None:
    """Return the splice that stores `data` on top of `onto`; None to store it whole."""
    if row > _MAX_SPLICES_IN_ROW:
        return None
    shorter = min(len(data), len(onto))
    front = common_prefix(data[:shorter], onto[:shorter])
    # A byte can't be both of the beginning and of the end.
    left = shorter - front
    if left:
        back = common_prefix(data[len(data) - left :][::-1], onto[len(onto) - left :][::-1])
    else:
        back = 0
    splice = Splice(hashlib.sha256(onto).hexdigest(), row, front, back, data[front : len(data) - back])
    if len(splice.encode()) * 2 <= len(data):
        return splice
    return None


def common_prefix(first: Sequence[object], second: Sequence[object]) -> int:
    """Return how many bytes, or lines, two texts begin with alike; by halves, since a note may have thousands."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
