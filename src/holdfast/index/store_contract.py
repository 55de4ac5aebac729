"""The store contract: what sync writes and search reads, whatever holds the rows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.embeddings.embedder import SpaceKey
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_row import Fact
from holdfast.named_tuple import NamedTuple

if TYPE_CHECKING:
    from holdfast.notes.note import Note

__all__ = [
    "Batch",
    "ChunkRow",
    "Coverage",
    "Identity",
    "Near",
    "NoteRows",
    "NoteShare",
    "NoteState",
    "Places",
    "RankedRow",
    "Shelf",
    "StoredChunk",
    "VectorShelf",
    "Within",
    "Word",
    "as_ranked",
    "as_state",
    "as_stored",
    "state_of",
]


class Identity(NamedTuple):
    """The settings and versions that decide which rows a note becomes; another identity means other rows."""

    tokens: int
    overlap: int
    analyser: int
    tokenizer: str = "holdfast"
    cutting: int = 0
    """The rules by which notes become chunks, and what is stored beside each."""


class NoteState(NamedTuple):
    """The state of a note on disk as the index knows it; `settled` is False while its time stamps can't be trusted."""

    hash: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    settled: bool


as_state: Callable[[Iterable[Any]], NoteState] = partial(tuple.__new__, NoteState)
"""Makes a `NoteState` of its parts without a Python call: every look makes thousands."""


def state_of(note: Note) -> NoteState:
    """Return what the index is to believe of a note that was just read."""
    return NoteState(note.hash, note.size, note.mtime_ns, note.ctime_ns, note.inode, note.settled)


class ChunkRow(NamedTuple):
    """One chunk, ready to be stored."""

    chunk_id: str
    text_hash: str
    start_line: int
    end_line: int
    headings: tuple[str, ...]
    text: str
    fact: Fact | None = None
    origin: Origin | None = None
    """Whose words they are, of several the one trusted least; None where nobody can tell."""
    by_line: str | None = None
    """Whose each line is, as `guard/origin.py` writes it, where they are not all the same one's."""
    voice: int = 0
    """Whose turn of a conversation it is, by the numbers of `markdown/speakers.py`."""
    block: str | None = None
    """The hash of the block that it is embedded in where that is another text than its own (`markdown/blocks.py`)."""


class NoteRows(NamedTuple):
    """A note and all its chunks: they replace whatever the store has for this path.

    Where a text only grew, such as a transcript, they are its new part: the chunks that the store has of lines before
    `grows_at` stay as they are.
    """

    path: str
    source: str
    state: NoteState
    title: str
    chunks: Sequence[ChunkRow]
    grows_at: int = 0
    journal_seq: int = 0
    """The number of the last line of the checkpoints' journal that tells of the note; 0 where none does."""
    blocks: Mapping[str, str] = MappingProxyType({})
    """The texts of the chunks' blocks, by their hashes."""


class Batch(NamedTuple):
    """Changes that become visible together.

    `seen` is what the store had when the notes were read. Where it has something else by now, another process was
    quicker, and may have read a newer note than we did; such a note is left out. None asks for no such care. With
    `more_to_come`, the writer completes the index afterwards, and lookups take longer until then.
    """

    puts: Sequence[NoteRows] = ()
    touches: Sequence[tuple[str, NoteState]] = ()
    drops: Sequence[str] = ()
    seen: Mapping[str, NoteState] | None = None
    more_to_come: bool = False


class StoredChunk(NamedTuple):
    """A chunk as the store gives it back; `row` is only good inside the store that gave it."""

    row: int
    chunk_id: str
    text_hash: str
    path: str
    source: str
    start_line: int
    end_line: int
    headings: tuple[str, ...]
    text: str
    title: str = ""
    mtime_ns: int = 0
    fact: Fact | None = None
    origin: Origin | None = None
    by_line: str | None = None
    voice: int = 0


class Within(NamedTuple):
    """Says where a search may look: all chunks of these notes, and these chunks; both by their rows.

    With `all_but`, it may look everywhere else. That is the shorter list where a home has thousands of notes, and every
    search leaves out the archive and the reports of dreams.
    """

    notes: Collection[int]
    chunks: Collection[int] = ()
    all_but: bool = False


class RankedRow(NamedTuple):
    """A chunk in a ranking: its row and what it scores there."""

    row: int
    score: float


as_ranked: Callable[[Iterable[Any]], RankedRow] = partial(tuple.__new__, RankedRow)
"""Makes a `RankedRow` of a table's row without a Python call: every search makes hundreds."""

