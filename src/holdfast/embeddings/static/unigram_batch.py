"""Many words → pieces at once, with numpy: the same search as `Unigram.cut`, three times as quick where words are new.

Every run of characters is looked up by a hash of 64 bits, all runs of one length together; then the cheapest ways are
found for all words side by side, character after character.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.embeddings.static.piece_hashes import extend
from holdfast.embeddings.static.unigram import UNKNOWN
from holdfast.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.embeddings.static.piece_hashes import PieceHashes

__all__ = ["LONGEST_WORD", "Cuts", "UnigramBatch"]

LONGEST_WORD = 1_000  # characters; a longer one is a text without spaces, and would keep all others waiting
_DEAREST = 1 << 62


class Cuts(NamedTuple):
    """The pieces of all words, in no order: the word each is of, its number, and the characters it covers."""

    words: NDArray[np.int64]
    pieces: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


class UnigramBatch:
    """Cuts many words into the numbers of a vocabulary's pieces."""

    def __init__(self, pieces: PieceHashes, costs: NDArray[np.uint16], unknown_cost: int) -> None:
        self._pieces = pieces
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
        for size in range(1, self._pieces.longest + 1):
            hashes = extend(hashes, codes[places + (size - 1)])
            found = self._pieces.find_all(hashes)
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
            if not len(places):
                break
        return np.concatenate(froms), np.concatenate(sizes), np.concatenate(numbers)

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
