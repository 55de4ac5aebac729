"""One conversation that a server keeps, with the methods of `Session`."""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_hex
from types import TracebackType
from typing import TYPE_CHECKING, Any

from holdfast.errors import BadArgument, SessionClosed
from holdfast.guard.origin import Origin
from holdfast.sessions.conversation import Session
from holdfast.sessions.session_values import GuardedState
from holdfast.surfaces.client.remote_method import remote
from holdfast.surfaces.client.remote_parts import RemoteToolbox
from holdfast.surfaces.client.transport import Link

if TYPE_CHECKING:
    from holdfast.llm.chat_model import ChatModel
    from holdfast.sessions.tool_loop import Turned
    from holdfast.sessions.turn_events import Event
    from holdfast.transcripts.session_key import Kind
    from holdfast.transcripts.session_note import Exported

__all__ = ["RemoteSession", "RemoteState"]


class RemoteSession:
    """One conversation. A context manager; leaving it keeps everything and exports nothing."""

    def __init__(
        self, link: Link, agent: str, key: str = "main", *, kind: str | None = None, channel: str | None = None
    ) -> None:
        self._link, self.agent, self._closed = link, agent, False
        opened = link.call("session", {"key": key, "kind": kind, "channel": channel})
        self.key: str = opened["key"]
        self.kind: Kind = opened["kind"]
        self.channel: str = opened["channel"]
        self.state = RemoteState(self)
        self.follows: Exported | None = None
        """What the session before this one left behind, where `new` made this one."""

    def __enter__(self) -> RemoteSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go; everything is there when the key is opened again."""
        self._closed = True

    # What was said
    append = remote(Session.append)
    messages = remote(Session.messages)
    context = remote(Session.context)

    # What the agent sees
    prompt = remote(Session.prompt)
    refresh_prompt = remote(Session.refresh_prompt)
    recall = remote(Session.recall)

    def tools(self, origin: Origin = Origin.AGENT, *, client: str = "") -> RemoteToolbox:
        """The tools for a model in this session, `session_state` among them."""
        self._open()
        return RemoteToolbox(self._link, origin, self._named, client=client)

    def turn(
        self,
        message: str,
        *,
        model: ChatModel | None = None,
        instructions: str | None = None,
        on_event: Callable[[Event], None] | None = None,
        rounds: int = 8,
    ) -> Turned:
        """Answer a message with the server's model; `on_event` is told what happened when the answer is there."""
        if model is not None:
            raise BadArgument("model", "a model of this process can't answer for the server; set [llm] there")
        done = self.ask("turn", message=message, instructions=instructions, rounds=rounds)
        if on_event is not None:
            for event in done["events"]:
                on_event(event)
        turned: Turned = done["turned"]
        return turned

    capture = remote(Session.capture)

    # Before a conversation grows too long
    flush_due = remote(Session.flush_due)
    before_compaction = remote(Session.before_compaction)
    compact = remote(Session.compact)
    compacted = remote(Session.compacted)

    def needs_flush(self, *, tokens: int | None = None, context_window: int | None = None) -> bool:
        """Say whether it is time for the silent turn that saves what matters."""
        return self.flush_due(tokens=tokens, context_window=context_window).due

    # Its end
    export = remote(Session.export)
    reset = remote(Session.reset)
    exclude = remote(Session.exclude)
    delete = remote(Session.delete)
    forget = remote(Session.forget)

    def new(self, key: str | None = None) -> RemoteSession:
        """Leave this conversation, exported as the settings say, and open another."""
        opened = self.ask("new", key=key)
        self.close()
        other = RemoteSession(self._link, self.agent, opened["key"], kind=opened["kind"], channel=opened["channel"])
        other.follows = opened["follows"]
        return other

    @property
    def excluded(self) -> bool:
        """True if it is kept out of session search and exports; a forgotten session always is."""
        return bool(self._link.call("session", self._named)["excluded"])

    @property
    def forgotten(self) -> bool:
        """True if the owner wanted this session forgotten: then nobody keeps a record of it without being asked to."""
        return bool(self._link.call("session", self._named)["forgotten"])

    def ask(self, method: str, **arguments: Any) -> Any:
        """Return what a method of the session gives at the server."""
        self._open()
        return self._link.call(f"session.{method}", self._named, **arguments)

    def __repr__(self) -> str:
        return f"RemoteSession(key={self.key!r}, kind={self.kind.value!r}, agent={self.agent!r})"

    @property
    def _named(self) -> dict[str, Any]:
        return {"key": self.key, "kind": self.kind.value, "channel": self.channel}

    def _open(self) -> None:
        if self._closed:
            raise SessionClosed(self.key)


class RemoteState:
    """The state of one session."""

    def __init__(self, session: RemoteSession) -> None:
        self._session = session

    def get(self, namespace: str, key: str, default: Any = None) -> Any:
        """A value, or the default, which stays here: it may be anything."""
        nothing = f"nothing {token_hex(16)}"
        found = self.ask("get", namespace=namespace, key=key, default=nothing)
        return default if found == nothing else found

    set = remote(GuardedState.set)
    delete = remote(GuardedState.delete)
    list = remote(GuardedState.list)
    clear = remote(GuardedState.clear)
    compare_and_set = remote(GuardedState.compare_and_set)

    def ask(self, method: str, **arguments: Any) -> Any:
        """Return what a method of the state gives at the server."""
        return self._session.ask(f"state.{method}", **arguments)
