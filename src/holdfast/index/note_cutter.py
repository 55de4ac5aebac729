"""A note → its rows in the index: cut by the rules of its kind, each chunk with whose words it holds."""

from __future__ import annotations

from functools import cached_property
from hashlib import sha256

from holdfast.guard.origin import Origin
from holdfast.guard.paths import INBOX
from holdfast.guard.text_rules import decode
from holdfast.index.block_rows import with_blocks
from holdfast.index.chunk_origins import Whose
from holdfast.index.sqlite.edition import Edition
from holdfast.index.store_contract import ChunkRow, NoteRows, NoteState, state_of
from holdfast.markdown.chunk import Chunked
from holdfast.markdown.chunk_ids import chunk_ids, text_hash
from holdfast.markdown.fact_row import category_of
from holdfast.markdown.inbox_mark import without_inbox_marks
from holdfast.markdown.note_kinds import holds_items, kept_by_hand
from holdfast.markdown.splitter import split, split_passages
from holdfast.notes.note import Note
from holdfast.notes.workspace import Workspace
from holdfast.settings.index_settings import ChunkingSettings

__all__ = ["NoteCutter"]

_STAMP = "---\nexported-by: holdfast\n"  # what an export says of itself is nothing to be found


class NoteCutter:
    """Cuts notes into rows for one edition."""

    def __init__(self, edition: Edition, workspace: Workspace, chunking: ChunkingSettings) -> None:
        self._edition = edition
        self._workspace = workspace
        self._chunking = chunking

    @cached_property
    def _whose(self) -> Whose:
        return Whose(self._workspace, self._edition.origins.known)

    def rows(self, note: Note, source: str, before: NoteState | None = None) -> NoteRows:
        """Return a note as rows; where it only gained facts since it was as `before`, the rows of the new facts."""
        text = decode(note.data)
        lines_kept = 0
        if before is not None and category_of(note.path) and _only_gained_facts(note, before):
            lines_kept = note.data.count(b"\n", 0, before.size)
            text = decode(note.data[before.size :])
        cut = self._cut(note.path, text, lines_kept)
        origin = self._whose.all_of(note, source)
        rows = self._chunk_rows(note.path, cut, origin, lines_kept)
        journal_seq = 0
        if origin is None:
            journal_seq, rows = self._whose.each_of(note, rows)
        blocks: dict[str, str] = {}
        if cut.by_passage:
            rows, blocks = with_blocks(rows, self._chunking.tokens, self._chunking.overlap)
        first_new = 0
        if lines_kept:
            first_new = lines_kept + 1
        return NoteRows(
            note.path, source, state_of(note), cut.title, rows, first_new, journal_seq=journal_seq, blocks=blocks
        )

    def _cut(self, path: str, text: str, lines_kept: int) -> Chunked:
        """Cut a text by the rules of its note's kind; it begins below `lines_kept` lines that stay as they are."""
        tokens, overlap = self._chunking.tokens, self._chunking.overlap
        if category := category_of(path):
            cut = split(text, tokens=tokens, category=category)
            if not lines_kept:
                return cut
            below = [
                chunk._replace(start_line=chunk.start_line + lines_kept, end_line=chunk.end_line + lines_kept)
                for chunk in cut.chunks
            ]
            return cut._replace(chunks=tuple(below))
        if holds_items(path):
            from holdfast.markdown.item_sections import split_items

            return split_items(text, tokens=tokens, overlap=overlap)
        if path == INBOX:
            text = without_inbox_marks(text)
        return split_passages(text, tokens=tokens, overlap=overlap, by_hand=kept_by_hand(path))

    def _chunk_rows(self, path: str, cut: Chunked, origin: Origin | None, lines_kept: int) -> list[ChunkRow]:
        """Return the chunks as rows with their ids, but for the one that an export says of itself."""
        earlier = {}
        if lines_kept:  # the same words may stand above what was added
            earlier = self._edition.facts.times_in(path, [chunk.text for chunk in cut.chunks])
        return [
            ChunkRow(
                chunk_id,
                text_hash(chunk.text),
                chunk.start_line,
                chunk.end_line,
                chunk.headings,
                chunk.text,
                chunk.fact,
                origin if chunk.fact is None else chunk.fact.origin,
                voice=chunk.voice,
            )
            for chunk_id, chunk in zip(chunk_ids(path, cut.chunks, earlier), cut.chunks, strict=True)
            if not (chunk.start_line == 1 and chunk.text.startswith(_STAMP))
        ]


def _only_gained_facts(note: Note, before: NoteState) -> bool:
    """Say whether a note of facts is as it was with facts below, which can be cut by themselves."""
    from holdfast.markdown.fact_tail import stands_alone

    above, below = note.data[: before.size], note.data[before.size :]
    return stands_alone(above, below) and sha256(above).hexdigest() == before.hash
