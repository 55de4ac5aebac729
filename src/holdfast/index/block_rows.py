"""Rows of passages → the same rows with the blocks they lie in."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.index.store_contract import ChunkRow
from holdfast.markdown.blocks import Part, cut_blocks
from holdfast.markdown.chunk_ids import text_hash

__all__ = ["with_blocks"]


def with_blocks(
    rows: Sequence[ChunkRow], tokens: int, overlap: int, begin: int = 0
) -> tuple[list[ChunkRow], dict[str, str]]:
    """Return the rows, those from `begin` on with the hash of their block, and the text of each block by its hash."""
    found, texts = list(rows), {}
    parts = [Part(row.text, row.start_line, row.end_line) for row in rows]
    for block in cut_blocks(parts, tokens, overlap, begin):
        name = None
        if not block.is_passage:
            name = text_hash(block.text)
            texts[name] = block.text
        for place in range(block.first, block.end):
            found[place] = ChunkRow._make((*rows[place][:-1], name))  # quicker than _replace()
    return found, texts
