"""Two versions of a note → what the second has more and less, block by block; and whether that is whole claims only.

A claim is a paragraph, a sentence of one, or an item of a list with what is nested in it. Blocks that stay must be the
same to the letter and in their order, and what is new comes behind them: so nothing is put between the words of
somebody else, and no line comes to go on with another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from holdfast.chunks.statements import Block, Kind, blocks_in, strict_sentences

__all__ = ["HEADING", "BlockDifference", "compare_blocks", "is_plain_claim", "stands_apart"]

HEADING = "# From conversations"
"""What an agent adds stands below this, so that no heading or unfinished line of the owner's speaks for it.

Of the first level: one of the second would still stand below "# Things that are false".
"""

_BULLETS = frozenset("-*+")


class BlockDifference(NamedTuple):
    """The blocks that came behind those that stay, and what is wrong with what was taken out."""

    added: tuple[Block, ...]
    fault: str
    """Empty where nothing but whole claims is gone."""
    stands_apart: bool
    """Whether what was added goes on with nothing of what stands before it."""


def is_plain_claim(block: Block) -> bool:
    """Whether a block is a paragraph or a bullet that stands by itself; the number of an item would be a word more."""
    plain = block.kind is Kind.TEXT or (block.kind is Kind.ITEM and block.sign in _BULLETS)
    return plain and block.column == 0 and bool(block.text) and not block.leads_in


def compare_blocks(old: Sequence[Block], new: Sequence[Block]) -> BlockDifference:
    """Pair the blocks that stay, in their order; what is left of the second version was added."""
    kept: set[int] = set()
    at = 0
    for place, block in enumerate(old):
        if at == len(new):
            break
        if new[at].raw == block.raw or _is_shortened(block, new[at]):
            kept.add(place)
            at += 1
    added = tuple(new[at:])
    apart = _stands_apart(new[:at], added)
    said = tuple(block for block in added if block.raw != HEADING)
    return BlockDifference(said, _fault(old, kept), apart)


def _is_shortened(block: Block, shorter: Block) -> bool:
    """Whether a block lost whole sentences and nothing else."""
    same = (block.kind, block.column, block.sign) == (shorter.kind, shorter.column, shorter.sign)
    if not same or block.kind is Kind.FRAME or len(shorter.text) >= len(block.text):
        return False
    left = strict_sentences(shorter.text)
    sentences = strict_sentences(block.text)
    if block.leads_in and left[-1:] != sentences[-1:]:
        return False
    rest = iter(sentences)
    return bool(left) and all(sentence in rest for sentence in left)


def _fault(old: Sequence[Block], kept: set[int]) -> str:
    """Why what is gone is not only whole claims."""
    inside: int | None = None  # the column of the item that is gone, with all that is nested in it
    above: Block | None = None  # the last one that stays
    gone = False  # whether something is gone between that one and the one at hand
    for place, block in enumerate(old):
        nested = inside is not None and block.column > inside
        if place in kept:
            if nested or (gone and block.column > 0):
                return "what is nested in an item goes with it, or both stay"
            if gone and above is not None and _leads(above, block):
                return "what stands below it would go on with what stands above it"
            inside, above, gone = None, block, False
            continue
        gone = True
        if nested:
            continue
        inside = None
        if block.kind is Kind.FRAME:
            return "whole sentences and bullets can be taken out, but no heading, quotation, table or code"
        if block.column > 0:
            return "a nested item goes with the one around it"
        if place + 1 in kept and _leads(block, old[place + 1]):
            return "it leads in what follows, which would say something else without it"
        if block.kind is Kind.ITEM:
            inside = block.column
    return ""


def _leads(block: Block, following: Block) -> bool:
    """Whether a block leads in the one behind it: by a colon, or as the unfinished line above a list."""
    if following.sign == "#":
        return False  # a heading begins something else
    unfinished = block.kind is Kind.TEXT and not block.is_finished
    return block.leads_in or (unfinished and following.kind is not Kind.TEXT)


def stands_apart(old: str, text: str) -> bool:
    """Whether a text at the end of a note would go on with nothing that stands before it."""
    return _stands_apart(blocks_in(old), blocks_in(text))


def _stands_apart(before: Sequence[Block], added: Sequence[Block]) -> bool:
    """Whether what was added goes on with nothing that stands before it: it is the first, or below our own heading."""
    if not before or not added or added[0].raw == HEADING:
        return True
    headings = [block for block in before if block.sign == "#"]
    last = before[-1]
    ours = bool(headings) and headings[-1].raw == HEADING
    plain = last.raw == headings[-1].raw if ours else False
    return ours and (plain or (is_plain_claim(last) and last.is_finished))
