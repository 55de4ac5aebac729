"""The open rooms that a tool works in: one agent's notes, checkpoints and index, with their settings."""

from __future__ import annotations

from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.clock import Clock
from holdfast.guard.origin import Origin
from holdfast.index.freshness import Freshness
from holdfast.notes.workspace import Workspace
from holdfast.settings.values import Settings

if TYPE_CHECKING:
    from holdfast.embeddings.embedder import Embedder
    from holdfast.index.progress import Progress
    from holdfast.index.sqlite.database import Database
    from holdfast.index.sync import Synced

__all__ = ["Rooms"]


class Rooms:
    """Holds what is open; the index opens when it is first needed, because many commands do without it."""

    def __init__(
        self,
        settings: Settings,
        workspace: Workspace,
        clock: Clock,
        origin: Origin,
        embedder: Embedder | None = None,
    ) -> None:
        self.settings = settings
        self.workspace = workspace
        self.clock = clock
        self.origin = origin
        self.embedder = None if settings.memory.disable_rag else embedder
        self.freshness = Freshness(clock)

    @cached_property
    def database(self) -> Database:
        """The index of this agent."""
        from holdfast.index.sqlite.database import Database

        vector = self.settings.vector
        return Database(self.index_path, extension_path=vector.extension_path if vector.enabled else None)

    @property
    def index_path(self) -> str:
        """Where the index is, or would be."""
        return self.settings.store.file_of(self.workspace.home, self.workspace.agent)

    def sync(self, *, anew: bool = False, progress: Progress | None = None, embed_limit: int | None = None) -> Synced:
        """Make the index say what the notes say."""
        from holdfast.index.sync import sync

        done = sync(
            self.database,
            self.workspace,
            self.settings.chunking,
            self.settings.cache,
            embedder=self.embedder,
            embed_limit=embed_limit,
            anew=anew,
            progress=progress,
        )
        self.freshness.looked(done.took_ms)
        return done

    def note_changed(self, path: str) -> None:
        """Index one note at once, so that what was just written can be found."""
        from holdfast.index.sync import sync_note

        sync_note(
            self.database, self.workspace, self.settings.chunking, self.settings.cache, path, embedder=self.embedder
        )

    def for_origin(self, origin: Origin) -> Rooms:
        """The same rooms for another kind of caller; both share what is open."""
        self.database  # noqa: B018 - opened here once, so that the copy does not open it a second time
        other = copy(self)
        other.origin = origin
        return other

    def close(self) -> None:
        """Close what is open."""
        if "database" in self.__dict__:
            self.database.close()
        self.workspace.close()
