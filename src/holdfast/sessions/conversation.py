"""One conversation of an agent: its transcript and state, and what it sees, keeps and leaves behind."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, suppress
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Any

from holdfast.context.context import Context
from holdfast.context.memory_backend import MemoryBackend, MemoryPart
from holdfast.errors import BadArgument, Busy, SessionClosed, SessionNotFound, StorageFailed
from holdfast.guard.argument_types import check_arguments
from holdfast.guard.operation import Method, declare
from holdfast.guard.origin import Origin
from holdfast.llm.chat_model import Role, ToolCall
from holdfast.sessions.session_values import guard_value
from holdfast.settings.memory_settings import SessionExport
from holdfast.transcripts.session_key import Kind, check_key, kind_of
from holdfast.transcripts.state import BoundState
from holdfast.transcripts.transcript import Transcript
from holdfast.transcripts.transcript_entry import Entry

if TYPE_CHECKING:
    from holdfast.llm.chat_model import ChatModel
    from holdfast.operations.toolbox import Toolbox
    from holdfast.recall.recall import Recalled
    from holdfast.sessions.compaction import Compacted
    from holdfast.sessions.flush import Flushed
    from holdfast.sessions.flush_threshold import Due
    from holdfast.sessions.prompt_blocks import Prompt
    from holdfast.sessions.session_capture import Captured
    from holdfast.sessions.tool_loop import Turned
    from holdfast.sessions.turn_events import Event
    from holdfast.transcripts.session_note import Exported

__all__ = ["Session"]

_Tokens = Annotated[int | None, "How long the conversation is, where the caller knows better."]
_Window = Annotated[int | None, "The model's window."]
_SPEAKERS = (Role.USER, Role.SYSTEM)  # who says something or nothing; a model may only call tools, a tool be done
_PATIENCE = 30.0  # seconds; a long conversation takes some to be read and written down


class Session(MemoryPart):
    """One conversation. A context manager; leaving it keeps everything and exports nothing."""

    prefix = "session."

    def __init__(
        self, backend: MemoryBackend, key: str = "main", *, kind: str | Kind | None = None, channel: str | None = None
    ) -> None:
        super().__init__(backend)
        self.agent = backend.agent
        self.key, self.kind, self.channel = self._identify(key, kind, channel)
        self._wanted = kind
        self.backend = backend.in_session(self, self._require_open)
        self.state = BoundState(
            self.backend,
            lambda: self.ctx.state_store,
            self.agent,
            self.key,
            now=self._now,
            guard=self._guard,
            before_look=self._require_open,
            before_change=self._register,
        )
        self._registered = self._closed = False
        self.follows: Exported | None = None
        """What the session before this one left behind, where `new` made this one."""

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @Method
    def _identify(self, key: Any, kind: Any, channel: Any) -> tuple[str, Kind, str]:
        """Return the key, the kind and the channel that the session has from its first use on."""
        check_key(key)
        # A group's session must not become a private one, nor what was said in private be shown to a group.
        was = _last_kind(self.ctx, key)
        known_kind, known_channel = (None, "") if was is None else was
        if channel is None:
            channel = known_channel
        return key, _check_kind(key, kind, known_kind), channel

    @cached_property
    def transcript(self) -> Transcript:
        """The log of what was said."""
        ctx = self.ctx
        return Transcript(ctx.workspace, self.key, kind=self.kind, channel=self.channel, clock=ctx.clock)

    # What was said

    @Method
    def append(
        self,
        role: Annotated[str | Role, "Who said it."],
        text: Annotated[str, "What was said."] = "",
        *,
        tool_calls: Annotated[Iterable[ToolCall], "Calls of tools: id, name, arguments."] = (),
        tool_call_id: Annotated[str, "For role tool: the id of the call."] = "",
        tool_name: Annotated[str, "For role tool: the tool's name."] = "",
        failed: Annotated[bool, "For role tool: whether the call failed."] = False,
        origin: Annotated[
            Origin | str | None, "Where the words are from, if not from who says them; never `user` but for role user."
        ] = None,
        tags: Annotated[Iterable[str], "What it is beside that."] = (),
        at: Annotated[float | None, "When it was said, in seconds since 1970; now, where it is not given."] = None,
    ) -> Entry:
        """Add a message; it is on disk when this returns. Known secrets are redacted as `memory.secrets` says.

        `at` is when it was said, in seconds since 1970, where that was not now: an old talk keeps its own days.
        `origin` says whose words they are, if not the speaker's; `user` only ever for what the user says.
        """
        from holdfast.transcripts.session_entry import Utterance, make_entry, message_time

        self._require_open()
        if role in _SPEAKERS and not text.strip():
            raise BadArgument("text", f"it is empty; say what the {Role(role).value} said")
        said = Utterance(role, text, origin, tuple(tool_calls), tool_call_id, tool_name, failed, tuple(tags))
        said_at = message_time(at, self.ctx.clock.now())
        entry = make_entry(self.transcript.next_id(), said_at, said, self.ctx.settings.memory.secrets)
        self._register(entry.at)  # not before: what is refused makes no session
        self.transcript.append(entry)
        if self.ctx.searches_sessions:
            self.ctx.session_index.grew(self.transcript.log)
        return entry

    @declare(reads=True)
    def messages(self, limit: Annotated[int | None, "Only the last so many messages."] = None) -> list[Entry]:
        """Return everything that was said and can be read, oldest first; with a limit, the last so many."""
        self._require_open()
        entries = self.transcript.entries()
        if limit is None:
            return entries
        return entries[max(0, len(entries) - limit) :]

    @declare(reads=True)
    def context(self) -> list[Entry]:
        """Return what a model is to be sent: the summary of the last compaction, and what came after."""
        self._require_open()
        return self.transcript.context()

    # What the agent sees

    @declare(reads=True)
    def prompt(self, message: Annotated[str | None, "The user's message, to recall for."] = None) -> Prompt:
        """Return the memory for the system prompt, in blocks; with a message, what it brings to mind as well."""
        from holdfast.sessions.session_prompt import session_prompt

        self._require_open()
        return session_prompt(self, message)

    @Method
    def refresh_prompt(self) -> None:
        """Take the frozen snapshot of the prompt's memory anew."""
        from holdfast.sessions.session_prompt import refresh_prompt

        self._require_open()
        refresh_prompt(self)

    @declare(reads=True)
    def recall(self, message: Annotated[str, "What the user says."]) -> Recalled:
        """Return what memory holds about a message, fenced; within the deadline of `memory.recall`."""
        from holdfast.sessions.session_prompt import session_recall

        self._require_open()
        return session_recall(self, message)

    @check_arguments
    def tools(self, origin: Origin = Origin.AGENT, *, client: str = "") -> Toolbox:
        """Return the tools for a model in this session, `session_state` among them."""
        from holdfast.operations.toolbox import Toolbox

        self._require_open()
        return Toolbox(self.backend.for_origin(origin, self, client=client))

    # The whole of it

    @declare(slow=True)
    def turn(
        self,
        message: Annotated[str, "What the user says."],
        *,
        model: ChatModel | None = None,
        instructions: Annotated[str | None, "What the model is told first."] = None,
        on_event: Callable[[Event], None] | None = None,
        rounds: Annotated[int, "How often it may call tools."] = 8,
    ) -> Turned:
        """Answer a message: keep it, recall, ask the model with these tools, keep what it says, compact when due.

        `on_event` is told the text as it comes, and what else happens. A provider's failure is raised, Ctrl-C too:
        what was said until then is kept, and the next turn goes on from there.
        """
        from holdfast.sessions.session_turn import take_turn

        self._require_open()
        return take_turn(self, message, model=model, instructions=instructions, on_event=on_event, rounds=rounds)

    # What the user says about themselves

    @declare(slow=True)
    def capture(
        self,
        model: ChatModel | None = None,
        *,
        force: Annotated[bool, "Ask the language model, whether or not it is time."] = False,
    ) -> Captured:
        """Keep the facts in what the user said since the last call, as `[capture]` says; call it after a turn.

        `force` asks the language model for more, whether or not it is time; it never fails, and says why it did not.
        """
        from holdfast.sessions.session_capture import capture

        self._require_open()
        return capture(self, model, force=force)

    # Before a conversation grows too long

    @check_arguments
    def needs_flush(self, *, tokens: int | None = None, context_window: int | None = None) -> bool:
        """Say whether it is time for the silent turn that saves what matters."""
        return self.flush_due(tokens=tokens, context_window=context_window).due

    @declare(reads=True)
    def flush_due(self, *, tokens: _Tokens = None, context_window: _Window = None) -> Due:
        """Say whether it is time for the silent turn that saves what matters, why, and by which numbers."""
        from holdfast.sessions.session_compact import flush_due

        self._require_open()
        return flush_due(self, tokens=tokens, context_window=context_window)

    @declare(slow=True)
    def before_compaction(
        self,
        model: ChatModel | None = None,
        *,
        tokens: _Tokens = None,
        context_window: _Window = None,
        force: Annotated[bool, "Whether or not it is time."] = False,
    ) -> Flushed:
        """Run that turn if it is due; for agents that shorten their conversations themselves."""
        from holdfast.sessions.session_compact import before_compaction

        self._require_open()
        return before_compaction(self, model, tokens=tokens, context_window=context_window, force=force)

    @declare(slow=True)
    def compact(
        self,
        model: ChatModel | None = None,
        *,
        keep_tokens: Annotated[int | None, "How much stays word for word."] = None,
    ) -> Compacted:
        """Shorten what the model is sent; the transcript itself stays whole."""
        from holdfast.sessions.session_compact import compact

        self._require_open()
        return compact(self, model, keep_tokens=keep_tokens)

    @Method
    def compacted(
        self,
        *,
        kept_from: Annotated[str | None, "The id of the first message that was kept."] = None,
        summary: Annotated[str, "What stands in for the others."] = "",
    ) -> None:
        """Say that the agent has shortened the conversation itself: it kept the messages from this id on.

        Without an id only the last one stays. The next silent turn can be taken from then on.
        """
        from holdfast.sessions.session_compact import compacted

        self._require_open()
        compacted(self, kept_from=kept_from, summary=summary)

    # Its end

    @Method
    def export(self) -> Exported | None:
        """Write the conversation to memory/sessions/, over an earlier export of it; None if nothing was said."""
        from holdfast.context.session_export import export_session

        self._require_known()
        return export_session(self)

    @Method
    def reset(self) -> Exported | None:
        """Begin anew under the same key: exports as the settings say, archives the transcript, clears the state."""
        self._require_known()
        from holdfast.sessions.session_reset import clear_state

        exported = self._export()
        with self._alone():
            archive = self.transcript.archive()
            self._register()
            clear_state(self, archive)
        if archive is not None and self.ctx.searches_sessions:
            self.ctx.session_index.ended(archive)
        return exported

    @Method
    def undo_reset(self) -> None:
        """Take back the last reset: the conversation goes on, with its state, unless something was said since."""
        from holdfast.sessions.session_reset import undo_reset

        self._require_known()
        with self._alone():
            undo_reset(self)

    @Method
    def new(self, key: Annotated[str | None, "The key of the next one."] = None) -> Session:
        """Leave this conversation, exported as the settings say, and open another."""
        if key is None:
            wanted = self._fresh_key()
        else:
            wanted = check_key(key)
        other = Session(self.backend, wanted, kind=self.kind, channel=self.channel)
        exported = self._export()
        self.close()
        other.follows = exported
        return other

    def close(self) -> None:
        """Let go; nothing is exported, and everything is there when the key is opened again."""
        if not self._closed and self._registered:
            self._closed = True
            if self.ctx.searches_sessions:
                self.ctx.session_index.ended(self.transcript.log.name)
        self._closed = True

    @Method
    def exclude(self, excluded: Annotated[bool, "false lets it in again."] = True) -> None:
        """Keep the session out of session search and exports, or let it in again."""
        from holdfast.context.session_export import exclude_session

        # Who wants it out of sight beforehand makes it so; there is nothing to let in of one that never was.
        (self._register if excluded else self._require_open)()
        with self._alone():
            self.ctx.state_store.exclude(self.agent, self.key, excluded)
            exclude_session(self, excluded)

    @property
    def excluded(self) -> bool:
        """True if it is kept out of session search and exports; a forgotten session always is."""
        return self._is_excluded()

    @Method
    def _is_excluded(self) -> bool:
        return self.ctx.state_store.hidden(self.agent, self.key)

    @property
    def forgotten(self) -> bool:
        """True if the owner wanted this session forgotten.

        Then nobody keeps a record of it without being asked to.
        """
        return self._is_forgotten()

    @Method
    def _is_forgotten(self) -> bool:
        from holdfast.sessions.session_forget import is_forgotten

        return is_forgotten(self)

    @Method
    def delete(self, *, everywhere: Annotated[bool, "Its exports too."] = False) -> None:
        """Remove transcript, archives, state and index rows; `everywhere` removes its exports too."""
        from holdfast.sessions.session_forget import require_erasable

        with self._alone():
            self._require_known(exports=everywhere)
            if everywhere:
                require_erasable(self.ctx, self.key)
            self._remove(exports=everywhere)

    def _remove(self, *, exports: bool) -> None:
        from holdfast.context.session_export import drop_session

        # The transcript first: while it is there, another process may index it again.
        self.transcript.remove()
        drop_session(self, exports=exports)
        self.ctx.state_store.delete_session(self.agent, self.key)
        self._registered = False

    @declare(slow=True)
    def forget(self) -> None:
        """Delete it everywhere, the checkpoints of its exports too; nothing under this key is indexed or exported."""
        from holdfast.context.session_export import exports_of
        from holdfast.sessions.session_forget import erase_traces, require_erasable

        with self._alone():
            self._require_known(exports=True)
            require_erasable(self.ctx, self.key)
            exports = exports_of(self.ctx, self.key)
            self.ctx.state_store.forget(self.agent, self.key, self.ctx.clock.now())
            self._remove(exports=True)
            erase_traces(self.ctx, self.key, exports)

    def __repr__(self) -> str:
        return f"Session(key={self.key!r}, kind={self.kind.value!r}, agent={self.agent!r})"

    # Inside

    def _alone(self) -> AbstractContextManager[None]:
        """Keep out who exports the session, adds to its record or ends it, too: what they read would come back."""
        from holdfast.transcripts.session_lock import Job, hold_session

        return hold_session(self.ctx.workspace, self.key, Job.RECORD, _PATIENCE)

    def _guard(self, namespace: str, value: Any) -> Any:
        return guard_value(namespace, value, self.ctx.settings.memory.secrets)

    def _now(self) -> float:
        return self.ctx.clock.now()

    def _export(self) -> Exported | None:
        from holdfast.context.session_export import export_session, may_export

        self._require_open()
        wanted = self.ctx.settings.memory.session_export is not SessionExport.OFF
        if wanted and may_export(self.ctx):
            return export_session(self)
        return None

    def _require_known(self, *, exports: bool = False) -> None:
        """SessionNotFound where nothing was ever done under this key: a slip in it must not look like a success.

        With `exports` one is also known that left only these behind, or their checkpoints.
        """
        from holdfast.sessions.session_forget import leaves_traces

        self._require_open()
        if self._registered or _last_kind(self.ctx, self.key) is not None or self.transcript.archives():
            return
        if not (exports and leaves_traces(self.ctx, self.key)):
            raise SessionNotFound(self.key)

    def _require_open(self) -> None:
        self.backend.require_open()  # a closed memory has no sessions either
        if self._closed:
            raise SessionClosed(self.key)

    def _register(self, at: float | None = None) -> None:
        """Before the first change: the session is in the list from now on, or from when its first message was said.

        A mere look leaves no trace.
        """
        self._require_open()
        if not self._registered:
            store, since = self.ctx.state_store, self.ctx.clock.now() if at is None else at
            # A state that can't be written is no reason to lose what was said; the transcript says whose it is, too.
            with suppress(StorageFailed, Busy):
                kind = store.register(self.agent, self.key, self.kind, self.channel, since)
                if kind is not self.kind:  # another process began it since we looked
                    self.kind = self.transcript.kind = _check_kind(self.key, self._wanted, kind)
            self._registered = True

    def _fresh_key(self) -> str:
        from datetime import UTC, datetime

        today = datetime.fromtimestamp(self.ctx.clock.now(), UTC).astimezone()
        return f"{today:%Y-%m-%d}-{os.urandom(3).hex()}"


def _check_kind(key: str, kind: str | Kind | None, was: Kind | None) -> Kind:
    """Return the kind that a session has from its first use on; BadArgument for another one."""
    if kind is None:
        return was or Kind.DIRECT
    wanted = kind_of(kind)
    if was is not None and wanted is not was:
        reason = f"the session {key!r} is a {was.value} one and stays so; use another key, or delete the session first"
        raise BadArgument("kind", reason)
    return wanted


def _last_kind(ctx: Context, key: str) -> tuple[Kind, str] | None:
    """Return the kind and channel of a session's last use; the transcript knows if the state was lost."""
    with suppress(StorageFailed, Busy):
        known = ctx.state_store.known(ctx.workspace.agent, key)
        if known is not None:
            return known.kind, known.channel
    opening = Transcript(ctx.workspace, key).opening
    if opening is None:
        return None
    return (opening.session, opening.channel)
