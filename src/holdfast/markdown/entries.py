"""Cuts a note of entries, such as one of facts: each bullet and each headed text is a chunk of its own."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.markdown.body import Body, Piece, cut, list_item
from holdfast.markdown.lines import blank
from holdfast.markdown.outline import Fence
from holdfast.named_tuple import NamedTuple

__all__ = ["ENTRY", "Start", "cut_entries", "says_nothing", "starts"]

# Below every heading.
ENTRY = 7
"""The level of what has no heading."""

_RULE_ENDS = frozenset("-*_ \t")


class Start(NamedTuple):
    """The line at which an entry begins, the level of its heading, below all headings if it has none."""

    line: int
    level: int
    bullet: bool = False


def cut_entries(body: Body, begin: int, end: int, begins: Sequence[Start]) -> list[Piece]:
    """Cut the note's lines into pieces at these lines."""
    pieces: list[Piece] = []
    start, level = begin, ENTRY
    for at, below, _ in [*begins, Start(end, 0)]:
        # A bare heading lives on in the paths of what stands below it; with nothing below, it must be a chunk.
        if start < at and not (below > level and body.bare(start, at)):
            pieces += cut(body, start, at, 0)
        start, level = at, below
    return pieces


def starts(body: Body, begin: int, end: int, fences: Sequence[Fence]) -> list[Start]:
    """Return the lines at which an entry begins."""
    lines = body.lines
    levels = {heading.start: heading.level for heading in body.headings}
    fence_ends = dict(fences)
    entries = []
    bulleted = False
    at = begin
    while at < end:
        line = lines[at]
        if at in levels:
            entries.append(Start(at, levels[at]))
            bulleted = False
        elif list_item(line) and not _rule(line):
            entries.append(Start(at, ENTRY, bullet=True))
            bulleted = True
        elif bulleted and not blank(line) and line[0] not in " \t" and blank(lines[at - 1]) and not _rule(line):
            # Text at the margin after a blank line has left the bullet.
            entries.append(Start(at, ENTRY))
            bulleted = False
        at = body.heading_ends.get(at) or fence_ends.get(at) or at + 1
    return entries


def says_nothing(line: str) -> bool:
    """Say whether a line is blank or a thematic break."""
    return blank(line) or _rule(line)


def _rule(line: str) -> bool:
    """Say whether a line is a thematic break.

    It says nothing alone, so it stays with the entry above it.
    """
    if line[-1:] not in _RULE_ENDS:
        return False
    signs = line.replace(" ", "").replace("\t", "")
    return len(signs) >= 3 and signs[0] in "-*_" and not signs.strip(signs[0])
