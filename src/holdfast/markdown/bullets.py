"""Cuts a note of facts: each bullet is a fact and a chunk, without the mark that stands behind its words.

Marks are taken away before anything is cut, so a long fact keeps its mark in every piece, and no cut goes through one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from holdfast.markdown.body import Body, measure
from holdfast.markdown.chunk import Chunk
from holdfast.markdown.entries import Start, cut_entries, says_nothing
from holdfast.markdown.fact_lines import fact_starts
from holdfast.markdown.fact_mark import read_entry
from holdfast.markdown.fact_row import Category, Fact, fact_of
from holdfast.markdown.lines import skip_blank
from holdfast.markdown.outline import Fence
from holdfast.markdown.overlap import to_chunks

__all__ = ["facts"]


def facts(body: Body, begin: int, end: int, fences: Sequence[Fence], category: Category) -> list[Chunk]:
    """Return the chunks of the lines from `begin` to `end`, facts and others."""
    begins = fact_starts(body, begin, end, fences)
    lines, known = _strip_marks(body.lines, [Start(begin, 0), *begins, Start(end, 0)], category)
    bare = measure(lines, body.headings, fences, body.sizes)
    # A mark whose words somebody deleted leaves nothing to find.
    pieces = [piece._replace(start=skip_blank(lines, *piece[:2])) for piece in cut_entries(bare, begin, end, begins)]
    pieces = [piece for piece in pieces if not all(map(says_nothing, lines[piece.start : piece.end]))]
    at = [start.line for start in begins]
    return [chunk._replace(fact=_fact_at(known, at, chunk.start_line - 1)) for chunk in to_chunks(bare, pieces)]


def _strip_marks(
    lines: Sequence[str], begins: Sequence[Start], category: Category
) -> tuple[list[str], dict[int, Fact | None]]:
    """Return the lines without marks, and the fact at each line where a bullet begins."""
    bare = list(lines)
    known: dict[int, Fact | None] = {}
    for start, after in pairwise(begins):
        if start.line == after.line:
            continue
        words, mark = read_entry("\n".join(lines[start.line : after.line]))
        bare[start.line : after.line] = words.split("\n")
        if start.bullet:
            known[start.line] = fact_of(category, bare[start.line], mark)
    return bare, known


def _fact_at(known: dict[int, Fact | None], begins: Sequence[int], line: int) -> Fact | None:
    """Return the fact that a line belongs to."""
    number = bisect_right(begins, line)
    if not number:
        return None
    return known.get(begins[number - 1])
