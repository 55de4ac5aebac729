"""Memory: the open memory of one agent; every method is an operation."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from holdfast.clock import Clock, SystemClock
from holdfast.context.context import Context
from holdfast.errors import BadArgument
from holdfast.guard.argument_types import check_arguments
from holdfast.guard.origin import Origin
from holdfast.guard.paths import agent_id
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.operations import catalogue
from holdfast.operations.operation import Operation
from holdfast.settings.home_path import home_of
from holdfast.settings.loader import load
from holdfast.settings.settings import Settings

if TYPE_CHECKING:
    from holdfast.checkpoints.change import Change
    from holdfast.checkpoints.retention import Pruned
    from holdfast.context.user_profile import UserProfile
    from holdfast.dreaming.dream_access import Dreams
    from holdfast.dreaming.report import Dream
    from holdfast.embeddings.embedder import Embedder
    from holdfast.forgetting.memory_forget import Forgot
    from holdfast.index.progress import Progress
    from holdfast.index.sync import Synced
    from holdfast.llm.token_usage import Spent
    from holdfast.operations.exchange_export import PutBack, SentOut
    from holdfast.operations.exchange_import import Imported
    from holdfast.operations.fact_access import Facts
    from holdfast.operations.inbox_entries import Inbox
    from holdfast.operations.memory_get import Got
    from holdfast.operations.note_access import Notes
    from holdfast.operations.toolbox import Toolbox
    from holdfast.postgres.postgres_pool import PostgresPool
    from holdfast.sessions.conversation import Session

__all__ = ["Memory", "home_of"]


class Memory:
    """The long-term memory of one agent. A context manager; safe to use from several processes at once.

    `ctx` is what every operation takes as its first argument.
    """

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx

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
    ) -> Memory:
        """Open the memory of a tenant's agent in a PostgreSQL database, by its address or by a pool that stays open.

        What is derived from the notes lies in a folder of this machine below `cache`, and is made anew where it is
        missing. `settings` are as for `open`; the settings files are the tenant's.
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
            workspace = PostgresWorkspace.open(pool, tenant, agent, cache=place, closes_pool=isinstance(database, str))
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
        """Close the index and let go of the home."""
        self.ctx.close()

    @property
    def home(self) -> str:
        """The directory everything is in."""
        return self.ctx.workspace.home

    @property
    def agent(self) -> str:
        """The agent whose memory this is."""
        return self.ctx.workspace.agent

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.ctx.settings

    search = Operation(lambda: catalogue.memory_search)
    """The notes' best lines for a question, with citations and the reason for every score."""

    @check_arguments
    def get(self, path: str | None = None, *, chunk_id: str | None = None, from_line: int = 1, lines: int = 120) -> Got:
        """Read lines of a note, or the chunk behind a hit; `.status` is "not_found" when there is none."""
        from holdfast.operations.memory_get import memory_get

        return memory_get(self.ctx, chunk_id, path, from_line, lines)

    save = Operation(lambda: catalogue.memory_save)
    """Text written to a note (MEMORY.md unless told otherwise); `.checkpoint_id` undoes it."""
    delete = Operation(lambda: catalogue.memory_delete)
    """Exact text removed from a note, or the whole note; `.checkpoint_id` brings it back."""

    @check_arguments
    def forget(
        self,
        request: str | None = "",
        *,
        text: str | None = None,
        dry_run: bool = False,
        limit: int = 6,
        everywhere: bool = False,
        confirmed: bool = False,
        places: Sequence[str] = (),
    ) -> Forgot:
        """Remove the bullets or sentences that say what is to be forgotten, or one that is given as exact `text`.

        `everywhere` clears exports, transcripts and checkpoints too, for good. `confirmed` lets more go at once than a
        language model may choose by itself. `places` chooses among what a dry run showed: memory/a.md#3.
        """
        from holdfast.forgetting.forget_everywhere import forget_everywhere
        from holdfast.forgetting.memory_forget import forget

        way = forget_everywhere if everywhere else forget
        return way(
            self.ctx, request or "", text=text, dry_run=dry_run, limit=limit, confirmed=confirmed, places=tuple(places)
        )

    @check_arguments
    def export(self, file: str | os.PathLike[str], *, replace: bool = False) -> SentOut:
        """Write all notes and facts to one `.zip` or `.jsonl` file."""
        from holdfast.operations.exchange_export import export_memory

        return export_memory(self.ctx, os.fspath(file), replace=replace)

    @check_arguments
    def restore_export(self, file: str | os.PathLike[str], *, preview: bool = False) -> PutBack:
        """Put the notes of your own export back as they were; none that is there is overwritten."""
        from holdfast.operations.exchange_export import restore_export

        return restore_export(self.ctx, os.fspath(file), dry_run=preview)

    @check_arguments
    def import_from(
        self, file: str | os.PathLike[str], *, source: str | None = None, preview: bool = False
    ) -> Imported:
        """Take over the memory of another program, with the origin `import`; never into MEMORY.md.

        `source` names the program, where the file does not show it; `preview` changes nothing.
        """
        from holdfast.operations.exchange_import import import_memory, plan_import

        plan = plan_import(self.ctx, os.fspath(file), source)
        if preview:
            return plan
        return import_memory(self.ctx, plan)

    @check_arguments
    def history(self, path: str | None = None, *, limit: int = 20) -> list[Change]:
        """Return what was changed, newest first."""
        from holdfast.operations.checkpoints_list import checkpoints_list

        return list(checkpoints_list(self.ctx, limit, path).changes)

    @check_arguments
    def diff(self, checkpoint: str, *, against_now: bool = False) -> str:
        """Show what a change did, or how the note differs now from what it was before that change."""
        from holdfast.checkpoints.change_history import diff

        return diff(self.ctx.workspace, checkpoint, against_now=against_now)

    restore = Operation(lambda: catalogue.checkpoint_restore)
    """A note as it was before a change; `.checkpoint_id` undoes this in turn."""
    undo = Operation(lambda: catalogue.undo_last)
    """The last change taken back, of one note or of any, or of the ones named; again goes one further back."""
    undo_origin = Operation(lambda: catalogue.undo_origin)
    """Everything taken back that came from one origin; one `undo` reverts it."""

    def prune(self) -> Pruned:
        """Drop checkpoints that are older and more than the settings keep."""
        from holdfast.checkpoints.retention import prune

        keep = self.ctx.settings.checkpoints
        return prune(self.ctx.workspace, keep_days=keep.keep_days, keep_count=keep.keep_count)

    purge = Operation(lambda: catalogue.purge_note)
    """Every checkpoint of one note dropped, and every trace of deleted text in the index: for good."""
    status = Operation(lambda: catalogue.status)
    """What there is, what answers, and why; `deep` also tests the index and the provider."""

    @check_arguments
    def sync(
        self,
        *,
        force: bool = False,
        approved: bool = False,
        batch: bool | None = None,
        progress: Progress | None = None,
    ) -> Synced:
        """Make the index say what the notes say; `force` builds it anew while the old one answers.

        `approved` lets more texts go to another machine than `memory.remote.ask_above`; `batch` says whether through
        the provider's batch service, where the settings should not decide.
        """
        return self.ctx.sync(anew=force, approved=approved, batch=batch, progress=progress)

    spaces = Operation(lambda: catalogue.spaces)
    """The spaces of vectors, and how much of the notes each covers."""
    drop_space = Operation(lambda: catalogue.drop_space)
    """The vectors of one space forgotten, by its number or as `provider/model`."""

    def watch(
        self, stop: threading.Event | None = None, dreamed: Callable[[Dream], None] | None = None
    ) -> Iterator[Synced]:
        """Follow the notes until `stop` is set: a sync after each burst of changes, and at the set interval.

        With `dreamed` it also dreams while nothing happens, where the settings want that, and calls it after each run.
        """
        from holdfast.operations.index_watch import watch

        return watch(self.ctx, stop or threading.Event(), dreamed)

    @check_arguments
    def session(self, key: str = "main", *, kind: str | None = None, channel: str | None = None) -> Session:
        """Begin a conversation, or go on with one.

        `kind` is with whom (direct, group, channel, subagent, cron), and `channel` where; without them they are what
        they were when the session was last used, and direct for a new one.
        """
        from holdfast.sessions.conversation import Session

        return Session(self.ctx, key, kind=kind, channel=channel)

    sessions = Operation(lambda: catalogue.session_list)
    """The sessions of this agent, the one used last first."""

    @property
    def spent(self) -> Spent:
        """Return what the language model of `[llm]` has taken since this memory was opened.

        There is a cost where `llm.price_input` and `llm.price_output` are set.
        """
        return self.ctx.meter.total

    @property
    def notes(self) -> Notes:
        """The notes as files: listed, read, written, renamed and removed whole."""
        from holdfast.operations.note_access import Notes

        return Notes(self.ctx)

    @property
    def facts(self) -> Facts:
        """The facts about the user, the project and people, one by one."""
        from holdfast.operations.fact_access import Facts

        return Facts(self.ctx)

    @property
    def inbox(self) -> Inbox:
        """The texts that agents and programs want in MEMORY.md: list, approve, edit, reject."""
        from holdfast.operations.inbox_entries import Inbox

        return Inbox(self.ctx)

    @property
    def dreams(self) -> Dreams:
        """Consolidation: what is asked for again and again goes into MEMORY.md, with a report and a way back."""
        from holdfast.dreaming.dream_access import Dreams

        return Dreams(self.ctx)

    @property
    def profile(self) -> UserProfile:
        """The user's profile: what holdfast.toml and USER.md say, with ways to save and to note it."""
        from holdfast.context.user_profile import UserProfile

        return UserProfile(self.ctx)

    @check_arguments
    def tools(self, origin: Origin = Origin.AGENT, *, session: Session | None = None, client: str = "") -> Toolbox:
        """The tools for a model: schemas for OpenAI- and Anthropic-style calls, and a dispatcher.

        In a session they also hold `session_state`, and show only what that session may see. `client` is the name under
        which `memory.approved_origins` and the inbox know who calls them.
        """
        from holdfast.operations.toolbox import Toolbox

        if session is not None:
            return session.tools(origin, client=client)
        return Toolbox(self.ctx.for_origin(origin, client=client))

    def __repr__(self) -> str:
        return f"Memory(home={self.home!r}, agent={self.agent!r})"
