"""Memory: the open memory of one agent; every method is an operation."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

from holdfast.clock import Clock, SystemClock
from holdfast.context.context import Context
from holdfast.context.memory_backend import MemoryPart
from holdfast.errors import BadArgument
from holdfast.guard.argument_types import check_arguments
from holdfast.guard.operation import Operation
from holdfast.guard.origin import Origin
from holdfast.guard.paths import agent_id
from holdfast.guard.signature import OneOf
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.operations import catalogue
from holdfast.settings.home_path import home_of
from holdfast.settings.loader import load
from holdfast.settings.session_settings import SessionKind
from holdfast.settings.settings import Settings

if TYPE_CHECKING:
    from holdfast.context.user_profile import UserProfile
    from holdfast.dreaming.dream_access import Dreams
    from holdfast.embeddings.embedder import Embedder
    from holdfast.llm.token_usage import Spent
    from holdfast.operations.fact_access import Facts
    from holdfast.operations.inbox_entries import Inbox
    from holdfast.operations.note_access import Notes
    from holdfast.operations.toolbox import Toolbox
    from holdfast.postgres.postgres_pool import PostgresPool
    from holdfast.sessions.conversation import Session

__all__ = ["Memory", "home_of"]


class Memory(MemoryPart):
    """The long-term memory of one agent. A context manager; safe to use from several processes at once.

    It is open here (`Memory.open`) or at a server (`holdfast.connect`): the backend runs its operations.
    """

    @classmethod
    @check_arguments
    def open(
        cls,
        home: str | os.PathLike[str] | None = None,
        agent: str = "main",
        settings: Settings | Mapping[str, object] | None = None,
        *,
        embedder: Embedder | None = None,
        origin: Origin = Origin.API,
        clock: Clock | None = None,
    ) -> Memory:
        """Open the memory of an agent; the home is created where there is none.

        `settings` is a whole `Settings`, or dotted keys that override the environment and the settings files: the
        agent's, which lies over the home's.
        """
        place = home_of(home)
        if settings is not None and not isinstance(settings, Settings | Mapping):
            raise BadArgument("settings", "give Settings, or a mapping of keys such as 'memory.citations'")
        if not isinstance(settings, Settings):
            settings = load(place, agent_id(agent), arguments=settings).settings
        else:
            from holdfast.settings.value_check import check_settings

            check_settings(settings)
        workspace = FileWorkspace.open(place, agent, extra_paths=settings.memory.extra_paths)
        return cls(Context(settings, workspace, clock or SystemClock(), origin, embedder))

    @classmethod
    @check_arguments
    def open_team(
        cls,
        database: str | PostgresPool,
        tenant: str,
        agent: str = "main",
        settings: Settings | Mapping[str, object] | None = None,
        *,
        cache: str | os.PathLike[str] | None = None,
        embedder: Embedder | None = None,
        origin: Origin = Origin.API,
        clock: Clock | None = None,
        copies: bool = False,
    ) -> Memory:
        """Open the memory of a tenant's agent in a PostgreSQL database, by its address or by a pool that stays open.

        What is derived from the notes lies in a folder of this machine below `cache`, and is made anew where it is
        missing; with `copies` the notes themselves too, for servers, which read on while the database is away.
        `settings` are as for `open`; the settings files are the tenant's.
        """
        from holdfast.postgres.postgres_pool import PostgresPool
        from holdfast.postgres.postgres_workspace import PostgresWorkspace

        if isinstance(settings, Settings):
            from holdfast.settings.value_check import check_settings

            check_settings(settings)
        if isinstance(database, str):
            pool = PostgresPool.open(database)
        else:
            pool = database
        if cache is not None:
            place = os.fspath(cache)
        else:
            place = os.path.join(home_of(None), "state", "teams")
        try:
            workspace = PostgresWorkspace.open(
                pool, tenant, agent, cache=place, closes_pool=isinstance(database, str), copies=copies
            )
            if not isinstance(settings, Settings):
                settings = load(workspace.home, agent, arguments=settings).settings
        except BaseException:
            if isinstance(database, str):
                pool.close()
            raise
        return cls(Context(settings, workspace, clock or SystemClock(), origin, embedder))

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the index and let go of the home, or of the connection; a server goes on."""
        self.backend.close()

    @property
    def url(self) -> str:
        """The address of the server that keeps it; empty where it is open in this process."""
        return self.backend.url

    @property
    def home(self) -> str:
        """The directory everything is in, on the machine that keeps it."""
        return self.backend.home

    @property
    def agent(self) -> str:
        """The agent whose memory this is."""
        return self.backend.agent

    @property
    def settings(self) -> Settings:
        """The settings in force; those of a server come without its keys."""
        return self.backend.settings

    search = Operation(lambda: catalogue.memory_search, reads=True)
    """The notes' best lines for a question, with citations and the reason for every score."""
    get = Operation(lambda: catalogue.memory_get, reads=True)
    """Lines of a note, or the chunk behind a hit; `.status` is "not_found" when there is none."""
    save = Operation(lambda: catalogue.memory_save)
    """Text written to a note (MEMORY.md unless told otherwise); `.checkpoint_id` undoes it."""
    delete = Operation(lambda: catalogue.memory_delete)
    """Exact text removed from a note, or the whole note; `.checkpoint_id` brings it back."""
    forget = Operation(lambda: catalogue.forget_memory, slow=True)
    """The bullets or sentences gone that say something; with `everywhere` from exports and checkpoints too."""
    export = Operation(lambda: catalogue.export_memory, slow=True, for_owner=True)
    """All notes and facts in one `.zip` or `.jsonl` file."""
    restore_export = Operation(lambda: catalogue.restore_export)
    """The notes of your own export put back as they were; none that is there is overwritten."""
    import_from = Operation(lambda: catalogue.import_from, slow=True, for_owner=True)
    """The memory of another program taken over, with the origin `import`; never into MEMORY.md."""
    history = Operation(lambda: catalogue.list_changes, reads=True)
    """The changes, newest first."""
    diff = Operation(lambda: catalogue.diff_change, reads=True)
    """The lines that a change touched, or those that differ now from before it."""
    restore = Operation(lambda: catalogue.checkpoint_restore)
    """A note as it was before a change; `.checkpoint_id` undoes this in turn."""
    undo = Operation(lambda: catalogue.undo_last)
    """The last change taken back, of one note or of any, or of the ones named; again goes one further back."""
    undo_origin = Operation(lambda: catalogue.undo_origin, for_owner=True)
    """Everything taken back that came from one origin; one `undo` reverts it."""
    prune = Operation(lambda: catalogue.prune_checkpoints, for_owner=True)
    """Checkpoints dropped that are older and more than the settings keep."""
    purge = Operation(lambda: catalogue.purge_note, for_owner=True)
    """Every checkpoint of one note dropped, and every trace of deleted text in the index: for good."""
    status = Operation(lambda: catalogue.status, reads=True)
    """What there is, what answers, and why; `deep` also tests the index and the provider."""
    sync = Operation(lambda: catalogue.sync_index, slow=True)
    """The index made to say what the notes say; `force` builds it anew while the old one answers."""
    spaces = Operation(lambda: catalogue.spaces, reads=True)
    """The spaces of vectors, and how much of the notes each covers."""
    drop_space = Operation(lambda: catalogue.drop_space, for_owner=True)
    """The vectors of one space forgotten, by its number or as `provider/model`."""
    watch = Operation(lambda: catalogue.watch)
    """A sync after each burst of changes and at the set interval, until it is stopped; may dream in between."""
    sessions = Operation(lambda: catalogue.session_list, reads=True)
    """The sessions of this agent, the one used last first."""

    @check_arguments
    def session(
        self,
        key: Annotated[str, "The session's key."] = "main",
        *,
        kind: Annotated[str | None, "With whom it is.", OneOf(tuple(SessionKind))] = None,
        channel: Annotated[str | None, "Where it takes place, for memory.scope.rules."] = None,
    ) -> Session:
        """Begin a conversation, or go on with one.

        `kind` is with whom (direct, group, channel, subagent, cron), and `channel` where; without them they are what
        they were when the session was last used, and direct for a new one.
        """
        from holdfast.sessions.conversation import Session

        return Session(self.backend, key, kind=kind, channel=channel)

    @property
    def spent(self) -> Spent:
        """Return what the language model of `[llm]` has taken since this memory was opened, here or by a server.

        There is a cost where `llm.prices` has two.
        """
        return self.backend.spent

    @property
    def notes(self) -> Notes:
        """The notes as files: listed, read, written, renamed and removed whole."""
        from holdfast.operations.note_access import Notes

        return Notes(self.backend)

    @property
    def facts(self) -> Facts:
        """The facts about the user, the project and people, one by one."""
        from holdfast.operations.fact_access import Facts

        return Facts(self.backend)

    @property
    def inbox(self) -> Inbox:
        """The texts that agents and programs want in MEMORY.md: list, approve, edit, reject."""
        from holdfast.operations.inbox_entries import Inbox

        return Inbox(self.backend)

    @property
    def dreams(self) -> Dreams:
        """Consolidation: what is asked for again and again goes into MEMORY.md, with a report and a way back."""
        from holdfast.dreaming.dream_access import Dreams

        return Dreams(self.backend)

    @property
    def profile(self) -> UserProfile:
        """The user's profile: what holdfast.toml and USER.md say, with ways to save and to note it."""
        from holdfast.context.user_profile import UserProfile

        return UserProfile(self.backend)

    @check_arguments
    def tools(self, origin: Origin = Origin.AGENT, *, session: Session | None = None, client: str = "") -> Toolbox:
        """The tools for a model: schemas for OpenAI- and Anthropic-style calls, and a dispatcher.

        In a session they also hold `session_state`, and show only what that session may see. `client` is the name under
        which `memory.approved_origins` and the inbox know who calls them.
        """
        from holdfast.operations.toolbox import Toolbox

        if session is not None:
            return session.tools(origin, client=client)
        return Toolbox(self.backend.for_origin(origin, client=client))

    def __repr__(self) -> str:
        if self.url:
            return f"Memory(url={self.url!r}, agent={self.agent!r})"
        return f"Memory(home={self.home!r}, agent={self.agent!r})"
