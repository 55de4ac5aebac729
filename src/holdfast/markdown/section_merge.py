"""Gathers short sections into chunks and cuts long ones, stronger headings first."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.markdown.body import Body, Piece, cut
from holdfast.markdown.lines import skip_blank, trim_blank
from holdfast.markdown.outline import Heading

__all__ = ["gather"]

_BELOW_ALL = 7


class _ChunkBuilder:
    """The chunk being filled, and the pieces finished before it."""

    def __init__(self, body: Body, start: int) -> None:
        self.body = body
        self.pieces: list[Piece] = []
        self.start = start
        self.level = 0  # of the heading it begins with
        self.rank = 0  # a heading stronger than this leaves the section that the chunk belongs to

    def finish(self, end: int, level: int) -> None:
        """Close the chunk before `end`, where a heading of this level begins the next one."""
        if self.start < end:
            stop = trim_blank(self.body.lines, self.start, end)
            self.pieces.append(Piece(self.start, stop, self.level))
        self.start, self.level, self.rank = end, level, level

    def join_previous(self, end: int) -> bool:
        """Give a small tail to the piece before it, if that stays within the limit."""
        if not self.pieces or self.pieces[-1].text is not None:
            return False
        previous = self.pieces[-1]
        stop = trim_blank(self.body.lines, self.start, end)
        if self.body.size(previous.start, stop) > self.body.sizes.limit:
            return False
        self.pieces[-1] = previous._replace(end=stop)
        self.start = end
        return True

    def cut_long(self, end: int, level: int) -> None:
        """Cut what has been gathered when it is over the limit; its last piece stays open."""
        if self.body.size(self.start, end) <= self.body.sizes.limit:
            return
        pieces = cut(self.body, self.start, end, self.level)
        if pieces[-1].text is None:
            last = pieces.pop()
            self.start, self.level = last.start, last.level
        else:
            self.start, self.level = end, 0
        if pieces:
            self.rank = level + 1
        self.pieces += pieces


def gather(body: Body, begin: int, end: int) -> list[Piece]:
    """The pieces of the note's lines from `begin` to `end`."""
    headings, sizes = body.headings, body.sizes
    after = _section_ends(headings)
    builder = _ChunkBuilder(body, skip_blank(body.lines, begin, end))
    at = 0
    while at < len(headings):
        line, _, level, _ = headings[at]
        builder.cut_long(line, headings[at - 1].level if at else _BELOW_ALL)
        have = body.size(builder.start, line)
        beyond = after[at]
        whole = body.size(line, headings[beyond].start if beyond < len(headings) else end)
        if have and level < builder.rank and (have >= sizes.small or builder.join_previous(line)):
            builder.finish(line, level)
            have = 0
        if have + whole <= (sizes.limit if have < sizes.small else sizes.target):
            if not have:
                builder.level = builder.rank = level
            at = beyond
            continue
        if have:
            # A short opening goes along with the long section below it, and a bare heading with whatever is below.
            if have >= sizes.small or not (whole > sizes.limit or body.bare(builder.start, line)):
                builder.finish(line, level)
                have = 0
        else:
            builder.level = builder.rank = level
        if not have and whole <= sizes.limit:
            at = beyond
        else:
            at = at + 1
    builder.cut_long(end, headings[-1].level if headings else _BELOW_ALL)
    if body.size(builder.start, end) < sizes.small:
        builder.join_previous(end)
    builder.finish(end, 0)
    return builder.pieces


def _section_ends(headings: Sequence[Heading]) -> list[int]:
    """For each heading the index of the next one that is not below it."""
    ends = [len(headings)] * len(headings)
    open_ones: list[int] = []
    for index, heading in enumerate(headings):
        while open_ones and headings[open_ones[-1]].level >= heading.level:
            ends[open_ones.pop()] = index
        open_ones.append(index)
    return ends
