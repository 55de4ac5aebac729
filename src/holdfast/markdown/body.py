"""Cuts a run of lines that is too long for one chunk."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from holdfast.markdown.lines import blank, skip_blank, trim_blank
from holdfast.markdown.outline import Fence, Heading, ordered_marker, text_at
from holdfast.markdown.token_estimate import PER_TOKEN, weight
from holdfast.named_tuple import NamedTuple

__all__ = ["Body", "Piece", "Sizes", "cut", "ends_sentence", "list_item", "measure", "sizes_of"]

_SENTENCE_ENDS = (".", "!", "?", ":", "…", "。", "！", "？", "：", "．", "؟", "।")
_SENTENCE_GAPS = (". ", "! ", "? ", "。", "！", "？")

_MAX_STRENGTH = 4


class Sizes(NamedTuple):
    """Weights in characters, four to a token."""

    target: int
    limit: int
    """The most that may stay in one piece rather than leave a small tail."""
    small: int
    """Less than this is a tail, not a chunk."""
    overlap: int


def sizes_of(tokens: int, overlap: int = 0) -> Sizes:
    """Return the sizes of pieces of about so many tokens."""
    target = tokens * PER_TOKEN
    return Sizes(target, target * 13 // 10, target // 4, overlap * PER_TOKEN)


class Piece(NamedTuple):
    """Lines that will be a chunk."""

    start: int
    end: int
    level: int = 0
    """The level of the heading that it begins with, 0 when the cut is inside a section."""
    text: str | None = None
    """The slice, when it is a part of one line."""


class Body(NamedTuple):
    """A note's lines with all that the cutting asks about them."""

    lines: Sequence[str]
    sums: Sequence[int]
    """`sums[b] - sums[a]` is the weight of the lines from a to b."""
    headings: Sequence[Heading]
    heading_ends: dict[int, int]
    """The end of the heading that starts at this line."""
    held: dict[int, tuple[int, int]]
    """For a line before which no cut may be made: the block (fence, setext heading) that it lies in."""
    sizes: Sizes

    def size(self, start: int, end: int) -> int:
        """Return the weight of these lines, without the last line's end."""
        if start < end:
            return self.sums[end] - self.sums[start] - 1
        return 0

    def bare(self, start: int, end: int) -> bool:
        """Say whether these lines are headings with nothing below them."""
        # As almost always: the first line is text.
        if start < end and start not in self.heading_ends and not blank(self.lines[start]):
            return False
        return text_at(self.lines, self.heading_ends, start, end) >= end


def measure(lines: Sequence[str], headings: Sequence[Heading], fences: Sequence[Fence], sizes: Sizes) -> Body:
    """Weigh the lines and mark the blocks that stay whole."""
    sums = list(accumulate([(len(line) if line.isascii() else weight(line)) + 1 for line in lines], initial=0))
    held: dict[int, tuple[int, int]] = {}
    for fence in fences:
        if sums[fence.end] - sums[fence.start] - 1 <= sizes.limit:
            held.update(dict.fromkeys(range(fence.start + 1, fence.end), fence))
    for heading in headings:
        if heading.end - heading.start > 1 and sums[heading.end] - sums[heading.start] - 1 <= sizes.limit:
            held.update(dict.fromkeys(range(heading.start + 1, heading.end), (heading.start, heading.end)))
    return Body(lines, sums, headings, {heading.start: heading.end for heading in headings}, held, sizes)


def cut(body: Body, start: int, end: int, level: int) -> list[Piece]:
    """Cut the lines into pieces of at most the target where that can be.

    The last one may reach the limit.
    """
    target, limit = body.sizes.target, body.sizes.limit
    lines, sums = body.lines, body.sums
    pieces: list[Piece] = []
    while body.size(start, end) > limit:
        last = bisect_right(sums, sums[start] + target + 1, start + 1, end + 1) - 1
        if last <= start and body.size(start, start + 1) > limit:
            pieces += [Piece(start, start + 1, level, text) for text in _slices(lines[start], body.sizes)]
            at = start + 1
        else:
            at = _best_cut(body, start, max(last, start + 1))
            pieces.append(Piece(start, trim_blank(lines, start, at), level))
        start = skip_blank(lines, at, end)
        level = 0
    if start < end:
        pieces.append(Piece(start, trim_blank(lines, start, end), level))
    return pieces


def ends_sentence(line: str) -> bool:
    """Say whether a line's last word ends a sentence."""
    return line.rstrip().endswith(_SENTENCE_ENDS)


def list_item(line: str) -> bool:
    """Say whether a line begins a list item at the left margin."""
    first = line[:1]
    if first in ("-", "*", "+"):
        return line[1:2] in (" ", "\t")
    if first.isdigit() and first.isascii():
        width = ordered_marker(line)
        return width > 0 and line[width : width + 1] in (" ", "\t")
    return False


def _best_cut(body: Body, start: int, last: int) -> int:
    """Return the line before which to cut.

    It is the strongest place in the last three quarters of the target, else the last.
    """
    lines, sums, held = body.lines, body.sums, body.held
    # A fence stays whole, and goes along while the limit allows.
    first, after = held.get(last, (last, last))
    if body.size(start, after) <= body.sizes.limit and after > last:
        return after
    last = first
    if body.size(start, last) < body.sizes.small and body.bare(start, last):
        # A heading does not stay behind alone: what follows goes along, unless it must be cut itself.
        after = held.get(last + 1, (last, last + 1))[1]
        if body.size(last, after) <= body.sizes.limit:
            return after
    floor = sums[start] + body.sizes.small
    best, strength = last, -1
    at = last
    while at > start and (sums[at] >= floor or strength < 0):
        if block := held.get(at):
            at = block[0]
            continue
        candidate = _strength(lines, at)
        if candidate > strength:
            best, strength = at, candidate
            if candidate == _MAX_STRENGTH:
                break
        at -= 1
    return best


def _strength(lines: Sequence[str], at: int) -> int:
    """Rate the start of this line as a place for a cut."""
    line, before = lines[at], lines[at - 1]
    if blank(line):
        return 0
    inside = line[0] in " \t"
    if blank(before):
        return 3 if inside else _MAX_STRENGTH
    if list_item(line):
        return _MAX_STRENGTH
    if ends_sentence(before) and not inside:
        return 2
    return 1


def _slices(line: str, sizes: Sizes) -> list[str]:
    """Cut one line into parts that together are the line; blank parts are left out."""
    slices = []
    at = 0
    # A character weighs one at least: only a rest shorter than the limit is weighed, else this were quadratic.
    while len(line) - at > sizes.limit or weight(line[at:]) > sizes.limit:
        window = line[at : at + sizes.target]
        if not window.isascii():
            window = window[: _prefix(window, sizes.target)]
        half = len(window) // 2
        gap = max(window.rfind(sign, half) + len(sign) if sign in window[half:] else 0 for sign in _SENTENCE_GAPS)
        if not gap:
            gap = max(window.rfind(" ", half), window.rfind("\t", half), window.rfind("\u3000", half)) + 1
        step = gap or len(window)
        slices.append(line[at : at + step])
        at += step
    slices.append(line[at:])
    return [text for text in slices if not blank(text)]


def _prefix(text: str, most: int) -> int:
    """Return how many characters of the text weigh at most so much."""
    fits, over = most // 4, len(text) + 1
    while over - fits > 1:
        middle = (fits + over) // 2
        if weight(text[:middle]) <= most:
            fits = middle
        else:
            over = middle
    return fits
