"""Front matter is no answer: its title, tags and description are found by, and the note's first passage is shown."""

from __future__ import annotations

from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.edition import Edition
from holdfast.index.store_contract import StoredChunk
from holdfast.markdown.front_matter import front_end
from holdfast.markdown.lines import split_lines
from holdfast.search.inquiry import Candidates

__all__ = ["is_front", "skip_front_matter"]


def is_front(chunk: StoredChunk) -> bool:
    """Say whether a passage is nothing but the front matter of its note."""
    return chunk.start_line == 1 and chunk.text.startswith("---") and _is_whole(chunk)


def skip_front_matter(database: Database, edition: Edition | None, found: Candidates) -> Candidates:
    """Return the candidates in their order, where the first passage of a note stands in the place of its front matter.

    It is the last thing to be done: until then, what was found is what is read. It keeps the row that was found, so
    that all that is known of why it was found stays true; where the passage was found itself, the better of the two
    stays. A note that is nothing else is shown as it is.
    """
    fronts = [row for row, chunk in found.chunks.items() if is_front(chunk)]
    if not fronts or edition is None:
        return found
    with database.connection.reading():
        serving = database.serving()
        if serving is None or serving.number != edition.number:  # then rows have other numbers
            return found
        first = serving.following(fronts)
    chunks = {**found.chunks, **{row: chunk._replace(row=row) for row, chunk in first.items()}}
    best: dict[str, int] = {}
    for candidate in found.ranked:  # best first
        best.setdefault(chunks[candidate.fused.row].chunk_id, candidate.fused.row)
    ranked = [
        candidate for candidate in found.ranked if best[chunks[candidate.fused.row].chunk_id] == candidate.fused.row
    ]
    return found._replace(ranked=ranked, chunks=chunks)


def _is_whole(chunk: StoredChunk) -> bool:
    lines = split_lines(chunk.text)
    return front_end(lines) == len(lines)
