"""Notes on disk → rows in the index, at the cost of what changed.

A note whose size, times and inode are as recorded is not read; one that was read is not chunked unless its bytes
changed; a chunk that was there before is not embedded again. Each batch is one transaction, so a crash leaves
notes that are indexed and notes that are not, never one that looks current and can't be found.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.embeddings.chain import Chain
from holdfast.errors import BadText, HoldfastError, NoteNotFound
from holdfast.guard.paths import INBOX, NotePath, readable_path
from holdfast.guard.text_rules import decode
from holdfast.index.analyzer import ANALYSER, SHARED_ANALYSER
from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.edition import Edition
from holdfast.index.store_contract import Batch, ChunkRow, Identity, NoteRows, NoteState
from holdfast.index.vector_fill import Filling, fill, fill_texts
from holdfast.named_tuple import NamedTuple
from holdfast.notes.note import Note, NoteFile, SkippedFile
from holdfast.notes.staleness import refuse_stale
from holdfast.notes.workspace import Workspace
from holdfast.progress import Progress
from holdfast.settings.index_settings import ChunkingSettings
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.index.chunk_origins import Whose
    from holdfast.index.embedding_pipeline import Ahead

__all__ = ["ImagesRead", "Synced", "identity_of", "is_trusted", "sync", "sync_changed", "sync_notes"]

_MANY = 700  # notes, some ten thousand passages; for fewer, a second process does not earn what its start costs
_BATCH_BYTES = 3_000_000  # about 100 ms of writing: long enough to be efficient, short enough for others to wait
_REFRESHED_AT_ONCE = 200  # notes of one transaction: with 48 kB each, the longest that an agent writes, 10 MB
_FEW_TEXTS = 256  # that are embedded by themselves: with more, what else there is to do costs little beside them
_LOOKS = 3  # an edition that takes over is compared once more; a third time only if yet another one was published
_TRIES = 20  # every lost race is a write that another process won, so this is never reached in practice
_AS_SET = Filling()
# Part of the index's identity: raise it whenever notes or transcripts become other chunks, or other things are stored
# beside them.
_CUTTING = 7
_STAMP = "---\nexported-by: holdfast\n"  # what an export says of itself is nothing to be found
_TRANSCRIPTS = "sessions/"  # live transcripts, which are no notes: the room `sessions` brings their rows


class Synced(Value):
    """Holds what a sync did."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    skipped: tuple[SkippedFile, ...] = ()
    messages: int = 0
    """Lines of transcripts that were indexed, where `memory.sources` has sessions."""
    embedded: int = 0
    pending: int = 0
    held_back: int = 0
    """Texts of these that are not sent to another machine before the owner agrees."""
    images: int = 0
    """Images that were read."""
    images_pending: int = 0
    """Images that wait to be read; a search leaves them to `holdfast index`, `watch` and servers."""
    because: str = ""
    look_ms: float = 0.0
    took_ms: float = 0.0


class ImagesRead(Value):
    """Holds what became of the images in one edition."""

    read: int = 0
    pending: int = 0
    skipped: tuple[SkippedFile, ...] = ()
    because: str = ""


def identity_of(chunking: ChunkingSettings, tokenizer: str = "holdfast") -> Identity:
    """Return the identity that the current settings and this version of the analyser give to an index."""
    return Identity(chunking.tokens, chunking.overlap, ANALYSER, tokenizer, _CUTTING)


