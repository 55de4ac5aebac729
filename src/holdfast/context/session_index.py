"""Session search: keeps the transcripts of one agent in the index, in a thread that no search waits for.

A transcript is gone on with when it has grown by `memory.sync.sessions.delta_bytes` or `delta_messages`, and to its end
when its session is left, or when nobody has said anything there for an hour. `holdfast index`, `watch` and
`Memory.sync` bring all of them up to date at once. What a process has begun is written to the index before it closes;
vectors that are still missing then wait for the next one.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

from holdfast.context.export_cover import ExportCover
from holdfast.context.index_update import IndexUpdate
from holdfast.errors import HoldfastError
from holdfast.notes.log import Log
from holdfast.transcripts.transcript_index import Progress, TranscriptRules, catch_up, files_of, index_progress
from holdfast.transcripts.transcript_rows import drop_rows, pending_lines

if TYPE_CHECKING:
    from holdfast.context.context import Context
    from holdfast.index.sqlite.database import Database
    from holdfast.index.sqlite.edition import Edition

__all__ = ["SessionIndex"]

_EMBED_AT_ONCE = 64  # texts; between two such batches the memory can be closed


class _Growth:
    """Says how much a transcript has grown since it was last indexed, as far as this process knows."""

    def __init__(self, size: int, lines: int) -> None:
        self.size, self.lines = size, lines


class SessionIndex:
    """The transcripts of one agent in the index; does nothing unless `memory.sources` has sessions."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()
        self._again = self._all = False
        self._ended: set[str] = set()
        self._since: dict[str, _Growth] = {}
        self._edition = -1
        self._covering = ExportCover(ctx)
        self.embedding = False
        """Whether the thread asks for vectors just now; a search leaves that to it."""
        self.because = ""
        """Why the last attempt failed, if it did."""

    # From the conversation

    def grew(self, log: Log) -> None:
        """A line was added; costs the same however long the transcript is."""
        if not self._ctx.searches_sessions:
            return
        try:
            if self._has_enough(log):
                self._start()
        except HoldfastError as error:  # the line is on disk, and whoever said it must not hear that it is not
            self.because = f"the transcripts could not be looked at: {getattr(error, 'why', None) or error}"

    def _has_enough(self, log: Log) -> bool:
        limits = self._ctx.settings.sessions
        with self._lock:
            since = self._since.get(log.name)
        if since is None:
            since = self._measure(log, limits.delta_bytes)
            with self._lock:
                self._since[log.name] = since
        else:
            since.lines += 1
        status = log.status()
        size = status.size if status is not None else 0
        return since.lines >= limits.delta_messages or size - since.size >= limits.delta_bytes or size < since.size

    def ended(self, name: str) -> None:
        """A session was left: what is new in its transcript is indexed, however little it is."""
        if self._ctx.searches_sessions:
            with self._lock:
                self._ended.add(name)
            self._start()

    def _measure(self, log: Log, most: int) -> _Growth:
        state = None
        if os.path.exists(self._ctx.index_path):
            edition = self._ctx.database.serving()
            state = None
            if edition is not None:
                state = edition.state(log.shown)
        indexed = 0 if state is None else state.size
        status = log.status()
        if status is None:
            grown = 0
        else:
            grown = status.size - indexed
        # Beyond that the bytes alone are reason enough, and nothing has to be read.
        return _Growth(indexed, pending_lines(log, state) if 0 < grown < most else 0)

    # From search and sync

    def looked(self) -> None:
        """A search has looked at the index: where that is new to us, go on with what others left."""
        if self._ctx.searches_sessions:
            edition = self._ctx.database.serving()
            if edition is None:
                number = -1
            else:
                number = edition.number
            if number != self._edition:
                self._edition = number
                self._start()

    def into(self, edition: Edition) -> int:
        """Bring all transcripts of an edition up to date, now; says how many lines were new."""
        from holdfast.context.session_export import zone_of

        ctx = self._ctx
        identity = {edition_row.number: of for edition_row, of in ctx.database.editions()}.get(edition.number)
        sizes = ctx.settings.chunking if identity is None else identity
        with self._lock:
            self._since.clear()
        rules = TranscriptRules(self._hidden, self._covering.look(), zone_of(ctx), sizes.tokens, sizes.overlap)
        return catch_up(edition, ctx.workspace, rules)

    def into_new(self, edition: Edition) -> int:
        """The same for an edition that is being built; one that answers already is left to the background."""
        serving = self._ctx.database.serving()
        if serving is None or serving.number == edition.number:
            return 0
        return self.into(edition)

    def catch_up(self) -> None:
        """Bring all transcripts up to date in the background, however little they have grown."""
        if self._ctx.searches_sessions:
            with self._lock:
                self._all = True
            self._start()

    def drop(self, key: str, *, for_good: bool = False) -> None:
        """Take a session out of the index at once; `for_good` leaves no trace of its words in the file."""
        ctx = self._ctx
        if not os.path.exists(ctx.index_path):
            return
        has_transcripts = False
        for edition, _ in ctx.database.editions():
            paths = files_of(ctx.workspace.agent, key, edition.known())
            has_transcripts = has_transcripts or bool(paths)
            drop_rows(edition, paths)
        if for_good and has_transcripts:
            ctx.index.on_disk().scrub()

    def progress(self) -> Progress:
        """Return how far the transcripts are indexed."""
        ctx = self._ctx
        edition = None
        if os.path.exists(ctx.index_path):
            edition = ctx.database.serving()
        return index_progress(edition, ctx.workspace, self._hidden, self._covering.look())

    # The thread

    def wait(self) -> None:
        """Wait until nothing is being indexed."""
        while (thread := self._thread) is not None:
            thread.join()

    def close(self) -> None:
        """Finish what was begun, without waiting for more vectors."""
        self._closing.set()
        self.wait()

    def _start(self) -> None:
        with self._lock:
            self._again = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="holdfast-sessions")
                self._thread.start()

    def _run(self) -> None:
        while True:
            with self._lock:
                names, self._ended, self._again = self._ended, set(), False
                every, self._all = self._all, False
            try:
                self._pass(names, every=every)
                self.because = ""
            except HoldfastError as error:
                self.because = f"the transcripts could not be indexed: {getattr(error, 'why', None) or error}"
            with self._lock:
                self._since.clear()
                if not self._again:
                    self._thread = None
                    return

    def _pass(self, names: set[str], *, every: bool) -> None:
        """Go through all transcripts once, on a connection of its own: in WAL, readers do not wait for writers."""
        from holdfast.context.session_export import zone_of
        from holdfast.index.sqlite.database import Database
        from holdfast.index.sqlite.extension_path import extension_path_for

        ctx = self._ctx
        settings = ctx.settings
        database = Database(ctx.index_path, extension_path=extension_path_for(settings.vector))
        try:
            if not database.editions():
                database.edition(ctx.note_source.identity)
            covered, zone = self._covering.look(), zone_of(ctx)
            limits = None if every else settings.sessions
            lines = 0
            for edition, identity in database.editions():
                rules = TranscriptRules(self._hidden, covered, zone, identity.tokens, identity.overlap)
                lines += catch_up(edition, ctx.workspace, rules, limits=limits, names=names)
            if lines:
                self._embed(database)
        finally:
            database.close()

    def _embed(self, database: Database) -> None:
        self.embedding = True
        try:
            while not self._closing.is_set() and IndexUpdate(self._ctx).embed_pending(database, _EMBED_AT_ONCE):
                pass
        finally:
            self.embedding = False

    def _hidden(self, key: str) -> bool:
        return self._ctx.state_store.hidden(self._ctx.workspace.agent, key)
