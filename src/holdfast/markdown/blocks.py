"""Cuts a row of passages into blocks of the size of a chunk, which is what a provider that charges by call is sent.

Blocks are cut from the beginning: what is added at the end of a note changes the last ones alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from holdfast.markdown.token_estimate import PER_TOKEN, weight

__all__ = ["Block", "Part", "cut_blocks"]


class Part(NamedTuple):
    """A passage by its text and its lines."""

    text: str
    start_line: int
    end_line: int


class Block(NamedTuple):
    """Passages that are sent as one, by their places; of the places before `first` the text only repeats the words."""

    lead: int
    first: int
    end: int
    text: str

    @property
    def is_passage(self) -> bool:
        """Whether it is a single passage as it stands."""
        return self.lead == self.end - 1


def cut_blocks(parts: Sequence[Part], tokens: int, overlap: int, begin: int = 0) -> list[Block]:
    """The blocks of the passages from `begin` on: each has as many as make so many tokens, or a single longer one, and
    before them the passages that make at most `overlap` tokens."""
    weights = [weight(part.text) + 1 for part in parts]
    found: list[Block] = []
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
        found.append(Block(lead, first, end, _joined(parts[lead:end])))
        first = end
    return found


def _joined(parts: Sequence[Part]) -> str:
    """The text of passages in a row; pieces of one line follow each other without a gap."""
    texts = [parts[0].text]
    for before, part in pairwise(parts):
        texts += ["" if part.start_line == before.end_line else "\n", part.text]
    return "".join(texts)
