"""What an index holds, and what it would hold if it were built anew from the same notes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import NamedTuple

from holdfast import Memory
from holdfast.embeddings.embedder import Embedder, Purpose
from holdfast.embeddings.vector_check import pack_vectors
from holdfast.search.query import words_of

__all__ = ["Rows", "index_rows", "notes_of", "of_a_rebuild", "seen", "vector_scores"]

_WORD = re.compile(r"\w+")


class Row(NamedTuple):
    """One chunk of the serving edition; row numbers and times are left out, a rebuild deals them out anew."""

    path: str
    start_line: int
    end_line: int
    chunk_id: str
    text: str
    headings: tuple[str, ...]


Rows = tuple[list[Row], dict[str, set[str]]]


def notes_of(home: Path) -> dict[str, bytes]:
    """Every note of agent main on disk, read without Holdfast."""
    paths = [*home.glob("*.md"), *home.glob("memory/**/*.md")]
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in paths}


def index_rows(memory: Memory, words: set[str] | None = None) -> Rows:
    """All chunks of the serving edition, and for each word the ids of the chunks that keyword search finds."""
    edition = memory.ctx.database.serving()
    if edition is None:
        return [], {}
    numbers = [row for (row,) in memory.ctx.database.connection.all(f"SELECT id FROM e{edition.number}_chunks")]
    chunks = edition.chunks(numbers)
    assert len(chunks) == len(numbers), "a chunk has no note"
    if words is None:
        words = {word for chunk in chunks.values() for word in _WORD.findall(chunk.text)}
    indexed = memory.ctx.database.connection.all(f"SELECT id FROM e{edition.number}_words_docsize")
    assert {row for (row,) in indexed} == set(numbers), "the full-text index has rows that no chunk has, or too few"
    found = {word: {chunks[one.row].chunk_id for one in edition.keywords(words_of(word), 100_000)} for word in words}
    return (
        sorted(Row(c.path, c.start_line, c.end_line, c.chunk_id, c.text, c.headings) for c in chunks.values()),
        found,
    )


def of_a_rebuild(memory: Memory, scratch: Path, words: set[str] | None = None) -> Rows:
    """The same for a fresh home that holds the same notes and has never seen anything else."""
    shutil.rmtree(scratch, ignore_errors=True)
    for path, data in notes_of(Path(memory.home)).items():
        target = scratch / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    with Memory.open(scratch, settings=memory.settings) as fresh:
        fresh.ctx.sync(embed_limit=0)  # rows have no vectors
        return index_rows(fresh, words)


def vector_scores(memory: Memory, embedder: Embedder, text: str) -> list[tuple[str, float]]:
    """The chunks nearest to a text in the embedder's space, by id."""
    (vector,) = pack_vectors(embedder.embed([text], Purpose.QUERY), 1, embedder.space)
    near = memory.ctx.database.vectors(embedder.space).nearest(vector, 10_000)
    edition = memory.ctx.database.serving()
    chunks = edition.chunks([one.row for one in near.ranked]) if edition else {}
    return sorted((chunks[one.row].chunk_id, one.score) for one in near.ranked)


def seen(memory: Memory, word: str) -> set[str]:
    """The paths of the notes in which a search finds a word."""
    return {hit.path for hit in memory.search(word, max_results=100).results if hit.text_score is not None}
