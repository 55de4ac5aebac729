"""Notes on disk → rows in the index, at the cost of what changed.

A note whose size, times and inode are as recorded is not read; one that was read is not chunked unless its bytes
changed; a chunk that was there before is not embedded again. Each batch is one transaction, so a crash leaves
notes that are indexed and notes that are not, never one that looks current and can't be found.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.embeddings.chain import Chain
from holdfast.errors import BadText, HoldfastError, NoteNotFound
from holdfast.guard.paths import readable_path
from holdfast.index.analyzer import ANALYSER, SHARED_ANALYSER
from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.edition import Edition
from holdfast.index.store_contract import Batch, Identity, NoteRows, NoteState, state_of
from holdfast.index.vector_fill import FillOptions, fill, fill_texts
from holdfast.named_tuple import NamedTuple
from holdfast.notes.note import NoteFile, SkippedFile
from holdfast.notes.staleness import refuse_stale
from holdfast.notes.workspace import Workspace
from holdfast.settings.index_settings import ChunkingSettings
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.index.embedding_pipeline import Ahead
    from holdfast.index.note_cutter import NoteCutter
    from holdfast.notes.note import Note

__all__ = ["ImagesRead", "NoteSource", "Synced", "identity_of", "is_trusted", "sync", "sync_changed", "sync_notes"]

_MANY = 700  # notes, some ten thousand passages; for fewer, a second process does not earn what its start costs
_BATCH_BYTES = 3_000_000  # about 100 ms of writing: long enough to be efficient, short enough for others to wait
_BATCH_NOTES = 2_000
_REFRESHED_AT_ONCE = 200  # notes of one transaction: with 48 kB each, the longest that an agent writes, 10 MB
_FEW_TEXTS = 256  # embedded on their own; beside more of them, the rest of a fill costs little
_LOOKS = 3  # an edition that takes over is compared once more; a third time only if yet another one was published
_TRIES = 20  # every lost race is a write that another process won, so this is never reached in practice
_AS_SET = FillOptions()
# Part of the index's identity: raise it whenever notes or transcripts become other chunks, or other things are stored
# beside them.
_CUTTING = 7
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


class NoteSource(NamedTuple):
    """The notes that an index is made from, and how they are cut into chunks."""

    workspace: Workspace
    chunking: ChunkingSettings
    tokenizer: str = "holdfast"

    @property
    def identity(self) -> Identity:
        """The identity of an index that is made so."""
        return identity_of(self.chunking, self.tokenizer)

    def cutter(self, edition: Edition) -> NoteCutter:
        """Return what turns notes into rows of an edition."""
        # Imported here, and asked for when a note is to be cut: most looks find nothing changed, and do without.
        from holdfast.index.note_cutter import NoteCutter

        return NoteCutter(edition, self.workspace, self.chunking)


@refuse_stale()  # notes as they were once must not go into an index that knows more
def sync(
    database: Database,
    notes: NoteSource,
    *,
    chain: Chain | None = None,
    filling: FillOptions = _AS_SET,
    anew: bool = False,
    transcripts: Callable[[Edition], int] | None = None,
    images: Callable[[Edition], ImagesRead] | None = None,
) -> Synced:
    """Make the index say what the notes say; `anew` builds it beside the old one, from the notes alone.

    `transcripts` writes the rows of transcripts and says how many lines it added; without it these rows go. `images`
    does the same for images.
    """
    began = time.perf_counter()
    run = _SyncRun(database, notes, chain, filling)
    try:
        run.index_notes(anew=anew, transcripts=transcripts, images=images)
    finally:
        run.close()
    embedded = run.embed_few_texts()
    filled = fill(database, chain, filling, dirty=anew or run.changed_rows)
    unread = {file.path for file in run.look.suspects}.intersection(left.path for left in run.skipped)
    return Synced(
        **run.counts,
        unchanged=max(0, run.look.found - run.counts["added"] - run.counts["changed"] - len(unread)),
        skipped=tuple(sorted(run.skipped)),
        messages=run.messages,
        images=run.pictures.read,
        images_pending=run.pictures.pending,
        embedded=filled.embedded + embedded,
        pending=filled.pending,
        held_back=filled.held_back,
        because="; ".join(filter(None, (filled.because, run.pictures.because))),
        look_ms=run.look.took_ms,
        took_ms=(time.perf_counter() - began) * 1000,
    )


@refuse_stale()
def sync_notes(
    database: Database,
    notes: NoteSource,
    paths: Sequence[str],
    *,
    chain: Chain | None = None,
    filling: FillOptions = _AS_SET,
    tidy: bool = True,
    left: int = 0,
) -> bool:
    """Bring some notes of the workspace up to date at once; for a change we have just made ourselves.

    It goes into every edition there is, each by its own rules: the one that serves, and one that is being built.
    Without `tidy` only the new texts are embedded, where the model that comes with Holdfast does that; and not even
    those where there are `left` of them at the most. Says whether anything was embedded.
    """
    if not database.editions():
        database.edition(notes.identity)
    texts: dict[str, str] = {}
    for edition, identity in database.editions():
        own = notes.chunking.replace(tokens=identity.tokens, overlap=identity.overlap)
        texts |= _refresh(edition, notes._replace(chunking=own), paths)
    if left and not tidy and len(texts) <= left:
        return False
    if tidy or len(texts) > _FEW_TEXTS or fill_texts(database, chain, texts) is None:
        fill(database, chain, filling)
    return True


@refuse_stale()
def sync_changed(edition: Edition, source: NoteSource, notes: Sequence[NoteFile]) -> bool:
    """Bring those of some notes up to date that are not as recorded; says whether there were any.

    A caller that is about to ask one edition about a few notes can then believe its answer.
    """
    known = edition.states([file.path for file in notes])
    suspects = [file for file in notes if not is_trusted(known.get(file.path), file)]
    if not suspects:
        return False
    cutter: NoteCutter | None = None
    puts: list[NoteRows] = []
    touches: list[tuple[str, NoteState]] = []
    with source.workspace.reader() as read:
        for file in suspects:
            before = known.get(file.path)
            with suppress(HoldfastError):  # what can't be read has no rows; its next reader says why
                note = read(file)
                if before is None or before.hash != note.hash:
                    cutter = cutter or source.cutter(edition)
                    puts.append(cutter.rows(note, file.source, before))
                elif note.settled:
                    touches.append((file.path, state_of(note)))
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
    present = {file.path for file in (*walk.found, *walk.media)}
    return _Look(
        known,
        len(walk.found),
        [file for file in walk.found if not is_trusted(known.get(file.path), file)],
        [path for path in known if path not in present and not (keep and path.startswith(keep))],
        walk.skipped,
        (time.perf_counter() - began) * 1000,
    )


def is_trusted(state: NoteState | None, file: NoteFile) -> bool:
    """Say whether the time stamps alone prove that the note is as recorded."""
    # Size, both times and inode, as both hold them in this order: a look asks it of every note.
    return state is not None and state[1:5] == file[2:] and state.settled


class _SyncRun:
    """One sync: what it found and wrote, and what embeds the texts of many notes ahead of their end."""

    look: _Look
    """The last look at the notes."""

    def __init__(self, database: Database, notes: NoteSource, chain: Chain | None, filling: FillOptions) -> None:
        self._database = database
        self._notes = notes
        self._chain = chain
        self._filling = filling
        self._ahead: Ahead | None = None
        self._has_many = False
        self._texts: dict[str, str] = {}  # what was written, by its hash, for as long as that is little
        self.counts = {"added": 0, "changed": 0, "removed": 0}
        self.skipped: list[SkippedFile] = []
        self.messages = 0
        self.pictures = ImagesRead()

    @property
    def changed_rows(self) -> bool:
        """True if the index has other rows than before."""
        return any(self.counts.values()) or self.messages > 0 or self.pictures.read > 0

    def index_notes(
        self,
        *,
        anew: bool,
        transcripts: Callable[[Edition], int] | None,
        images: Callable[[Edition], ImagesRead] | None,
    ) -> None:
        """Bring an edition up to date, until it is the one that serves."""
        edition = self._database.edition(self._notes.identity, anew=anew)
        for _ in range(_LOOKS):
            self.look = _look(edition, self._notes.workspace, keep=_TRANSCRIPTS if transcripts is not None else "")
            if not self._has_many and len(self.look.suspects) > _MANY:
                self._prepare_for_many()
            self._compare(edition)
            if transcripts is not None:
                self.messages += transcripts(edition)
            if images is not None:
                self.pictures = images(edition)
                self.skipped += self.pictures.skipped
            if not self._database.publish(edition):
                break
            edition = self._database.edition(self._notes.identity)
        if self._ahead is not None:
            self._ahead.finish()

    def _prepare_for_many(self) -> None:
        from holdfast.index.embedding_pipeline import ahead_of

        self._has_many = True
        SHARED_ANALYSER.remember_many()
        self._ahead = ahead_of(self._chain, self._database, self._filling)

    def close(self) -> None:
        """Let go of what a sync holds, also of one that failed."""
        self._database.end_build()
        if self._ahead is not None:
            self._ahead.close()
        if self._has_many:  # what was learnt takes more memory than it will soon save
            SHARED_ANALYSER.forget()

    def embed_few_texts(self) -> int:
        """Embed what was written, where that is little; says how many texts have a vector by this sync so far."""
        embedded = 0
        if self._ahead is not None:
            embedded = self._ahead.embedded
        if 0 < len(self._texts) <= _FEW_TEXTS and self._filling.limit is None:
            embedded += fill_texts(self._database, self._chain, self._texts) or 0
        return embedded

    def _compare(self, edition: Edition) -> None:
        """Bring one edition up to date with what the look found."""
        known = self.look.known
        self.skipped = list(self.look.skipped)
        late: list[str] = []
        batches = 0
        with self._notes.workspace.reader() as read:
            for batch in self._batches(edition, read):
                batches += 1
                late += edition.write(batch._replace(seen=known))
                if self._ahead is not None:
                    self._ahead.feed(batch.puts)
                if len(self._texts) <= _FEW_TEXTS:
                    self._texts |= _texts_of(batch)
        unreadable = {file.path for file in self.skipped if file.path in known}
        gone = list(dict.fromkeys([*self.look.gone, *unreadable]))
        if gone:
            late += edition.write(Batch(drops=gone, seen=known))
            self.counts["removed"] += len(gone)
        if batches > 1:
            edition.settle()
        edition.complete()
        # Nobody writes to extra paths through us, so a process that was quicker has just read the same.
        _refresh(edition, self._notes, [path for path in late if not path.startswith("/")])

    def _batches(self, edition: Edition, read: Callable[[NoteFile], Note]) -> Iterator[Batch]:
        """Read the suspects and yield their rows, as many at a time as one transaction should have."""
        suspects = self.look.suspects
        cutter: NoteCutter | None = None
        progress = self._filling.progress
        puts: list[NoteRows] = []
        touches: list[tuple[str, NoteState]] = []
        weight = 0
        for done, file in enumerate(suspects, 1):
            before = self.look.known.get(file.path)
            try:
                note = read(file)
                if before is not None and before.hash == note.hash:
                    touches.append((file.path, state_of(note)))
                else:
                    cutter = cutter or self._notes.cutter(edition)
                    puts.append(cutter.rows(note, file.source, before))
                    self.counts["added" if before is None else "changed"] += 1
                    weight += len(note.data)
            except HoldfastError as error:
                self.skipped.append(SkippedFile(file.path, getattr(error, "why", None) or str(error)))
            if weight > _BATCH_BYTES or len(puts) + len(touches) > _BATCH_NOTES:
                yield Batch(puts, touches, more_to_come=True)
                puts, touches, weight = [], [], 0
            if progress is not None and (done % 50 == 0 or done == len(suspects)):
                progress("Indexing", done, len(suspects))
        if puts or touches:
            yield Batch(puts, touches)


def _refresh(edition: Edition, notes: NoteSource, paths: Sequence[str]) -> dict[str, str]:
    """Index notes as they are now, and return the texts that were written, by their hashes.

    A note that another process indexes at the same time is read again.
    """
    texts: dict[str, str] = {}
    for start in range(0, len(paths), _REFRESHED_AT_ONCE):
        left: Collection[str] = paths[start : start + _REFRESHED_AT_ONCE]
        for _ in range(_TRIES):
            batch = _batch_of(edition, notes, left)
            texts |= _texts_of(batch)
            left = edition.write(batch)
            if not left:
                break
    return texts


def _texts_of(batch: Batch) -> dict[str, str]:
    return {chunk.text_hash: chunk.text for note in batch.puts for chunk in note.chunks}


def _batch_of(edition: Edition, notes: NoteSource, paths: Collection[str]) -> Batch:
    seen = {path: state for path in paths if (state := edition.state(path)) is not None}
    cutter = notes.cutter(edition)
    puts: list[NoteRows] = []
    drops: list[str] = []
    with notes.workspace.reader() as read:
        for path in paths:
            try:
                puts.append(cutter.rows(read(readable_path(path)), "memory", seen.get(path)))
            except (NoteNotFound, BadText):
                drops.append(path)
    return Batch(puts=puts, drops=drops, seen=seen)
