"""Two versions of a note → what the second has more and less, block by block; and whether that is whole claims only.

A claim is a paragraph, a sentence of one, or an item of a list with what is nested in it. Blocks that stay must be the
same to the letter and in their order, and what is new comes behind them: so nothing is put between the words of
somebody else, and no line comes to go on with another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from holdfast.chunks.statements import Block, Kind, strict_sentences

__all__ = ["BlockDifference", "compare_blocks", "is_plain_claim"]

_BULLETS = frozenset("-*+")
_ENDS = (".", "!", "?", "。", "！", "？")


class BlockDifference(NamedTuple):
    """The blocks that came behind those that stay, and what is wrong with what was taken out."""

    added: tuple[Block, ...]
    fault: str
    """Empty where nothing but whole claims is gone."""
    goes_on: bool
    """Whether what was added goes on with what stands before it: below a line that leads in, or in its list."""


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
    return BlockDifference(added, _fault(old, kept), _goes_on(new[:at], added))


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
    for place, block in enumerate(old):
        nested = inside is not None and block.column > inside
        if place in kept:
            if nested:
                return "what is nested in an item goes with it, or both stay"
            inside = None
            continue
        if nested:
            continue
        inside = None
        if block.kind is Kind.FRAME:
            return "whole sentences and bullets can be taken out, but no heading, quotation, table or code"
        if place + 1 in kept and _leads(block, old[place + 1]):
            return "it leads in what follows, which would say something else without it"
        if block.kind is Kind.ITEM:
            inside = block.column
    return ""


def _leads(block: Block, following: Block) -> bool:
    """Whether a block leads in the one behind it: by a colon, or as the unfinished line above a list."""
    unfinished = block.kind is Kind.TEXT and not block.text.endswith(_ENDS)
    return block.leads_in or (unfinished and following.kind is not Kind.TEXT)


def _goes_on(before: Sequence[Block], added: Sequence[Block]) -> bool:
    """Whether what was added stands below a line that leads in, or in the list below one."""
    if not before or not added:
        return False
    if before[-1].leads_in:
        return True
    if added[0].kind is not Kind.ITEM:
        return False
    above = len(before) - 1
    while above >= 0 and (before[above].kind is Kind.ITEM or before[above].column > 0):
        above -= 1
    return 0 <= above < len(before) - 1 and _leads(before[above], before[above + 1])
