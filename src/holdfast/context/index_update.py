"""Bringing the index of an open memory up to date: after a change, before a search, in a thread, and when asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from holdfast.context.index_repair import bring_up_to_date, heal_once
from holdfast.errors import HoldfastError
from holdfast.notes.watch_registry import last_event

if TYPE_CHECKING:
    from holdfast.checkpoints.change import Change
    from holdfast.context.context import Context
    from holdfast.embeddings.provider_link import Link
    from holdfast.index.sqlite.database import Database
    from holdfast.index.sqlite.edition import Edition
    from holdfast.index.sqlite.vectors import Vectors
    from holdfast.index.sync import ImagesRead, Synced
    from holdfast.index.vector_fill import FillOptions
    from holdfast.progress import Progress

__all__ = ["IndexUpdate"]

_TRANSCRIPTS = ("sessions/", "sessions0")  # all paths that begin with the first; "0" follows "/"
_PRUNE_EVERY = 200  # changes
_TIDY_EVERY = 50  # changes: what no text needs any more is looked for in the whole index
_EMBED_AT_ONCE = 512  # texts after a save: a long note and some to spare
_SEND_AT_ONCE = 64  # and to a provider that is asked over HTTP: one request
_LEFT_AT_MOST = 64  # texts that commands leave to the next search; more of them wait for somebody with more time
# Questions of the null that a sync before an answer, or a save, may ask: some milliseconds, until all are asked.
_NULL_QUESTIONS_AT_ONCE = 8


class IndexUpdate:
    """Writes into the index of a context what its notes, transcripts and images say."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._settings = ctx.settings

    def sync(
        self,
        *,
        anew: bool = False,
        progress: Progress | None = None,
        embed_limit: int | None = None,
        approved: bool = False,
        batch: bool | None = None,
    ) -> Synced:
        """Make the index say what the notes say; `embed_limit` is given where an answer waits for it."""
        ctx = self._ctx
        if anew:
            ctx.index.on_disk().check()  # what is found damaged is moved aside, and another begun
        filling = self._filling(limit=embed_limit, approved=approved, progress=progress)
        if embed_limit is None:  # not before an answer: a batch takes minutes
            filling = filling.replace(
                batched=partial(self._run_batches, batch, progress), direct=not self._uses_batches(batch)
            )
            if ctx.chain is not None:
                ctx.chain.prepare(progress)

        def run() -> Synced:
            # Before an answer, what stands in for the index will do; it has no vectors.
            if embed_limit is not None:
                database = ctx.database
            else:
                database = ctx.index.on_disk()
            done = self._sync(database, filling, anew=anew, wait=embed_limit is None)
            ctx.index.synced(database)
            if embed_limit is None:
                self.measure_null(database)
                if ctx.qmd is not None and _has_indexed(done):
                    ctx.qmd.changed()
            elif _has_indexed(done):
                self.measure_null(database, _NULL_QUESTIONS_AT_ONCE)
            return done

        return self._time_look(lambda: heal_once(ctx, run))

    def sync_into(self, database: Database) -> Synced:
        """Sync on a connection of its own, with no more vectors than a search makes; for a look in a thread."""

        def run() -> Synced:
            done = self._sync(database, self._filling(limit=_SEND_AT_ONCE))
            if _has_indexed(done):
                self.measure_null(database)
            return done

        return self._time_look(run)

    def look(self, embed_limit: int, *, is_first: bool) -> None:
        """Bring the index up to date before a search, if the settings want that and it is time."""
        ctx = self._ctx
        wanted = self._settings.sync.on_search or (self._settings.sync.on_session_start and is_first)
        ctx.stale = self._index_owed()
        if ctx.searches_sessions and ctx.session_index.embedding:
            embed_limit = 0  # the background is at it: a search does not wait for the same vectors
        unusual = ctx.index.is_new or ctx.index.trouble is not None
        if is_first and self._holds_unwanted_transcripts():
            # However fresh the index is, nothing is found that the owner does not want to be found any more.
            unusual = True
            ctx.doubt_index()
        # Rows that an older version cut, or other settings, are made anew however fresh they are.
        due = ctx.freshness.due() or (is_first and wanted and self._is_cut_otherwise())
        if due and (wanted or unusual):
            if is_first or unusual or not ctx.freshness.is_dear:
                ctx.stale = bring_up_to_date(ctx, embed_limit)
            else:
                ctx.stale = ctx.background_look.start()
        elif embed_limit and wanted:
            self._embed_left()
        if ctx.searches_sessions:
            ctx.session_index.looked()

    def index_changes(self, changes: Sequence[Change]) -> str:
        """Index the notes of these changes at once, and together; says why not, where that failed.

        The notes have changed by now: an error would make the caller write them a second time. The next sync makes
        up for it.
        """
        if not changes:
            return ""
        ctx = self._ctx
        left = 0
        if self._settings.sync.on_search and ctx.chain is not None and not ctx.chain.first.is_loaded:
            # Loading the model takes as long as all the rest of a command that saves, and a search loads it anyway.
            left = _LEFT_AT_MOST
        paths = list(dict.fromkeys(change.path for change in changes))
        late = self._index_paths(paths, left, tidy=any(change.seq % _TIDY_EVERY == 0 for change in changes))
        return late or self.prune_in_time(changes)

    def owe_changes(self, changes: Sequence[Change]) -> str | None:
        """Leave the notes of these changes to the next search; None where they have to be indexed at once.

        For programs that write often and seldom ask. The caller holds the lock of the notes.
        """
        from holdfast.index.sqlite.owed_file import owe

        ctx = self._ctx
        if ctx.workspace.change_count() is not None:
            return None  # another server would not read this one's file
        try:
            owe(ctx.index_path, dict.fromkeys(change.path for change in changes))
        except OSError:
            return None
        if ctx.qmd is not None:
            ctx.qmd.changed()
        return ""

    def _index_owed(self) -> str:
        """Index what programs left to this search, whatever the settings say of looking at the notes."""
        from holdfast.index.sqlite.owed_file import clear_owed, mark_paid, read_owed

        ctx = self._ctx
        owed = read_owed(ctx.index_path, ctx.index.paid)
        if owed.paths:
            late = self._index_paths(owed.paths, 0, tidy=False)
            if late:
                return late
        if owed.mark is None or owed.mark == ctx.index.paid:
            return ""
        ctx.index.paid = owed.mark
        if owed.full:
            with suppress(HoldfastError), ctx.workspace.lock():
                if clear_owed(ctx.index_path, owed.mark):
                    return ""
        if owed.paths:
            mark_paid(ctx.index_path, owed.mark)
        return ""

    def _index_paths(self, paths: Sequence[str], left: int, *, tidy: bool) -> str:
        from holdfast.index.sync import sync_notes

        ctx = self._ctx
        try:
            remote = ctx.chain is not None and ctx.chain.first.remote
            filling = self._filling(limit=_SEND_AT_ONCE if remote else _EMBED_AT_ONCE)
            embedded = heal_once(
                ctx,
                lambda: sync_notes(
                    ctx.index.on_disk(),
                    ctx.note_source,
                    paths,
                    chain=ctx.chain,
                    filling=filling,
                    tidy=tidy,
                    left=left,
                ),
            )
        except HoldfastError as error:
            ctx.doubt_index()
            return f"the index could not be updated yet: {getattr(error, 'why', None) or error}"
        if embedded:
            self.measure_null(ctx.database, _NULL_QUESTIONS_AT_ONCE)
        if ctx.qmd is not None:
            ctx.qmd.changed()
        return ""

    def embed_pending(self, database: Database, limit: int) -> int:
        """Embed at most `limit` of the texts that have no vector yet; says how many that were."""
        from holdfast.index.vector_fill import fill

        return fill(database, self._ctx.chain, self._filling(limit=limit).replace(seconds=None)).embedded

    def _embed_left(self) -> None:
        """Embed what commands left to the next search, where that is little."""
        ctx = self._ctx
        link = None
        if ctx.chain is not None:
            link = ctx.chain.first
        if link is None or not link.embedded or ctx.index.trouble is not None:
            return
        database = ctx.database
        if database.connection.read_only:
            return
        covered = database.vectors(link.space()).coverage()
        if 0 < covered.texts - covered.embedded <= _LEFT_AT_MOST and self.embed_pending(database, _LEFT_AT_MOST):
            self.measure_null(database, _NULL_QUESTIONS_AT_ONCE)

    def _sync(self, database: Database, filling: FillOptions, *, anew: bool = False, wait: bool = False) -> Synced:
        from holdfast.index.sync import sync

        ctx = self._ctx
        return sync(
            database,
            ctx.note_source,
            chain=None if ctx.index.trouble is not None else ctx.chain,
            filling=filling,
            anew=anew,
            transcripts=self._transcripts(wait=wait),
            images=self._images(database, filling.progress, wait=wait),
        )

    def _time_look(self, look: Callable[[], Synced]) -> Synced:
        """Sync, and remember when that was and what it cost."""
        ctx = self._ctx
        # Before the look: what is heard from now on may come too late for it.
        events, changes = last_event(ctx.workspace.home, ctx.workspace.agent), ctx.workspace.change_count()
        try:
            done = look()
        except BaseException:
            ctx.doubt_index()
            raise
        ctx.freshness.looked(done.look_ms, done.added + done.changed + done.unchanged, events, changes)
        return done

    def measure_null(self, database: Database, limit: int | None = None) -> None:
        """Ask what questions from elsewhere reach here, if so much has changed; no sync fails for it."""
        from holdfast.search.null_distribution import measure_null

        ctx = self._ctx
        if ctx.chain is None or ctx.brought:
            links = []
        else:
            links = [link for link in ctx.chain.links if link.embedded]
        with suppress(HoldfastError):
            measure_null(database, links, ctx.look_closer, ctx.piece_costs, limit)

    def _transcripts(self, *, wait: bool) -> Callable[[Edition], int] | None:
        """Return what a sync does about transcripts; None where nobody wants them.

        A search leaves those that are not new to the background.
        """
        if not self._ctx.searches_sessions:
            return None
        if wait:
            return self._ctx.session_index.into
        return self._ctx.session_index.into_new

    def _holds_unwanted_transcripts(self) -> bool:
        """Say whether the index still has transcripts, though `memory.sources` has no sessions."""
        if self._ctx.searches_sessions:
            return False
        edition = self._ctx.database.serving()
        return edition is not None and edition.paths.holds(*_TRANSCRIPTS)

    def _is_cut_otherwise(self) -> bool:
        """Say whether what answers was made by other rules than those of this version and these settings."""
        serving = self._ctx.database.connection.serving()
        wanted = self._ctx.note_source.identity
        return any(
            edition.number == serving and identity != wanted for edition, identity in self._ctx.database.editions()
        )

    def _images(
        self, database: Database, progress: Progress | None, *, wait: bool
    ) -> Callable[[Edition], ImagesRead] | None:
        """Return what a sync does about images; None where nobody wants them, or no index is there to keep them in."""
        if not self._settings.multimodal.images or self._ctx.index.trouble is not None:
            return None
        from holdfast.context.image_index import ImageIndex

        return ImageIndex(self._ctx, database, wait=wait, progress=progress).into

    def _uses_batches(self, wish: bool | None) -> bool:
        """Say whether texts wait for a batch job of the provider instead of being sent one by one."""
        chain = self._ctx.chain
        if chain is None or chain.first.name not in ("openai", "gemini"):
            return False
        if wish is None:
            return self._settings.batch.enabled
        return wish

    def _run_batches(
        self, wish: bool | None, progress: Progress | None, link: Link, vectors: Vectors, may_send: bool
    ) -> tuple[int, int, str]:
        """Finish and send batch jobs of a provider that has such a service."""
        from holdfast.embeddings.batch.batch_service import batcher_for
        from holdfast.index.batch_jobs import batch

        batcher = None
        if link.remote:
            batcher = batcher_for(link.embedder())
        if batcher is None:
            return 0, 0, ""
        settings = self._settings.batch
        if wish is False or not may_send:
            settings = settings.replace(enabled=False)
        forced = wish is True and may_send
        return batch(self._ctx.database, vectors, batcher, settings, progress=progress, forced=forced)

    def _filling(self, *, limit: int | None, **more: Any) -> FillOptions:
        from holdfast.index.sqlite.shared_vectors import Neighbours
        from holdfast.index.vector_fill import FillOptions

        ctx, remote = self._ctx, self._settings.remote
        # Before an answer, or after a save, a slow provider or model is not waited for.
        seconds = None
        if limit is not None:
            seconds = remote.query_timeout_ms / 1000
        return FillOptions(
            cache=self._settings.cache,
            limit=limit,
            seconds=seconds,
            now=ctx.clock.monotonic,
            ask_above=remote.ask_above,
            concurrency=remote.concurrency,
            neighbours=Neighbours(self._settings.store.pattern_in(ctx.workspace.home), ctx.index_path),
            **more,
        )

    def prune_in_time(self, changes: Sequence[Change]) -> str:
        """Drop checkpoints beyond what the settings keep, once in many changes; say why not, where that failed."""
        if not any(change.seq % _PRUNE_EVERY == 0 for change in changes):
            return ""
        from holdfast.checkpoints.retention import prune

        keep = self._settings.checkpoints
        try:
            prune(self._ctx.workspace, keep_days=keep.keep_days, keep_count=keep.keep_count)
        except HoldfastError as error:
            return f"old checkpoints could not be dropped yet: {getattr(error, 'why', None) or error}"
        return ""


def _has_indexed(done: Synced) -> bool:
    """Say whether a sync changed what can be found."""
    return bool(done.added or done.changed or done.removed or done.messages or done.embedded)
