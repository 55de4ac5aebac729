"""Two versions of a note → what the second has more and less, block by block; and whether that is whole claims only.

A claim is a paragraph, a sentence of one, or an item of a list with what is nested in it. Blocks that stay must be the
same to the letter and in their order, and what is new comes behind them, or behind what stands in the agents' section:
so nothing is put between the words of somebody else, and no line comes to go on with another.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.markdown.agent_section import BREAK, HEADING
from holdfast.markdown.statements import Block, Kind, blocks_in, strict_sentences
from holdfast.named_tuple import NamedTuple

__all__ = ["BlockDifference", "compare_blocks", "is_plain_claim", "stands_apart"]

_BULLETS = frozenset("-*+")


class BlockDifference(NamedTuple):
    """The blocks that came behind those that stay, and what is wrong with what was taken out."""

    added: tuple[Block, ...]
    fault: str
    """Empty where nothing but whole claims is gone."""
    stands_apart: bool
    """True if what was added goes on with nothing of what stands before it."""


def is_plain_claim(block: Block) -> bool:
    """Say whether a block is a paragraph or a bullet that stands by itself.

    The number of an ordered item would be one more word.
    """
    plain = block.kind is Kind.TEXT or (block.kind is Kind.ITEM and block.sign in _BULLETS)
    return plain and block.column == 0 and bool(block.text) and not block.leads_in


def compare_blocks(old: Sequence[Block], new: Sequence[Block]) -> BlockDifference:
    """Pair the blocks that stay, in their order; what is left of the second version was added."""
    old, new = _with_section_last(old, new)
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
    return BlockDifference(_without_lead(new[:at], added), _fault(old, kept), apart)


def _without_lead(before: Sequence[Block], added: tuple[Block, ...]) -> tuple[Block, ...]:
    """Remove the lead that only sets the added blocks apart.

    That is our heading where there is none yet, else a break.
    """
    has_section = any(block.raw == HEADING for block in before)
    lead = BREAK if has_section else HEADING
    if added and added[0].raw == lead:
        return added[1:]
    return added


def _with_section_last(old: Sequence[Block], new: Sequence[Block]) -> tuple[Sequence[Block], Sequence[Block]]:
    """The blocks of both versions with the agents' section behind all others, where it stands in the same place.

    Where it does not, they stay as they are: between "# Lies" and "## About Ada" it would make the second no lie.
    """
    before, after = _section_of(old), _section_of(new)
    if before is None or after is None or _headings_above(old, before) != _headings_above(new, after):
        return old, new
    return _moved_last(old, before), _moved_last(new, after)


def _section_of(blocks: Sequence[Block]) -> range | None:
    """The places of the agents' section: its heading, and what stands below it up to the next one."""
    start = next((place for place in reversed(range(len(blocks))) if blocks[place].raw == HEADING), None)
    if start is None:
        return None
    ends = (place for place in range(start + 1, len(blocks)) if blocks[place].sign == "#")
    return range(start, next(ends, len(blocks)))


def _headings_above(blocks: Sequence[Block], section: range) -> int:
    return sum(block.sign == "#" for block in blocks[: section.start])


def _moved_last(blocks: Sequence[Block], section: range) -> Sequence[Block]:
    return [*blocks[: section.start], *blocks[section.stop :], *blocks[section.start : section.stop]]


def _is_shortened(block: Block, shorter: Block) -> bool:
    """Say whether a block lost whole sentences and nothing else."""
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
    """Return the reason why more is gone than whole claims; "" if there is none."""
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
    """Say whether a block leads in the one behind it.

    It does by a colon, or as the unfinished line above a list.
    """
    if following.sign == "#":
        return False  # a heading begins something else
    unfinished = block.kind is Kind.TEXT and not block.is_finished
    return block.leads_in or (unfinished and following.kind is not Kind.TEXT)


def stands_apart(old: str, text: str) -> bool:
    """Say whether a text at the end of a note would go on with nothing before it."""
    return _stands_apart(blocks_in(old), blocks_in(text))


def _stands_apart(before: Sequence[Block], added: Sequence[Block]) -> bool:
    """Say whether the added blocks go on with nothing before them.

    They are the first, or stand below our own heading.
    """
    if not before or not added:
        return True
    if added[0].raw == HEADING:
        return all(block.raw != HEADING for block in before)
    headings = [block for block in before if block.sign == "#"]
    if not headings or headings[-1].raw != HEADING:
        return False
    last = before[-1]
    is_finished = is_plain_claim(last) and last.is_finished
    return added[0].raw == BREAK or last.raw in (HEADING, BREAK) or is_finished
