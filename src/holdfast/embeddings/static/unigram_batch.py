"""Many words → pieces at once, with numpy: the same search as `Unigram.cut`, three times as quick where words are new.

Every run of characters is looked up by a hash of 64 bits, all runs of one length together; then the cheapest ways are
found for all words side by side, character after character.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.embeddings.static.unigram import UNKNOWN
from holdfast.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["LONGEST_WORD", "Cuts", "UnigramBatch", "character_codes"]

LONGEST_WORD = 1_000  # characters; a longer one is a text without spaces, and would keep all others waiting
_FACTOR = 0x9E37_79B9_7F4A_7C15  # odd; the bits of the golden ratio
_BUCKET_BITS = 18
_DEAREST = 1 << 62
_BYTES_AT_ONCE = 1 << 16


class Cuts(NamedTuple):
    """The pieces of all words, in no order: the word each is of, its number, and the characters it covers."""

    words: NDArray[np.int64]
    pieces: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


class UnigramBatch:
    """Cuts many words into the numbers of a vocabulary's pieces."""

    def __init__(self, pieces: bytes | memoryview, costs: NDArray[np.uint16], unknown_cost: int) -> None:
        """`pieces`: one a line, in the order of their numbers."""
        import numpy as np

        hashes, self._longest = _hash_lines(pieces)
        order = np.argsort(hashes, kind="stable")
        self._hashes = hashes[order]
        if (self._hashes[1:] == self._hashes[:-1]).any():
            raise ValueError("two pieces have the same hash")
        self._numbers = order.astype(np.int32)
        buckets = (self._hashes >> np.uint64(64 - _BUCKET_BITS)).astype(np.int32)
        self._counts = np.bincount(buckets, minlength=1 << _BUCKET_BITS).astype(np.uint8)
        self._firsts = np.cumsum(self._counts, dtype=np.int32) - self._counts
        self._costs = costs
        self._unknown_cost = unknown_cost

    def cut(self, codes: NDArray[np.uint32], lengths: NDArray[np.int64]) -> Cuts:
        """Return the pieces of words that stand one after the other in `codes`, none longer than LONGEST_WORD."""
        import numpy as np

        ends = np.cumsum(lengths)
        owners = np.repeat(np.arange(len(lengths)), lengths)
        left = ends[owners] - np.arange(len(codes))
        places = (lengths[owners] - left).astype(np.int16)
        froms, sizes, numbers = self._matches(codes, left)
        # All that begins at the first character of a word, then all at the second: small numbers sort in no time.
        order = np.argsort(places[froms], kind="stable")
        froms, sizes, numbers = froms[order], sizes[order], numbers[order]
        prices = np.where(numbers == UNKNOWN, self._unknown_cost, self._costs[numbers])
        # A word has one place more than it has characters, so each word's places begin one further on.
        before = froms + owners[froms]
        after = before + sizes
        best = np.full(len(codes) + len(lengths), _DEAREST)
        best[ends - lengths + np.arange(len(lengths))] = 0
        last = np.zeros(len(best), np.int64)
        bounds = np.searchsorted(places[froms], np.arange(int(lengths.max(initial=0)) + 1, dtype=np.int16))
        for first, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            reached = after[first:end]
            total = best[before[first:end]] + prices[first:end]
            # Where two ways cost the same, the one whose last piece begins earlier stays, as in SentencePiece.
            cheaper = np.flatnonzero(total < best[reached])
            best[reached[cheaper]] = total[cheaper]
            last[reached[cheaper]] = cheaper + first
        return self._trace_back(lengths, ends, froms, sizes, numbers, before, last)

    def _matches(
        self, codes: NDArray[np.uint32], left: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return where each piece stands, its length and its number; a character that is no piece stands as UNKNOWN."""
        import numpy as np

        places = np.arange(len(codes))
        hashes = np.zeros(len(codes), np.uint64)
        froms, sizes, numbers = [], [], []
        for size in range(1, self._longest + 1):
            hashes = _extend(hashes, codes[places + (size - 1)])
            found = self._find(hashes)
            if size > 1:
                known = np.flatnonzero(found != UNKNOWN)
                froms.append(places[known])
                numbers.append(found[known])
            else:
                froms.append(places)
                numbers.append(found)
            sizes.append(np.full(len(froms[-1]), size))
            longer = left[places] > size
            places, hashes = places[longer], hashes[longer]
        return np.concatenate(froms), np.concatenate(sizes), np.concatenate(numbers)

    def _find(self, hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return the numbers of the pieces with these hashes; UNKNOWN where there is none."""
        import numpy as np

        found = np.full(len(hashes), UNKNOWN, np.int64)
        buckets = (hashes >> np.uint64(64 - _BUCKET_BITS)).astype(np.int64)
        counts = self._counts[buckets]
        places = np.flatnonzero(counts)
        probe = 0
        while len(places):
            rows = self._firsts[buckets[places]] + probe
            same = self._hashes[rows] == hashes[places]
            found[places[same]] = self._numbers[rows[same]]
            probe += 1
            places = places[~same]
            places = places[counts[places] > probe]
        return found

    def _trace_back(
        self,
        lengths: NDArray[np.int64],
        ends: NDArray[np.int64],
        froms: NDArray[np.int64],
        sizes: NDArray[np.int64],
        numbers: NDArray[np.int64],
        before: NDArray[np.int64],
        last: NDArray[np.int64],
    ) -> Cuts:
        """Return the pieces of the cheapest ways, from each word's end to its start."""
        import numpy as np

        words = np.flatnonzero(lengths)
        firsts = ends - lengths + np.arange(len(lengths))
        places = (firsts + lengths)[words]
        found: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
        while len(words):
            match = last[places]
            found.append((words, match))
            places = before[match]
            going_on = places > firsts[words]
            words, places = words[going_on], places[going_on]
        if not found:
            nothing = np.zeros(0, np.int64)
            return Cuts(nothing, nothing, nothing, nothing)
        matches = np.concatenate([match for _, match in found])
        starts = froms[matches]
        return Cuts(
            np.concatenate([positions for positions, _ in found]), numbers[matches], starts, starts + sizes[matches]
        )


def _hash_lines(lines: bytes | memoryview) -> tuple[NDArray[np.uint64], int]:
    """Return the hash of each line, and how long the longest is; a part of them at a time, for the sake of memory."""
    import numpy as np

    content = np.frombuffer(lines, np.uint8)
    found: list[NDArray[np.uint64]] = []
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
            hashes[longer] = _extend(hashes[longer], codes[starts[longer] + place])
        found.append(hashes)
        longest = max(longest, int(lengths.max()))
        first = last
    return np.concatenate(found), longest


def character_codes(text: str) -> NDArray[np.uint32]:
    """Return the code points of a text."""
    import numpy as np

    return np.frombuffer(text.encode("utf-32-le"), "<u4")


def _extend(hashes: NDArray[np.uint64], codes: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """Return the hashes of runs that are one character longer."""
    import numpy as np

    mixed = hashes ^ (hashes >> np.uint64(29)) ^ (codes.astype(np.uint64) + np.uint64(1))
    longer: NDArray[np.uint64] = mixed * np.uint64(_FACTOR)
    return longer
