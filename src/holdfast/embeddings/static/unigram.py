"""Text → pieces, exactly as a SentencePiece unigram model cuts it: of all ways to cut, the likeliest.

A piece costs its negative log-likelihood, a whole number here, so that sums are exact and ties fall alike everywhere.
A character that no piece covers costs more than any piece and has no number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from holdfast.embeddings.static.charmap import CharMap
from holdfast.embeddings.static.piece_blocks import SPACE, PieceBlocks

__all__ = ["COSTS_PER_NAT", "UNKNOWN", "Unigram", "find_signs"]

UNKNOWN = -1
COSTS_PER_NAT = 2048
_DEAREST = 1 << 62
_UNKNOWN_PENALTY = 10 * COSTS_PER_NAT  # above the dearest piece; SentencePiece's own


class Unigram:
    """Cuts text into the numbers of a vocabulary's pieces."""

    def __init__(
        self, pieces: PieceBlocks, costs: Sequence[int], charmap: CharMap, signs: str, dearest: int | None = None
    ) -> None:
        """`signs` is what `find_signs` makes of the pieces; `dearest` is the highest cost, where that is known.

        A piece that costs more than its own parts must not be among them; `needless` finds them.
        """
        self._pieces = pieces
        self._costs = costs
        if dearest is None:
            dearest = max(costs, default=0)
        self.unknown_cost = dearest + _UNKNOWN_PENALTY
        self._charmap = charmap
        apart = re.escape(signs)
        self._word = re.compile(f" ?(?:[{apart}]+|[^ {apart}]+)" if signs else " ?[^ ]+")

    def words(self, text: str) -> list[str]:
        """Return the normalised text, cut where no piece reaches across.

        That is before a space, and between letters and signs.
        """
        return self._word.findall(" " + self._charmap.normalize(text))

    def encode(self, text: str) -> list[int]:
        """Return the pieces of a text, in order; UNKNOWN for each character that is in none."""
        return [number for word in self.words(text) for number, _ in self.cut(word)]

    def holds(self, word: str) -> bool:
        """Say whether a word, as `words` gives it, is one piece."""
        word = word.replace(" ", SPACE)
        find, _ = self._pieces.finders(word)
        return find(word) is not None

    def cost(self, piece: int) -> int:
        """Return what a piece costs, or a character that is in none."""
        if piece == UNKNOWN:
            return self.unknown_cost
        return self._costs[piece]

    def cut(self, word: str) -> list[tuple[int, int]]:
        """Return the pieces of one word, as `words` gives it, and where in it each ends."""
        word = word.replace(" ", SPACE)
        find, longest = self._pieces.finders(word)
        whole = find(word)
        # No piece costs more than its parts. Half of a text's different words are pieces in English, a tenth in Thai.
        if whole is None:
            return self._cheapest(word, find, longest)
        return [(whole, len(word))]

    def _cheapest(
        self, word: str, find: Callable[[str], int | None], longest: Callable[[str], int | None]
    ) -> list[tuple[int, int]]:
        """Find, by Viterbi's search, the cheapest way to each place, from the ways to the places before it."""
        size = len(word)
        costs = self._costs
        unknown_cost = self.unknown_cost
        best = [0] + [_DEAREST] * size
        starts = [0] * (size + 1)
        for start in range(size):
            so_far = best[start]
            # No range() and no min() here: for new words this loop is nine tenths of what a vector costs.
            last = start + (longest(word[start : start + 2]) or 1)
            if last > size:
                last = size
            end = start
            while end < last:
                end += 1
                number = find(word[start:end])
                if number is not None:
                    cost = so_far + costs[number]
                    # Where two ways cost the same, the one whose last piece begins earlier stays, as in SentencePiece.
                    if cost < best[end]:
                        best[end] = cost
                        starts[end] = start
            if best[start + 1] > so_far + unknown_cost and find(word[start]) is None:
                best[start + 1] = so_far + unknown_cost
                starts[start + 1] = start
        found: list[tuple[int, int]] = []
        end = size
        while end:
            start = starts[end]
            number = find(word[start:end])
            found.append((UNKNOWN if number is None else number, end))
            end = start
        found.reverse()
        return found

    def needless(self) -> set[int]:
        """Return the numbers of the pieces that no text is cut into, because their own parts cost less."""
        find, longest = self._pieces.numbers.get, self._pieces.longest.get
        numbers = self._pieces.numbers.items()
        return {number for piece, number in numbers if self._cheapest(piece, find, longest) != [(number, len(piece))]}


def find_signs(pieces: Iterable[str]) -> str:
    """Return the characters of a vocabulary that stand beside no letter in any piece, not even by a chain of others.

    A text can be cut between them and the rest before it is looked for pieces: "(Paris," has the pieces of "(", "Paris"
    and ",", and the middle one has been met before.
    """
    leaders: dict[str, str] = {}

    def leader(character: str) -> str:
        while leaders.setdefault(character, character) != character:
            leaders[character] = character = leaders[leaders[character]]
        return character

    for piece in pieces:
        characters = piece.removeprefix(SPACE)
        for character in characters:
            leader(character)
        for left, right in pairwise(characters):
            leaders[leader(left)] = leader(right)
    with_letters = {leader(character) for character in list(leaders) if character.isalpha()}
    return "".join(sorted(character for character in list(leaders) if leader(character) not in with_letters))
