"""Cuts a row of passages into blocks of the size of a chunk, which is what a provider that charges by call is sent.

Blocks are cut from the beginning: what is added at the end of a note changes the last ones alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from holdfast.markdown.token_estimate import PER_TOKEN, weight
from holdfast.named_tuple import NamedTuple

__all__ = ["Block", "Part", "cut_blocks"]


class Part(NamedTuple):
    """A passage by its text and its lines."""

    text: str
    start_line: int
    end_line: int


class Block(NamedTuple):
    """Passages that are sent as one, by their positions.

    Passages before `first` only repeat words of the block before.
    """

    lead: int
    first: int
    end: int
    text: str

    @property
    def is_passage(self) -> bool:
        """True if it is a single passage as it stands."""
        return self.lead == self.end - 1


def cut_blocks(parts: Sequence[Part], tokens: int, overlap: int, begin: int = 0) -> list[Block]:
    """Cut the passages from `begin` on into blocks of so many tokens.

    A longer passage is a block by itself. Before each block stand passages of at most `overlap` tokens.
    """
    weights = [weight(part.text) + 1 for part in parts]
    blocks: list[Block] = []
    first = begin
    while first < len(parts):
        end, left = first + 1, tokens * PER_TOKEN - weights[first]
        while end < len(parts) and weights[end] <= left:
            left -= weights[end]
            end += 1
        lead, left = first, overlap * PER_TOKEN
        while lead > 0 and weights[lead - 1] <= left:
            lead -= 1
            left -= weights[lead]
        blocks.append(Block(lead, first, end, _join_parts(parts[lead:end])))
        first = end
    return blocks


def _join_parts(parts: Sequence[Part]) -> str:
    """Join the texts of passages in a row.

    Pieces of one line follow each other without a gap.
    """
    texts = [parts[0].text]
    for before, part in pairwise(parts):
        texts += ["" if part.start_line == before.end_line else "\n", part.text]
    return "".join(texts)
