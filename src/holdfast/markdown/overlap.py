"""Turns pieces into chunks: gives each its overlap with the one before and the path of its headings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdfast.markdown.body import Body, Piece, ends_sentence
from holdfast.markdown.chunk import Chunk
from holdfast.markdown.lines import blank
from holdfast.markdown.outline import Heading, text_at

__all__ = ["opening_path", "to_chunks"]

# A heading of level 1 or 2 changes the subject: what stands before it does not explain what comes after.
_CHANGES_SUBJECT = (1, 2)


def to_chunks(body: Body, pieces: Sequence[Piece]) -> list[Chunk]:
    """The chunks of a note, in order."""
    lines = body.lines
    trail = _Trail(lines, body.headings, body.heading_ends)
    chunks = []
    previous: Piece | None = None
    for piece in pieces:
        path = trail.path(piece.start, piece.end)
        if piece.text is not None:
            chunks.append(Chunk(piece.start + 1, piece.end, piece.text, path))
        else:
            if previous is None:
                start = piece.start
            else:
                start = _overlap_start(body, previous, piece)
            chunks.append(Chunk(start + 1, piece.end, "\n".join(lines[start : piece.end]), path))
        previous = piece
    return chunks


def opening_path(lines: Sequence[str], headings: Sequence[Heading], begin: int, end: int) -> tuple[str, ...]:
    """The path of the only chunk of a short note."""
    if not headings or headings[0].start > begin:
        return ()
    ends = {heading.start: heading.end for heading in headings}
    return _Trail(lines, headings, ends).path(begin, end)


class _Trail:
    """Follows the headings down the note."""

    def __init__(self, lines: Sequence[str], headings: Sequence[Heading], ends: Mapping[int, int]) -> None:
        self.lines, self.headings, self.ends = lines, headings, ends
        self.next = 0
        self.above: list[tuple[int, str]] = []
        self.titles: tuple[str, ...] = ()

    def path(self, start: int, end: int) -> tuple[str, ...]:
        """The path at the first line of text of `lines[start:end]`, or at its first line if there are only headings."""
        headings = self.headings
        if self.next < len(headings) and headings[self.next].start < end:
            text = text_at(self.lines, self.ends, start, end)
            until = text if text < end else start + 1
            while self.next < len(headings) and headings[self.next].start < until:
                self._enter()
        return self.titles

    def _enter(self) -> None:
        heading = self.headings[self.next]
        self.next += 1
        while self.above and self.above[-1][0] >= heading.level:
            self.above.pop()
        self.above.append((heading.level, heading.title))
        self.titles = tuple(title for _, title in self.above)


def _overlap_start(body: Body, previous: Piece, piece: Piece) -> int:
    """Return where the chunk begins to repeat the end of the piece before.

    It is a paragraph, else a sentence, else a line.
    """
    most = body.sizes.overlap
    if not most or piece.level in _CHANGES_SUBJECT or previous.text is not None:
        return piece.start
    lines, sums = body.lines, body.sums
    floor = sums[previous.end] - most
    best, strength = piece.start, 0
    # Never the whole of the piece before: that would be the same chunk twice.
    for at in range(previous.end - 1, previous.start, -1):
        if sums[at] < floor or at in body.heading_ends:
            break
        line, before = lines[at], lines[at - 1]
        if at in body.held or blank(line):
            continue
        seam = 3 if blank(before) else 1
        if seam == 1 and ends_sentence(before):
            seam = 2
        if seam >= strength:
            best, strength = at, seam
    return best
