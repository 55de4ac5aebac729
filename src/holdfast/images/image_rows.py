"""An image and what was read in it → its row in the index: a note of one passage, whose words are a stranger's."""

from __future__ import annotations

from holdfast.guard.origin import Origin
from holdfast.index.store_contract import ChunkRow, NoteRows, NoteState
from holdfast.markdown.chunk import Chunk
from holdfast.markdown.chunk_ids import chunk_ids, text_hash

__all__ = ["image_rows", "unread_rows"]


def image_rows(path: str, source: str, state: NoteState, text: str) -> NoteRows:
    """The row of an image."""
    lines = text.count("\n") + 1
    [name] = chunk_ids(path, [Chunk(1, lines, text, ())])
    chunk = ChunkRow(name, text_hash(text), 1, lines, (), text, origin=Origin.OUTSIDE)
    return NoteRows(path, source, state, _title(path), [chunk])


def unread_rows(path: str, source: str, state: NoteState) -> NoteRows:
    """An image that can't be read: it is known, so that it is not tried again, and found by nothing."""
    return NoteRows(path, source, state, _title(path), [])


def _title(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]
