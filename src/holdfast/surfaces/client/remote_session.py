"""One conversation that a server keeps, with the methods of `Session`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from secrets import token_hex
from types import TracebackType
from typing import TYPE_CHECKING, Any

from holdfast.errors import BadArgument, SessionClosed
from holdfast.guard.origin import Origin
from holdfast.surfaces.client.remote_parts import RemoteToolbox
from holdfast.surfaces.client.transport import Link

if TYPE_CHECKING:
    from holdfast.llm.chat_model import ChatModel, Role, ToolCall
    from holdfast.recall.recall import Recalled
    from holdfast.sessions.compaction import Compacted
    from holdfast.sessions.flush import Flushed
    from holdfast.sessions.flush_threshold import Due
    from holdfast.sessions.prompt_blocks import Prompt
    from holdfast.sessions.session_capture import Captured
    from holdfast.sessions.tool_loop import Turned
    from holdfast.sessions.turn_events import Event
    from holdfast.transcripts.session_key import Kind
    from holdfast.transcripts.session_note import Exported
    from holdfast.transcripts.state import Stored
    from holdfast.transcripts.transcript_entry import Entry

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

    def append(
        self,
        role: str | Role,
        text: str = "",
        *,
        tool_calls: Iterable[ToolCall] = (),
        tool_call_id: str = "",
        tool_name: str = "",
        failed: bool = False,
        origin: Origin | str | None = None,
        tags: Iterable[str] = (),
        at: float | None = None,
    ) -> Entry:
        """Add a message; it is on the server's disk when this returns."""
        entry: Entry = self.ask(
            "append",
            role=role,
            text=text,
            tool_calls=list(tool_calls),
            tool_call_id=tool_call_id,
            tool_name=tool_name,
            failed=failed,
            origin=origin,
            tags=list(tags),
            at=at,
        )
        return entry

    def messages(self, limit: int | None = None) -> list[Entry]:
        """Everything that was said and can be read, oldest first; with a limit, the last so many."""
        found: list[Entry] = self.ask("messages", limit=limit)
        return found

    def context(self) -> list[Entry]:
        """What a model is to be sent: the summary of the last compaction, and what came after."""
        found: list[Entry] = self.ask("context")
        return found

    # What the agent sees

    def prompt(self, message: str | None = None) -> Prompt:
        """The memory for the system prompt, in blocks; with the user's message, what it brings to mind as well."""
        found: Prompt = self.ask("prompt", message=message)
        return found

    def refresh_prompt(self) -> None:
        """Take the frozen snapshot of the prompt's memory anew."""
        self.ask("refresh_prompt")

    def recall(self, message: str) -> Recalled:
        """What memory holds about a message, fenced for a prompt."""
        found: Recalled = self.ask("recall", message=message)
        return found

    def tools(self, origin: Origin = Origin.AGENT, *, client: str = "") -> RemoteToolbox:
        """The tools for a model in this session, `session_state` among them."""
        self._open()
        return RemoteToolbox(self._link, origin, self._named, client=client)

    # The whole of it

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
        _no_model(model)
        done = self.ask("turn", message=message, instructions=instructions, rounds=rounds)
        if on_event is not None:
            for event in done["events"]:
                on_event(event)
        turned: Turned = done["turned"]
        return turned

    def capture(self, model: ChatModel | None = None, *, force: bool = False) -> Captured:
        """Keep the facts in what the user said since the last call; call it after a turn."""
        _no_model(model)
        found: Captured = self.ask("capture", force=force)
        return found

    # Before a conversation grows too long

    def needs_flush(self, *, tokens: int | None = None, context_window: int | None = None) -> bool:
        """Whether it is time for the silent turn that saves what matters."""
        return self.flush_due(tokens=tokens, context_window=context_window).due

    def flush_due(self, *, tokens: int | None = None, context_window: int | None = None) -> Due:
        """Whether it is time for that turn, why or why not, and the numbers that decided."""
        found: Due = self.ask("flush_due", tokens=tokens, context_window=context_window)
        return found

    def before_compaction(
        self,
        model: ChatModel | None = None,
        *,
        tokens: int | None = None,
        context_window: int | None = None,
        force: bool = False,
    ) -> Flushed:
        """Run that turn if it is due; for agents that shorten their conversations themselves."""
        _no_model(model)
        done: Flushed = self.ask("before_compaction", tokens=tokens, context_window=context_window, force=force)
        return done

    def compact(self, model: ChatModel | None = None, *, keep_tokens: int | None = None) -> Compacted:
        """Shorten what the model is sent; the transcript itself stays whole."""
        _no_model(model)
        done: Compacted = self.ask("compact", keep_tokens=keep_tokens)
        return done

    def compacted(self, *, kept_from: str | None = None, summary: str = "") -> None:
        """Say that the agent has shortened the conversation itself: it kept the messages from this id on."""
        self.ask("compacted", kept_from=kept_from, summary=summary)

    # Its end

    def export(self) -> Exported | None:
        """Write the conversation to memory/sessions/, over an earlier export of it; None if nothing was said."""
        made: Exported | None = self.ask("export")
        return made

    def reset(self) -> Exported | None:
        """Begin anew under the same key: exports as the settings say, archives the transcript, clears the state."""
        made: Exported | None = self.ask("reset")
        return made

    def new(self, key: str | None = None) -> RemoteSession:
        """Leave this conversation, exported as the settings say, and open another."""
        opened = self.ask("new", key=key)
        self.close()
        other = RemoteSession(self._link, self.agent, opened["key"], kind=opened["kind"], channel=opened["channel"])
        other.follows = opened["follows"]
        return other

    def exclude(self, excluded: bool = True) -> None:
        """Keep the session out of session search and exports, or let it in again."""
        self.ask("exclude", excluded=excluded)

    @property
    def excluded(self) -> bool:
        """Whether it is kept out of session search and exports; a forgotten session always is."""
        return bool(self._link.call("session", self._named)["excluded"])

    @property
    def forgotten(self) -> bool:
        """Whether the owner wanted this session forgotten: then nobody keeps a record of it without being asked to."""
        return bool(self._link.call("session", self._named)["forgotten"])

    def delete(self, *, everywhere: bool = False) -> None:
        """Remove transcript, archives, state and index rows; `everywhere` removes its exports too."""
        self.ask("delete", everywhere=everywhere)

    def forget(self) -> None:
        """Delete it everywhere, and never index or export anything under this key again."""
        self.ask("forget")

    def ask(self, method: str, **arguments: Any) -> Any:
        """What a method of the session gives at the server."""
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
        found = self._session.ask("state.get", namespace=namespace, key=key, default=nothing)
        return default if found == nothing else found

    def set(self, namespace: str, key: str, value: Any) -> None:
        """Keep a value, over what was there."""
        self._session.ask("state.set", namespace=namespace, key=key, value=value)

    def delete(self, namespace: str, key: str) -> bool:
        """Remove a value; says whether there was one."""
        return bool(self._session.ask("state.delete", namespace=namespace, key=key))

    def list(self, namespace: str | None = None) -> list[Stored]:
        """The values of one namespace or of all."""
        found: list[Stored] = self._session.ask("state.list", namespace=namespace)
        return found

    def clear(self, namespace: str | None = None) -> int:
        """Remove the values of one namespace or of all; says how many."""
        return int(self._session.ask("state.clear", namespace=namespace))

    def compare_and_set(self, namespace: str, key: str, expected: Any, new: Any) -> bool:
        """Keep a value if what is there is what was expected; of many callers, one succeeds."""
        return bool(
            self._session.ask("state.compare_and_set", namespace=namespace, key=key, expected=expected, new=new)
        )


def _no_model(model: ChatModel | None) -> None:
    if model is not None:
        raise BadArgument("model", "a model of this process can't answer for the server; set [llm] there")
