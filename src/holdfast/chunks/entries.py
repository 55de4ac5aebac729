"""Cuts a note of entries, MEMORY.md or USER.md: each bullet and each headed text is a chunk of its own."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.chunks.body import Body, Piece, cut, list_item
from holdfast.chunks.lines import blank
from holdfast.chunks.outline import Fence

__all__ = ["entries"]

# Below every heading.
_ENTRY = 7


def entries(body: Body, begin: int, end: int, fences: Sequence[Fence]) -> list[Piece]:
    """The pieces of the note's lines from `begin` to `end`."""
    pieces: list[Piece] = []
    start, level = begin, _ENTRY
    for at, below in [*_starts(body, begin, end, fences), (end, 0)]:
        # A bare heading lives on in the paths of what stands below it; with nothing below, it must be a chunk.
        if start < at and not (below > level and body.bare(start, at)):
            pieces += cut(body, start, at, 0)
        start, level = at, below
    return pieces


def _starts(body: Body, begin: int, end: int, fences: Sequence[Fence]) -> list[tuple[int, int]]:
    """The lines at which an entry begins, each with its heading's level."""
    lines = body.lines
    levels = {heading.start: heading.level for heading in body.headings}
    fence_ends = dict(fences)
    starts = []
    bulleted = False
    at = begin
    while at < end:
        line = lines[at]
        if at in levels:
            starts.append((at, levels[at]))
            bulleted = False
        elif list_item(line) and not _rule(line):
            starts.append((at, _ENTRY))
            bulleted = True
        elif bulleted and not blank(line) and line[0] not in " \t" and blank(lines[at - 1]) and not _rule(line):
            # Text at the margin after a blank line has left the bullet.
            starts.append((at, _ENTRY))
            bulleted = False
        at = body.heading_ends.get(at) or fence_ends.get(at) or at + 1
    return starts


def _rule(line: str) -> bool:
    """A thematic break says nothing alone, so it stays with the entry above it."""
    signs = line.replace(" ", "").replace("\t", "")
    return len(signs) >= 3 and signs[0] in "-*_" and not signs.strip(signs[0])