@refuse_stale()  # notes as they were once must not go into an index that knows more
def sync(
    database: Database,
    workspace: Workspace,
    chunking: ChunkingSettings,
    *,
    chain: Chain | None = None,
    filling: Filling = _AS_SET,
    tokenizer: str = "holdfast",
    anew: bool = False,
    transcripts: Callable[[Edition], int] | None = None,
    images: Callable[[Edition], ImagesRead] | None = None,
) -> Synced:
    """Make the index say what the notes say; `anew` builds it beside the old one, from the notes alone.

    Rows of transcripts are left to `transcripts`, which says how many lines it added; without it they go. Those of
    images are left to `images` in the same way.
    """
    began = time.perf_counter()
    identity = identity_of(chunking, tokenizer)
    tally = {"added": 0, "changed": 0, "removed": 0}
    messages = 0
    pictures = ImagesRead()
    texts: dict[str, str] = {}
    ahead: Ahead | None = None
    many = False
    try:
        edition = database.edition(identity, anew=anew)
        for _ in range(_LOOKS):
            look = _look(edition, workspace, keep=_TRANSCRIPTS if transcripts is not None else "")
            if not many and len(look.suspects) > _MANY:
                many = True
                from holdfast.index.embedding_pipeline import ahead_of

                SHARED_ANALYSER.remember_many()
                ahead = ahead_of(chain, database, filling)
            skipped = _compare(edition, workspace, chunking, look, tally, texts, filling.progress, ahead)
            if transcripts is not None:
                messages += transcripts(edition)
            if images is not None:
                pictures = images(edition)
                skipped += pictures.skipped
            if not database.publish(edition):
                break
            edition = database.edition(identity)
        if ahead is not None:
            ahead.finish()
    finally:
        database.end_build()
        if ahead is not None:
            ahead.close()
        if many:  # what was learnt takes more memory than it will soon save
            SHARED_ANALYSER.forget()
    dirty = anew or any(tally.values()) or messages > 0 or pictures.read > 0
    embedded = 0
    if ahead is not None:
        embedded = ahead.embedded
    if 0 < len(texts) <= _FEW_TEXTS and filling.limit is None:
        embedded += fill_texts(database, chain, texts) or 0
    filled = fill(database, chain, filling, dirty=dirty)
    unread = {note.path for note in look.suspects}.intersection(left.path for left in skipped)
    return Synced(
        **tally,
        unchanged=max(0, look.found - tally["added"] - tally["changed"] - len(unread)),
        skipped=tuple(sorted(skipped)),
        messages=messages,
        images=pictures.read,
        images_pending=pictures.pending,
        embedded=filled.embedded + embedded,
        pending=filled.pending,
        held_back=filled.held_back,
        because="; ".join(filter(None, (filled.because, pictures.because))),
        look_ms=look.took_ms,
        took_ms=(time.perf_counter() - began) * 1000,
    )


@refuse_stale()
def sync_notes(
    database: Database,
    workspace: Workspace,
    chunking: ChunkingSettings,
    paths: Sequence[str],
    *,
    chain: Chain | None = None,
    filling: Filling = _AS_SET,
    tokenizer: str = "holdfast",
    tidy: bool = True,
    left: int = 0,
) -> bool:
    """Bring some notes of the workspace up to date at once; for a change we have just made ourselves.

    It goes into every edition there is, each by its own rules: the one that serves, and one that is being built.
    Without `tidy` only the new texts are embedded, where the model that comes with Holdfast does that; and not even
    those where there are `left` of them at the most. Says whether anything was embedded.
    """
    if not database.editions():
        database.edition(identity_of(chunking, tokenizer))
    texts: dict[str, str] = {}
    for edition, identity in database.editions():
        own = chunking.replace(tokens=identity.tokens, overlap=identity.overlap)
        texts |= _refresh(edition, workspace, own, paths)
    if left and not tidy and len(texts) <= left:
        return False
    if tidy or len(texts) > _FEW_TEXTS or fill_texts(database, chain, texts) is None:
        fill(database, chain, filling)
    return True


@refuse_stale()
def sync_changed(edition: Edition, workspace: Workspace, chunking: ChunkingSettings, notes: Sequence[NoteFile]) -> bool:
    """Bring those of some notes up to date that are not as recorded; says whether there were any.

    For who is to ask one edition about a few notes, and to believe the answer.
    """
    known = edition.states([note.path for note in notes])
    cut = _Cutting(edition, workspace, chunking)
    puts: list[NoteRows] = []
    touches: list[tuple[str, NoteState]] = []
    with workspace.reader() as read:
        for found in notes:
            before = known.get(found.path)
            if is_trusted(before, found):
                continue
            with suppress(HoldfastError):  # what can't be read has no rows; whoever reads it says why
                note = read(found)
                if before is None or before.hash != note.hash:
                    puts.append(cut.rows(note, found.source, before))
                elif note.settled:
                    touches.append((found.path, _state(note)))
    if puts or touches:
        edition.write(Batch(puts, touches, seen=known))
    return bool(puts)


class _Look(NamedTuple):
    """Holds what a look at the notes found: those that may have changed, and what it cost."""

    known: Mapping[str, NoteState]
    found: int
    suspects: Sequence[NoteFile]
    gone: Sequence[str]
    skipped: Sequence[SkippedFile]
    took_ms: float


