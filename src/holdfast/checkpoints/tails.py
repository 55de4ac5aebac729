"""Bytes that begin with others which are stored already, kept as what was added to those.

A note that grows by a line would else be kept whole at each line, and the disk fill with the square of its lines. The
first line of a tail names the bytes it goes on from, and says how many tails lie one upon the other: never many, so that
no checkpoint hangs on a long row of files, each of which may be damaged.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final, NamedTuple

__all__ = ["Tail", "parse_tail", "tail_for"]

_HEAD: Final = re.compile(rb"holdfast-tail ([0-9a-f]{64}) ([0-9]{1,2})\n")
_LONGEST_ROW: Final = 16  # tails: to open so many files takes about a millisecond


class Tail(NamedTuple):
    """What was added to the bytes of a hash; `row` counts the tails from bytes that are stored whole up to this one."""

    base: str
    row: int
    added: bytes

    def encode(self) -> bytes:
        """The tail as it is stored."""
        return b"holdfast-tail %s %d\n%s" % (self.base.encode("ascii"), self.row, self.added)


def parse_tail(stored: bytes, digest: str) -> Tail | None:
    """The tail that is stored under a hash; None where those are the bytes themselves, whatever they look like."""
    head = _HEAD.match(stored)
    if head is None or hashlib.sha256(stored).hexdigest() == digest:
        return None
    return Tail(head[1].decode("ascii"), int(head[2]), stored[head.end() :])


def tail_for(data: bytes, onto: bytes, row: int) -> Tail | None:
    """What is to be stored of bytes that go on from others, at this place of a row; None to store them whole."""
    tail = Tail(hashlib.sha256(onto).hexdigest(), row, data[len(onto) :])
    if row > _LONGEST_ROW or not data.startswith(onto) or len(tail.encode()) * 2 > len(data):
        return None
    return tail