as_stored: Callable[[Iterable[Any]], StoredChunk] = partial(tuple.__new__, StoredChunk)
"""The same for `StoredChunk`."""


class NoteShare(NamedTuple):
    """Holds what the words of a question score in whole notes, by their rows, and what a note could reach at best."""

    scores: Mapping[int, float]
    ideal: float
    notes: int = 0
    """How many notes there are."""
    held: Mapping[str, int] = MappingProxyType({})
    """How many of them hold each word, by its text; at the most, of a word that very many chunks hold."""


class Places:
    """The chunks of some notes where they stand, note by note in their order: rows, notes and sizes in bytes."""

    def __init__(self, rows: Sequence[int], notes: Sequence[int], sizes: Sequence[int]) -> None:
        self.rows = rows
        self.notes = notes
        self.sizes = sizes
        self.at = dict(zip(rows, range(len(rows)), strict=True))
        """Which of them each row is, counted from 0."""

    @cached_property
    def spans(self) -> dict[int, tuple[int, int]]:
        """The places at which the chunks of each note begin and end."""
        found: dict[int, tuple[int, int]] = {}
        notes, begin = self.notes, 0
        while begin < len(notes):
            end = bisect_right(notes, notes[begin], begin)
            found[notes[begin]] = begin, end
            begin = end
        return found

    def rows_of(self, note: int) -> Sequence[int]:
        """Return the chunks of a note, in their order."""
        begin, end = self.spans.get(note, (0, 0))
        return self.rows[begin:end]


class Near(NamedTuple):
    """The chunks nearest to a question, and what is needed to judge how near that is.

    `others` are the similarities of chunks that were asked for beside the nearest; `background` is the similarity
    that a chunk has to the question when it has nothing to do with it, the median over a sample of all, and `spread`
    how far from it such chunks lie.
    """

    ranked: list[RankedRow]
    others: Mapping[int, float]
    background: float
    spread: float = 0.1


class Word(NamedTuple):
    """One word of a lexical query, or several in a row with spaces between them.

    It stands for itself, or for everything that starts with it. A heavy word counts four times, a light one half.
    `parts` are asked for instead where it stands nowhere. `typed` is what it was made from, for an index that cuts
    words by rules of its own.
    """

    text: str
    prefix: bool = False
    heavy: bool = False
    light: bool = False
    parts: tuple[str, ...] = ()
    typed: str = ""


class Coverage(NamedTuple):
    """Says how many distinct texts there are to embed, chunks or blocks, and how many have been in one space."""

    texts: int
    embedded: int

    @property
    def share(self) -> float:
        """Return how much of it is done: what can be compared between a space of passages and one of blocks."""
        if not self.texts:
            return 0.0
        return self.embedded / self.texts


class Shelf(Protocol):
    """The notes and chunks of one agent."""

    def known(self) -> Mapping[str, NoteState]:
        """Return every note the store has rows for."""
        ...

    def write(self, batch: Batch) -> Collection[str]:
        """Apply a batch in one transaction: all of it can be found, or none of it. Gives the paths it left out."""
        ...

    def keywords(self, words: Sequence[Word], limit: int, within: Within | None = None) -> list[RankedRow]:
        """Return chunks that hold some of the words, best first; the score grows with relevance."""
        ...

    def chunks(self, rows: Iterable[int]) -> dict[int, StoredChunk]:
        """Return the chunks of these rows; a row that is gone is left out."""
        ...

    def chunk_at(self, chunk_id: str | None = None, path: str = "", line: int = 0) -> StoredChunk | None:
        """Return the chunk with this id, or the one that holds this line of a note."""
        ...


class VectorShelf(Protocol):
    """The vectors of one space; also the embedding cache."""

    @property
    def space(self) -> SpaceKey:
        """The space all these vectors belong to."""
        ...

    def pending(self, limit: int) -> list[tuple[str, str]]:
        """Return texts of chunks or blocks that were never embedded in this space: (hash, text)."""
        ...

    def put(self, rows: Sequence[tuple[str, bytes]]) -> None:
        """Store packed vectors by the hash of their text; b"" records that a text has none."""
        ...

    def nearest(self, vector: bytes, limit: int, beside: Iterable[int] = (), within: Within | None = None) -> Near:
        """Return chunks by cosine similarity, best first, and the similarity of some chunks by their rows.

        In a space that goes by block, they are the passages of `limit` blocks.
        """
        ...

    def coverage(self) -> Coverage:
        """Return how much of the notes this space covers."""
        ...
