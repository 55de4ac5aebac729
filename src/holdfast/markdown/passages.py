"""Cuts a conversation or a note that is kept by hand into passages, the smallest pieces that stand by themselves.

A passage is a turn of a conversation, or a bullet with its nested lines in a note that somebody keeps a line at a time.
Long turns are cut, and short paragraphs beside bullets go together. A manual is neither: there a section is one
thought, and its bullets apart are found worse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdfast.markdown.body import Body, Piece, cut, list_item, measure, sizes_of
from holdfast.markdown.entries import says_nothing
from holdfast.markdown.lines import blank, trim_blank
from holdfast.markdown.outline import Fence, text_at
from holdfast.markdown.speakers import Voice
from holdfast.named_tuple import NamedTuple

__all__ = ["LONG_TURN_TOKENS", "Passage", "passages"]

LONG_TURN_TOKENS = 150  # tokens: a longer turn is cut; what somebody says at length is about several things
_TURN_SIZES = sizes_of(LONG_TURN_TOKENS)
_SMALL_CHARACTERS = 160  # characters: shorter paragraphs go together
_TINY_CHARACTERS = 40  # characters: of a note that is kept by hand, too


class Passage(NamedTuple):
    """The lines of a passage, and whose words they are."""

    piece: Piece
    voice: Voice = Voice.UNKNOWN


class _Block(NamedTuple):
    """A run of lines that nothing parts."""

    start: int
    end: int
    voice: Voice = Voice.UNKNOWN
    bullet: bool = False
    headed: bool = False
    """True if a heading stands right above it."""


def passages(
    body: Body, begin: int, end: int, fences: Sequence[Fence], speaking: Mapping[int, Voice], *, by_hand: bool
) -> list[Passage]:
    """Return the passages of the lines from `begin` to `end`.

    Turns begin at the lines that are `speaking`; `by_hand`, every bullet is a passage.
    """
    # Measured anew: which fences stay whole depends on the sizes.
    if speaking:
        spoken = measure(body.lines, body.headings, fences, _TURN_SIZES)
    else:
        spoken = body
    result: list[Passage] = []
    for block in _join_short_blocks(body, _blocks(body, begin, end, fences, speaking), by_hand=by_hand):
        start = block.start
        if by_hand and (block.bullet or block.voice):
            # It reads as well without the heading, which stands in its path.
            start = text_at(body.lines, body.heading_ends, start, block.end)
        if block.voice is Voice.UNKNOWN:
            sized = body
        else:
            sized = spoken
        if 0 < sized.size(start, block.end) <= sized.sizes.limit:
            result.append(Passage(Piece(start, block.end), block.voice))
        else:
            result.extend(Passage(piece, block.voice) for piece in cut(sized, start, block.end, 0))
    return result


def _blocks(body: Body, begin: int, end: int, fences: Sequence[Fence], speaking: Mapping[int, Voice]) -> list[_Block]:
    """Return the turns, bullets and paragraphs.

    A heading begins what stands below it, where that is text.
    """
    lines, heading_ends, fence_ends = body.lines, body.heading_ends, dict(fences)
    levels = {heading.start: heading.level for heading in body.headings}
    level = 0
    blocks: list[_Block] = []
    start, voice, bullet, headed = begin, Voice.UNKNOWN, False, False
    spoken = listed = False  # whether somebody's turn goes on, and whether it is a bullet
    at = begin

    def close(until: int) -> None:
        stop = trim_blank(lines, start, until)
        if start < stop:
            blocks.append(_Block(start, stop, voice, bullet, headed))

    while at < end:
        line = lines[at]
        if not line:
            at += 1
            continue
        if at in heading_ends:
            # A bare heading goes along with what stands below it; with nothing below, it stands alone.
            if not (body.bare(start, at) and level < levels[at]):
                close(at)
                start = at
            level, headed = levels[at], True
            voice, bullet, spoken = Voice.UNKNOWN, False, False
        elif at in speaking:
            if not body.bare(start, at):
                close(at)
                start, headed = at, False
            voice, bullet, spoken, listed = speaking[at], False, True, list_item(line)
        elif spoken and not (listed and _leaves_bullet(lines, at)):
            pass
        elif list_item(line) and not says_nothing(line):
            if not body.bare(start, at):
                close(at)
                start, headed = at, False
            voice, bullet, spoken = Voice.UNKNOWN, True, False
        elif not blank(line) and at > begin and blank(lines[at - 1]) and not (bullet and line[0] in " \t"):
            if not body.bare(start, at):
                close(at)
                start, headed = at, False
            voice, bullet, spoken = Voice.UNKNOWN, False, False
        at = heading_ends.get(at) or fence_ends.get(at) or at + 1
    close(end)
    return blocks


def _leaves_bullet(lines: Sequence[str], at: int) -> bool:
    """Say whether a line leaves the bullet above it.

    It is another bullet, or text at the margin after a blank line.
    """
    line = lines[at]
    return list_item(line) or (not blank(line) and line[0] not in " \t" and blank(lines[at - 1]))


def _join_short_blocks(body: Body, blocks: Sequence[_Block], *, by_hand: bool) -> list[_Block]:
    """Join short blocks of one section."""
    most = body.sizes.target
    joined: list[_Block] = []
    for block in blocks:
        last = joined[-1] if joined else None
        if (
            last is not None
            and not block.headed
            and Voice.UNKNOWN is last.voice is block.voice
            and not (by_hand and (block.bullet or last.bullet))
            and body.size(last.start, last.end) < (_TINY_CHARACTERS if by_hand else _SMALL_CHARACTERS)
            and body.size(last.start, block.end) <= most
        ):
            joined[-1] = last._replace(end=block.end, bullet=last.bullet and block.bullet)
        else:
            joined.append(block)
    return joined
