"""What an index holds, in a form that two indexes can be compared by."""

from __future__ import annotations

from holdfast import Memory


def rows_of(memory: Memory) -> list[tuple[object, ...]]:
    """Every chunk with its place, without the row numbers that a rebuild deals out anew."""
    edition = memory.ctx.database.serving()
    assert edition is not None
    raw = memory.ctx.database.connection.all(f"SELECT id FROM e{edition.number}_chunks")
    chunks = edition.chunks(row for (row,) in raw).values()
    return sorted((c.path, c.start_line, c.end_line, c.chunk_id, c.text_hash, c.headings, c.text) for c in chunks)