def _look(edition: Edition, workspace: Workspace, *, keep: str = "") -> _Look:
    """Compare what is recorded of each note with what its directory entry says; what `keep` begins is no note."""
    began = time.perf_counter()
    # In this order: a note that another process makes and indexes between the two must not look like one that is gone.
    known = edition.known()
    walk = workspace.walk()
    present = {found.path for found in (*walk.found, *walk.media)}
    return _Look(
        known,
        len(walk.found),
        [found for found in walk.found if not is_trusted(known.get(found.path), found)],
        [path for path in known if path not in present and not (keep and path.startswith(keep))],
        walk.skipped,
        (time.perf_counter() - began) * 1000,
    )


def _compare(
    edition: Edition,
    workspace: Workspace,
    chunking: ChunkingSettings,
    look: _Look,
    tally: dict[str, int],
    texts: dict[str, str],
    progress: Progress | None,
    ahead: Ahead | None,
) -> list[SkippedFile]:
    """Bring one edition up to date with what a look found; says which notes were left out.

    `texts` gets what was written, by its hash, for as long as that is little.
    """
    known, skipped = look.known, list(look.skipped)
    late: list[str] = []
    cut = _Cutting(edition, workspace, chunking)
    written = 0
    with workspace.reader() as read:
        for batch in _batches(look.suspects, read, known, cut, skipped, tally, progress):
            written += 1
            late += edition.write(batch._replace(seen=known))
            if ahead is not None:
                ahead.feed(batch.puts)
            if len(texts) <= _FEW_TEXTS:
                texts |= _texts_of(batch)
    unreadable = {note.path for note in skipped if note.path in known}
    gone = list(dict.fromkeys([*look.gone, *unreadable]))
    if gone:
        late += edition.write(Batch(drops=gone, seen=known))
        tally["removed"] += len(gone)
    if written > 1:
        edition.settle()
    edition.complete()
    # Nobody writes to extra paths through us; whoever was quicker has just read it.
    _refresh(edition, workspace, chunking, [path for path in late if not path.startswith("/")])
    return skipped


def _refresh(
    edition: Edition, workspace: Workspace, chunking: ChunkingSettings, paths: Sequence[str]
) -> dict[str, str]:
    """Index notes as they are now, and return the texts that were written, by their hashes.

    Those that another process indexes at the same time are read again.
    """
    texts: dict[str, str] = {}
    for start in range(0, len(paths), _REFRESHED_AT_ONCE):
        left: Collection[str] = paths[start : start + _REFRESHED_AT_ONCE]
        for _ in range(_TRIES):
            batch = _batch_of(edition, workspace, chunking, left)
            texts |= _texts_of(batch)
            left = edition.write(batch)
            if not left:
                break
    return texts


def _texts_of(batch: Batch) -> dict[str, str]:
    return {chunk.text_hash: chunk.text for note in batch.puts for chunk in note.chunks}


def _batch_of(edition: Edition, workspace: Workspace, chunking: ChunkingSettings, paths: Collection[str]) -> Batch:
    seen = {path: state for path in paths if (state := edition.state(path)) is not None}
    cut = _Cutting(edition, workspace, chunking)
    puts: list[NoteRows] = []
    drops: list[str] = []
    with workspace.reader() as read:
        for path in paths:
            try:
                puts.append(cut.rows(read(readable_path(path)), "memory", seen.get(path)))
            except (NoteNotFound, BadText):
                drops.append(path)
    return Batch(puts=puts, drops=drops, seen=seen)


def is_trusted(state: NoteState | None, found: NoteFile) -> bool:
    """Say whether the time stamps alone prove that the note is as recorded."""
    # Size, both times and inode, as both hold them in this order: a look asks it of every note.
    return state is not None and state[1:5] == found[2:] and state.settled


def _batches(
    suspects: Sequence[NoteFile],
    read: Callable[[NoteFile | NotePath], Note],
    known: Mapping[str, NoteState],
    cut: _Cutting,
    skipped: list[SkippedFile],
    tally: dict[str, int],
    progress: Progress | None,
) -> Iterator[Batch]:
    puts: list[NoteRows] = []
    touches: list[tuple[str, NoteState]] = []
    weight = 0
    for done, found in enumerate(suspects, 1):
        before = known.get(found.path)
        try:
            note = read(found)
            if before is not None and before.hash == note.hash:
                touches.append((found.path, _state(note)))
            else:
                puts.append(cut.rows(note, found.source, before))
                tally["added" if before is None else "changed"] += 1
                weight += len(note.data)
        except HoldfastError as error:
            skipped.append(SkippedFile(found.path, getattr(error, "why", None) or str(error)))
        if weight > _BATCH_BYTES or len(puts) + len(touches) > 2_000:
            yield Batch(puts, touches, more_to_come=True)
            puts, touches, weight = [], [], 0
        if progress is not None and (done % 50 == 0 or done == len(suspects)):
            progress("Indexing", done, len(suspects))
    if puts or touches:
        yield Batch(puts, touches)


class _Cutting:
    """Turns notes into rows for one edition."""

    def __init__(self, edition: Edition, workspace: Workspace, chunking: ChunkingSettings) -> None:
        self._edition = edition
        self._workspace = workspace
        self._chunking = chunking

    @cached_property
    def _whose(self) -> Whose:
        # Imported here: a look that finds nothing changed does without, and most looks do.
        from holdfast.index.chunk_origins import Whose

        return Whose(self._workspace, self._edition.origins.known)

    def rows(self, note: Note, source: str, before: NoteState | None = None) -> NoteRows:
        """Return a note as rows; of one that only had facts added since it was as `before`, the rows of these."""
        from holdfast.index.block_rows import with_blocks
        from holdfast.markdown.chunk_ids import chunk_ids, text_hash
        from holdfast.markdown.fact_row import category_of
        from holdfast.markdown.note_kinds import holds_items, kept_by_hand
        from holdfast.markdown.splitter import split, split_passages

        text = decode(note.data)
        if note.path == INBOX:
            from holdfast.markdown.inbox_mark import without_inbox_marks

            text = without_inbox_marks(text)
        grows_at = 0
        if category := category_of(note.path):
            if before is not None and _only_gained_facts(note, before):
                grows_at = note.data.count(b"\n", 0, before.size)
                text = decode(note.data[before.size :])
            title, _, chunks, by_passage = split(text, tokens=self._chunking.tokens, category=category)
            chunks = tuple(
                chunk._replace(start_line=chunk.start_line + grows_at, end_line=chunk.end_line + grows_at)
                for chunk in chunks
            )
        elif holds_items(note.path):
            from holdfast.markdown.item_sections import split_items

            title, _, chunks, by_passage = split_items(
                text, tokens=self._chunking.tokens, overlap=self._chunking.overlap
            )
        else:
            title, _, chunks, by_passage = split_passages(
                text,
                tokens=self._chunking.tokens,
                overlap=self._chunking.overlap,
                by_hand=kept_by_hand(note.path),
            )
        origin = self._whose.all_of(note, source)
        # The same words may stand above what was added.
        if grows_at:
            earlier = self._edition.facts.times_in(note.path, [chunk.text for chunk in chunks])
        else:
            earlier = {}
        rows = [
            ChunkRow(
                chunk_id,
                text_hash(c.text),
                c.start_line,
                c.end_line,
                c.headings,
                c.text,
                c.fact,
                origin if c.fact is None else c.fact.origin,
                voice=c.voice,
            )
            for chunk_id, c in zip(chunk_ids(note.path, chunks, earlier), chunks, strict=True)
            if not (c.start_line == 1 and c.text.startswith(_STAMP))
        ]
        seq = 0
        if origin is None:
            seq, rows = self._whose.each_of(note, rows)
        blocks: dict[str, str] = {}
        if by_passage:
            rows, blocks = with_blocks(rows, self._chunking.tokens, self._chunking.overlap)
        first_new = 0
        if grows_at:
            first_new = grows_at + 1
        return NoteRows(note.path, source, _state(note), title, rows, first_new, journal_seq=seq, blocks=blocks)


def _only_gained_facts(note: Note, before: NoteState) -> bool:
    """Say whether a note of facts is as it was with facts below, which can be cut by themselves."""
    from hashlib import sha256  # here, as a look that finds nothing changed needs none of it

    from holdfast.markdown.fact_tail import stands_alone

    above, below = note.data[: before.size], note.data[before.size :]
    return stands_alone(above, below) and sha256(above).hexdigest() == before.hash


def _state(note: Note) -> NoteState:
    return NoteState(note.hash, note.size, note.mtime_ns, note.ctime_ns, note.inode, note.settled)
